//! `UNPACR` in its three forms, which the Unpackers execute: move data from L1 to `SrcA`, `SrcB` or `Dst`, forget what
//! is known of rows of compressed data, and count the context on.
//!
//! A number in brackets is a line of the page that the function names, counted from 1. Of the first form edition `Spec`
//! of Wormhole has a page of its own (`spec`); all else goes by the other (`newest`), which speaks of both chips. The
//! other two pages serve both chips and both editions. After an outcome that promises nothing the state is of no
//! meaning.
//!
//! *Source*: page `UNPACR_Regular` (commits 1391ed25 and d0ade26a); `UNPACR_FlushCache` and
//! `UNPACR_IncrementContextCounter` (39304719); ADCs (acaf0105) for the widths of counters; Dst (093af914, one for each
//! chip) and ZEROACC (98f32c22), line 7, for what becomes of rows of `Dst`; L1 (29e53cf9).
//!
//! Where the pages have fractions of a byte (an exponent serves sixteen data, and a datum can have two bits) an address
//! counts sixteenths of a byte here, so that it is a whole number. The pages multiply such sizes as `float`; here they
//! are exact.

// Of pages `UNPACR_REGULAR_SPEC` (spec) and `UNPACR_REGULAR_NEWEST` (newest).
// Shown by `a_row_of_data_goes_to_where_the_counters_say`, where nothing else is said.

mod convert;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use tandem_isa::tensix::config::unpack::{
    ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, ADDR_BASE_REG_1_Base, ADDR_CTRL_XY_REG_1_Ystride,
    ADDR_CTRL_ZW_REG_1_Wstride, ADDR_CTRL_ZW_REG_1_Zstride, FORCED_SHARED_EXP_shared_exp,
    REG0_TileDescriptor_BlobsPerXYPlane, REG0_TileDescriptor_BlobsYStart_Hi, REG0_TileDescriptor_BlobsYStart_Lo,
    REG0_TileDescriptor_DigestSize, REG0_TileDescriptor_InDataFormat, REG0_TileDescriptor_IsUncompressed,
    REG0_TileDescriptor_NoBFPExpSection, REG0_TileDescriptor_WDim, REG0_TileDescriptor_XDim, REG0_TileDescriptor_YDim,
    REG0_TileDescriptor_ZDim, REG2_Context_count, REG2_Disable_zero_compress_cntx, REG2_Force_shared_exp,
    REG2_Haloize_mode, REG2_Out_data_format, REG2_Ovrd_data_format, REG2_Shift_amount_cntx, REG2_Throttle_mode,
    REG2_Tileize_mode, REG2_Unpack_If_Sel, REG2_Unpack_Src_Reg_Set_Upd, REG2_Unpack_fifo_size, REG2_Unpack_if_sel_cntx,
    REG2_Unpack_limit_address, REG2_Upsample_and_interleave, REG2_Upsample_rate, REG3_Base_address, REG3_Base_cntx,
    REG5_Dest_cntx, REG5_Tile_x_dim_cntx, REG7_Offset_address, REG7_Offset_cntx, REG7_Unpack_data_format_cntx,
    REG7_Unpack_out_data_format_cntx, UnpackField, blobs_y_start_cntx,
};
use tandem_isa::tensix::config::{self, CONFIG_WORDS, THREAD_CONFIG_WORDS, ThreadConfigField, blackhole};
use tandem_isa::tensix::format::{
    BF16, BFP2, BFP2A, BFP4, BFP4A, BFP8, BFP8A, FP8, FP16, FP32, INT8, INT16, INT32, TF32,
};
use tandem_isa::tensix::inst::unpack::{
    ALL_DATUMS_ARE_ZERO, CH0_Y_INC, CH0_Z_INC, CH1_Y_INC, CH1_Z_INC, CONTEXT_ADC, CONTEXT_NUMBER, FLIP_SRC,
    MULTI_CONTEXT_MODE, ROW_SEARCH, USE_CONTEXT_COUNTER, WHICH_UNPACKER,
};
use tandem_isa::tensix::{
    AdcChannel, Adcs, Chip, L1, MATRIX_UNIT, Small, Tensix, UNPACKERS, UNPACR_FLUSH_CACHE,
    UNPACR_INCREMENT_CONTEXT_COUNTER, UNPACR_REGULAR_NEWEST, UNPACR_REGULAR_SPEC, ZEROACC_NEWEST,
};
use tandem_isa::{Citation, CodeField, Edition, Expectation, Step};

use super::dst::{LOW_HALF, adj16, adj32_of, narrow};
use super::{UNNAMED_REASON, check};
use crate::bits::U;

const ADC_REASON: &str = "there is no ADC 3: undefined behaviour";
const BANK_REASON: &str = "the instruction is held for as long as the Unpacker's bank is not the Unpackers'";
const BEYOND_REASON: &str = "SrcA has 64 rows, and the page does not say what a row beyond them is";
const BLOBS_REASON: &str = "there are eight starts of blobs, and what lies behind the last is not said";
const BURST_REASON: &str = "a burst may cross sixteen rows of SrcA, and then drops data: unsupported functionality";
const COMBINATION_REASON: &str = "what is configured does not go together: undefined behaviour";
const CONTEXT_REASON: &str = "the second Unpacker has two contexts: undefined behaviour";
const EXTENT_REASON: &str =
    "a size does not fit in the type that the page computes it in, and it does not say what it is then";
const FORMAT_REASON: &str = "the input format has no name, and so no size";
const L1_REASON: &str = "the address is not in L1: undefined behaviour";
const MOST_REASON: &str = "so many data are more than all windows on L1 show";
const NO_ROW_REASON: &str = "the row is beyond the last that the page allows: undefined behaviour";
const OUT_ADDR_REASON: &str = "no whole datum begins at the output address: undefined behaviour";
const OUTSIDE_REASON: &str = "what this address of L1 holds is outside of the state, which shows L1 through windows";
const PARTLY_REASON: &str = "an unpack that writes some columns of a row of Dst that is not valid is undefined";
const SRCA_REASON: &str = "an unpack to Dst leaves the Unpacker's bank of SrcA unpredictable";
const THROTTLE_REASON: &str = "Wormhole has no such speed: undefined behaviour";
const TRANSPOSE_REASON: &str = "the second Unpacker does not transpose, which is not contractual";
const USAGE_REASON: &str = "nobody is known to use it: unsupported functionality";
const X_REASON: &str = "X does not fit the input address generator: undefined behaviour";

/// A byte, in the units of addresses that have fractions.
const BYTE: i64 = 16;
/// What is read without end goes beyond all windows on L1.
const MOST_DATA: u32 = 1 << 18;

/// A citation of the page that is meant.
macro_rules! cited {
    ($issue:expr, $spec:literal, $newest:literal, $reason:expr) => {
        if $issue.is_newest {
            cite!(UNPACR_REGULAR_NEWEST, $newest, $reason)
        } else {
            cite!(UNPACR_REGULAR_SPEC, $spec, $reason)
        }
    };
}
use cited;

/// `UndefinedBehavior()`.
fn undefined<T>(citation: &'static Citation) -> ControlFlow<Expectation, T> {
    ControlFlow::Break(Expectation::Undefined(citation))
}

/// `UnsupportedFunctionality()`.
fn unsupported<T>(citation: &'static Citation) -> ControlFlow<Expectation, T> {
    ControlFlow::Break(Expectation::Unsupported(citation))
}

/// What no page says, or what a page says and does not promise.
fn unspecified<T>(citation: &'static Citation) -> ControlFlow<Expectation, T> {
    ControlFlow::Break(Expectation::Unspecified(citation))
}

/// What the instruction says, and the configuration and counters that it finds.
struct Issue<'s> {
    is_newest: bool,
    chip: Chip,
    code: &'s [u32],
    which_unpacker: usize,
    current_thread: usize,
    config_state: [u32; CONFIG_WORDS],
    thread_config: [u16; THREAD_CONFIG_WORDS],
    adcs: [Adcs; 3],
}

impl<'s> Issue<'s> {
    fn of(step: &Step<'s>, small: &Small) -> Self {
        let chip = Chip::of(step.instruction);
        let current_thread = U::<2>::new(small.current_thread).index();
        let thread_config = small.thread_config[current_thread];
        // [spec 35] [newest 39] Configuration is read first.
        // [spec 37] [newest 40] The thread's StateID selects a bank of the configuration.
        let state_id = U::<1>::new(config::CFG_STATE_ID_StateID.get(&thread_config));
        Issue {
            is_newest: step.edition == Edition::Newest || chip == Chip::Blackhole,
            chip,
            code: step.code,
            // [spec 39] [newest 42] It is one of two Unpackers.
            which_unpacker: U::<1>::new(WHICH_UNPACKER.get(step.code)).index(),
            current_thread,
            config_state: small.config[state_id.index()], // [spec 38] [newest 41] What is read is that bank's.
            thread_config,
            adcs: small.adcs,
        }
    }

    /// A flag of the code.
    fn says(&self, flag: CodeField) -> bool {
        flag.get(self.code) != 0
    }

    /// A field of the Unpacker's configuration.
    fn field(&self, field: UnpackField) -> u32 {
        field.get(self.chip, self.which_unpacker, &self.config_state)
    }

    /// Whether a flag of the Unpacker's configuration is set.
    fn is_set(&self, flag: UnpackField) -> bool {
        self.field(flag) != 0
    }

    /// A field of the thread's configuration, which does not lie at one place on both chips.
    fn thread_field(&self, wormhole: ThreadConfigField, blackhole: ThreadConfigField) -> u32 {
        self.chip.pick(wormhole, blackhole).get(&self.thread_config)
    }

    /// `SRCA_SET_SetOvrdWithAddr`.
    fn set_ovrd_with_addr(&self) -> bool {
        self.thread_field(config::SRCA_SET_SetOvrdWithAddr, blackhole::SRCA_SET_SetOvrdWithAddr) != 0
    }

    /// The Unpacker's channel of a thread's ADCs.
    fn channel(&self, thread: usize, channel: usize) -> &AdcChannel {
        &self.adcs[thread].unpacker[self.which_unpacker][channel]
    }
}

