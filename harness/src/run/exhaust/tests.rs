//! How values are laid out in the rows that are read, on an instruction set that the harness knows for tests.

use tandem_cases::ISAS;
use tandem_isa::{DomainPart, Isa, Placement, SaltRange};

use super::*;
use crate::case::feed::{cut, deposit};

/// The first instruction set, and its bank whose words have a number of bytes.
fn bank(bytes: usize) -> (&'static Isa, usize) {
    let isa = ISAS[0];
    let bank = isa.layout.banks.iter().position(|bank| bank.word.bytes() == bytes && bank.columns() >= 16);
    (isa, bank.expect("there is such a bank"))
}

fn port(isa: &'static Isa, domain: Exhaust, first: u64) -> CountingPort {
    let mut port = CountingPort {
        domain,
        next: Arc::new(AtomicU64::new(first)),
        seen: Arc::new(AtomicU64::new(0)),
        plan: SaltPlan::default(),
        salter: Salter::new(Pools::new(isa, 1)),
        halves: Halves::new(),
    };
    port.begin(1, &SaltPlan::default(), false);
    port
}

fn halves(bytes: &[u8]) -> Vec<u64> {
    bytes.chunks_exact(2).map(|half| u64::from(u16::from_le_bytes([half[0], half[1]]))).collect()
}

#[test]
fn a_split_datum_is_the_same_in_whatever_order_its_rows_are_read() {
    let (isa, bank) = bank(2);
    let place = Placement { copies: 2, split: Some(8), ..Placement::LOW_BITS };
    let domain =
        Exhaust { bits: 32, feed: Feed::Rows { bank, datum_bytes: 4, data_per_row: 8, place }, set: |_, _| {} };
    let mut port = port(isa, domain, 0x1_fffc);
    let mut rows = [[0; 32]; 4];
    for (row, bytes) in [16, 24, 25, 17].into_iter().zip(&mut rows) {
        port.fill(bank, row, bytes);
    }
    let [upper, lower, second_lower, second_upper] = rows.map(|row| halves(&row));
    for column in 0..16 {
        let first = 0x1_fffc + column as u64 / 2;
        assert_eq!(upper[column] << 16 | lower[column], first);
        assert_eq!(second_upper[column] << 16 | second_lower[column], first + 8);
    }
    assert_eq!(port.next.load(Ordering::Relaxed), 0x1_fffc + 16);
    // Another case begins with new values, in the same rows too.
    port.begin(2, &SaltPlan::default(), false);
    port.fill(bank, 16, &mut rows[0]);
    port.fill(bank, 24, &mut rows[1]);
    assert_eq!(halves(&rows[0])[0] << 16 | halves(&rows[1])[0], 0x1_fffc + 16);
}

#[test]
fn bits_that_are_not_counted_are_drawn() {
    let (isa, bank) = bank(4);
    let mask = 0x8000_03ff;
    let place = Placement { bits: Some(mask), ..Placement::LOW_BITS };
    let domain =
        Exhaust { bits: 11, feed: Feed::Rows { bank, datum_bytes: 4, data_per_row: 16, place }, set: |_, _| {} };
    let mut port = port(isa, domain, 0x3f8);
    let mut row = [0; 64];
    port.fill(bank, isa.layout.banks[bank].first_row, &mut row);
    let words: Vec<u32> =
        row.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect();
    for (value, word) in (0x3f8u32..).zip(&words) {
        assert_eq!(word & mask, (value & 0x3ff) | (value >> 10 & 1) << 31);
    }
    assert!(words.iter().any(|word| word & !mask != 0));
    assert_eq!(port.next.load(Ordering::Relaxed), 0x3f8 + 16);
}

#[test]
fn values_are_deposited_from_the_lowest_place_on() {
    assert_eq!(deposit(0b1011, 0xf0), 0xb0);
    assert_eq!(deposit(0x1_2345, 0xffff), 0x2345);
    assert_eq!(deposit(u64::MAX, u64::MAX), u64::MAX);
    assert_eq!(deposit(0b101, 0x8000_0003), 0x8000_0001);
}

#[test]
fn a_cut_value_runs_through_all_pairs_at_every_pair_of_places() {
    let parts = [DomainPart { range: 1, bits: 2 }, DomainPart { range: 0, bits: 4 }];
    let mut plan = SaltPlan::default();
    plan.ranges[0] = SaltRange { first: 3, end: 5, class: 0 };
    plan.ranges[1] = SaltRange { first: 9, end: 10, class: 0 };
    assert_eq!(cut(&parts, &plan, 0, 8, &mut [0; 4]), None);
    let mut seen = vec![0u64; 16 * 16];
    for value in 0..1 << 6 {
        let mut rows = [[0u8; 4]; 3];
        for (row, row_id) in rows.iter_mut().zip([3, 4, 9]) {
            assert_eq!(cut(&parts, &plan, value, row_id, row), Some(usize::from(row_id != 9)));
        }
        let wide: Vec<u8> = rows[..2].as_flattened().iter().flat_map(|byte| [byte & 15, byte >> 4]).collect();
        let narrow: Vec<u8> = rows[2].iter().flat_map(|byte| [0, 2, 4, 6].map(|shift| byte >> shift & 3)).collect();
        assert_eq!((wide.len(), narrow.len()), (16, 16));
        for (i, wide) in wide.iter().enumerate() {
            for (j, narrow) in narrow.iter().enumerate() {
                seen[16 * i + j] |= 1 << (wide << 2 | narrow);
            }
        }
    }
    assert!(seen.iter().all(|&pairs| pairs == u64::MAX));
}
