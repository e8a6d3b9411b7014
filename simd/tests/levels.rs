//! The law of levels: every level gives what the portable level gives, bit for bit, on whole states.
//!
//! Cases are drawn from the facts: code words and small states field by field, banks word by word, corners as often as
//! random bits. A case is run at each level. Answer, banks, small state, and the rows that are marked as read and as written
//! are those of the portable level, also if the host's floating point unit is set otherwise than the portable level had it.
//! For that level there is a second law: what it does not mark does not matter, and is not changed.
//!
//! What the portable level itself gives is compared with the reference in every mode by `tests/gates/conformance.rs` of the
//! workspace, and so are all others, on fewer states.

use std::io::Write as _;

use tandem_isa::tensix::config::blackhole::stream_id_sync_bank_sel;
use tandem_isa::tensix::{BLACKHOLE, MMIO_WORDS, Tensix, WORMHOLE};
use tandem_isa::visa::VISA;
use tandem_isa::visa::precision::Precision;
use tandem_isa::{
    Answer, Bank, Code, Edition, Facts, Field, FieldRole, MAX_CODE_WORDS, Machine, Noise, RowSet, State, Step, Target,
};
use tandem_simd::Level;
use tandem_simd::tensix::TensixSimd;
use tandem_simd::visa::VisaSimd;

fn target(isa: &Machine, level: Level) -> Box<dyn Target> {
    if isa.name == VISA.name { Box::new(VisaSimd::new(level)) } else { Box::new(TensixSimd::new(level)) }
}

// ------------------------------------------------------------------------------------------------ the host's settings

#[cfg(target_arch = "x86_64")]
mod host {
    /// The control register of the SSE unit without traps: to nearest, denormals kept.
    pub const DEFAULT: u32 = 0x1f80;
    /// All roundings, with denormals flushed as sources, as results, as both, or not at all.
    pub const HOSTILE: u32 = 0xe040;
    /// The bits that say what has happened.
    const HAPPENED: u32 = 0x3f;

    /// Runs `work` under settings, puts back those that were there, and asserts that `work` has left its own alone.
    pub fn set_to<T>(settings: u32, work: impl FnOnce() -> T) -> T {
        let (mut before, mut after) = (0u32, 0u32);
        // SAFETY: one reads and one writes the register from and to a variable; traps stay masked.
        unsafe {
            std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut before, options(nostack));
            std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const settings, options(nostack));
        }
        let result = std::hint::black_box(work());
        // SAFETY: as above.
        unsafe {
            std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut after, options(nostack));
            std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const before, options(nostack));
        }
        assert_eq!(after & !HAPPENED, settings, "the host's settings are others after the instruction");
        result
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod host {
    pub const DEFAULT: u32 = 0;
    pub const HOSTILE: u32 = 0;

    pub fn set_to<T>(_: u32, work: impl FnOnce() -> T) -> T {
        work()
    }
}

// ------------------------------------------------------------------------------------------------ what is drawn

/// A mantissa of so many bits: none, all, the highest ones, one, or any.
fn mantissa(width: u32, noise: &mut Noise) -> u64 {
    let all = (1 << width) - 1;
    let place = noise.below(width as usize);
    [0, all, all << place & all, 1 << place, noise.word() & all, noise.word() & all][noise.below(6)]
}

/// Which exponents floats have.
#[derive(Clone, Copy)]
enum Exponents {
    /// Those near one, whose sums and products are of all kinds.
    NearOne,
    /// Any, often one at which a type of integers ends.
    Any,
}

/// A float of so many bits of exponent and mantissa.
fn float((exponent_bits, width): (u32, u32), exponents: Exponents, noise: &mut Noise) -> u64 {
    let (one, all) = ((1 << (exponent_bits - 1)) - 1, (1 << exponent_bits) - 1);
    let end = one + [6, 7, 8, 14, 15, 16, 30, 31, 32, 62, 63, 64][noise.below(12)];
    let exponent = match exponents {
        Exponents::NearOne => one - 4 + u64::from(noise.bits(3)),
        Exponents::Any => [0, all, noise.word(), end, end, one - u64::from(noise.bits(4))][noise.below(6)] & all,
    };
    u64::from(noise.bits(1)) << (exponent_bits + width) | exponent << width | mantissa(width, noise)
}

/// Bits of exponent and mantissa of `HF`, `BF`, `F` and `DF`.
const FLOATS: [(u32, u32); 4] = [(5, 10), (8, 7), (8, 23), (11, 52)];

