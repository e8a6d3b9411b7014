//! The window of the RISC-V cores T0, T1 and T2 on `Dst`, on Blackhole: `RISC_LOAD` and `RISC_STORE`, which are loads and stores of
//! a core as instructions of ours (`isa/src/tensix/inst/window.rs` says how they are written).
//!
//! A number in brackets is a line of the page, counted from 1. What the page says of `Dst` beside the window is carried out by
//! `dst.rs`, and stands there.
//!
//! *Source*: page Dst of Blackhole (commit 093af914), section *RISCV access to Dst*.
//! *Errata*: TX-70 to TX-75.

// Of page `DST_BH`.
// Shown by `every_format_converts_as_its_lines_say`, where nothing else is said.
//
// Of `isa/src/tensix/state.rs, DST`, shown by `every_format_converts_as_its_lines_say`:
// [3] Dst is 1024 rows of 16 data of 16 bits, or 512 of 32 bits, in one storage.
// [6] It is an array of 1024 rows and 16 columns of 16 bits, which hold anything when power comes on.
// [9] Each of the 1024 rows has a mark that it is valid.
// [12] All are when power comes on.
//
// Of `reference/src/tensix/dst.rs, adj16`, shown by `remap_rotates_bits_3_to_5_and_leaves_the_others`:
// [17] Dst16b of a row is DstBits of Adj16 of it, most of the time.
// [25-27] Adj16 exchanges bits of a row's number, if the addresses are remapped.
// [29] Otherwise it leaves the number alone.
// [41] The configuration is that of the backend.
//
// Of `reference/src/tensix/dst.rs, adj32_of`, shown by `swizzle_exchanges_bits_2_and_3_and_adds_bit_4_after_the_remap`:
// [19] A datum of Dst32b has its high half in the row Adj32, and its low half eight rows behind that; the row's number has ten
// bits, and there are 512 images.
// [32-33] Adj32 begins with Adj16.
// [34-35] It exchanges further bits, if rows of 32-bit data are swizzled.
// [37] It makes room for the low halves.
//
// Of `reference/src/tensix/dst.rs, dst_decode_bf16`, shown by `decoding_undoes_encoding`:
// [309-312] The order of Dst becomes sign, exponent, mantissa.
//
// Of `reference/src/tensix/dst.rs, dst_encode_bf16`, shown by `decoding_undoes_encoding`:
// [315-318] The order of BF16 in Dst is sign, mantissa, exponent.
//
// Of `reference/src/tensix/dst.rs, dst_encode_fp16`, shown by `decoding_undoes_encoding`:
// [327-330] The order of FP16 in Dst is sign, mantissa, exponent.
//
// Of `reference/src/tensix/dst.rs, dst_decode_fp32`, shown by `decoding_undoes_encoding`:
// [334-335] Of 32-bit data the high half is decoded.
//
// Of `reference/src/tensix/dst.rs, dst_encode_fp32`, shown by `decoding_undoes_encoding`:
// [333] The order of FP32 serves integers of 32 bits too.
// [338-339] Of 32-bit data the high half is encoded.
//
// Of `isa/src/tensix/format.rs, DST_BF16`, shown by `every_format_converts_as_its_lines_say`:
// [47-48] BF16 is one of the types of 16 bits.
// [65] A picture shows its bits.
//
// Of `isa/src/tensix/format.rs, DST_FP16`, shown by `every_format_converts_as_its_lines_say`:
// [49] FP16 is one.
// [69] A picture shows its bits.
//
// Of `isa/src/tensix/format.rs, DST_INT8`, shown by `every_format_converts_as_its_lines_say`:
// [50] Integer "8" is one, of a sign and a magnitude of ten bits, over an FP16 whose exponent is 16, or 0 for zero.
// [75] A picture shows its bits.
// [77] Its low five bits mostly are 16, and 0 in a zero from an unpacker.
//
// Of `isa/src/tensix/format.rs, DST_INT16`, shown by `every_format_converts_as_its_lines_say`:
// [51] Integer "16" is one, of a sign and a magnitude of 15 bits, or any 16 bits.
// [81] A picture shows its bits.
//
// [15] Software is to write all of Dst first. Not modelled: advice; a case says what Dst holds.
// [21] A bit of a debug register makes Dst16b the high half of Dst32b. Not modelled: the page calls it unsupported, and no
// state has the register.
// [53-55] FP32, which TF32 can be, and integer "32" are the types of 32 bits. Not modelled: which type a datum has is nowhere
// in the state; the window's formats have entries below.
// [57] Floating point is not quite that of IEEE 754. Not modelled: another page says how, and nothing here computes on it.
// [61] The order of bits seldom matters to software. Not modelled: advice.
// [71] Infinity of FP16 is another than that of IEEE 754, and there is no NaN. Not modelled: the window moves bits.
// [85, 89] Pictures show the bits of FP32 and of integer "32". Not modelled: what the window makes of them has entries below.
// [93, 95, 97] Unpackers, packers, the Vector Unit and the Matrix Unit move data to Dst and from it. Not modelled: pages of
// their own say how.
// [101] A block of Dst that was written cannot be read for four cycles. Not modelled: no case has cycles; a rule has it.
// [306] The helpers serve several units. Not modelled: who calls them stands where it does.
// [321-324] FP16 in Dst is decoded likewise. Not modelled: no instruction of Blackhole calls it by name; the window has its own
// lines.

