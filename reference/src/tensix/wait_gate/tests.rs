//! Values computed by hand from the pages.

use tandem_isa::tensix::{BLACKHOLE, Semaphore, WORMHOLE, bank};
use tandem_isa::{Edition, Reference};

use super::*;
use crate::tensix::TensixReference;

/// A latched `STALLWAIT`.
fn stallwait(condition_mask: u32, block_mask: u32) -> Latched {
    Latched { opcode: Latched::STALLWAIT, condition_mask, block_mask, ..Latched::default() }
}

/// A latched `SEMWAIT` of some semaphores.
fn semwait(condition_mask: u32, semaphore_mask: u32, block_mask: u32) -> Latched {
    Latched { opcode: Latched::SEMWAIT, condition_mask, block_mask, semaphore_mask, ..Latched::default() }
}

/// Runs the base code of an instruction of thread 1, which has something latched, where all banks are the Unpackers'.
fn run(chip: Chip, name: &str, latched: Latched, prepare: impl FnOnce(&mut Small)) -> (Expectation, Small) {
    let isa = chip.pick(&WORMHOLE, &BLACKHOLE);
    let instruction = isa.instruction(name).expect("both chips have it");
    let mut state: State = isa.base_state();
    let small = Tensix::new(&mut state).small;
    small.current_thread = 1;
    (small.srca_allowed_client, small.srcb_allowed_client) = ([UNPACKERS; 2], [UNPACKERS; 2]);
    // Those of other threads are not looked at.
    small.latched = [stallwait(chip.pick(0x400, 0x80), 0x1ff); 3];
    small.latched[1] = latched;
    prepare(small);
    let step = Step { instruction, edition: Edition::Newest, code: instruction.base_code };
    let promise = TensixReference.execute(&step, &mut state);
    (promise, *Tensix::new(&mut state).small)
}

/// What waits for ever where all banks are the Unpackers'.
fn for_ever(chip: Chip, block_mask: u32) -> Latched {
    stallwait(chip.pick(0x400, 0x80), block_mask)
}

#[test]
fn each_instruction_is_held_by_the_block_bits_of_its_unit() {
    // How names of instructions begin, and the bits that the table of page STALLWAIT marks, of Wormhole and of Blackhole.
    let table: &[(&str, [u32; 2])] = &[
        ("SFP", [0x100; 2]),
        ("MOV ZEROACC ZEROSRC TRNSPSRCB SHIFTX SETRWC INCRWC CLEARDVALID MVMUL GAPOOL GMPOOL ELW", [0x40; 2]),
        ("SEMINIT SEMPOST SEMGET ATGETM ATRELM", [0x02; 2]),
        ("SETDVALID SETADC INCADC ADDRCR", [0x01; 2]),
        ("UNPACR_", [0x09; 2]),
        ("XMOV", [0x11; 2]),
        ("PACR", [0x05; 2]),
        ("SEMWAIT", [0x02, 0x1ff]),
        ("STALLWAIT STREAMWAIT", [0x1ff; 2]),
        ("SETC16 WRCFG RDCFG RMWCIB CFGSHIFTMASK STREAMWRCFG", [0x80; 2]),
        ("SETDMAREG_ ADDDMAREG SUBDMAREG MULDMAREG BITWOPDMAREG SHIFTDMAREG CMPDMAREG DMANOP FLUSHDMA", [0x21; 2]),
        ("REG2FLOP_ LOADIND STOREIND_ ATCAS ATINCGET ATSWAP LOADREG STOREREG", [0x21; 2]),
        ("RISC_", [0; 2]),
    ];
    let mut checked = 0;
    for chip in Chip::ALL {
        for instruction in chip.pick(&WORMHOLE, &BLACKHOLE).instructions {
            let name = instruction.name;
            let is_of = |(names, _): &&(&str, _)| names.split(' ').any(|begin| name.starts_with(begin));
            let (_, bits) = table.iter().find(is_of).unwrap_or_else(|| panic!("{name} is in no row of the table"));
            for bit in 0..9 {
                let (promise, _) = run(chip, name, for_ever(chip, 1 << bit), |_| ());
                let held = matches!(promise, Expectation::Blocked(citation) if citation.reason == HELD_REASON);
                assert_eq!(held, chip.pick(bits[0], bits[1]) >> bit & 1 != 0, "{name} {chip:?} B{bit}");
            }
            checked += 1;
        }
    }
    assert!(checked >= 2 * 48, "{checked}");
}

