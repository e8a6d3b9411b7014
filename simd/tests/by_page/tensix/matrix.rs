//! What the pages of `MVMUL`, `GAPOOL`, `ELWADD`, `ELWSUB`, `ELWMUL` (integer style) and `GMPOOL` say, a datum and a branch at a
//! time.

use tandem_isa::Answer;
use tandem_isa::tensix::config::{self, CONFIG_WORDS, ConfigField, THREAD_CONFIG_WORDS, blackhole};
use tandem_isa::tensix::inst::{matrix, mova2d};
use tandem_isa::tensix::{Chip, MATRIX_UNIT, Mnemonic, Small, Tensix};

use super::{Word, apply_addr_mod, every_level_is, flip};

// ------------------------------------------------------------------------------------------------ what the pages share

/// The configuration of the thread.
struct Setup {
    chip: Chip,
    bank_a: usize,
    bank_b: usize,
    fmt_a: u32,
    fmt_b: u32,
    config: [u32; CONFIG_WORDS],
    words: [u16; THREAD_CONFIG_WORDS],
}

impl Setup {
    fn of(chip: Chip, small: &Small) -> Self {
        let words = small.thread_config[small.current_thread as usize];
        let config = small.config[config::CFG_STATE_ID_StateID.get(&words) as usize];
        let (bank_a, bank_b) = (small.matrix_unit_srca_bank as usize, small.matrix_unit_srcb_bank as usize);
        let get = |field: ConfigField| field.get(&config);
        let mut fmt_a = if get(config::ALU_FORMAT_SPEC_REG_SrcA_override) != 0 {
            get(config::ALU_FORMAT_SPEC_REG_SrcA_val)
        } else {
            get(config::ALU_FORMAT_SPEC_REG0_SrcA)
        };
        let mut fmt_b = if get(config::ALU_FORMAT_SPEC_REG_SrcB_override) != 0 {
            get(config::ALU_FORMAT_SPEC_REG_SrcB_val)
        } else {
            get(config::ALU_FORMAT_SPEC_REG1_SrcB)
        };
        if chip == Chip::Blackhole && blackhole::DISABLE_IMPLIED_SRCA_FMT_Base.get(&words) == 0 {
            fmt_a = small.implied_srca_fmt[bank_a];
        }
        if chip == Chip::Blackhole && blackhole::DISABLE_IMPLIED_SRCB_FMT_Base.get(&words) == 0 {
            fmt_b = small.implied_srcb_fmt[bank_b];
        }
        Setup { chip, bank_a, bank_b, fmt_a, fmt_b, config, words }
    }

    fn has(&self, field: ConfigField) -> bool {
        field.get(&self.config) != 0
    }

    fn is_forced(&self) -> bool {
        self.chip.pick(config::FP16A_FORCE_Enable, blackhole::FP16A_FORCE_Enable).get(&self.words) != 0
    }

    fn phase(&self, small: &Small) -> u32 {
        let base = self.chip.pick(config::FIDELITY_BASE_Phase, blackhole::FIDELITY_BASE_Phase).get(&self.words);
        (small.rwcs[small.current_thread as usize].fidelity_phase + base) % 4
    }

    fn truncate(&self, datum: u32, fmt: u32) -> u32 {
        match (self.chip, CODES[fmt as usize]) {
            (Chip::Blackhole, _) | (_, "TF32") => datum,
            (_, "FP16" | "FP8" | "BFP8a" | "INT8") => datum & 0x7ff1f,
            (_, "BFP4a" | "BFP2a") => datum & 0x7f81f,
            _ => datum & 0x7f8ff,
        }
    }

    /// A datum of `SrcA`, truncated.
    fn srca(&self, tensix: &mut Tensix<'_>, row: usize, column: usize) -> u32 {
        self.truncate(tensix.srca_row(self.bank_a, row % 64)[column], self.fmt_a)
    }

    fn srcb(&self, tensix: &mut Tensix<'_>, row: usize, column: usize) -> u32 {
        self.truncate(tensix.srcb_row(self.bank_b, row)[column], self.fmt_b)
    }