use std::ops::ControlFlow;

use tandem_isa::tensix::config::{ConfigField, blackhole};
use tandem_isa::tensix::inst::window::{OFFSET, SIGN_EXTEND, SIZE, SIZES};
use tandem_isa::tensix::{Chip, DST_BH, Small, Tensix};
use tandem_isa::{Citation, Expectation, Step};

use super::dst::{LOW_HALF, adj16, adj32_of, narrow};
use super::mova2d::{config_state, current_thread};
use crate::bits::U;

const NO_FMT_REASON: &str = "no fmt has data of which so many bytes are a whole number: undefined behaviour";

/// Columns of `Dst`.
const COLUMNS: u32 = 16;
/// The core that accesses several data at a time.
const T2: usize = 2;

static MARKS: &Citation = cite!(
    DST_BH,
    "lines 43 and 105-119",
    "TX-70: an access to Dst consults the mark of its row, and the section on the window does not say what comes of it"
);
static MISALIGNED: &Citation =
    cite!(DST_BH, "line 117", "TX-71: what an access does that is not aligned to its size is not said");

// ------------------------------------------------------------------------------------------------ what is accessed

/// How the window of the current thread's core is configured.
struct Window {
    fmt: U<3>,
    no_swizzle: bool,
    unsigned_int: bool,
}

impl Window {
    // [105] T0, T1 and T2 have Dst at this address, and each has a section of the configuration for how. What fmt says comes
    // first.
    // [123, 153, 189, 214, 242, 277] The thread's StateID is one bit of its ThreadConfig.
    // [124, 154, 190, 215, 243, 278] It selects one of the banks of Config. (`each_core_has_a_section_of_the_bank_in_force`)
    // [125, 155, 191, 216, 244, 279] The format is that of the core's section.
    // [126, 156, 192, 217, 245, 280] So is whether the order of bits stays.
    // [127, 157, 193, 246, 281] So is whether integers are unsigned.
    fn of(small: &Small) -> Self {
        let (config, _) = config_state(small);
        let own = |sections: [ConfigField; 3]| sections[current_thread(small)].get(config);
        let fmt = own([
            blackhole::RISC_DEST_ACCESS_CTRL_SEC0_fmt,
            blackhole::RISC_DEST_ACCESS_CTRL_SEC1_fmt,
            blackhole::RISC_DEST_ACCESS_CTRL_SEC2_fmt,
        ]);
        let no_swizzle = own([
            blackhole::RISC_DEST_ACCESS_CTRL_SEC0_no_swizzle,
            blackhole::RISC_DEST_ACCESS_CTRL_SEC1_no_swizzle,
            blackhole::RISC_DEST_ACCESS_CTRL_SEC2_no_swizzle,
        ]);
        let unsigned_int = own([
            blackhole::RISC_DEST_ACCESS_CTRL_SEC0_unsigned_int,
            blackhole::RISC_DEST_ACCESS_CTRL_SEC1_unsigned_int,
            blackhole::RISC_DEST_ACCESS_CTRL_SEC2_unsigned_int,
        ]);
        Window { fmt: U::new(fmt), no_swizzle: no_swizzle != 0, unsigned_int: unsigned_int != 0 }
    }