/// `UNPACR_REGULAR`: move data from L1 to `SrcA`, `SrcB` or `Dst`.
///
/// *Source*: page `UNPACR_Regular`, commits 1391ed25 and d0ade26a.
// [spec 3] [newest 3] One Unpacker moves some data from L1 to SrcA, SrcB or Dst.
// [spec 5] [newest 5] The Unpackers execute it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [spec 574] [newest 637] The first address takes two cycles, of compressed data more, in which the thread issues
// nothing else and nobody an UNPACR; then the pace is mostly that of L1. Not modelled: cycle timing is out of scope by
// decision.
// [spec 576-579] [newest 639-642] There are three speeds, of 16, 32 and 64 bytes a cycle. Not modelled: cycle timing is
// out of scope by decision.
// [spec 581, 583-587] [newest 644, 646-650] Two Unpackers at a time slow each other down, as a table says. Not
// modelled: cycle timing is out of scope by decision.
// [spec 589-596] [newest 652-659] Some modes want certain speeds. Not modelled: cycle timing is out of scope by
// decision.
// [spec 598] [newest 661] Elsewhere Throttle_mode chooses the speed: 0, 1 and 2 are the three. Not modelled: cycle
// timing is out of scope by decision.
// [spec 602] [newest 665] The vendor's table of registers has no fields of a TileDescriptor, so that the page lists
// them.
// [spec 604] [newest 667] It has their first bit, how many bits they have, and a note.
// [spec 609] [newest 672] Two bits are reserved. Not modelled: nothing reads them.
// [spec 611] [newest 674] Five bits are reserved. Not modelled: nothing reads them.
// [spec 614, 616, 618, 620] [newest 677, 679, 681, 683] Eight bits are reserved. Not modelled: nothing reads them.
pub fn unpacr_regular(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    let issue = &Issue::of(step, tensix.small);
    // [spec 10-25] [newest 10-25] The Unpacker, a sum of four increments, a number and an ADC of the context, and flags
    // between zeros. (`encodings_and_texts_round_trip`)
    // [spec 30, TX-40] [newest 30, TX-40] A picture shows where they lie in the word.
    // (`encodings_and_texts_round_trip`)
    check(step, cited!(issue, "lines 10-25 and 30", "lines 10-25 and 30", UNNAMED_REASON))?;
    // [newest 35-36] RowSearch, UseContextCounter, no MultiContextMode, or a ContextADC or ContextNumber other than 0:
    // nobody is known to use any of it, and it is not supported. (`what_the_pages_do_not_support_promises_nothing`)
    if issue.is_newest
        && (issue.says(ROW_SEARCH)
            || issue.says(USE_CONTEXT_COUNTER)
            || !issue.says(MULTI_CONTEXT_MODE)
            || issue.says(CONTEXT_ADC)
            || issue.says(CONTEXT_NUMBER))
    {
        return unsupported(cite!(UNPACR_REGULAR_NEWEST, "lines 35-37", USAGE_REASON));
    }
    let context = Context::of(issue, tensix.small)?;
    let tile = Tile::of(issue, context)?;
    let input = Input::of(issue, context, &tile, tensix)?;
    let rows = Rows::of(issue, &tile)?;
    let output = Output::of(issue, context, &tile, &rows)?;
    check_combination(issue, &tile, &input, &rows, &output)?;
    check_bursts(issue, &tile, &input, &rows, &output)?;
    let mut unpack = Unpack { issue, tile, input, rows, output, written: BTreeMap::new() };
    unpack.run(tensix)?;
    unpack.finish_dst(tensix)?;
    count_on(issue, context, tensix.small);
    flip(issue, &unpack.tile, tensix.small);
    ControlFlow::Continue(())
}

/// `WhichContext` and `WhichADC`.
#[derive(Clone, Copy)]
struct Context {
    which: U<3>,
    adc: usize,
}

impl Context {
    // Shown by `a_context_is_that_of_the_code_or_of_the_counter_and_has_its_own_configuration`.
    fn of(issue: &Issue<'_>, small: &Small) -> ControlFlow<Expectation, Self> {
        // [spec 41-42] [newest 44-45] The context has three bits, and the ADC two.
        // [spec 43] [newest 46] With MultiContextMode there are contexts.
        let (which_context, which_adc) = if issue.says(MULTI_CONTEXT_MODE) {
            // [spec 44-45] [newest 47-48] With UseContextCounter the context is what the Unpacker's counter of the
            // thread says.
            let mut which_context = U::<3>::new(if issue.says(USE_CONTEXT_COUNTER) {
                small.unpackers_context_counter[issue.which_unpacker][issue.current_thread]
            } else {
                CONTEXT_NUMBER.get(issue.code) // [spec 46-47] [newest 49-50] Otherwise it is the code's.
            });
            // [spec 49] [newest 52] The thread's offset for the Unpacker is added.
            let [wormhole, blackhole] = if issue.which_unpacker == 0 {
                [config::UNPACK_MISC_CFG_CfgContextOffset_0, blackhole::UNPACK_MISC_CFG_CfgContextOffset_0]
            } else {
                [config::UNPACK_MISC_CFG_CfgContextOffset_1, blackhole::UNPACK_MISC_CFG_CfgContextOffset_1]
            };
            which_context += U::new(issue.thread_field(wormhole, blackhole));
            // [spec 50] [newest 53] The ADC is the code's.
            let which_adc = U::<2>::new(CONTEXT_ADC.get(issue.code));
            // [spec 51] [newest 54] The second Unpacker has two contexts, and beyond these it is undefined.
            // (`what_the_pages_call_undefined_promises_nothing`)
            if issue.which_unpacker == 1 && which_context.get() >= 2 {
                return undefined(cited!(issue, "line 51", "line 54", CONTEXT_REASON));
            }
            // [spec 52] [newest 55] ADC 3 is undefined. (`what_the_pages_call_undefined_promises_nothing`)
            if which_adc.get() == 3 {
                return undefined(cited!(issue, "line 52", "line 55", ADC_REASON));
            }
            (which_context, which_adc)
        } else {
            // [spec 53] [newest 56] Without MultiContextMode there are none.
            (
                U::<3>::new(0),                    // [spec 54] [newest 57] The context is 0.
                U::<2>::new(small.current_thread), // [spec 55] [newest 58] The ADC is that of the thread.
            )
        };
        ControlFlow::Continue(Context { which: which_context, adc: which_adc.index() })
    }

    /// `WhichContext`, as an index.
    fn index(self) -> usize {
        self.which.index()
    }

    /// `WhichContext & 3`, as an index.
    fn of_four(self) -> usize {
        (self.which & 3).index()
    }
}

/// The extents of what lies in L1, and the formats.
#[derive(Clone, Copy)]
struct Tile {
    is_uncompressed: bool,
    x_dim: U<16>,
    y_dim: U<8>,
    z_dim: U<8>,
    w_dim: U<8>,
    blobs_per_xy_plane: U<3>,
    in_data_format: u32,
    out_data_format: u32,
    /// In sixteenths of a byte.
    datum_size: i64,
    exponent_4b: bool,
}

impl Tile {
    // Shown by `a_context_is_that_of_the_code_or_of_the_counter_and_has_its_own_configuration`.
    fn of(issue: &Issue<'_>, context: Context) -> ControlFlow<Expectation, Self> {
        let is_multi_context = issue.says(MULTI_CONTEXT_MODE);
        // [spec 58] [newest 61] Next is where the input begins, and how many data it has.
        // [spec 60] [newest 62] Of the Unpacker's section there is a TileDescriptor.
        // [spec 62] [newest 64] Data are compressed or not.
        // [spec 63-64] [newest 65-66] With MultiContextMode the context says so.
        let is_uncompressed = if is_multi_context {
            issue.is_set(REG2_Disable_zero_compress_cntx[context.index()])
        } else {
            // [spec 65-66] [newest 67-68] Otherwise the descriptor does.
            // [spec 607] [newest 670] IsUncompressed is one bit, from bit 4 on, and says that data are not compressed;
            // with MultiContextMode it does not count.
            issue.is_set(REG0_TileDescriptor_IsUncompressed)
        };
        // [newest 70-71] Compressed data are not supported. (`what_the_pages_do_not_support_promises_nothing`)
        if issue.is_newest && !is_uncompressed {
            return unsupported(cite!(UNPACR_REGULAR_NEWEST, "lines 70-72", USAGE_REASON));
        }
        // [spec 69] [newest 74] XDim has 16 bits.
        // [spec 70-71] [newest 75-76] The first Unpacker has it from the context with MultiContextMode.
        let x_dim = if is_multi_context && issue.which_unpacker == 0 {
            U::<16>::new(issue.field(REG5_Tile_x_dim_cntx[context.of_four()]))
        } else {
            // [spec 72-73] [newest 77-78] Otherwise it is the descriptor's.
            // [spec 612] [newest 675] XDim is 16 bits from bit 16 on, and does not count for the first Unpacker with
            // MultiContextMode.
            U::new(issue.field(REG0_TileDescriptor_XDim))
        };
        // [spec 75] [newest 80] YDim is the descriptor's.
        // [spec 613] [newest 676] YDim is eight bits from bit 32 on.
        let y_dim = U::<8>::new(issue.field(REG0_TileDescriptor_YDim));
        // [spec 76] [newest 81] So is ZDim, where 0 counts as 1.
        // [spec 615] [newest 678] ZDim is eight bits from bit 48 on, and 0 counts as 1.
        let z_dim = or_one(issue.field(REG0_TileDescriptor_ZDim));
        // [spec 77] [newest 82] And so is WDim.
        // [spec 617] [newest 680] WDim is eight bits from bit 64 on, and 0 counts as 1.
        let w_dim = or_one(issue.field(REG0_TileDescriptor_WDim));
        // [spec 610] [newest 673] BlobsPerXYPlane is three bits from bit 8 on.
        let blobs_per_xy_plane = U::<3>::new(issue.field(REG0_TileDescriptor_BlobsPerXYPlane));
        let (in_data_format, out_data_format) = formats(issue, context);
        let datum_size = datum_size(issue, in_data_format)?;
        // [newest 102] The exponent of FP8 has five bits. (`each_format_becomes_what_the_page_says`)
        let mut exponent_4b = false;
        // [newest 103-104] On Blackhole Unp_LF8_4b_exp of the Unpacker gives it four.
        // (`each_format_becomes_what_the_page_says`)
        if issue.is_newest && issue.chip == Chip::Blackhole {
            let field = [blackhole::THCON_SEC0_REG1_Unp_LF8_4b_exp, blackhole::THCON_SEC1_REG1_Unp_LF8_4b_exp]
                [issue.which_unpacker];
            exponent_4b = field.get(&issue.config_state) != 0;
        }
        ControlFlow::Continue(Tile {
            is_uncompressed,
            x_dim,
            y_dim,
            z_dim,
            w_dim,
            blobs_per_xy_plane,
            in_data_format,
            out_data_format,
            datum_size,
            exponent_4b,
        })
    }