    /// The sum of what a row of `Dst` is formed of.
    fn dst_row(&self, word: &Word, small: &Small) -> u32 {
        let offset = config::DEST_TARGET_REG_CFG_MATH_Offset.get(&self.words);
        let base = config::DEST_REGW_BASE_Base.get(&self.config);
        word.get(mova2d::DST_ROW) + offset + small.rwcs[small.current_thread as usize].dst + base
    }

    fn adj16(&self, small: &Small, row: u32) -> u32 {
        let remaps = blackhole::DEST_ACCESS_CFG_remap_addrs.get_in(small.dest_access_cfg) != 0;
        if self.chip == Chip::Blackhole && remaps {
            return (row & 0x3c7) ^ ((row & 0x30) >> 1) ^ ((row & 8) << 2);
        }
        row
    }

    fn adj32(&self, small: &Small, row: u32) -> usize {
        let mut row = self.adj16(small, row);
        let swizzles = blackhole::DEST_ACCESS_CFG_swizzle_32b.get_in(small.dest_access_cfg) != 0;
        if self.chip == Chip::Blackhole && swizzles {
            row = (row & 0x3f3) ^ ((row & 0x18) >> 1) ^ ((row & 4) << 1);
        }
        (((row & 0x1f8) << 1) | (row & 0x207)) as usize
    }

    /// Rows of `Dst32b`, where a row that is not valid has one word.
    fn dst32b(&self, tensix: &mut Tensix<'_>, row: u32, invalid: u32) -> [u32; 16] {
        let row = self.adj32(tensix.small, row);
        let valid = tensix.dst_row_valid(row);
        let (high, low) = (*tensix.dst_row(row), *tensix.dst_row(row + 8));
        std::array::from_fn(|j| if valid { u32::from(high[j]) << 16 | u32::from(low[j]) } else { invalid })
    }

    fn set_dst32b(&self, tensix: &mut Tensix<'_>, row: u32, words: [u32; 16]) {
        let row = self.adj32(tensix.small, row);
        *tensix.dst_row_mut(row) = words.map(|word| (word >> 16) as u16);
        *tensix.dst_row_mut(row + 8) = words.map(|word| word as u16);
        tensix.set_dst_row_valid(row, true);
    }

    /// What ends all of them.
    fn end(&self, word: &Word, tensix: &mut Tensix<'_>, pools: bool) -> Option<Answer> {
        flip(word, tensix);
        let field = if pools { matrix::pool_addr_mod(self.chip) } else { matrix::addr_mod(self.chip) };
        apply_addr_mod(self.chip, word.get(field), tensix).map(|()| Answer::Done)
    }
}

const CODES: [&str; 16] = [
    "FP32", "FP16", "BFP8a", "BFP4a", "TF32", "BF16", "BFP8", "BFP4", "INT32", "INT16", "FP8", "BFP2a", "12", "13",
    "INT8", "BFP2",
];

fn is_blocked(small: &Small) -> bool {
    small.srca_allowed_client[small.matrix_unit_srca_bank as usize] != MATRIX_UNIT
        || small.srcb_allowed_client[small.matrix_unit_srcb_bank as usize] != MATRIX_UNIT
}

fn read_src_int8(datum: u32, flushes: bool) -> i64 {
    if flushes && datum & 0xff == 0 {
        return 0;
    }
    let magnitude = i64::from(datum >> 8 & 0x3ff);
    if datum >> 18 != 0 { -magnitude } else { magnitude }
}

fn decode_int32(word: u32) -> i64 {
    let magnitude = (word >> 16 & 0xff) << 23 | (word >> 24 & 0x7f) << 16 | word & 0xffff;
    if word >> 31 != 0 { -i64::from(magnitude) } else { i64::from(magnitude) }
}

fn encode_int32(value: i64) -> u32 {
    let magnitude = u32::try_from(value.abs()).expect("it is clamped");
    u32::from(value < 0) << 31 | (magnitude >> 16 & 0x7f) << 24 | (magnitude >> 23) << 16 | magnitude & 0xffff
}

