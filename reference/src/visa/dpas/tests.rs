//! What a `DPAS` does to a whole state, from the page's matrices, and what keeps it from being executed.

use tandem_isa::visa::{FIRST_GENERAL, GRF_BYTES, PRE_XEHP, VISA};
use tandem_isa::{CodeField, Edition, Reference, State, Step, mix64};

use super::*;
use crate::visa::VisaReference;

/// `Dst`, `Src0`, `Src1` and `Src2` are `V32` to `V35`, 2,048 bytes each, in a state of registers of 64 bytes.
struct Case {
    state: State,
    code: [u32; 12],
}

impl Case {
    fn new(src1: Precision, src2: Precision, accumulator: DataType) -> Self {
        let mut code = [0; 12];
        code.copy_from_slice(VISA.instructions[1].base_code);
        let mut case = Case { state: VISA.base_state(), code };
        let small = Visa::new(&mut case.state).small;
        small.grf_size = 1;
        let types = [accumulator, accumulator, DataType::D, DataType::Ud];
        for (place, (variable, data_type)) in (0..).zip(small.variables.iter_mut().zip(types)) {
            variable.data_type = data_type.code() as u16;
            variable.num_elements = (2048 / data_type.bytes()) as u16;
            variable.offset = 2048 * place;
        }
        for (field, value) in [(W, src1.code()), (A, src2.code()), (SD, 8), (RC, 8), (EXEC_SIZE, 4)] {
            field.set(&mut case.code, value);
        }
        for (place, field) in (0..).zip([DST.id, SRC0.id, SRC1.id, SRC2.id]) {
            field.set(&mut case.code, FIRST_GENERAL + place);
        }
        case
    }

    fn small(&mut self) -> &mut Small {
        Visa::new(&mut self.state).small
    }

    fn set(mut self, field: CodeField, value: u32) -> Self {
        field.set(&mut self.code, value);
        self
    }

    fn grf(&mut self) -> [u8; GRF_BYTES] {
        *Visa::new(&mut self.state).grf_unmarked()
    }

    fn put(&mut self, byte: usize, bytes: &[u8]) {
        Visa::new(&mut self.state).grf_unmarked()[byte..byte + bytes.len()].copy_from_slice(bytes);
    }

    fn dword(&mut self, byte: usize) -> u32 {
        u32::from_le_bytes(*self.grf()[byte..].first_chunk().expect("in the file"))
    }

    fn fill(&mut self, seed: u64) {
        for (place, byte) in (0..).zip(Visa::new(&mut self.state).grf_unmarked().iter_mut()) {
            *byte = mix64(seed << 32 | place) as u8;
        }
    }

    fn run(&mut self) -> Expectation {
        let step = Step { instruction: VISA.instructions[1], code: &self.code, edition: Edition::Newest };
        VisaReference.execute(&step, &mut self.state)
    }
}

/// An element of a packed string of bits.
fn element(bytes: &[u8], precision: Precision, place: usize) -> i64 {
    let bits = precision.bits() as usize;
    let value = (0..bits).map(|bit| {
        let at = place * bits + bit;
        i64::from(bytes[at / 8] >> (at % 8) & 1) << bit
    });
    let value: i64 = value.sum();
    let is_negative = precision.kind() == PrecisionKind::Signed && value >> (bits - 1) != 0;
    if is_negative { value - (1 << bits) } else { value }
}