    /// `IsBFPFormat(InDataFormat)`.
    // Shown by `an_exponent_serves_sixteen_data_and_lies_before_them`.
    // [spec 567-568] [newest 630-631] The six formats of BFP are one of its kinds.
    fn is_bfp(&self) -> bool {
        matches!(self.in_data_format, BFP8 | BFP8A | BFP4 | BFP4A | BFP2 | BFP2A)
    }

    /// Whether `OutDataFormat` is one of `FP32`, `TF32` and `INT32`.
    fn is_out_32(&self) -> bool {
        matches!(self.out_data_format, FP32 | TF32 | INT32)
    }
}

/// An extent of eight bits, where 0 counts as 1.
fn or_one(extent: u32) -> U<8> {
    // [spec 76-77] [newest 81-82] What is 0 is one.
    U::new(if extent != 0 { extent } else { 1 })
}

/// `InDataFormat` and `OutDataFormat`.
// Shown by `a_context_is_that_of_the_code_or_of_the_counter_and_has_its_own_configuration`.
fn formats(issue: &Issue<'_>, context: Context) -> (u32, u32) {
    // [spec 79-80] [newest 84-85] Two formats have four bits each.
    // [spec 81] [newest 86] With MultiContextMode and Ovrd_data_format the context has formats of its own.
    if issue.says(MULTI_CONTEXT_MODE) && issue.is_set(REG2_Ovrd_data_format) {
        // [spec 82] [newest 87] That of the input is one of eight.
        // [spec 83] [newest 88] So is that of the output.
        let [input, output] = [REG7_Unpack_data_format_cntx, REG7_Unpack_out_data_format_cntx];
        two_formats(issue, input[context.index()], output[context.index()])
    } else {
        // [spec 84] [newest 89] Otherwise there is one for all.
        // [spec 85] [newest 90] That of the input is the descriptor's.
        // [spec 606] [newest 669] InDataFormat is four bits, from bit 0 on, and with MultiContextMode it may not count.
        // [spec 86] [newest 91] That of the output is the section's.
        two_formats(issue, REG0_TileDescriptor_InDataFormat, REG2_Out_data_format)
    }
}

/// Fields as the formats of input and output.
fn two_formats(issue: &Issue<'_>, input: UnpackField, output: UnpackField) -> (u32, u32) {
    (four_bits(issue, input), four_bits(issue, output)) // [spec 79-80] [newest 84-85] There are two.
}

/// A field as a format.
fn four_bits(issue: &Issue<'_>, field: UnpackField) -> u32 {
    U::<4>::new(issue.field(field)).get() // [spec 79-80] [newest 84-85] Each has four bits.
}

/// `DatumSizeBytes`, in sixteenths of a byte.
// Shown by `each_format_becomes_what_the_page_says`.
fn datum_size(issue: &Issue<'_>, in_data_format: u32) -> ControlFlow<Expectation, i64> {
    // [spec 88-89] [newest 93-94] How large a datum is hangs on the format.
    ControlFlow::Continue(match in_data_format {
        BFP2 | BFP2A => BYTE / 4,        // [spec 90] [newest 95] Two bits.
        BFP4 | BFP4A => BYTE / 2,        // [spec 91] [newest 96] Four bits.
        BFP8 | BFP8A => BYTE,            // [spec 92] [newest 97] A byte of BFP.
        FP8 | INT8 => BYTE,              // [spec 93] [newest 98] A byte.
        FP16 | BF16 | INT16 => 2 * BYTE, // [spec 94] [newest 99] Two bytes.
        FP32 | TF32 | INT32 => 4 * BYTE, // [spec 95] [newest 100] Four bytes.
        _ => return undefined(cited!(issue, "lines 88-96", "lines 93-101", FORMAT_REASON)),
    })
}

/// Where the input lies, and how much of it there is. Addresses are in sixteenths of a byte.
#[derive(Clone, Copy)]
struct Input {
    datums: i64,
    exponents: Option<i64>,
    deltas: Option<i64>,
    num_datums: u32,
    decompress_drop: u32,
    decompress_num_datums: u32,
}

impl Input {
    // Shown by `an_exponent_serves_sixteen_data_and_lies_before_them`.
    fn of(issue: &Issue<'_>, context: Context, tile: &Tile, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation, Self> {
        let mut in_addr = first_address(issue, context);
        // [spec 108] [newest 117] Row starts, of 16 bits each, have an address if there are any.
        // (`compressed_data_have_row_starts_and_counts_of_zeros`)
        let mut row_start = 0;
        // [spec 109] [newest 118] Compressed data have them. (`compressed_data_have_row_starts_and_counts_of_zeros`)
        if !tile.is_uncompressed {
            row_start = in_addr; // [spec 110] [newest 119] They are there.
            in_addr = behind_row_starts(issue, tile, in_addr)?;
        }
        // [spec 120] [newest 129] Exponents have an address if there are any.
        let mut exponents = None;
        // [spec 121] [newest 130] BFP has them, unless all data share one that is configured.
        if tile.is_bfp() && !issue.is_set(REG2_Force_shared_exp) {
            exponents = Some(i64::from(in_addr) * BYTE); // [spec 122] [newest 131] They are there.
            in_addr = behind_exponents(issue, tile, in_addr)?;
        }
        // [spec 136] [newest 145] What is read hangs on whether data are compressed.
        let Range { first_datum, num_datums, decompress_drop, decompress_num_datums } = if tile.is_uncompressed {
            uncompressed(issue, context, tile)?
        } else {
            // [spec 166] [newest 184] Compressed data have row starts.
            compressed(issue, context, tile, row_start, tensix)?
        };
        // [spec 181] [newest 199] Data come next.
        let mut datums = i64::from(in_addr) * BYTE;
        // [spec 182] [newest 200] Counts of zeros have an address if there are any.
        let mut deltas = None;
        // [spec 183] [newest 201] An exponent serves sixteen data.
        if let Some(exponents) = &mut exponents {
            *exponents += i64::from(first_datum);
        }
        // [spec 184-186] [newest 202-204] Data lie one behind the other, and there are no counts.
        if tile.is_uncompressed {
            datums += i64::from(first_datum) * tile.datum_size;
        } else {
            // [spec 187] [newest 205] Of compressed data 32 come at a time, with half a byte more for each.
            // [spec 188] [newest 206] So many groups lie before the first datum.
            // (`compressed_data_have_row_starts_and_counts_of_zeros`)
            datums += i64::from(first_datum / 32) * (32 * tile.datum_size + 32 * (BYTE / 2));
            // [spec 189] [newest 207] Behind 32 data are their counts.
            // (`compressed_data_have_row_starts_and_counts_of_zeros`)
            let behind = datums + 32 * tile.datum_size;
            // [spec 190] [newest 208] In the group lie data before it.
            datums += i64::from(first_datum % 32) * tile.datum_size;
            deltas = Some(behind + i64::from(first_datum % 32) * (BYTE / 2)); // [spec 191] [newest 209] And counts.
        }
        // [spec 200-202] [newest 218-220] All three can be behind the end of the FIFO.
        // (`an_address_behind_the_fifo_is_one_fifo_earlier`)
        ControlFlow::Continue(Input {
            datums: wrap_addr(issue, datums),
            exponents: exponents.map(|exponents| wrap_addr(issue, exponents)),
            deltas: deltas.map(|deltas| wrap_addr(issue, deltas)),
            num_datums,
            decompress_drop,
            decompress_num_datums,
        })
    }
}

/// `InAddr`, before what lies ahead of the data is passed: the address of the first byte behind the tile's header.
// Shown by `a_context_is_that_of_the_code_or_of_the_counter_and_has_its_own_configuration`.
fn first_address(issue: &Issue<'_>, context: Context) -> u32 {
    // [spec 98] [newest 107] The address has 32 bits.
    // [spec 99] [newest 108] Contexts other than 0 have addresses of their own.
    let [base, offset] = if issue.says(MULTI_CONTEXT_MODE) && context.which.get() != 0 {
        // [spec 100-101] [newest 109-110] To the base of the context is added the offset of one of four, of 16 bits.
        [issue.field(REG3_Base_cntx[context.index()]), issue.field(REG7_Offset_cntx[context.of_four()])]
    } else {
        // [spec 102-104] [newest 111-113] Otherwise it is the first base, and the first offset.
        [issue.field(REG3_Base_address), issue.field(REG7_Offset_address)]
    };
    let in_addr = base.wrapping_add(offset & 0xffff);
    // [spec 106] [newest 115] Both count 16 bytes. The tile's header lies there first.
    // [spec 621] [newest 684] DigestSize is eight bits from bit 120 on, and the header has 16 bytes, and 16 more for
    // each of it.
    in_addr.wrapping_add(1).wrapping_add(issue.field(REG0_TileDescriptor_DigestSize)).wrapping_mul(16)
}

/// The address behind the row starts.
// Shown by `compressed_data_have_row_starts_and_counts_of_zeros`.
fn behind_row_starts(issue: &Issue<'_>, tile: &Tile, in_addr: u32) -> ControlFlow<Expectation, u32> {
    let num_planes = u64::from(tile.z_dim.get() * tile.w_dim.get());
    // [spec 111] [newest 120] There are blobs, or there are none.
    if tile.blobs_per_xy_plane.get() != 0 {
        // [spec 112] [newest 121] Each plane has so many blobs.
        let num_blobs = u64::from(tile.blobs_per_xy_plane.get()) * num_planes;
        // [spec 113] [newest 122] One start more than blobs, of two bytes, in whole rows of 16 bytes.
        add_section(issue, in_addr, (2 * (num_blobs + 1)).div_ceil(16) * 16)
    } else {
        // [spec 114-115] [newest 123-124] Without blobs each plane has YDim rows.
        let num_rows = u64::from(tile.y_dim.get()) * num_planes;
        // [spec 116] [newest 125] One start more than rows, likewise.
        add_section(issue, in_addr, (2 * (num_rows + 1)).div_ceil(16) * 16)
    }
}