/// Which data a bank has.
#[derive(Clone, Copy)]
enum Data {
    /// Of all kinds side by side.
    Mixed,
    /// Floats of one format.
    Floats((u32, u32), Exponents),
    /// Any bits.
    Random,
}

impl Data {
    fn draw(noise: &mut Noise) -> Self {
        match noise.below(8) {
            0 | 1 => Data::Mixed,
            2 => Data::Random,
            3 | 4 => Data::Floats(FLOATS[noise.below(3)], Exponents::NearOne),
            _ => Data::Floats(FLOATS[noise.below(4)], Exponents::Any),
        }
    }

    /// 64 bits: data of one width side by side.
    fn word(self, noise: &mut Noise) -> u64 {
        let side_by_side = |width: u32, noise: &mut Noise, datum: &dyn Fn(&mut Noise) -> u64| {
            (0..64 / width).fold(0, |word, _| word << (width - 1) << 1 | datum(noise))
        };
        let width = [16, 32, 64][noise.below(3)];
        match (self, noise.below(3)) {
            (Data::Floats(format, exponents), _) => {
                side_by_side(1 + format.0 + format.1, noise, &|noise| float(format, exponents, noise))
            }
            (Data::Mixed, 0) => Data::Floats(FLOATS[noise.below(4)], Exponents::Any).word(noise),
            (Data::Mixed, 1) => side_by_side(width, noise, &|noise| {
                // Close to a power of two, or of any length, and one of them negative.
                let (place, any) = (noise.below(width as usize), noise.word());
                let near = (1_u64 << place).wrapping_add([u64::MAX, 0, 1][noise.below(3)]);
                let number = [near, any >> (63 - place)][noise.below(2)];
                [number, number.wrapping_neg()][noise.below(2)] & u64::MAX >> (64 - width)
            }),
            (Data::Mixed | Data::Random, _) => noise.word(),
        }
    }
}

/// Fills all banks with words that they can have: each with 256 of them, in any order, as drawing them is what takes time.
fn draw_banks(isa: &Machine, state: &mut State, noise: &mut Noise) {
    for bank in isa.layout.banks {
        let data = Data::draw(noise);
        let (mask, size) = (u64::from(bank.word_mask()), bank.word.bytes());
        let mask = (0..8 / size).fold(0, |all, _| all << (8 * size - 1) << 1 | mask);
        let words: [u64; 256] = std::array::from_fn(|_| data.word(noise) & mask);
        for bytes in state.arena[range(bank)].chunks_exact_mut(8) {
            bytes.copy_from_slice(&words[noise.bits(8) as usize].to_le_bytes());
        }
    }
}

fn range(bank: &Bank) -> std::ops::Range<usize> {
    bank.offset..bank.offset + bank.rows() * bank.row_bytes()
}

/// A value of a field: a corner or any.
fn value(width: u32, max: u32, noise: &mut Noise) -> u32 {
    [0, 1, max, noise.bits(width)][noise.below(4)].min(max)
}

/// Values of fields by the ends of their names, where most others mean nothing: those that a case mostly has.
type Meant = &'static [(&'static str, &'static [u32])];