    /// Bytes of a datum, if the format is not reserved.
    // [109-110] Formats 0 and 1 make the window an array of 32-bit data, of 512 rows.
    // [111-113] Formats 2, 3 and 4 make it one of 16-bit data, of 1024 rows.
    // [114] Format 5 makes it one of 8-bit data, of 1024 rows.
    // [115] The others are reserved. (`a_size_that_no_datum_has_is_undefined`)
    fn datum_bytes(&self) -> Option<u32> {
        match self.fmt.get() {
            0 | 1 => Some(4),
            2..=4 => Some(2),
            5 => Some(1),
            _ => None,
        }
    }
}

/// Scalars that an access is split into.
struct Scalars {
    /// Where the first lies, from the beginning of the window.
    offset: u32,
    /// Bytes of each.
    bytes: u32,
    count: u32,
}

impl Scalars {
    // [119, TX-75] T0 and T1 access one datum, with the function whose size the instruction has. T2 does the same, and splits
    // what is longer into as many data as fmt makes of it. (`a_size_that_no_datum_has_is_undefined`)
    fn of(step: &Step<'_>, small: &Small, window: &Window) -> ControlFlow<Expectation, Self> {
        let (size, offset) = (SIZES[U::<2>::new(SIZE.get(step.code)).index()], OFFSET.get(step.code));
        // [117, TX-71] An access is aligned to its size. T0 and T1 access one datum at a time; T2 may access several at once,
        // with scalar instructions or with those of vectors. (`what_is_not_aligned_is_unspecified`)
        if offset % size != 0 {
            return ControlFlow::Break(Expectation::Unspecified(MISALIGNED));
        }
        let mut bytes = size;
        if current_thread(small) == T2 {
            bytes = bytes.min(window.datum_bytes().unwrap_or(size));
        }
        // TX-75: no function has the size of a vector register.
        if bytes > 4 {
            return ControlFlow::Break(Expectation::Undefined(cite!(
                DST_BH,
                "lines 115-119",
                "TX-75: T0 and T1 cannot access several data at once, and there is no datum of 16 bytes"
            )));
        }
        ControlFlow::Continue(Scalars { offset, bytes, count: size / bytes })
    }

    /// Where a scalar lies in the window, and where its lowest bit lies in the register: its word, and its bit in that.
    fn place(&self, index: u32) -> (u32, usize, u32) {
        // [119, TX-73] Of several scalars the one at the lowest address is the lowest part.
        // (`several_data_lie_in_a_register_in_the_order_of_their_addresses`)
        let part = reads!(index, "tx73-first-datum-highest", self.count - 1 - index);
        let first_byte = part * self.bytes;
        (self.offset + index * self.bytes, U::<2>::new(first_byte / 4).index(), 8 * (first_byte % 4))
    }
}

/// `Dst32b[row][column]`, as two rows of `DstBits`: the first, and the column. Its mark says that it is valid.
fn dst32b(tensix: &mut Tensix<'_>, datum: u32) -> ControlFlow<Expectation, (usize, usize)> {
    let row = adj32_of(Chip::Blackhole, tensix.small, U::new(datum / COLUMNS)).index();
    marked(tensix, row, datum)
}

/// `Dst16b[row][column]`, likewise.
fn dst16b(tensix: &mut Tensix<'_>, datum: u32) -> ControlFlow<Expectation, (usize, usize)> {
    // TX-72: the window has more bytes than there are data of eight bits.
    if datum / COLUMNS > 1023 {
        return ControlFlow::Break(Expectation::Unspecified(cite!(
            DST_BH,
            "lines 114 and 194-195",
            "TX-72: the array of fmt 5 ends in the middle of the window"
        )));
    }
    let row = adj16(Chip::Blackhole, tensix.small, U::new(datum / COLUMNS)).index();
    marked(tensix, row, datum)
}

/// The row and the column of a datum, if its row is valid.
// [43, TX-70] A datum of 32 bits consults the mark of its first row, and one of 16 bits that of its row.
// (`a_row_that_is_not_valid_is_unspecified`)
fn marked(tensix: &mut Tensix<'_>, row: usize, datum: u32) -> ControlFlow<Expectation, (usize, usize)> {
    if tensix.dst_row_valid(row) {
        ControlFlow::Continue((row, U::<32>::new(datum % COLUMNS).index()))
    } else {
        ControlFlow::Break(Expectation::Unspecified(MARKS))
    }
}

// ------------------------------------------------------------------------------------------------ loads