/// The address behind the exponents.
// Shown by `an_exponent_serves_sixteen_data_and_lies_before_them`.
fn behind_exponents(issue: &Issue<'_>, tile: &Tile, in_addr: u32) -> ControlFlow<Expectation, u32> {
    // [spec 123] [newest 132] Of BFP8 and BFP8a they are a section before the data, and of others unless
    // NoBFPExpSection is set.
    // [spec 608] [newest 671] NoBFPExpSection is one bit, from bit 5 on, and should be clear for BFP4 and BFP2; for
    // others it does nothing.
    if !matches!(tile.in_data_format, BFP8 | BFP8A) && issue.is_set(REG0_TileDescriptor_NoBFPExpSection) {
        return ControlFlow::Continue(in_addr);
    }
    // [spec 124] [newest 133] It is for all data of the tile.
    let num_elements = u64::from(tile.x_dim.get())
        * u64::from(tile.y_dim.get())
        * u64::from(tile.z_dim.get())
        * u64::from(tile.w_dim.get());
    // The page computes an `int`, and it is not said what becomes of a product that is none.
    if num_elements > u64::from(u32::MAX / 2) {
        return unspecified(cited!(issue, "line 124", "line 133", EXTENT_REASON));
    }
    let num_exponents = num_elements.div_ceil(16); // [spec 125] [newest 134] Sixteen data have one.
    // [spec 126] [newest 135] They are whole rows of 16 bytes.
    add_section(issue, in_addr, num_exponents.div_ceil(16) * 16)
}

/// The address behind what lies before the data. The page adds a `double`, and does not say what a sum beyond 32 bits
/// becomes.
fn add_section(issue: &Issue<'_>, in_addr: u32, bytes: u64) -> ControlFlow<Expectation, u32> {
    // [spec 113, 116, 126] [newest 122, 125, 135] What comes next lies behind it.
    match u32::try_from(u64::from(in_addr) + bytes) {
        Ok(in_addr) => ControlFlow::Continue(in_addr),
        Err(_) => unspecified(cited!(issue, "lines 113, 116 and 126", "lines 122, 125 and 135", EXTENT_REASON)),
    }
}

/// Which data are read, and which of them are written.
struct Range {
    first_datum: u32,
    num_datums: u32,
    decompress_drop: u32,
    decompress_num_datums: u32,
}

impl Range {
    /// All that are read are written.
    fn all(first_datum: u32, num_datums: u32) -> Self {
        // [spec 132-133] [newest 141-142] Nothing is dropped, and there is no end of what is decompressed, until
        // something else is said.
        Range { first_datum, num_datums, decompress_drop: 0, decompress_num_datums: u32::MAX }
    }
}

/// What is read of data that are not compressed.
// Shown by `a_row_of_data_goes_to_where_the_counters_say`.
fn uncompressed(issue: &Issue<'_>, context: Context, tile: &Tile) -> ControlFlow<Expectation, Range> {
    // [spec 134] [newest 143] X and Y are those of the ADC, channel 0.
    let adc_xy = issue.channel(context.adc, 0);
    // [spec 135] [newest 144] Z and W are those of the thread.
    let adc_zw = issue.channel(issue.current_thread, 0);
    // [newest 151, 170, 182] Of Y, Z and W the lowest eight bits count.
    let [y, z, w] = [adc_xy.y, adc_zw.z, adc_zw.w].map(|count| if issue.is_newest { count & 0xff } else { count });
    // [spec 130-131] [newest 139-140] Which datum comes first, and how many there are, is unsigned.
    // [spec 137-139] [newest 146-148] So are where a row begins and ends, and which row it is.
    // [spec 140] [newest 149] Without RowSearch the counters say so.
    let (x_pos, y_pos, x_end) = if !issue.says(ROW_SEARCH) {
        (
            adc_xy.x,                            // [spec 141] [newest 150] It begins at X of channel 0.
            y,                                   // [spec 142] [newest 151] The row is Y.
            issue.channel(context.adc, 1).x + 1, // [spec 143] [newest 152] It ends with X of channel 1.
        )
    } else if tile.blobs_per_xy_plane.get() != 0 {
        // [spec 144] [newest 153] With RowSearch and blobs it is one blob. (`a_row_search_reads_a_row_or_a_blob`)
        let (x_pos, x_end) = blob(issue, context, tile, adc_xy)?;
        (x_pos, 0, x_end) // [spec 152] [newest 161] The row is 0.
    } else {
        // [spec 159] [newest 168] With RowSearch alone it is a row. (`a_row_search_reads_a_row_or_a_blob`)
        (
            0,                               // [spec 160] [newest 169] It begins at 0.
            y,                               // [spec 161] [newest 170] The row is Y.
            issue.channel(context.adc, 1).x, // [spec 162] [newest 171] It ends before X of channel 1.
        )
    };
    if issue.is_newest {
        check_x(tile, x_pos, x_end)?;
    }
    // [spec 164] [newest 182] W, Z, Y and X count as the digits of a number.
    let plane = w.wrapping_mul(tile.z_dim.get()).wrapping_add(z).wrapping_mul(tile.y_dim.get());
    let first_datum = plane.wrapping_add(y_pos).wrapping_mul(tile.x_dim.get()).wrapping_add(x_pos);
    // [spec 165] [newest 183] There are as many as lie between begin and end.
    ControlFlow::Continue(Range::all(first_datum, x_end.wrapping_sub(x_pos)))
}

/// What the newest page allows of X.
// Shown by `what_the_pages_call_undefined_promises_nothing`.
fn check_x(tile: &Tile, x_pos: u32, x_end: u32) -> ControlFlow<Expectation> {
    // [newest 173-174] X is 13 bits wide on its way in, and then an offset of 14 bits that counts nibbles: there are
    // 8192 bytes.
    // [newest 175] So there is a limit; data smaller than a byte count as one.
    let x_limit = u32::try_from(8192 * BYTE / tile.datum_size.max(BYTE)).expect("it is 8192 at most");
    // [newest 176-177] A row that begins or ends beyond it is undefined.
    if x_pos >= x_limit || x_end > x_limit {
        return undefined(cite!(UNPACR_REGULAR_NEWEST, "lines 173-178", X_REASON));
    }
    // [newest 179-180] A row that ends before it begins is undefined.
    if x_end < x_pos {
        return undefined(cite!(UNPACR_REGULAR_NEWEST, "lines 179-181", X_REASON));
    }
    ControlFlow::Continue(())
}

/// Where a blob begins and ends in its row.
// Shown by `a_row_search_reads_a_row_or_a_blob`.
fn blob(issue: &Issue<'_>, context: Context, tile: &Tile, adc_xy: &AdcChannel) -> ControlFlow<Expectation, (u32, u32)> {
    // [spec 151] [newest 160] The low three bits of Y choose where it begins, in units of 16.
    let x_pos = blobs_y_start(issue, context, adc_xy.y & 7) << 4;
    let x71 = (adc_xy.x & 7) + 1; // [spec 153] [newest 162] The low three bits of X choose where it ends.
    // [spec 154-155] [newest 163-164] The last blob ends with the row.
    if x71 == tile.blobs_per_xy_plane.get() {
        return ControlFlow::Continue((x_pos, (tile.x_dim & 0x1f0).get()));
    }
    if x71 == 8 {
        return unspecified(cited!(issue, "lines 145 and 157", "lines 154 and 166", BLOBS_REASON));
    }
    // [spec 156-157] [newest 165-166] Others end where one begins.
    ControlFlow::Continue((x_pos, blobs_y_start(issue, context, x71) << 4))
}

/// `BlobsYStart[index]`, of which there are eight.
// Shown by `a_row_search_reads_a_row_or_a_blob`.
fn blobs_y_start(issue: &Issue<'_>, context: Context, index: u32) -> u32 {
    // [spec 145] [newest 154] Each has four bits.
    // [spec 146-147] [newest 155-156] The first Unpacker has one of two words with MultiContextMode, by bit 1 of the
    // context.
    let starts = if issue.says(MULTI_CONTEXT_MODE) && issue.which_unpacker == 0 {
        let words = blobs_y_start_cntx(issue.chip);
        words[usize::from(context.which.bit(1))].get(&issue.config_state)
    } else {
        // [spec 148-149] [newest 157-158] Otherwise it is the descriptor's.
        // [spec 619] [newest 682] BlobsYStart is 32 bits from bit 80 on, and counts where there are blobs.
        issue.field(REG0_TileDescriptor_BlobsYStart_Hi) << 16 | issue.field(REG0_TileDescriptor_BlobsYStart_Lo)
    };
    U::<4>::new(starts >> (4 * index)).get()
}

/// What is read of compressed data.
// Shown by `compressed_data_have_row_starts_and_counts_of_zeros`.
fn compressed(
    issue: &Issue<'_>,
    context: Context,
    tile: &Tile,
    row_start: u32,
    tensix: &mut Tensix<'_>,
) -> ControlFlow<Expectation, Range> {
    let adc_xy = issue.channel(context.adc, 0);
    let adc_zw = issue.channel(issue.current_thread, 0);
    let x_of_channel_1 = issue.channel(context.adc, 1).x;
    let mut y_dim = tile.y_dim;
    // [spec 167] [newest 185] With RowSearch and blobs a plane has as many rows as blobs.
    if issue.says(ROW_SEARCH) && tile.blobs_per_xy_plane.get() != 0 {
        y_dim = U::new(tile.blobs_per_xy_plane.get());
    }
    // [spec 168] [newest 186] The row starts of the plane lie behind those of the planes before it.
    let plane = ((adc_zw.w & 0xff) * tile.z_dim.get() + (adc_zw.z & 0xff)) * y_dim.get();
    let mut start = |index: u32| {
        // [spec 169, 171, 173] [newest 187, 189, 191] A row start has two bytes.
        read_l1_bytes(
            issue,
            tensix,
            (i64::from(row_start) + 2 * (i64::from(plane) + i64::from(index))) * BYTE,
            2 * BYTE,
        )
    };
    let first_datum = start(adc_xy.y & 0xff)?; // [spec 169] [newest 187] The row is Y, of eight bits.
    // [spec 170-171] [newest 188-189] With RowSearch it goes on to the end of row X.
    if issue.says(ROW_SEARCH) {
        let end = start((adc_xy.x & 0xff) + 1)?;
        ControlFlow::Continue(Range::all(first_datum, end.wrapping_sub(first_datum)))
    } else if adc_xy.x == 0 && x_of_channel_1 + 1 == tile.x_dim.get() {
        // [spec 172-173] [newest 190-191] All columns of a row are the row.
        let end = start((adc_xy.y & 0xff) + 1)?;
        ControlFlow::Continue(Range::all(first_datum, end.wrapping_sub(first_datum)))
    } else {
        // [spec 174-175] [newest 192-193] Otherwise as many as X of channel 0 are dropped once they are decompressed.
        let decompress_drop = adc_xy.x;
        // [spec 176] [newest 194] It goes on to X of channel 1.
        let decompress_num_datums = (x_of_channel_1 + 1).wrapping_sub(decompress_drop);
        let num_datums = u32::MAX; // [spec 177] [newest 195] That, and not how many are read, is the end.
        ControlFlow::Continue(Range { first_datum, num_datums, decompress_drop, decompress_num_datums })
    }
}