fn saturate(value: i64) -> i64 {
    value.clamp(-0x7fff_ffff, 0x7fff_ffff)
}

// ------------------------------------------------------------------------------------------------ the pages

/// `MVMUL`, or `GAPOOL` with four rows.
fn multiply(word: &Word, tensix: &mut Tensix<'_>, broadcasts: bool, num_rows: u32, pools: bool) -> Option<Answer> {
    if is_blocked(tensix.small) {
        return Some(Answer::Blocked);
    }
    let setup = Setup::of(word.chip, tensix.small);
    if setup.is_forced() || !setup.has(config::ALU_ACC_CTRL_INT8_math_enabled) {
        return None;
    }
    let rwc = tensix.small.rwcs[tensix.small.current_thread as usize];
    let flushes = !setup.has(config::ALU_ACC_CTRL_Zero_Flag_disabled_src);
    let (row_a, row_b) = (rwc.srca & 0x38, rwc.srcb & if broadcasts { 0x3f } else { 0x38 });
    let dst_row = setup.dst_row(word, tensix.small) & (0x400 - num_rows);
    let phase = setup.phase(tensix.small);
    let mut a = [[0; 16]; 16];
    for (i, j) in (0..16).flat_map(|i| (0..16).map(move |j| (i, j))) {
        let datum = setup.srca(tensix, row_a as usize + i, j);
        a[i][j] = read_src_int8(datum & if phase & 1 != 0 { 0x41fff } else { 0x4e0ff }, true);
    }
    for i in (0..num_rows).step_by(if broadcasts { 2 } else { 1 }) {
        let row = row_b + if broadcasts { 0 } else { i };
        let b: [i64; 16] = std::array::from_fn(|k| {
            let datum = setup.srcb(tensix, row as usize, k);
            read_src_int8(datum & if phase & 2 != 0 { 0x40fff } else { 0x7f0ff }, flushes)
        });
        let old = setup.dst32b(tensix, dst_row + i, 0);
        let new = std::array::from_fn(|j| {
            let product: i64 = (0..16).map(|k| b[k] * a[k][j]).sum();
            encode_int32(saturate(product + decode_int32(old[j])))
        });
        setup.set_dst32b(tensix, dst_row + i, new);
    }
    setup.end(word, tensix, pools)
}

#[test]
fn mvmul_adds_the_product_of_two_matrices_to_dst() {
    every_level_is(Mnemonic::Mvmul, 8192, |word, tensix| {
        let broadcasts = word.has(matrix::MVMUL_BROADCAST_ROW);
        multiply(word, tensix, broadcasts, if broadcasts { 7 } else { 8 }, false)
    });
}

#[test]
fn gapool_multiplies_four_rows() {
    every_level_is(Mnemonic::Gapool, 8192, |word, tensix| multiply(word, tensix, false, 4, true));
}

/// Datum by datum; `result` is given the phase, whether `SrcB` is flushed, and data of both sources.
fn element_wise(
    word: &Word,
    tensix: &mut Tensix<'_>,
    adds: bool,
    result: fn(u32, bool, u32, u32) -> i64,
) -> Option<Answer> {
    if is_blocked(tensix.small) {
        return Some(Answer::Blocked);
    }
    let setup = Setup::of(word.chip, tensix.small);
    if setup.is_forced() || !setup.has(config::ALU_ACC_CTRL_INT8_math_enabled) {
        return None;
    }
    let rwc = tensix.small.rwcs[tensix.small.current_thread as usize];
    let flushes = !setup.has(config::ALU_ACC_CTRL_Zero_Flag_disabled_src);
    let (one_row, col0) = (word.has(matrix::BROADCAST_ROW), word.has(matrix::BROADCAST_COL0));
    let (row_a, row_b) = (rwc.srca & 0x38, rwc.srcb & if one_row { 0x3f } else { 0x38 });
    let dst_row = setup.dst_row(word, tensix.small) & 0x3f8;
    let phase = setup.phase(tensix.small);
    for i in 0..8 {
        let old = if adds { setup.dst32b(tensix, dst_row + i, 0) } else { [0; 16] };
        let new = std::array::from_fn(|j| {
            let a = setup.srca(tensix, (row_a + i) as usize, j);
            let b = setup.srcb(tensix, (row_b + if one_row { 0 } else { i }) as usize, if col0 { 0 } else { j });
            encode_int32(saturate(result(phase, flushes, a, b) + decode_int32(old[j])))
        });
        setup.set_dst32b(tensix, dst_row + i, new);
    }
    setup.end(word, tensix, false)
}