/// `D = C + A x B`, element by element from lines 27-61, with no loop of the page's pseudo-code.
#[test]
fn integers_are_the_matrix_product_for_every_pair_depth_and_pitch() {
    let integers = || Precision::ALL.into_iter().filter(|precision| precision.kind() != PrecisionKind::Float);
    for (w, a) in integers().flat_map(|w| integers().map(move |a| (w, a))) {
        for (sd, pitch) in [(8, Src2Pitch::Code), (1, Src2Pitch::Code), (2, Src2Pitch::Prose), (4, Src2Pitch::Code)] {
            for channels in [8_u32, 16] {
                let mut case = Case::new(w, a, DataType::D).set(SD, sd).set(EXEC_SIZE, channels.ilog2());
                case.small().platform = PRE_XEHP;
                case.small().grf_size = u32::from(channels == 16);
                case.small().set_model_one_bit(OneBit::Code);
                case.small().set_model_src2_pitch(pitch);
                case.fill(u64::from(w.code() * 16 + a.code()));
                let before = case.grf();
                assert_eq!(case.run(), Expectation::Done, "{w:?} {a:?} {sd}");
                let ops = if w.bits() == 8 || a.bits() == 8 { 4 } else { 8 };
                let (sd, channels) = (sd as usize, channels as usize);
                let pitch = if pitch == Src2Pitch::Prose { 8 * ops } else { sd * ops };
                let per_dw = 32 / w.bits() as usize;
                for (r, i) in (0..8).flat_map(|r| (0..channels).map(move |i| (r, i))) {
                    let mut sum = i64::from(u32::from_le_bytes(
                        *before[2048 + 4 * (r * channels + i)..].first_chunk().expect("in the file"),
                    ));
                    for k in 0..sd * ops {
                        let column = (k / per_dw * channels + i) * per_dw + k % per_dw;
                        sum += element(&before[4096..], w, column) * element(&before[6144..], a, r * pitch + k);
                    }
                    assert_eq!(case.dword(4 * (r * channels + i)), sum as u32, "{w:?} {a:?} {sd} {r} {i}");
                }
                assert_eq!(case.grf()[32 * channels..], before[32 * channels..], "nothing else is written");
            }
        }
    }
}

/// A row of one depth of `hf`: `c + a0 * b0 + a1 * b1`, to `F`, in channel 0.
fn row(sum: Sum, c: u32, [a0, b0, a1, b1]: [u16; 4]) -> u32 {
    let mut case = Case::new(Precision::Hf, Precision::Hf, DataType::F).set(SD, 1).set(RC, 1);
    case.small().platform = PRE_XEHP;
    case.small().set_model_sum(sum);
    case.put(2048, &c.to_le_bytes());
    for (byte, element) in [(4096, b0), (4098, b1), (6144, a0), (6146, a1)] {
        case.put(byte, &element.to_le_bytes());
    }
    assert_eq!(case.run(), Expectation::Done);
    case.dword(0)
}

#[test]
fn the_models_of_a_sum_differ_as_they_are_defined() {
    // 2^24 + 1 + 1: each step loses the one, to even; the pair and the exact sum do not.
    let ones = [0x3c00; 4];
    let two_to_24 = 0x4b80_0000;
    assert_eq!(Sum::ALL.map(|sum| row(sum, two_to_24, ones)), [two_to_24, two_to_24, two_to_24 + 1, two_to_24 + 1]);
    // NaN and zeros.
    for sum in Sum::ALL {
        assert_eq!(row(sum, 0, [0x7c00, 0, 0, 0]), 0x7fc0_0000);
        assert_eq!(row(sum, 0xff80_0001, ones), 0x7fc0_0000);
        assert_eq!(row(sum, 1 << 31, [1 << 15, 0x3c00, 0, 0xbc00]), 1 << 31);
        assert_eq!(row(sum, 0, [1 << 15, 0x3c00, 0, 0xbc00]), 0);
        assert_eq!(row(sum, 0, [1, 0x3c00, 0, 0]), 0x3380_0000, "a denormal of HF is kept");
    }
}

#[test]
fn what_is_not_promised_is_refused_by_strength() {
    let s8 = || Case::new(Precision::S8, Precision::S8, DataType::D);
    let rows: [(Case, &str); 16] = [
        (s8(), "done"),
        (s8().set(RC, 0), "unspecified"),
        (s8().set(RC, 9), "unspecified"),
        (s8().set(SD, 4), "illegal"),
        (s8().set(EXEC_SIZE, 3), "illegal"),
        (s8().set(EXEC_MASK, 0), "unspecified"),
        (s8().set(W, 9), "illegal"),
        (s8().set(A, 13), "illegal"),
        (s8().set(DST.offset, 32), "illegal"),
        (s8().set(DST.offset, 1600), "undefined"),
        (s8().set(SRC2.col_offset, 1), "illegal"),
        (s8().set(SRC2.col_offset, 8), "done"),
        (s8().set(SRC0.id, 0), "done"),
        (s8().set(DST.id, 0), "unspecified"),
        (s8().set(SRC2.modifiers, 1), "illegal"),
        (Case::new(Precision::Bf8, Precision::Hf8, DataType::F), "unspecified"),
    ];
    for (place, (mut case, expected)) in rows.into_iter().enumerate() {
        assert_eq!(case.run().name(), expected, "row {place}");
    }
}