/// `WrapAddr`: an address that is in the FIFO, in sixteenths of a byte.
// Shown by `an_address_behind_the_fifo_is_one_fifo_earlier`.
// [spec 194] [newest 212] An address that has a fraction can be given too.
fn wrap_addr(issue: &Issue<'_>, addr: i64) -> i64 {
    // [spec 195] [newest 213] What is beyond Unpack_limit_address, which counts 16 bytes, is behind it.
    if addr > i64::from(issue.field(REG2_Unpack_limit_address)) * 16 * BYTE {
        // [spec 196] [newest 214] It lies Unpack_fifo_size earlier, which counts 16 bytes too.
        return addr - i64::from(issue.field(REG2_Unpack_fifo_size)) * 16 * BYTE;
    }
    addr // [spec 198] [newest 216] Other addresses stay.
}

/// How rows of the input follow each other.
#[derive(Clone, Copy)]
struct Rows {
    /// Data of a row.
    width: u32,
    are_discontiguous: bool,
    /// In sixteenths of a byte.
    stride: i64,
}

impl Rows {
    // Shown by `rows_that_do_not_adjoin_have_a_stride`.
    fn of(issue: &Issue<'_>, tile: &Tile) -> ControlFlow<Expectation, Self> {
        // [newest 222] A row is as many data as come before a stride.
        // [newest 223-224] On Blackhole these are 32, and 16 if a datum has no more than a byte.
        let width = if issue.is_newest && issue.chip == Chip::Blackhole {
            if tile.datum_size <= BYTE { 16 } else { 32 }
        } else {
            // [newest 225-226] On Wormhole they are 16.
            // [spec 212] They are 16.
            16
        };
        // [spec 204] [newest 229] With Tileize_mode rows do not adjoin.
        let are_discontiguous = issue.is_set(REG2_Tileize_mode);
        // [spec 205] [newest 230] Then it is configured where the next one begins.
        let stride = if are_discontiguous {
            // [newest 231-232] That is undefined for data smaller than a byte.
            // (`what_the_pages_call_undefined_promises_nothing`)
            if issue.is_newest && tile.datum_size < BYTE {
                return undefined(cite!(UNPACR_REGULAR_NEWEST, "lines 231-233", COMBINATION_REASON));
            }
            // [spec 206-208] [newest 234-236] Three fields of Shift_amount make up a number that counts 16 bytes.
            // [spec 209-210] [newest 237-238] They have four bits each, so that it is below 64 KiB.
            let stride = issue.field(REG2_Shift_amount_cntx[0]) << 4
                | issue.field(REG2_Shift_amount_cntx[1]) << 8
                | issue.field(REG2_Shift_amount_cntx[2]) << 12;
            i64::from(stride) * BYTE
        } else {
            // [spec 211-212] [newest 239-240] Otherwise rows adjoin.
            tile.datum_size * i64::from(width)
        };
        ControlFlow::Continue(Rows { width, are_discontiguous, stride })
    }
}

/// Where the output goes.
#[derive(Clone, Copy)]
struct Output {
    unpack_to_dst: bool,
    transpose: bool,
    out_addr: u32,
    upsample_zeroes: U<4>,
    upsample_interleave: bool,
    col_shift: U<4>,
}

impl Output {
    // Shown by `a_row_of_data_goes_to_where_the_counters_say`.
    fn of(issue: &Issue<'_>, context: Context, tile: &Tile, rows: &Rows) -> ControlFlow<Expectation, Self> {
        // [spec 215] [newest 243] Next is where the output begins.
        // [spec 218] [newest 245] With Haloize_mode columns become rows.
        // (`a_transposition_exchanges_rows_and_columns_of_sixteen`)
        let transpose = issue.is_set(REG2_Haloize_mode);
        // [spec 217] [newest 244] It goes to Dst or not.
        // [spec 219] [newest 246] The first Unpacker can do both.
        let unpack_to_dst = if issue.which_unpacker == 0 {
            // [spec 220-221] [newest 247-248] With MultiContextMode the context says where it goes.
            // (`an_unpack_to_dst_writes_whole_rows_or_valid_ones`)
            if issue.says(MULTI_CONTEXT_MODE) {
                issue.is_set(REG2_Unpack_if_sel_cntx[context.index()])
            } else {
                // [spec 222-223] [newest 249-250] Otherwise there is one flag for all.
                issue.is_set(REG2_Unpack_If_Sel)
            }
        } else {
            // [spec 227-228] [newest 254-255] That the second does not transpose is not contractual.
            // (`what_the_pages_do_not_support_promises_nothing`)
            // [spec 229] [newest 256] Silicon of today goes on without. Not modelled: nothing is promised.
            if transpose {
                return unspecified(cited!(issue, "lines 227-231", "lines 254-258", TRANSPOSE_REASON));
            }
            false // [spec 225-226] [newest 252-253] It does not go to Dst.
        };
        let out_addr = first_out_addr(issue, context, tile, unpack_to_dst)?;
        // [spec 255, TX-144] [newest 285] Each datum can be followed by 0, 1, 3 or 7 zeros. (`zeros_are_put_between_data`)
        let upsample_rate = issue.field(REG2_Upsample_rate);
        let zeroes = (1 << upsample_rate) - 1;
        let upsample_zeroes =
            U::<4>::new(reads!(zeroes, "tx144-zeros-as-the-overview-has-them", (1 << upsample_rate) / 2));
        // [spec 256] [newest 286] Their places can be left out instead. (`zeros_are_put_between_data`)
        let upsample_interleave = issue.is_set(REG2_Upsample_and_interleave);
        // [spec 257] [newest 287] Columns can be shifted. (`a_shift_drops_columns`)
        // [spec 258-259] [newest 288-289] Where rows do not adjoin, and by the second Unpacker, they are not.
        let col_shift = if rows.are_discontiguous || issue.which_unpacker == 1 {
            U::<4>::new(0)
        } else {
            // [spec 260-261] [newest 290-291] Otherwise the context says how far. (`a_shift_drops_columns`)
            U::new(issue.field(REG2_Shift_amount_cntx[context.of_four()]))
        };
        // [newest 293-294] None of the three is supported. (`what_the_pages_do_not_support_promises_nothing`)
        if issue.is_newest && (upsample_zeroes.get() != 0 || upsample_interleave || col_shift.get() != 0) {
            return unsupported(cite!(UNPACR_REGULAR_NEWEST, "lines 293-295", USAGE_REASON));
        }
        ControlFlow::Continue(Output {
            unpack_to_dst,
            transpose,
            out_addr,
            upsample_zeroes,
            upsample_interleave,
            col_shift,
        })
    }
}

/// `OutAddr`, which counts data once it is complete.
// Shown by `a_row_of_data_goes_to_where_the_counters_say`.
fn first_out_addr(
    issue: &Issue<'_>,
    context: Context,
    tile: &Tile,
    unpack_to_dst: bool,
) -> ControlFlow<Expectation, u32> {
    // [spec 234] [newest 261] Channel 1 of the thread counts.
    let adc_out = issue.channel(issue.current_thread, 1);
    // [spec 235-238] [newest 262-265] To a base are added Y, Z and W, each times its stride.
    let mut out_addr = issue
        .field(ADDR_BASE_REG_1_Base)
        .wrapping_add(adc_out.y.wrapping_mul(issue.field(ADDR_CTRL_XY_REG_1_Ystride)))
        .wrapping_add(adc_out.z.wrapping_mul(issue.field(ADDR_CTRL_ZW_REG_1_Zstride)))
        .wrapping_add(adc_out.w.wrapping_mul(issue.field(ADDR_CTRL_ZW_REG_1_Wstride)));
    // [spec 239] [newest 266] With an output of 32 bits that counts bytes.
    if tile.is_out_32() {
        // [spec 240] [newest 267] It has to be whole data. (`what_the_pages_call_undefined_promises_nothing`)
        if out_addr & 3 != 0 {
            return undefined(cited!(issue, "line 240", "line 267", OUT_ADDR_REASON));
        }
        out_addr >>= 2; // [spec 241] [newest 268] There are four bytes to a datum.
    } else if matches!(tile.out_data_format, FP16 | BF16 | INT16) {
        // [spec 242] [newest 269] So it does with 16 bits.
        // [spec 243] [newest 270] It has to be whole data. (`what_the_pages_call_undefined_promises_nothing`)
        if out_addr & 1 != 0 {
            return undefined(cited!(issue, "line 243", "line 270", OUT_ADDR_REASON));
        }
        out_addr >>= 1; // [spec 244] [newest 271] There are two bytes to a datum.
    }
    // [spec 246] [newest 273] The first Unpacker has an address of the context with MultiContextMode.
    if issue.says(MULTI_CONTEXT_MODE) && issue.which_unpacker == 0 {
        // [spec 247] [newest 274] It is one of four.
        let ctx_out_addr = issue.field(REG5_Dest_cntx[context.of_four()]);
        // [spec 248-249] [newest 275-276] It is added for Dst, or with add_dest_addr_cntr.
        if unpack_to_dst || issue.is_set(ADD_DEST_ADDR_CNTR_add_dest_addr_cntr) {
            out_addr = out_addr.wrapping_add(ctx_out_addr);
        } else {
            // [spec 250-251] [newest 277-278] Otherwise it replaces what the counters say.
            out_addr = ctx_out_addr;
        }
    }
    // [newest 281-282] Neither part of a row is supported, nor the first four rows for the first Unpacker.
    // (`what_the_pages_do_not_support_promises_nothing`)
    if issue.is_newest && (out_addr & 15 != 0 || issue.which_unpacker == 0 && out_addr < 64) {
        return unsupported(cite!(UNPACR_REGULAR_NEWEST, "lines 281-283", USAGE_REASON));
    }
    ControlFlow::Continue(out_addr)
}