/// What the fields of an instruction are drawn from, if not from all that they can be.
fn meant(instruction: &Facts) -> Meant {
    match instruction.file {
        "mov" => &[
            ("Exec_size", &[0, 1, 2, 3, 4, 4, 5, 5]),
            ("Pred.id", &[0, 0, 0, 1, 2, 3, 4]),
            // General, indirect, immediate, predicate.
            ("Dst.operand_class", &[0, 0, 0, 3]),
            ("Src0.operand_class", &[0, 0, 0, 0, 3, 5, 2]),
            (".predicate.id", &[1, 2, 3, 4]),
            (".id", &[32, 33, 34, 35, 32, 33, 34, 35, 0, 1]),
            // All types of immediates, packed vectors among them.
            ("Src0.type", &[0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 11, 12, 12, 13, 14, 15]),
            // All types but packed vectors and BOOL.
            (".type", &[0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 11, 13, 14, 14, 15]),
            ("Src0.modifiers", &[0, 0, 1, 2, 3]),
            ("Dst.modifiers", &[0, 4]),
            // Where variables begin: at data, mostly.
            (".offset", &[0, 8, 64, 1024, 1056, 3000, 4096, 8064, 8128, 8184]),
            (".row_offset", &[0, 1, 2]),
            (".col_offset", &[0, 1, 2, 7]),
            (".addr_offset", &[0, 1, 2, 3]),
            (".vertical_stride", &[0, 1, 2, 3, 4, 5, 6, 7]),
            (".width", &[2, 3, 4, 5, 6]),
            (".horizontal_stride", &[1, 2, 2, 2, 3, 4]),
            (".indirect_offset", &[0, 8, 0xfff8, 1]),
        ],
        "dpas" => &[
            ("Exec_size", &[3, 4]),
            ("SD", &[1, 2, 4, 8, 8, 8]),
            ("RC", &[1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 20]),
            ("W", &INTEGERS_AND_FLOATS),
            ("A", &INTEGERS_AND_FLOATS),
            ("Src0.id", &[0, 32, 33, 34, 35]),
            (".id", &[32, 33, 34, 35]),
            (".offset", &[0, 0, 32, 64, 512, 4]),
            ("Src2.operand_class", &[0]),
            (".row_offset", &[0, 1, 2]),
            (".col_offset", &[0, 1, 4]),
            // The codes of UD, D, F, HF and BF.
            (".type", &[0, 1, 7, 7, 7, 14, 15]),
            // Of sums those that a level may do in another way without what a CPU has beyond it.
            ("Model.Sum", &[0, 1, 1, 1, 2, 3, 4, 5]),
        ],
        // Both banks are the Matrix Unit's, and data are integers.
        "mvmul" | "gapool" | "elwadd" | "elwsub" | "elwmul" => &[
            (".AllowedClient", &[0, 0, 0, 0, 0, 0, 0, 1]),
            (".ALU_ACC_CTRL_INT8_math_enabled", &[1, 1, 1, 1, 1, 1, 1, 0]),
            (".FP16A_FORCE_Enable", &[0, 0, 0, 0, 0, 0, 0, 1]),
        ],
        "gmpool" => &[(".AllowedClient", &[0, 0, 0, 0, 0, 0, 0, 1])],
        // Most have a name.
        "shiftxa" => &[("Direction", &[2, 3, 2, 3, 0, 1])],
        "setadcxy" | "incadcxy" | "addrcrxy" | "setadczw" | "incadczw" | "addrcrzw" => {
            &[("ThreadOverride", &[0, 0, 0, 1])]
        }
        "storeind_src" => &[(".AllowedClient", &[1, 1, 1, 0])],
        // Mostly a mode that has a name.
        "bitwopdmareg" | "cmpdmareg" => &[("Mode", &[0, 1, 2, 0, 1, 2, 3])],
        "shiftdmareg" => &[("Mode", &[0, 1, 0, 1, 2])],
        // Mostly a mutex that is there, and that nobody holds, or the first thread.
        "atgetm" => &[("Index", &MUTEXES), (".HeldBy", &[0, 0, 0, 1, 2, 3])],
        "atrelm" => &[("Index", &MUTEXES), (".HeldBy", &[1, 1, 1, 0, 2, 3])],
        "unpacr_regular" => UNPACKED,
        "xmov" => MOVED,
        "pacr" => PACKED,
        _ => &[],
    }
}