/// `RISC_LOAD`: load from the window. *Source*: page Dst.
pub fn risc_load(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    let window = Window::of(tensix.small);
    let scalars = Scalars::of(step, tensix.small, &window)?;
    let mut register = [0; 4];
    for index in 0..scalars.count {
        let (offset, word, shift) = scalars.place(index);
        let value = match scalars.bytes {
            4 => load32(&window, tensix, offset)?.get(),
            2 => load16(&window, tensix, offset)?.get(),
            _ => load8(&window, tensix, offset)?.get(),
        };
        register[word] |= value << shift;
    }
    let size = SIZES[U::<2>::new(SIZE.get(step.code)).index()];
    if size == 16 {
        tensix.small.risc_data = register;
        return ControlFlow::Continue(());
    }
    // A RISC-V core fills a register to its 32 bits, from 8 or 16 perhaps with copies of their highest one.
    if SIGN_EXTEND.get(step.code) != 0 {
        match size {
            1 if register[0] & 0x80 != 0 => register[0] |= 0xffff_ff00,
            2 if register[0] & 0x8000 != 0 => register[0] |= 0xffff_0000,
            _ => {}
        }
    }
    tensix.small.risc_data[0] = register[0];
    ControlFlow::Continue(())
}

// [122] A load of 32 bits.
fn load32(window: &Window, tensix: &mut Tensix<'_>, offset: u32) -> ControlFlow<Expectation, U<32>> {
    let datum = offset / 4; // [128] The number of the datum.
    // [129] It is one of Dst32b, 16 to a row.
    let (row, column) = dst32b(tensix, datum)?;
    let high = u32::from(tensix.dst_bits(row, column));
    let mut value = U::<32>::new(high << 16 | u32::from(tensix.dst_bits(row + LOW_HALF, column)));
    // [130] The bits are put in order, unless they are to stay.
    if !window.no_swizzle {
        // [131] It is the order of a core: the exponent before the mantissa.
        // [132] The sign and the low 16 bits stay, and what lies between is exchanged.
        value = (value & 0x8000_ffff) | ((value & 0x7f00_0000) >> 8) | U::new((value & 0x00ff_0000).get() << 7);
    }
    // [134] What else is done depends on the format.
    match window.fmt.get() {
        0 => {} // [135-136] Of 0 nothing.
        1 => {
            // [137-138] Of 1 nothing, if the order of bits stays or the number is not negative.
            // [139] It then is the integer.
            // [140] Otherwise,
            if !(window.no_swizzle || value.get() < 0x8000_0000) {
                // [141] sign and magnitude become two's complement, and negative zero becomes zero.
                // [142] The magnitude is negated.
                value = U::new(0) - (value & 0x7fff_ffff);
            }
            // [144] No more is done.
        }
        // [145-147, TX-75] Of any other format a load of 32 bits is undefined. (`a_size_that_no_datum_has_is_undefined`)
        _ => return ControlFlow::Break(Expectation::Undefined(cite!(DST_BH, "lines 145-147", NO_FMT_REASON))),
    }
    ControlFlow::Continue(value) // [149] That is loaded.
}

// [152] A load of 16 bits.
fn load16(window: &Window, tensix: &mut Tensix<'_>, offset: u32) -> ControlFlow<Expectation, U<16>> {
    let datum = offset / 2; // [158] The number of the datum.
    // [159] It is one of Dst16b, 16 to a row.
    let (row, column) = dst16b(tensix, datum)?;
    let mut value = U::<16>::new(u32::from(tensix.dst_bits(row, column)));
    // [160] What is done depends on the format.
    match window.fmt.get() {
        2 => {
            // [161-162] Of 2 the bits are put in order, unless they are to stay.
            if !window.no_swizzle {
                // [163] It is the order of a core, from that of FP16 in Dst.
                // [164] The sign stays, and the mantissa goes below the exponent.
                value = (value & 0x8000) | ((value & 0x7fe0) >> 5) | U::new((value & 0x001f).get() << 10);
            }
            // [166] No more is done.
        }
        3 => {
            // [167-168] Of 3 likewise.
            if !window.no_swizzle {
                // [169] It is the order of a core, from that of BF16 in Dst.
                // [170] The sign stays, and the mantissa goes below the exponent.
                value = (value & 0x8000) | ((value & 0x7f00) >> 8) | U::new((value & 0x00ff).get() << 7);
            }
            // [172] No more is done.
        }
        4 => {
            // [173-174] Of 4 nothing, if the order of bits stays, integers are unsigned, or this one is not negative.
            // [175] It then is the integer.
            // [176] Otherwise,
            if !(window.no_swizzle || window.unsigned_int || value.get() < 0x8000) {
                // [177] sign and magnitude become two's complement, and negative zero becomes zero.
                // [178] The magnitude is negated.
                value = U::new(0) - (value & 0x7fff);
            }
            // [180] No more is done.
        }
        // [181-183, TX-75] Of any other format a load of 16 bits is undefined. (`a_size_that_no_datum_has_is_undefined`)
        _ => return ControlFlow::Break(Expectation::Undefined(cite!(DST_BH, "lines 181-183", NO_FMT_REASON))),
    }
    ControlFlow::Continue(value) // [185] That is loaded.
}