/// What has to go together.
// Shown by `what_the_pages_call_undefined_promises_nothing`.
fn check_combination(
    issue: &Issue<'_>,
    tile: &Tile,
    input: &Input,
    rows: &Rows,
    output: &Output,
) -> ControlFlow<Expectation> {
    // [spec 264] [newest 297] Not all that can be configured goes together.
    // [spec 266-269] [newest 298-301] With a transposition, and where rows do not adjoin, the first datum has to lie at
    // a multiple of 16 bytes.
    if (output.transpose || rows.are_discontiguous) && input.datums.rem_euclid(16 * BYTE) != 0 {
        return undefined(cited!(issue, "lines 266-271", "lines 298-303", COMBINATION_REASON));
    }
    // [spec 272-273] [newest 304-305] Where rows do not adjoin nothing is put between data, and they are not
    // compressed.
    if rows.are_discontiguous && (output.upsample_zeroes.get() > 0 || !tile.is_uncompressed) {
        return undefined(cited!(issue, "lines 272-274", "lines 304-306", COMBINATION_REASON));
    }
    // [spec 275-276] [newest 307-308] To Dst nothing is shifted and nothing transposed.
    if output.unpack_to_dst && (output.col_shift.get() != 0 || output.transpose) {
        return undefined(cited!(issue, "lines 275-277", "lines 307-309", COMBINATION_REASON));
    }
    if !issue.is_newest {
        return ControlFlow::Continue(());
    }
    // [newest 310-312] To Dst SetOvrdWithAddr is undefined; silicon seems to lose bits of the row.
    if output.unpack_to_dst {
        if issue.set_ovrd_with_addr() {
            return undefined(cite!(UNPACR_REGULAR_NEWEST, "lines 310-313", COMBINATION_REASON));
        }
    } else {
        // [newest 314-316] Elsewhere it has to be set, or the functionality is unsupported.
        // (`what_the_pages_do_not_support_promises_nothing`)
        if !issue.set_ovrd_with_addr() {
            return unsupported(cite!(UNPACR_REGULAR_NEWEST, "lines 314-318", USAGE_REASON));
        }
    }
    ControlFlow::Continue(())
}

/// What the newest page says of speeds: where bursts would drop data.
// Shown by `a_burst_begins_at_a_multiple_of_its_rows`.
fn check_bursts(
    issue: &Issue<'_>,
    tile: &Tile,
    input: &Input,
    rows: &Rows,
    output: &Output,
) -> ControlFlow<Expectation> {
    if !issue.is_newest {
        return ControlFlow::Continue(());
    }
    // [newest 320] Throttle_mode, of two bits, is a speed.
    let mut throttle_mode = U::<2>::new(issue.field(REG2_Throttle_mode));
    // [newest 321-322] Wormhole has no speed of eight, and it is undefined there.
    // (`what_the_pages_call_undefined_promises_nothing`)
    if issue.chip == Chip::Wormhole && throttle_mode.get() > 2 {
        return undefined(cite!(UNPACR_REGULAR_NEWEST, "lines 320-323", THROTTLE_REASON));
    }
    // [newest 324] To SrcA, more than a row is checked.
    if output.unpack_to_dst || issue.which_unpacker != 0 || input.num_datums <= 16 {
        return ControlFlow::Continue(());
    }
    // [newest 325] The rule is simpler, and stricter, than silicon. Not modelled: how silicon differs is not said.
    // [newest 326] The first row is that of SrcA, where the first four do not count.
    let start_row = out_addr_row(output.out_addr).wrapping_sub(4);
    // [newest 327-328] Data of two bits always go at the lowest speed.
    if tile.datum_size == BYTE / 4 {
        throttle_mode = U::new(0);
    } else if rows.are_discontiguous {
        // [newest 329-330] Rows that do not adjoin always go at that of four, whatever is configured.
        throttle_mode = U::new(2);
    } else if issue.chip == Chip::Blackhole
        && blackhole::THCON_SEC0_REG1_ovrd_default_throttle_mode.get(&issue.config_state) == 0
    {
        // [newest 331-332] Blackhole has speeds of its own unless they are overridden: of eight for bytes, and else of
        // four.
        throttle_mode = U::new(if tile.datum_size == BYTE { 3 } else { 2 });
    }
    // [newest 334] The speed is bytes.
    let mut throttle_bytes = 16 << throttle_mode.get();
    // [newest 335-336] On Blackhole that of four counts twice for data of 16 bits and more.
    if issue.chip == Chip::Blackhole && throttle_mode.get() == 2 && tile.datum_size >= 2 * BYTE {
        throttle_bytes = 128;
    }
    // [newest 338] A burst is as many rows as that gives.
    let mut burst_rows = throttle_bytes * BYTE / (16 * tile.datum_size);
    burst_rows = burst_rows.max(1); // [newest 339] It is one at least.
    burst_rows = burst_rows.min(8); // [newest 340] It is eight at most.
    // [newest 341-342] It has to begin at a multiple of them, or the functionality is unsupported: a burst across
    // sixteen rows can lose data.
    // [newest 343-344] How it loses them is not described, and nobody should count on it. Not modelled: nothing is
    // promised.
    if i64::from(start_row) & (burst_rows - 1) != 0 {
        return unsupported(cite!(UNPACR_REGULAR_NEWEST, "lines 324-346", BURST_REASON));
    }
    ControlFlow::Continue(())
}

/// The row of an output address.
const fn out_addr_row(out_addr: u32) -> u32 {
    // [spec 325] [newest 326, 393] There are sixteen data to a row.
    out_addr / 16
}

/// `ReadL1Bytes`, of an address and a size in sixteenths of a byte.
// Shown by `what_the_pages_call_undefined_promises_nothing`.
// [spec 407] [newest 479] Some bytes of L1, or some bits, are read.
fn read_l1_bytes(issue: &Issue<'_>, tensix: &mut Tensix<'_>, addr: i64, size: i64) -> ControlFlow<Expectation, u32> {
    // [spec 408] [newest 480] An address that is not in L1 is undefined.
    let l1_bits = issue.chip.l1_bytes() * 8;
    let bit_addr = match usize::try_from(addr * 8 / BYTE) {
        Ok(bit_addr) if addr >= 0 && bit_addr < l1_bits => bit_addr, // [spec 409] [newest 481] It counts bits.
        _ => return undefined(cited!(issue, "line 408", "line 480", L1_REASON)),
    };
    let Some(row) = tensix.l1_row(bit_addr / 128) else {
        return unspecified(cite!(L1, "line 3", OUTSIDE_REASON));
    };
    // [spec 410] [newest 482] So does the size.
    let num_bits = usize::try_from(size * 8 / BYTE).expect("a size is small");
    let mut result = 0_u32; // [spec 411] [newest 483] Bits are gathered.
    // [spec 412] [newest 484] One after the other is looked at. What is read lies in one row of 16 bytes, since it lies
    // at a multiple of its size.
    for i in 0..num_bits {
        let bit_addr = bit_addr + i;
        // [spec 413] [newest 485] It is in the byte of its address; the lowest byte of a word comes first.
        let in_byte = row[bit_addr / 32 % 4].to_le_bytes()[bit_addr / 8 % 4];
        // [spec 414] [newest 486] The lowest bit of a byte comes first.
        let in_bit = u32::from(in_byte >> (bit_addr & 7)) & 1;
        result |= in_bit << i; // [spec 415] [newest 487] The first is the lowest.
    }
    ControlFlow::Continue(result) // [spec 417] [newest 489] That is what was read.
}

/// The unpacking itself.
struct Unpack<'i> {
    issue: &'i Issue<'i>,
    tile: Tile,
    input: Input,
    rows: Rows,
    output: Output,
    /// Rows of `DstBits` whose marks count, with the columns that were written.
    written: BTreeMap<usize, U<16>>,
}