#[test]
fn elwadd_adds_data_and_dst_if_asked() {
    every_level_is(Mnemonic::Elwadd, 8192, |word, tensix| {
        element_wise(word, tensix, word.has(matrix::ADD_DST), |_, flushes, a, b| {
            read_src_int8(a, true) + read_src_int8(b, flushes)
        })
    });
}

#[test]
fn elwsub_subtracts_data_and_adds_dst_if_asked() {
    every_level_is(Mnemonic::Elwsub, 8192, |word, tensix| {
        element_wise(word, tensix, word.has(matrix::ADD_DST), |_, flushes, a, b| {
            read_src_int8(a, true) - read_src_int8(b, flushes)
        })
    });
}

#[test]
fn elwmul_multiplies_data_and_adds_dst() {
    every_level_is(Mnemonic::Elwmul, 8192, |word, tensix| {
        element_wise(word, tensix, true, |phase, flushes, a, b| {
            let a = read_src_int8(a & if phase & 1 != 0 { 0x41fff } else { 0x4e0ff }, true);
            a * read_src_int8(b & if phase & 2 != 0 { 0x40fff } else { 0x7f0ff }, flushes)
        })
    });
}

/// The page's `Datum`.
#[derive(Clone, Copy, Default)]
struct Datum {
    sign: u32,
    exponent: u32,
    mag_or_man: u32,
}

impl Datum {
    fn comparable(self) -> i32 {
        let magnitude = (self.exponent << 10) as i32 + self.mag_or_man as i32;
        if self.sign != 0 { -magnitude } else { magnitude }
    }

    fn read_dst(word: u32, style: &str) -> Self {
        let sign = word >> 31;
        let (exponent, mag_or_man) = match style {
            "INT32" => ((word >> 10 & 0x3f) + ((word >> 24 & 7) << 6), word & 0x3ff),
            "FP16" => ((word >> 16 & 0x1f) + 15, word >> 21 & 0x3ff),
            "BF16" => ((word >> 16 & 0xff) + 127, (word >> 24 & 0x7f) << 3),
            _ => ((word >> 16 & 0xff) + 127, ((word >> 24 & 0x7f) << 3) + (word >> 13 & 7)),
        };
        Datum { sign, exponent, mag_or_man }
    }

    fn write_dst(self, style: &str) -> u32 {
        let Datum { sign, exponent, mag_or_man } = self;
        match style {
            "INT32" => sign << 31 | (exponent & 7) << 10 | mag_or_man,
            "FP16" if exponent & 0x3f == 0 => 0,
            "FP16" => sign << 31 | mag_or_man << 21 | (exponent.wrapping_sub(15) & 0x1f) << 16,
            _ if exponent == 0 => 0,
            _ => {
                let word = sign << 31 | (mag_or_man & 0x3f8) << 21 | (exponent.wrapping_sub(127) & 0xff) << 16;
                if style == "TF32" { word + ((mag_or_man & 7) << 13) } else { word }
            }
        }
    }

    fn scaled(a: u32, style: &str, b: u32) -> Self {
        let (exponent_a, exponent_b) = (a & 0xff, b & 0xff);
        if exponent_b == 0 {
            return Datum { sign: 1, exponent: 0x1ff, mag_or_man: 0x3ff };
        } else if exponent_a == 0 {
            return Datum::default();
        }
        let mag_or_man = a >> 8 & 0x3ff;
        let (exponent, mag_or_man) = match style {
            "INT8" => (0, mag_or_man),
            "FP16" => ((exponent_a & 0x1f) + (exponent_b & 0x1f), mag_or_man),
            "TF32" => (exponent_a + exponent_b, mag_or_man),
            _ => (exponent_a + exponent_b, mag_or_man & 0x3f8),
        };
        Datum { sign: a >> 18, exponent, mag_or_man }
    }
}