// [188] A load of 8 bits.
fn load8(window: &Window, tensix: &mut Tensix<'_>, offset: u32) -> ControlFlow<Expectation, U<8>> {
    let datum = offset; // [194, TX-72] The number of the datum.
    // [195, TX-72] It is one of Dst16b, 16 to a row.
    let (row, column) = dst16b(tensix, datum)?;
    let value16 = U::<16>::new(u32::from(tensix.dst_bits(row, column)));
    // [196] What is done depends on the format.
    match window.fmt.get() {
        5 => {
            // [197-198] Of 5, if the order of bits stays or integers are unsigned,
            if window.no_swizzle || window.unsigned_int {
                // [199-200] the low eight bits of the magnitude are loaded.
                ControlFlow::Continue(U::new((value16 >> 5).get()))
            } else {
                // [201-202] Otherwise sign and the low seven bits of the magnitude are taken out,
                // [203] and become two's complement; negative zero becomes zero.
                // [204] The magnitude has seven bits.
                let mag = U::<8>::new((value16 >> 5).get() & 0x7f);
                // [205] With the sign it is negated.
                ControlFlow::Continue(if (value16 & 0x8000).get() != 0 { U::new(0) - mag } else { mag })
            }
        }
        // [207-209, TX-75] Of any other format a load of 8 bits is undefined. (`a_size_that_no_datum_has_is_undefined`)
        _ => ControlFlow::Break(Expectation::Undefined(cite!(DST_BH, "lines 207-209", NO_FMT_REASON))),
    }
}

// ------------------------------------------------------------------------------------------------ stores

/// `RISC_STORE`: store to the window. *Source*: page Dst.
pub fn risc_store(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    let window = Window::of(tensix.small);
    let scalars = Scalars::of(step, tensix.small, &window)?;
    let register = tensix.small.risc_data;
    for index in 0..scalars.count {
        let (offset, word, shift) = scalars.place(index);
        let value = register[word] >> shift;
        match scalars.bytes {
            4 => store32(&window, tensix, offset, U::new(value))?,
            2 => store16(&window, tensix, offset, U::new(value))?,
            _ => store8(&window, tensix, offset, U::new(value))?,
        }
    }
    ControlFlow::Continue(())
}

// [213] A store of 32 bits.
fn store32(window: &Window, tensix: &mut Tensix<'_>, offset: u32, value: U<32>) -> ControlFlow<Expectation> {
    let mut value = value;
    // [218] What is done first depends on the format.
    match window.fmt.get() {
        0 => {} // [219-220] Of 0 nothing.
        1 => {
            // [221-222] Of 1 nothing, if the order of bits stays or the number is not negative.
            // [223] It then is the integer.
            // [224] Otherwise,
            if !(window.no_swizzle || value.get() < 0x8000_0000) {
                // [225] two's complement becomes sign and magnitude, and the least number the least but one.
                // [226] That is done before the number is negated.
                let is_least = U::new(u32::from(value.get() == 0x8000_0000));
                value = U::new(0x8000_0000) | (U::new(0) - (value + is_least));
            }
            // [228] No more is done.
        }
        // [229-231, TX-75] Of any other format a store of 32 bits is undefined. (`a_size_that_no_datum_has_is_undefined`)
        _ => return ControlFlow::Break(Expectation::Undefined(cite!(DST_BH, "lines 229-231", NO_FMT_REASON))),
    }
    // [233] Then the bits are put in order, unless they are to stay.
    if !window.no_swizzle {
        // [234] It is that of Dst: the mantissa before the exponent.
        // [235] The sign and the low 16 bits stay, and what lies between is exchanged.
        value = (value & 0x8000_ffff) | ((value & 0x7f80_0000) >> 7) | U::new((value & 0x007f_0000).get() << 8);
    }
    let datum = offset / 4; // [237] The number of the datum.
    // [238] It is one of Dst32b, 16 to a row.
    let (row, column) = dst32b(tensix, datum)?;
    tensix.set_dst_bits(row, column, narrow(U::new(value.get() >> 16)));
    tensix.set_dst_bits(row + LOW_HALF, column, narrow(U::new(value.get())));
    ControlFlow::Continue(())
}