/// Rows of data in the first pages of L1, mostly whole ones of a format that is not converted, to a row of a register. What the
/// base state has of the windows is meant.
const UNPACKED: Meant = &[
    ("MultiContextMode", &[1]),
    ("ContextNumber", &[0]),
    ("ContextADC", &[0]),
    ("UseContextCounter", &[0]),
    ("RowSearch", &[0]),
    (".AllowedClient", &[1, 1, 1, 1, 1, 1, 1, 0]),
    ("CfgContextOffset_0", &[0]),
    ("CfgContextOffset_1", &[0]),
    ("SetOvrdWithAddr", &[1, 1, 1, 1, 1, 1, 1, 0]),
    ("Unpack_if_sel_cntx0", &[0, 0, 0, 0, 0, 0, 0, 1]),
    ("Disable_zero_compress_cntx0", &[1]),
    ("InDataFormat", &FORMATS),
    ("Out_data_format", &FORMATS),
    ("Ovrd_data_format", &[0, 0, 0, 1]),
    ("data_format_cntx0", &FORMATS),
    ("Tile_x_dim_cntx0", &[16, 32, 256]),
    ("XDim", &[16, 32, 256]),
    ("YDim", &[1, 2]),
    ("ZDim", &[0, 1]),
    ("WDim", &[0, 1]),
    ("DigestSize", &[0, 1]),
    ("REG3_Base_address", &[0, 1, 15, 33, u32::MAX]),
    ("REG7_Offset_address", &[0, 1, 2]),
    ("Shift_amount_cntx0", &[0]),
    ("Upsample_rate", &[0]),
    ("Upsample_and_interleave", &[0]),
    ("Haloize_mode", &[0, 0, 0, 1]),
    ("Tileize_mode", &[0, 0, 0, 1]),
    ("Throttle_mode", &[0, 0, 1, 2]),
    ("Force_shared_exp", &[0, 1]),
    ("Unpack_fifo_size", &[0, 0, 0, 1, 16]),
    ("Dest_cntx0_address", &[64, 128, 192]),
    ("ADDR_BASE_REG_1_Base", &[0, 128]),
    ("REG_1_Ystride", &[0, 32]),
    ("REG_1_Zstride", &[0, 64]),
    ("REG_1_Wstride", &[0, 64]),
    ("].SrcRow[0]", &[0]),
    ("].SrcRow[1]", &[0, 16]),
    ("].SrcRow[2]", &[0, 16, 32]),
    ("Channel[0].X", &[0, 0, 0, 16, 5]),
    ("Channel[1].X", &[31, 255, 255, 37, 511]),
    ("].Y", &[0, 0, 0, 1]),
    ("].Z", &[0, 0, 0, 1]),
    ("].W", &[0, 0, 0, 1]),
    (".Page", &PAGES),
];

/// Rows of the first pages of L1. Where they go is rows there too, or of both banks of `Config`, now and then at their ends or at
/// `STATE_RESET_EN`, or instruction RAM, or nowhere. Counts are of 16 bits, whatever is above.
const MOVED: Meant = &[
    ("REG6_Source_address", &[0, 3, 16, 37, 64, 100, 121, 150, 200, 0x1_6fff]),
    ("REG6_Destination_address", &[0, 1, 2, 18, 40, 46, 52, 60, 80, 93, 111, 0x4000, 0x4fff, 0x2000]),
    ("REG6_Buffer_size", &[0, 1, 1, 2, 3, 5, 16, 17, 35, 0x1_0004]),
    ("REG6_Transfer_direction", &[0, 1, 2, 3]),
    (".Page", &PAGES),
];

/// Rows of BF16, mostly as they are, to the first pages of L1: one or a few, or on Blackhole one of each interface. What no page
/// describes is off.
const PACKED: Meant = &[
    ("PackerMask", &[1, 0, 2, 4, 8, 3, 12, 15]),
    ("OvrdThreadId", &[0, 0, 0, 0, 0, 0, 0, 1]),
    ("Flush", &[0, 0, 0, 1]),
    ("ZeroWrite", &[0, 0, 0, 1]),
    ("CtxtCtrl", &[0]),
    ("AddrCntContext", &[0]),
    ("DstAccessMode", &[0]),
    ("RowPadZero", &[0]),
    ("CfgContext", &[0]),
    ("all_pack_disable_zero_compress_ovrd", &[0]),
    ("isable_zero_compress", &[1]),
    ("In_data_format", &[5]),
    ("Out_data_format", &[5, 5, 5, 5, 5, 5, 0, 6]),
    ("Dstacc", &[5]),
    ("Dstacc_val", &[5]),
    ("Read_32b_data", &[0, 0, 1]),
    ("Read_int8", &[1]),
    ("Round_10b_mant", &[0]),
    ("ource_interface_selection", &[0, 0, 0, 0, 0, 0, 0, 1]),
    ("L1_source_addr", &[0]),
    ("Pack_L1_Acc", &[0]),
    ("Dis_shared_exp_assembler", &[0]),
    ("Force_pack_per_max_xy_plane", &[0]),
    ("Read_mode", &[0]),
    ("Downsample_rate", &[0]),
    ("srnd_en", &[0]),
    ("GS_LF", &[0]),
    ("Bfp8_HF", &[0]),
    ("pack_yz_transposed", &[0]),
    ("pack_reads_per_xy_plane", &[16, 1]),
    ("Auto_set_last_pacr_intf_sel", &[0]),
    ("pack_start_intf_pos", &[0]),
    ("pack_dis_y_pos_start_offset", &[0]),
    ("Pac_LF8_4b_exp", &[0]),
    ("PCK_EDGE_MODE_mode", &[0, 0, 0, 1]),
    ("_mask", &[0xffff, 0xffff, 0x00ff]),
    ("ApplyRelu", &[0, 0, 1, 2, 3]),
    ("ReluThreshold", &[0x3f80, 0]),
    ("ADDR_BASE_REG_0_Base", &[0, 256]),
    ("REG_0_Xstride", &[0, 2]),
    ("REG_0_Ystride", &[0, 128]),
    ("REG_0_Zstride", &[0, 512]),
    ("REG_0_Wstride", &[0]),
    ("ADDR_BASE_REG_1_Base", &[0]),
    ("REG_1_Ystride", &[0, 16]),
    ("REG_1_Zstride", &[0]),
    ("REG_1_Wstride", &[0]),
    ("PACK_SEC0_Offset", &[0, 64]),
    ("L1_Dest_addr", &[0, 16, 33, 64, 96, 127, 150, 180]),
    ("l1_dest_addr_offset", &[0, 1]),
    ("limit_address", &[0x1_ffff]),
    ("fifo_size", &[0]),
    ("Exp_section_size", &[1, 2]),
    ("NeedsNewAddress", &[1, 1, 1, 0]),
    ("ByteAddress", &[0, 5, 100]),
    (".Filled", &[0]),
    (".Buffer", &[0]),
    ("TilePosition", &[0, 3]),
    ("Generator.X", &[0, 0, 5]),
    ("Generator.Y", &[0, 3]),
    ("Generator.Z", &[0, 1]),
    ("Channel[0].X", &[0]),
    ("Channel[1].X", &[15, 15, 15, 15, 15, 15, 15, 31]),
    ("].Y", &[0, 0, 0, 1]),
    ("].Z", &[0, 0, 0, 1]),
    ("].W", &[0, 0, 0, 1]),
    (".Page", &PAGES),
];