fn gmpool(word: &Word, tensix: &mut Tensix<'_>) -> Option<Answer> {
    if is_blocked(tensix.small) {
        return Some(Answer::Blocked);
    }
    let setup = Setup::of(word.chip, tensix.small);
    let arg_max = word.has(matrix::ARG_MAX);
    let fp32 = setup.has(config::ALU_ACC_CTRL_Fp32_enabled);
    let (style, dst_style, wide) = if setup.is_forced() {
        ("FP16", "FP16", false)
    } else if setup.has(config::ALU_ACC_CTRL_INT8_math_enabled) {
        ("INT8", "INT32", true)
    } else {
        let style = match CODES[setup.fmt_a as usize] {
            "FP32" | "BF16" | "BFP8" | "BFP4" | "BFP2" | "INT32" | "INT16" => "BF16",
            "FP16" | "FP8" | "BFP8a" | "BFP4a" | "BFP2a" | "INT8" => "FP16",
            _ => "TF32",
        };
        let dst_style = match (style, arg_max, fp32) {
            ("TF32", true, _) => "INT32",
            ("TF32", false, false) => "BF16",
            (_, false, true) => "TF32",
            _ => style,
        };
        (style, dst_style, fp32)
    };
    let rwc = tensix.small.rwcs[tensix.small.current_thread as usize];
    let (row_a, row_b) = ((rwc.srca & 0x30) as usize, (rwc.srcb & 0x38) as usize);
    let dst_row = setup.dst_row(word, tensix.small) & 0x3fc;
    let old = if wide {
        setup.dst32b(tensix, dst_row, !0)
    } else {
        let row = setup.adj16(tensix.small, dst_row) as usize;
        let (valid, halves) = (tensix.dst_row_valid(row), *tensix.dst_row(row));
        halves.map(|half| if valid { u32::from(half) << 16 } else { 0xffff_0000 })
    };
    let new = std::array::from_fn(|j| {
        let mut max = Datum::read_dst(old[j], dst_style);
        let mut max_index = old[j] & 0xff;
        let index_phase = old[j].wrapping_add(0x100) & 0xf00;
        for i_ in 0..16 {
            let i = if i_ < 8 { i_ ^ 4 } else { i_ };
            let (a, b) = (setup.srca(tensix, row_a + i, j), setup.srcb(tensix, row_b, i));
            let x = Datum::scaled(a, style, b);
            if x.comparable() >= max.comparable() {
                max = x;
                if i < 8 {
                    max_index = (index_phase >> 4) + [0, 3, 6, 1, 4, 7, 2, 5][i];
                }
            }
        }
        match (arg_max, dst_style) {
            (false, _) => max.write_dst(dst_style),
            (true, "INT32") => index_phase | max_index,
            (true, _) => max.write_dst(dst_style) | index_phase | max_index,
        }
    });
    for i in 0..4 {
        if wide {
            let others = |old: [u32; 16]| old.map(|old| old.wrapping_add(0x100) & 0xf00);
            let words = match (i, arg_max) {
                (0, _) => new,
                (_, true) => others(setup.dst32b(tensix, dst_row + i, !0)),
                (_, false) => [0; 16],
            };
            setup.set_dst32b(tensix, dst_row + i, words);
        } else {
            let row = setup.adj16(tensix.small, dst_row + i) as usize;
            *tensix.dst_row_mut(row) = if i == 0 { new.map(|word| (word >> 16) as u16) } else { [0; 16] };
            tensix.set_dst_row_valid(row, true);
        }
    }
    setup.end(word, tensix, true)
}

#[test]
fn gmpool_keeps_the_greatest_datum_of_each_column_or_its_index() {
    every_level_is(Mnemonic::Gmpool, 8192, gmpool);
}