// [241] A store of 16 bits.
fn store16(window: &Window, tensix: &mut Tensix<'_>, offset: u32, value: U<16>) -> ControlFlow<Expectation> {
    let mut value = value;
    // [247] What is done depends on the format.
    match window.fmt.get() {
        2 => {
            // [248-249] Of 2 the bits are put in order, unless they are to stay.
            if !window.no_swizzle {
                // [250] It is that of FP16 in Dst.
                // [251] The sign stays, and the exponent goes below the mantissa.
                value = (value & 0x8000) | ((value & 0x7c00) >> 10) | U::new((value & 0x03ff).get() << 5);
            }
            // [253] No more is done.
        }
        3 => {
            // [254-255] Of 3 likewise.
            if !window.no_swizzle {
                // [256] It is that of BF16 in Dst.
                // [257] The sign stays, and the exponent goes below the mantissa.
                value = (value & 0x8000) | ((value & 0x7f80) >> 7) | U::new((value & 0x007f).get() << 8);
            }
            // [259] No more is done.
        }
        4 => {
            // [260-261] Of 4 nothing, if the order of bits stays, integers are unsigned, or this one is not negative.
            // [262] It then is the integer.
            // [263] Otherwise,
            if !(window.no_swizzle || window.unsigned_int || value.get() < 0x8000) {
                // [264] two's complement becomes sign and magnitude, and the least number the least but one.
                // [265] That is done before the number is negated.
                let is_least = U::new(u32::from(value.get() == 0x8000));
                value = U::new(0x8000) | (U::new(0) - (value + is_least));
            }
            // [267] No more is done.
        }
        // [268-270, TX-75] Of any other format a store of 16 bits is undefined. (`a_size_that_no_datum_has_is_undefined`)
        _ => return ControlFlow::Break(Expectation::Undefined(cite!(DST_BH, "lines 268-270", NO_FMT_REASON))),
    }
    let datum = offset / 2; // [272] The number of the datum.
    // [273] It is one of Dst16b, 16 to a row.
    let (row, column) = dst16b(tensix, datum)?;
    tensix.set_dst_bits(row, column, narrow(value));
    ControlFlow::Continue(())
}

// [276] A store of 8 bits.
fn store8(window: &Window, tensix: &mut Tensix<'_>, offset: u32, value: U<8>) -> ControlFlow<Expectation> {
    let value = U::<16>::new(value.get());
    // [282-283] What goes to Dst depends on the format.
    let value16 = match window.fmt.get() {
        5 => {
            // [284-285] Of 5, if the order of bits stays, integers are unsigned, or this one is not negative,
            if window.no_swizzle || window.unsigned_int || value.get() < 0x80 {
                // [286] the number becomes seven or eight bits of the magnitude,
                // [287] and the exponent is 16, or 0 for zero.
                U::new(value.get() << 5) | U::new(if value.get() != 0 { 16 } else { 0 })
            } else {
                // [288-289, TX-74] Otherwise sign and magnitude were meant, and are not made:
                // [290, TX-74] the highest bit of the magnitude is set as well.
                let is_least = U::new(u32::from(value.get() == 0x80));
                let mag = U::<8>::new((U::<16>::new(0x180) - value - is_least).get());
                let mag = reads!(mag, "tx74-int8-stored-as-meant", mag & 0x7f);
                // [291] They become integer "8".
                // [292] The sign is set, and the exponent is 16.
                U::<16>::new(0x8000 | mag.get() << 5 | 16)
            }
            // [294] No more is done.
        }
        // [295-297, TX-75] Of any other format a store of 8 bits is undefined. (`a_size_that_no_datum_has_is_undefined`)
        _ => return ControlFlow::Break(Expectation::Undefined(cite!(DST_BH, "lines 295-297", NO_FMT_REASON))),
    };
    let datum = offset; // [299] The number of the datum.
    // [300] It is one of Dst16b, 16 to a row.
    let (row, column) = dst16b(tensix, datum)?;
    tensix.set_dst_bits(row, column, narrow(value16));
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests;