/// The first pages of L1.
const PAGES: [u32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// BF16, and sometimes BFP8.
const FORMATS: [u32; 8] = [5, 5, 5, 5, 5, 5, 5, 6];

/// Numbers of mutexes, and two that not every chip has.
const MUTEXES: [u32; 10] = [0, 2, 3, 4, 0, 2, 3, 4, 5, 1];

/// All precisions, those of floats that are promised more often.
const INTEGERS_AND_FLOATS: [u32; 19] = {
    use Precision::{Bf, Hf, Tf32};
    let mut codes =
        [Bf.code(), Hf.code(), Tf32.code(), Bf.code(), Hf.code(), Tf32.code(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let mut index = 0;
    while index < 13 {
        codes[6 + index] = Precision::ALL[index].code();
        index += 1;
    }
    codes
};

/// Draws a field: from what is meant, if anything is, in 63 of 64 cases.
fn draw_field(meant: Meant, name: &str, (width, max): (u32, u32), noise: &mut Noise) -> u32 {
    match meant.iter().find(|(end, _)| name.ends_with(end)) {
        Some((_, values)) if noise.below(64) != 0 => values[noise.below(values.len())],
        _ => value(width, max, noise),
    }
}

/// The small state of a case: some fields are at base and the others are drawn, as are those of which something is meant.
/// One of 64 is no state at all.
fn draw_small(instruction: &Facts, fields: &[Field], state: &mut State, noise: &mut Noise) {
    if noise.below(64) == 0 {
        state.small.chunks_exact_mut(8).for_each(|bytes| bytes.copy_from_slice(&noise.word().to_le_bytes()));
        return;
    }
    let (meant, drawn) = (meant(instruction), 1 + noise.below(4));
    state.small.fill(0);
    for field in fields {
        let is_meant = meant.iter().any(|(end, _)| field.name.ends_with(end));
        // What is latched holds most instructions.
        let drawn = if field.role == FieldRole::Latch { drawn / 4 } else { drawn };
        let value = if is_meant || noise.below(4) < drawn {
            draw_field(meant, &field.name, (field.width, field.max), noise)
        } else {
            field.base
        };
        field.set(&mut state.small, value);
    }
}

/// The instruction that schedules others.
const SCHEDULES: &str = "sfploadmacro";

/// Templates of the Vector Unit, sequences of one sub-unit and words beside them: mostly the same for all lanes.
fn draw_schedule(isa: &Machine, state: &mut State, noise: &mut Noise) {
    let mut tensix = Tensix::new(state);
    // Mostly no delay waits for instructions.
    let width = [12, 8, 8, 8][noise.below(4)];
    tensix.small.load_macro_misc = [noise.bits(width); 8];
    let scheduled = |of: &&&Facts| (0x70..0x9a).contains(&(of.base_code[0] >> 24));
    let scheduled: Vec<_> = isa.instructions.iter().filter(scheduled).collect();
    for row in 0..8 {
        let word = if row >= 4 {
            noise.bits(8) << (8 * noise.below(4))
        } else {
            draw_code(scheduled[noise.below(scheduled.len())], noise)[0]
        };
        tensix.load_macro_row_mut(row).fill(word);
        tensix.load_macro_row_mut(row)[5] ^= u32::from(noise.below(64) == 0);
    }
}

/// The code words of a case, in one of 16 with any bits where no field is.
fn draw_code(instruction: &Facts, noise: &mut Noise) -> Code {
    let mut words = [0; MAX_CODE_WORDS];
    let words = &mut words[..instruction.base_code.len()];
    words.copy_from_slice(instruction.base_code);
    if noise.below(16) == 0 {
        for (word, bits) in words.iter_mut().enumerate() {
            *bits |= noise.bits(32) & instruction.unnamed_bits(word);
        }
    }
    let meant = meant(instruction);
    for field in instruction.code_fields {
        field.set(words, draw_field(meant, field.name, (field.width, field.mask() >> field.shift), noise));
    }
    // Floats are multiplied with their like.
    if let (Some(w), Some(a)) = (instruction.code_field("W"), instruction.code_field("A"))
        && noise.below(2) == 0
    {
        let code = w.get(words);
        a.set(words, code);
    }
    Code::new(words)
}

/// Of an instruction with a memory-mapped register, mostly one that the state has: one of its eight gets the address.
fn draw_mmio(instruction: &Facts, code: &Code, state: &mut State, noise: &mut Noise) {
    if !["loadreg", "storereg", "storeind_mmio", "streamwrcfg"].contains(&instruction.file) || noise.below(8) == 0 {
        return;
    }
    let field = |name| instruction.code_field(name).map_or(0, |field| field.get(code));
    let mut tensix = Tensix::new(state);
    let thread = tensix.small.current_thread.min(2) as usize;
    let addr_lo = match instruction.file {
        "loadreg" | "storereg" => field("AddrLo"),
        "storeind_mmio" => {
            let mut gpr = |register: usize| tensix.gprs_row_mut(thread, register / 4)[register % 4];
            let half_reg = field("OffsetHalfReg") as usize;
            let offset = gpr(half_reg / 2) >> (half_reg % 2 * 16) & 0xffff;
            (gpr(field("AddrReg") as usize).wrapping_add(offset >> 4) & 0xf_ffff) / 4
        }
        _ => {
            let bank_sel = stream_id_sync_bank_sel(field("StreamSelect") as usize);
            0x1_0000 + bank_sel.get(&tensix.small.thread_config[thread]) * 0x400 + field("RegIndex")
        }
    };
    tensix.small.mmio[noise.below(MMIO_WORDS)].addr_lo = addr_lo;
}

/// Of an instruction with an address in GPRs, mostly one that it can use, and words that let it go on.
fn draw_addresses(instruction: &Facts, code: &Code, state: &mut State, noise: &mut Noise) {
    let Some(addr_reg) = instruction.code_field("AddrReg") else { return };
    if noise.below(16) == 0 {
        return;
    }
    let mut tensix = Tensix::new(state);
    let thread = tensix.small.current_thread.min(2) as usize;
    let offset = instruction.code_field("OffsetHalfReg").map_or(0, |field| {
        let (register, offset) = (field.get(code) as usize / 2, noise.bits(8));
        tensix.gprs_row_mut(thread, register / 4)[register % 4] = offset << 16 | offset;
        offset
    });
    let mut row = u32::from(tensix.small.l1_pages[noise.below(64)]) * 16 + noise.bits(4);
    if instruction.file == "storeind_mmio" {
        row = noise.bits(20);
    } else if instruction.file == "storeind_src" {
        let width = [6, 6, 7, 9][noise.below(4)];
        row = noise.bits(width);
    } else if let Some(words) = tensix.l1_row_mut(row as usize) {
        match instruction.file {
            "atcas" => words.fill(instruction.code_field("CmpVal").expect("it has one").get(code)),
            "atincgetptr" => words[1] = words[0].wrapping_add(noise.bits(4)),
            _ => {}
        }
    }
    let register = addr_reg.get(code) as usize;
    tensix.gprs_row_mut(thread, register / 4)[register % 4] = row.wrapping_sub(offset >> 4);
}

// ------------------------------------------------------------------------------------------------ the laws

/// What an instruction has left.
fn run(target: &mut dyn Target, settings: u32, step: &Step<'_>, before: &State, after: &mut State) -> Answer {
    after.copy_from(before);
    after.tracker.clear();
    host::set_to(settings, || target.execute(step, after))
}

/// The rows that only one of two logs has.
fn differing(one: &RowSet, other: &RowSet) -> Vec<usize> {
    let mut rows = Vec::new();
    one.each(|row| rows.extend((!other.contains(row)).then_some(row)));
    other.each(|row| rows.extend((!one.contains(row)).then_some(row)));
    rows
}

/// What is not marked as written has not changed; and with other data in all rows that are not marked as read, each byte
/// is what it was without them, unless it was left alone both times.
fn assert_that_marks_are_true(
    isa: &Machine,
    portable: &mut dyn Target,
    step: &Step<'_>,
    [before, after]: [&State; 2],
    [other_before, other_after]: [&mut State; 2],
) {
    other_before.small.copy_from_slice(&before.small);
    let read = &after.tracker.log.read;
    for (number, bank) in isa.layout.banks.iter().enumerate() {
        for row in 0..bank.rows() {
            if read.contains(bank.first_row + row) {
                other_before.row_mut(number, row).copy_from_slice(before.row(number, row));
            }
        }
    }
    let answer = run(portable, host::DEFAULT, step, other_before, other_after);
    assert_eq!(answer, Answer::Done);
    assert!(after.small[..] == other_after.small[..], "what is not marked as read matters to the small state");
    let written = &after.tracker.log.written;
    assert_eq!(differing(written, &other_after.tracker.log.written), [], "what is not marked as read matters to marks");
    for (number, bank) in isa.layout.banks.iter().enumerate() {
        for row in 0..bank.rows() {
            let rows = [before, after, other_before, other_after].map(|state| state.row(number, row));
            if !written.contains(bank.first_row + row) {
                assert!(rows[0] == rows[1] && rows[2] == rows[3], "not marked as written: {}", bank.row_name(row));
            } else if rows[1] != rows[3] {
                let is_left = |byte: usize| rows[0][byte] == rows[1][byte] && rows[2][byte] == rows[3][byte];
                let is_true = |byte: usize| rows[1][byte] == rows[3][byte] || is_left(byte);
                assert!((0..rows[0].len()).all(is_true), "not marked as read, but matters: {}", bank.row_name(row));
            }
        }
    }
}

/// The instructions that their pages call unsupported, so that they are held at most.
const NEVER_DONE: [&str; 7] = [
    "tensix-wh/unpacr_nop_setreg",
    "tensix-bh/unpacr_nop_setreg",
    "tensix-wh/unpacr_nop_overlay_clear",
    "tensix-bh/unpacr_nop_overlay_clear",
    "tensix-wh/reg2flop_adc",
    "tensix-bh/reg2flop_adc",
    "tensix-bh/reg2flop_configuration",
];

/// The instructions that change nothing of their own.
const NEVER_CHANGE: [&str; 4] = ["sfpnop", "dmanop", "flushdma", "unpacr_flush_cache"];

/// Holds the laws of an instruction, on so many cases of which at least one in `share` is to be done and to change
/// something. If the host is hostile, it is set to anything but for the first run of a case.
fn check(isa: &'static Machine, instruction: &'static Facts, (cases, share): (usize, usize), is_hostile: bool) {
    // Only instructions of vISA use what a CPU has beyond a level.
    let without = |level: Level| level.without_extensions().filter(|_| isa.name == VISA.name);
    let levels = Level::detect_all().into_iter().flat_map(|level| [Some(level), without(level)]).flatten();
    let mut targets: Vec<_> = levels.map(|level| (level, target(isa, level))).collect();
    assert!(targets.iter().all(|(_, target)| target.implements(instruction)), "an instruction is not implemented");
    let mut noise = Noise::new(0x1e7e1 + instruction.index as u64);
    let [mut before, mut expected, mut got, mut other] = [(); 4].map(|()| isa.base_state());
    let fields = (isa.layout.fields)();
    let (mut answers, mut changed) = ([0; 3], 0);
    for case in 0..cases {
        if case % 16 == 0 {
            draw_banks(isa, &mut before, &mut noise);
            draw_banks(isa, &mut other, &mut noise);
        }
        draw_small(instruction, fields, &mut before, &mut noise);
        if instruction.file == SCHEDULES {
            draw_schedule(isa, &mut before, &mut noise);
        }
        let code = draw_code(instruction, &mut noise);
        draw_addresses(instruction, &code, &mut before, &mut noise);
        draw_mmio(instruction, &code, &mut before, &mut noise);
        let editions = instruction.editions();
        let step = Step { instruction, edition: editions[noise.below(editions.len())], code: &code };
        let answer = run(&mut *targets[0].1, host::DEFAULT, &step, &before, &mut expected);
        answers[match answer {
            Answer::Done => 0,
            Answer::Blocked => 1,
            Answer::Unsupported => 2,
        }] += 1;
        let has_changed = expected.arena[..] != before.arena[..] || expected.small[..] != before.small[..];
        changed += usize::from(has_changed);
        assert!(answer == Answer::Done || !has_changed, "{answer:?}, but something has changed");
        let any = host::DEFAULT | noise.bits(16) & host::HOSTILE;
        let settings = if is_hostile { any } else { host::DEFAULT };
        for (level, target) in &mut targets {
            let what = || format!("{level:?} under {settings:#x}: {} {:08x?}", instruction.path(), &code[..]);
            assert_eq!(run(&mut **target, settings, &step, &before, &mut got), answer, "{}", what());
            assert!(got.small[..] == expected.small[..], "small state differs: {}", what());
            if got.arena[..] != expected.arena[..] {
                let byte = (0..got.arena.len()).find(|&byte| got.arena[byte] != expected.arena[byte]);
                panic!("byte {} of the banks differs: {}", byte.expect("one does"), what());
            }
            let (got, expected) = (&got.tracker.log, &expected.tracker.log);
            assert_eq!(differing(&got.read, &expected.read), [], "marked as read: {}", what());
            assert_eq!(differing(&got.written, &expected.written), [], "marked as written: {}", what());
        }
        if answer == Answer::Done && case % 4 == 0 {
            assert_that_marks_are_true(isa, &mut *targets[0].1, &step, [&before, &expected], [&mut other, &mut got]);
        }
    }
    let [done, blocked, unsupported] = answers;
    let counts = format!("{done} done, {changed} changed something, {blocked} blocked, {unsupported} unsupported");
    writeln!(std::io::stderr(), "{}: {counts}", instruction.path()).expect("stderr is open");
    let least = if NEVER_DONE.contains(&&*instruction.path()) { 0 } else { cases / share };
    let changed = if NEVER_CHANGE.contains(&instruction.file) { done } else { changed };
    assert!(done >= least && changed >= least, "too few of {cases} cases: {counts}");

    for words in (0..MAX_CODE_WORDS).filter(|&words| words != instruction.base_code.len()) {
        let step =
            Step { instruction, edition: Edition::Newest, code: &[instruction.base_code[0]; MAX_CODE_WORDS][..words] };
        for (_, target) in &mut targets {
            assert_eq!(run(&mut **target, host::DEFAULT, &step, &before, &mut got), Answer::Unsupported);
        }
    }
}

fn check_all(isa: &'static Machine, cases: usize, share: usize) {
    for name in Level::absent() {
        writeln!(std::io::stderr(), "not run: {} at level {name}, which this CPU lacks", isa.name)
            .expect("stderr is open");
    }
    // An emulated CPU is some twenty times as slow, and what differs there is which instructions there are.
    // Of so few cases a smaller share may be done.
    let (cases, share) =
        if std::env::var_os("TANDEM_EMULATED").is_some() { (cases / 32, 2 * share) } else { (cases, share) };
    isa.instructions.iter().for_each(|instruction| check(isa, instruction, (cases, share), false));
}

#[test]
fn every_level_of_wormhole_gives_what_portable_gives() {
    check_all(&WORMHOLE, 4096, 4);
}

#[test]
fn every_level_of_blackhole_gives_what_portable_gives() {
    check_all(&BLACKHOLE, 4096, 4);
}

#[test]
fn every_level_of_visa_gives_what_portable_gives() {
    check_all(&VISA, 160_000, 20);
}

#[test]
fn results_do_not_depend_on_what_the_host_is_set_to() {
    for (isa, cases) in [(&WORMHOLE, 512), (&BLACKHOLE, 512), (&VISA, 50_000)] {
        isa.instructions.iter().for_each(|instruction| check(isa, instruction, (cases, 20), true));
    }
}