#[test]
fn what_is_latched_holds_the_next_instruction_and_is_forgotten() {
    for chip in Chip::ALL {
        // The Unpackers' bank is the Unpackers': the condition does not keep on waiting.
        let over = stallwait(chip.pick(0x100, 0x20), 0x1ff);
        let (promise, small) = run(chip, "INCRWC", over, |_| ());
        assert_eq!((promise, small.latched[1]), (Expectation::Done, Latched::default()));
        assert_eq!(small.latched[0], for_ever(chip, 0x1ff), "that of another thread stays");
        // The condition waits: what it does not block passes, and it stays.
        let (promise, small) = run(chip, "INCRWC", for_ever(chip, 0x1bf), |_| ());
        assert_eq!((promise, small.latched[1]), (Expectation::Done, for_ever(chip, 0x1bf)));
        // What it blocks is held, and nothing changes.
        let (promise, small) = run(chip, "INCRWC", for_ever(chip, 0x40), |_| ());
        assert!(matches!(promise, Expectation::Blocked(_)));
        assert_eq!(small.latched[1], for_ever(chip, 0x40));
        // Who gets past and is held by a bank leaves what was latched as well.
        let (promise, small) = run(chip, "TRNSPSRCB", over, |_| ());
        assert!(matches!(promise, Expectation::Blocked(citation) if citation.reason != HELD_REASON));
        assert_eq!(small.latched[1], over);
    }
}

#[test]
fn on_wormhole_alone_a_semwait_takes_the_place_of_what_is_latched() {
    // A SEMWAIT of one condition: its base code has none.
    let run = |chip: Chip, name: &str, bits: u32, latched: Latched| {
        let isa = chip.pick(&WORMHOLE, &BLACKHOLE);
        let instruction = isa.instruction(name).expect("both chips have it");
        let mut state = isa.base_state();
        let small = Tensix::new(&mut state).small;
        (small.srca_allowed_client, small.latched[0]) = ([UNPACKERS; 2], latched);
        let code = [instruction.base_code[0] | bits];
        let promise = TensixReference.execute(&Step { instruction, edition: Edition::Newest, code: &code }, &mut state);
        (promise, Tensix::new(&mut state).small.latched[0])
    };
    for (chip, block_mask) in Chip::ALL.into_iter().flat_map(|chip| [(chip, 0x1fd), (chip, 0x002)]) {
        let latched = for_ever(chip, block_mask);
        let (promise, after) = run(chip, "SEMWAIT", 1 << 15 | 8 << 2 | 2, latched);
        if chip == Chip::Wormhole && block_mask == 0x1fd {
            assert_eq!((promise, after), (Expectation::Done, semwait(2, 8, 1)));
        } else {
            assert!(matches!(promise, Expectation::Blocked(_)), "{chip:?} {block_mask:#x}");
            assert_eq!(after, latched);
        }
        let (promise, after) = run(chip, "STALLWAIT", 0, latched);
        assert!(matches!(promise, Expectation::Blocked(_)));
        assert_eq!(after, latched);
    }
}

#[test]
fn a_stallwait_waits_for_the_owners_that_it_selects_and_for_no_unit() {
    for chip in Chip::ALL {
        let (conditions, first) = chip.pick((15, 8), (13, 5));
        for (number, owners) in (0..conditions).flat_map(|number| (0..16).map(move |owners: u32| (number, owners))) {
            // The Unpackers use bank 0 of SrcA and bank 1 of SrcB, and the Matrix Unit the others.
            let (promise, _) = run(chip, "INCRWC", stallwait(1 << number, 0x40), |small| {
                small.srca_allowed_client = [owners & 1, owners >> 1 & 1];
                small.srcb_allowed_client = [owners >> 2 & 1, owners >> 3];
                small.unpackers_src_bank = [0, 1];
                (small.matrix_unit_srca_bank, small.matrix_unit_srcb_bank) = (1, 0);
            });
            // 1 is the Unpackers.
            let waits = match u32::checked_sub(number, first) {
                Some(0) => owners & 1 == 0,
                Some(1) => owners >> 3 & 1 == 0,
                Some(2) => owners >> 1 & 1 != 0,
                Some(3) => owners >> 2 & 1 != 0,
                _ => false,
            };
            assert_eq!(matches!(promise, Expectation::Blocked(_)), waits, "{chip:?} C{number} {owners:04b}");
        }
    }
}