impl Unpack<'_> {
    /// The main loop.
    // Shown by `a_row_of_data_goes_to_where_the_counters_say`.
    // [spec 279] [newest 348] Then data are unpacked.
    fn run(&mut self, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
        for i in 0..MOST_DATA {
            if self.is_through(i) {
                return ControlFlow::Continue(());
            }
            self.unpack_datum(tensix, i)?;
        }
        if self.is_through(MOST_DATA) {
            ControlFlow::Continue(())
        } else {
            unspecified(cite!(L1, "line 3", MOST_REASON))
        }
    }

    /// Whether nothing is left after `i` data.
    fn is_through(&self, i: u32) -> bool {
        // [spec 281] [newest 349] It goes on until all data are read, or enough were decompressed.
        i >= self.input.num_datums || self.input.decompress_num_datums == 0
    }

    /// Reads a datum, after `i` others, and writes what becomes of it.
    fn unpack_datum(&mut self, tensix: &mut Tensix<'_>, i: u32) -> ControlFlow<Expectation> {
        let issue = self.issue;
        // [spec 282] [newest 350] First it is read.
        // [spec 283] [newest 351] It has the size of its format.
        let datum_bits = read_l1_bytes(issue, tensix, self.input.datums, self.tile.datum_size)?;
        let width = self.rows.width;
        self.input.datums += self.tile.datum_size; // [spec 284] [newest 352] The next is behind it.
        // [spec 285] [newest 353] Behind a row … (`rows_that_do_not_adjoin_have_a_stride`)
        if (i + 1).is_multiple_of(width) {
            // [spec 286] [newest 354] … the address is taken back to where it began …
            // (`rows_that_do_not_adjoin_have_a_stride`)
            self.input.datums -= self.tile.datum_size * i64::from(width);
            self.input.datums += self.rows.stride; // [spec 287] [newest 355] … and goes on by the stride.
            // [spec 288] [newest 356] It can be behind the end of the FIFO.
            // (`an_address_behind_the_fifo_is_one_fifo_earlier`)
            self.input.datums = wrap_addr(issue, self.input.datums);
        }
        let exp_bits = self.exponent(tensix)?;
        let mut decompression_zeroes = self.zeroes(tensix)?;
        // [spec 312] [newest 380] Its format is converted.
        // [spec 313] [newest 381] How, hangs on both formats, the exponent, and where it goes.
        let mut datum = convert::format_conversion(issue, &self.tile, self.output.unpack_to_dst, datum_bits, exp_bits)?;
        // [spec 314] [newest 382] With AllDatumsAreZero … (`zeros_are_put_between_data`)
        if issue.says(ALL_DATUMS_ARE_ZERO) {
            datum = 0; // [spec 315] [newest 383] … it is 0, …
            decompression_zeroes = U::new(0); // [spec 316] [newest 384] … and no zeros follow.
        }
        self.write_all(tensix, datum, decompression_zeroes)
    }

    /// `ExpBits`.
    // Shown by `an_exponent_serves_sixteen_data_and_lies_before_them`.
    fn exponent(&mut self, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation, U<8>> {
        let issue = self.issue;
        // [spec 290] [newest 358] The exponent has eight bits, and counts for BFP alone.
        let mut exp_bits = U::<8>::new(0);
        // [spec 291] [newest 359] BFP has one.
        if self.tile.is_bfp() {
            // [spec 292-293] [newest 360-361] With Force_shared_exp it is configured.
            if issue.is_set(REG2_Force_shared_exp) {
                exp_bits = U::new(issue.field(FORCED_SHARED_EXP_shared_exp));
            } else {
                // [spec 294] [newest 362] Otherwise it is in L1.
                let exponents = self.input.exponents.as_mut().expect("there are exponents unless one is shared");
                // [spec 295] [newest 363] It is a byte.
                exp_bits = U::new(read_l1_bytes(issue, tensix, exponents.div_euclid(BYTE) * BYTE, BYTE)?);
                *exponents += 1; // [spec 296] [newest 364] Sixteen data have the same.
                // [spec 297-298] [newest 365-366] Behind 16 bytes of them it can be behind the end of the FIFO.
                // (`an_address_behind_the_fifo_is_one_fifo_earlier`)
                if exponents.rem_euclid(16 * BYTE) == 0 {
                    *exponents = wrap_addr(issue, *exponents);
                }
            }
        }
        ControlFlow::Continue(exp_bits)
    }

    /// `DecompressionZeroes`.
    // Shown by `compressed_data_have_row_starts_and_counts_of_zeros`.
    fn zeroes(&mut self, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation, U<4>> {
        let issue = self.issue;
        // [spec 302] [newest 370] Of up to 15 zeros behind a datum there are none …
        let mut decompression_zeroes = U::<4>::new(0);
        // [spec 303] [newest 371] … unless data are compressed.
        if !self.tile.is_uncompressed {
            let deltas = self.input.deltas.as_mut().expect("compressed data have counts of zeros");
            // [spec 304] [newest 372] Their number is four bits.
            decompression_zeroes = U::new(read_l1_bytes(issue, tensix, *deltas, BYTE / 2)?);
            *deltas += BYTE / 2; // [spec 305] [newest 373] The next is behind it.
            // [spec 306] [newest 374] Behind 16 bytes of them …
            if deltas.rem_euclid(16 * BYTE) == 0 {
                self.input.datums += 16 * BYTE; // [spec 307] [newest 375] … data go on behind 32 counts, …
                *deltas += 32 * self.tile.datum_size; // [spec 308] [newest 376] … and counts behind 32 data.
                // [spec 309] [newest 377] They can be behind the end of the FIFO.
                // (`an_address_behind_the_fifo_is_one_fifo_earlier`)
                *deltas = wrap_addr(issue, *deltas);
            }
        }
        ControlFlow::Continue(decompression_zeroes)
    }

    /// Writes a datum, the zeros that follow it, and those between them.
    // Shown by `zeros_are_put_between_data`.
    // [spec 318-319] [newest 386-387] A datum is written with the zeros that decompression or upsampling put behind it.
    fn write_all(
        &mut self,
        tensix: &mut Tensix<'_>,
        mut datum: u32,
        decompression_zeroes: U<4>,
    ) -> ControlFlow<Expectation> {
        // [spec 320] [newest 388] The datum comes first, and behind it zeros.
        for j in 0..16 {
            if j > decompression_zeroes.get() {
                break;
            }
            // [spec 321] [newest 389] What is to be dropped is. (`compressed_data_have_row_starts_and_counts_of_zeros`)
            if self.input.decompress_drop != 0 {
                self.input.decompress_drop -= 1;
                datum = 0;
                continue;
            }
            // [spec 322] [newest 390] Behind each come zeros.
            for k in 0..8 {
                if k > self.output.upsample_zeroes.get() {
                    break;
                }
                // [spec 323] [newest 391] Or their places are left out.
                if !(self.output.upsample_interleave && k != 0) {
                    self.write(tensix, datum)?;
                }
                datum = 0;
                self.output.out_addr = self.output.out_addr.wrapping_add(1);
            }
            datum = 0;
            self.input.decompress_num_datums = self.input.decompress_num_datums.wrapping_sub(1);
            // [spec 371] [newest 441] Enough may have been decompressed.
            // (`compressed_data_have_row_starts_and_counts_of_zeros`)
            if self.input.decompress_num_datums == 0 {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// Writes a datum to the output address.
    // Shown by `a_row_of_data_goes_to_where_the_counters_say`.
    fn write(&mut self, tensix: &mut Tensix<'_>, datum: u32) -> ControlFlow<Expectation> {
        let issue = self.issue;
        // [spec 324] [newest 392] It goes to the Unpacker's bank.
        let bank = U::<1>::new(tensix.small.unpackers_src_bank[issue.which_unpacker]).index();
        let row = out_addr_row(self.output.out_addr); // [spec 325] [newest 393] It goes to this row, …
        let col = U::<4>::new(self.output.out_addr & 15); // [spec 326] [newest 394] … and to this column.
        let src_row = tensix.small.unpackers_src_row[issue.which_unpacker][issue.current_thread];
        // [spec 327] [newest 395] The second Unpacker has SrcB.
        if issue.which_unpacker == 1 {
            // [spec 328] [newest 396] So that is where it goes.
            // [spec 329-330] [newest 397-398] It is held as long as the bank is not the Unpackers'.
            // (`a_bank_that_is_not_the_unpackers_holds_the_instruction`)
            if tensix.small.srcb_allowed_client[bank] != UNPACKERS {
                return held(issue);
            }
            let row = self.srcb_row(row, src_row)?;
            tensix.srcb_row_mut(bank, row.index())[col.index()] = datum; // [spec 333] [newest 402] That is its place.
        } else {
            // [spec 334-336] [newest 403-405] The first is held likewise, by its bank of SrcA.
            // (`a_bank_that_is_not_the_unpackers_holds_the_instruction`)
            if tensix.small.srca_allowed_client[bank] != UNPACKERS {
                return held(issue);
            }
            // [spec 338] [newest 407] It has SrcA and Dst.
            if self.output.unpack_to_dst {
                // [spec 355] [newest 428] To Dst goes what is for it.
                self.write_dst(tensix, row, col, datum)?;
            } else {
                // [spec 339] [newest 408] And to SrcA the rest.
                let Some((row, col)) = self.srca_place(row, col, src_row)? else {
                    return ControlFlow::Continue(());
                };
                // [spec 354] [newest 427] That is its place.
                tensix.srca_row_mut(bank, row.index())[col.index()] = datum;
            }
        }
        ControlFlow::Continue(())
    }

    /// The row of `SrcB`.
    // Shown by `a_row_of_data_goes_to_where_the_counters_say`.
    fn srcb_row(&self, row: u32, src_row: u32) -> ControlFlow<Expectation, U<6>> {
        // [newest 400] The Unpacker's row of the thread is added.
        let row = row.wrapping_add(src_row);
        // [newest 401] There are 64, and what is beyond is undefined.
        // (`what_the_pages_call_undefined_promises_nothing`)
        if self.issue.is_newest && row >= 64 {
            return undefined(cite!(UNPACR_REGULAR_NEWEST, "line 401", NO_ROW_REASON));
        }
        ControlFlow::Continue(U::new(row)) // [spec 332] The Unpacker's row of the thread is added, in six bits.
    }

    /// The row and column of `SrcA`, if the datum has a place there.
    // Shown by `a_row_of_data_goes_to_where_the_counters_say`.
    fn srca_place(&self, row: u32, col: U<4>, src_row: u32) -> ControlFlow<Expectation, Option<(U<6>, U<4>)>> {
        let issue = self.issue;
        // [spec 340] [newest 409] The first four rows, and columns below the shift, are passed over.
        // (`a_shift_drops_columns`)
        if row < 4 || col < self.output.col_shift {
            return ControlFlow::Continue(None);
        }
        let mut row = row - 4; // [spec 341] [newest 410] Rows count from the fifth.
        let mut col = col - self.output.col_shift; // [spec 342] [newest 411] Columns count from the shift.
        // [spec 343] [newest 412] With SetOvrdWithAddr the address alone is the row.
        if issue.set_ovrd_with_addr() {
            // [newest 413-414] Of which on Blackhole, which tilizes so, six bits count.
            if issue.is_newest && issue.chip == Chip::Blackhole {
                row &= 63;
            } else {
                // [spec 344, TX-140] [newest 415-416] Beyond 64 rows it is undefined.
                // (`what_the_pages_call_undefined_promises_nothing`)
                if row >= 64 {
                    return undefined(cited!(issue, "line 344", "line 416", NO_ROW_REASON));
                }
            }
        } else {
            // [spec 345-346] [newest 418-419] Otherwise it is one of 16 rows, and beyond these undefined.
            // (`what_the_pages_call_undefined_promises_nothing`)
            if row >= 16 {
                return undefined(cited!(issue, "line 346", "line 419", NO_ROW_REASON));
            }
            row += src_row; // [spec 347] [newest 420] The Unpacker's row of the thread is added.
            if row >= 64 {
                return unspecified(cited!(issue, "lines 347 and 354", "lines 420 and 427", BEYOND_REASON));
            }
        }
        // [spec 349] [newest 422] A transposition is one of sixteen rows and columns.
        // (`a_transposition_exchanges_rows_and_columns_of_sixteen`)
        if self.output.transpose {
            // [spec 350] [newest 423] The low four bits of the row …
            let row_low_bits = row & 0xf;
            // [spec 351-352] [newest 424-425] … and the column exchange their places.
            row = (row & !0xf) | col.get();
            col = U::new(row_low_bits);
        }
        ControlFlow::Continue(Some((U::new(row), col)))
    }

    /// Writes a datum to `Dst`.
    // Shown by `an_unpack_to_dst_writes_whole_rows_or_valid_ones`.
    // [spec 356] [newest 429] This is what goes to Dst.
    fn write_dst(&mut self, tensix: &mut Tensix<'_>, row: u32, col: U<4>, datum: u32) -> ControlFlow<Expectation> {
        let issue = self.issue;
        let row = row.wrapping_sub(4); // [spec 357] [newest 430] Rows count from the fifth.
        // [spec 358-359, TX-140] With SetOvrdWithAddr it is undefined; silicon seems to lose bits of the row.
        // (`what_the_pages_call_undefined_promises_nothing`)
        if !issue.is_newest && issue.set_ovrd_with_addr() {
            return undefined(cite!(UNPACR_REGULAR_SPEC, "lines 358-359", COMBINATION_REASON));
        }
        let row = U::<10>::new(row & 0x3ff); // [spec 360-361] [newest 431] Of the row ten bits count.
        // [spec 363] [newest 432] With an output of 32 bits …
        let (adj_row, high) = if self.tile.is_out_32() {
            // [spec 364] [newest 433] … that is Dst32b, …
            let adj_row = adj32_of(issue.chip, tensix.small, row).index();
            tensix.set_dst_bits(adj_row + LOW_HALF, col.index(), narrow(U::new(datum)));
            (adj_row, datum >> 16)
        } else {
            // [spec 365-366] [newest 434-435] … and else Dst16b.
            (adj16(issue.chip, tensix.small, row).index(), datum)
        };
        tensix.set_dst_bits(adj_row, col.index(), narrow(U::new(high)));
        let columns = self.written.entry(adj_row).or_default();
        *columns = *columns | U::new(1 << col.get());
        ControlFlow::Continue(())
    }

    /// What becomes of the rows of `Dst` that were written, and of `SrcA`.
    // Shown by `an_unpack_to_dst_writes_whole_rows_or_valid_ones`.
    fn finish_dst(&self, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
        for (&row, columns) in &self.written {
            if columns.get() != 0xffff {
                consult(tensix, row)?;
            }
            tensix.set_dst_row_valid(row, true);
        }
        // [newest 437] What goes to Dst leaves the Unpacker's bank of SrcA unpredictable, all of it, since nobody knows
        // which rows.
        if self.issue.is_newest && !self.written.is_empty() {
            let bank = U::<1>::new(tensix.small.unpackers_src_bank[0]).index();
            tensix.leave_srca_open(bank, cite!(UNPACR_REGULAR_NEWEST, "line 437", SRCA_REASON));
        }
        ControlFlow::Continue(())
    }
}

/// Goes on if a row of `DstBits` is valid.
// Shown by `an_unpack_to_dst_writes_whole_rows_or_valid_ones`.
fn consult(tensix: &mut Tensix<'_>, row: usize) -> ControlFlow<Expectation> {
    // [ZEROACC_NEWEST 7] An unpack that writes some columns of a row that is not valid is undefined.
    if tensix.dst_row_valid(row) {
        ControlFlow::Continue(())
    } else {
        undefined(cite!(ZEROACC_NEWEST, "line 7", PARTLY_REASON))
    }
}

/// The instruction is held.
fn held(issue: &Issue<'_>) -> ControlFlow<Expectation> {
    // [spec 329-330, 335-336] [newest 397-398, 404-405] It waits, and nothing has changed: the first write is the first
    // change.
    ControlFlow::Break(Expectation::Blocked(cited!(
        issue,
        "lines 329-331 and 335-337",
        "lines 397-399 and 404-406",
        BANK_REASON
    )))
}

/// The counters advance.
// Shown by `counters_advance_in_their_widths`.
// [spec 375] [newest 445] Counters get ready for the next instruction.
fn count_on(issue: &Issue<'_>, context: Context, small: &mut Small) {
    // [spec 377] [newest 446] With MultiContextMode and UseContextCounter the context counts.
    if issue.says(MULTI_CONTEXT_MODE) && issue.says(USE_CONTEXT_COUNTER) {
        // [spec 378] [newest 447] It is the context's successor, of three bits.
        let mut incremented_counter = context.which + U::new(1);
        // [spec 379-380] [newest 448-449] Behind the last of 1, 2, 4 or 8 comes 0.
        if incremented_counter.get() >= 1 << issue.field(REG2_Context_count) {
            incremented_counter = U::new(0);
        }
        // [spec 382] [newest 451] That is the Unpacker's counter of the thread.
        small.unpackers_context_counter[issue.which_unpacker][issue.current_thread] = incremented_counter.get();
    }
    // [spec 384] [newest 453] All threads are looked at.
    for i in 0..3 {
        // [spec 385] [newest 454] It is the ADCs of the thread that count, and those of the context.
        if i == issue.current_thread || i == context.adc {
            let [ch0, ch1] = &mut small.adcs[i].unpacker[issue.which_unpacker];
            // [spec 386-388] [newest 455-457] Channel 0 has increments of Y and Z.
            ch0.y = add_y(ch0.y, CH0_Y_INC.get(issue.code));
            ch0.z = add_z(issue.chip, ch0.z, CH0_Z_INC.get(issue.code));
            // [spec 389-391] [newest 458-460] Channel 1 has its own.
            ch1.y = add_y(ch1.y, CH1_Y_INC.get(issue.code));
            ch1.z = add_z(issue.chip, ch1.z, CH1_Z_INC.get(issue.code));
        }
    }
}

/// Y of an ADC has 13 bits.
fn add_y(y: u32, increment: u32) -> u32 {
    // [spec 387, 390] [newest 456, 459] What does not fit is lost.
    (U::<13>::new(y) + U::new(increment)).get()
}

/// Z of an ADC has eight bits, and on Blackhole 13.
fn add_z(chip: Chip, z: u32, increment: u32) -> u32 {
    // [spec 388, 391] [newest 457, 460] What does not fit is lost.
    match chip {
        Chip::Wormhole => (U::<8>::new(z) + U::new(increment)).get(),
        Chip::Blackhole => (U::<13>::new(z) + U::new(increment)).get(),
    }
}

/// The bank is given away, or the next row of it begins.
// Shown by `a_flip_gives_the_bank_away_and_begins_the_other`.
fn flip(issue: &Issue<'_>, tile: &Tile, small: &mut Small) {
    // [spec 394] [newest 463] Each Unpacker has a base of the thread, in units of 16 rows, of six bits.
    let set_base = if issue.which_unpacker == 0 {
        issue.thread_field(config::SRCA_SET_Base, blackhole::SRCA_SET_Base)
    } else {
        issue.thread_field(config::SRCB_SET_Base, blackhole::SRCB_SET_Base)
    };
    let src_row_base = U::<6>::new(set_base << 4);
    let bank = U::<1>::new(small.unpackers_src_bank[issue.which_unpacker]);
    let src_row = &mut small.unpackers_src_row[issue.which_unpacker][issue.current_thread];
    // [spec 395] [newest 464] With FlipSrc …
    if issue.says(FLIP_SRC) {
        // [spec 396] [newest 465] … the bank becomes the Matrix Unit's, …
        if issue.which_unpacker == 0 {
            small.srca_allowed_client[bank.index()] = MATRIX_UNIT;
        } else {
            small.srcb_allowed_client[bank.index()] = MATRIX_UNIT;
        }
        // [newest 466-467] … with the output format on Blackhole, …
        if issue.is_newest && issue.chip == Chip::Blackhole {
            if issue.which_unpacker == 0 {
                small.implied_srca_fmt[bank.index()] = tile.out_data_format;
            } else {
                small.implied_srcb_fmt[bank.index()] = tile.out_data_format;
            }
        }
        // [spec 397] [newest 469] … the Unpacker goes over to the other one, …
        small.unpackers_src_bank[issue.which_unpacker] = bank.get() ^ 1;
        *src_row = src_row_base.get(); // [spec 398] [newest 470] … and begins at that base.
    } else if issue.is_set(REG2_Unpack_Src_Reg_Set_Upd) {
        // [spec 399-400] [newest 471-472] Without it, and with Unpack_Src_Reg_Set_Upd, the row goes on by 16 and that
        // base.
        *src_row = (U::<6>::new(*src_row) + U::new(16) + src_row_base).get();
    }
}

/// `UNPACR_FLUSH_CACHE`: forget what is known of rows of compressed data.
///
/// *Source*: page `UNPACR_FlushCache`, commit 39304719.
// Of page `UNPACR_FLUSH_CACHE`.
// Shown by `flushing_the_cache_changes_nothing`.
// [3] What it is for stands in its title alone. Not modelled: nothing is said.
// [5] The Unpackers execute it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
pub fn unpacr_flush_cache(step: &Step<'_>, _: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    // [10-22] The Unpacker and MultiContextMode, between zeros and a one. (`encodings_and_texts_round_trip`)
    // [27, TX-40] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(UNPACR_FLUSH_CACHE, "lines 10-22 and 27", UNNAMED_REASON))?;
    // [31] Nothing changes: what is flushed is four caches of the Unpacker, or that of the thread, and no page has
    // them.
    ControlFlow::Continue(())
}

/// `UNPACR_INCREMENT_CONTEXT_COUNTER`: count the context of an Unpacker on.
///
/// *Source*: page `UNPACR_IncrementContextCounter`, commit 39304719.
// Of page `UNPACR_INCREMENT_CONTEXT_COUNTER`.
// Shown by `the_context_counter_goes_round`.
// [3] What it is for stands in its title alone. Not modelled: nothing is said.
// [5] The Unpackers execute it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
pub fn unpacr_increment_context_counter(step: &Step<'_>, small: &mut Small) -> ControlFlow<Expectation> {
    // [10-21, TX-139] The Unpacker, between zeros and a one. (`encodings_and_texts_round_trip`)
    // [26, TX-40] A picture shows where it lies in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(UNPACR_INCREMENT_CONTEXT_COUNTER, "lines 10-21 and 26", UNNAMED_REASON))?;
    let chip = Chip::of(step.instruction);
    let thread = U::<2>::new(small.current_thread).index();
    // [31] The thread selects a bank of the configuration.
    let state_id = U::<1>::new(config::CFG_STATE_ID_StateID.get(&small.thread_config[thread]));
    let config_state = &small.config[state_id.index()]; // [32] What is read is that bank's.
    let which_unpacker = U::<1>::new(WHICH_UNPACKER.get(step.code)).index(); // [33] It is one of two Unpackers.
    // [35] The Unpacker has a counter of the thread, of three bits.
    let which_context = U::<3>::new(small.unpackers_context_counter[which_unpacker][thread]);
    let mut incremented_counter = which_context + U::new(1); // [36] It goes on by one, in three bits.
    // [37-38] Behind the last of 1, 2, 4 or 8 comes 0.
    if incremented_counter.get() >= 1 << REG2_Context_count.get(chip, which_unpacker, config_state) {
        incremented_counter = U::new(0);
    }
    small.unpackers_context_counter[which_unpacker][thread] = incremented_counter.get(); // [40] That is the counter.
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests;