#[test]
fn a_semwait_waits_while_any_selected_semaphore_is_empty_or_full() {
    for chip in Chip::ALL {
        for (mask, conditions, waits) in [
            // Semaphore 0 is empty, 1 is neither, 2 is full, 3 is more than full, 4 is both, and 5 to 7 are neither.
            (0x01, 1, true),
            (0x01, 2, false),
            (0x02, 3, false),
            (0x04, 1, false),
            (0x04, 2, true),
            (0x08, 2, true),
            (0x10, 1, true),
            (0x10, 2, true),
            (0x1e, 1, true),
            (0xe2, 3, false),
            (0x00, 3, false),
            (0x03, 1, true),
            (0x06, 2, true),
        ] {
            let (promise, _) = run(chip, "INCRWC", semwait(conditions, mask, 0x40), |small| {
                small.semaphores = [(0, 3), (2, 3), (3, 3), (9, 3), (0, 0), (1, 2), (14, 15), (1, 15)]
                    .map(|(value, max)| Semaphore { value, max });
            });
            assert_eq!(matches!(promise, Expectation::Blocked(_)), waits, "{chip:?} {mask:#x} {conditions}");
        }
    }
}

#[test]
fn a_streamwait_waits_while_its_register_is_below_the_target() {
    let instruction = BLACKHOLE.instruction("INCRWC").expect("it is there");
    // The value of each register, the condition, and whether it waits for 0x400.
    for (registers, condition_mask, waits) in [
        ([0x3ff, 0xf_ffff], 1, true),
        ([0x400, 0], 1, false),
        ([0x401, 0], 1, false),
        ([0xf_ffff, 0x3ff], 2, true),
        ([0, 0x400], 2, false),
        ([0, 0x1_0000], 2, false),
    ] {
        for stream_select in 0..4 {
            let mut state: State = BLACKHOLE.base_state();
            let tensix = Tensix::new(&mut state);
            tensix.small.current_thread = 2;
            let latched = Latched {
                opcode: Latched::STREAMWAIT,
                condition_mask,
                block_mask: 0x40,
                semaphore_mask: 0,
                target_value: 0x400,
                stream_select,
            };
            tensix.small.latched = [Latched::default(), latched, latched];
            // Sections 0 to 3 name streams 60 to 63; those of another thread name streams 0 to 3, which are far on.
            for section in 0..4 {
                tensix.small.thread_config[2][59 + section] = 0xffc0 | (60 + section as u16);
                tensix.small.thread_config[0][59 + section] = section as u16;
            }
            for stream in 0..64 {
                let is_named = stream == 60 + stream_select as usize;
                let here = if is_named {
                    registers
                } else if waits {
                    [0xf_ffff; 2]
                } else {
                    [0; 2]
                };
                (0..2).for_each(|column| state.set_word(bank::NOC_STREAMS, stream, column, here[column]));
            }
            let step = Step { instruction, edition: Edition::Newest, code: instruction.base_code };
            let promise = TensixReference.execute(&step, &mut state);
            let then = Tensix::new(&mut state).small.latched;
            assert_eq!(then[1], latched, "that of another thread stays");
            if waits {
                assert!(matches!(promise, Expectation::Blocked(citation) if citation.page.name == "STREAMWAIT"));
                assert_eq!(then[2], latched);
            } else {
                assert_eq!((promise, then[2]), (Expectation::Done, Latched::default()));
            }
        }
    }
}
