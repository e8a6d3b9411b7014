//! `PACR`: move data from `Dst`, from L1, or zeros, to L1.
//!
//! A number in brackets is a line of the page that the function names, counted from 1. Wormhole has four packers, of which
//! the instruction names some; Blackhole has one, with four interfaces on `Dst`, and a page of its own for the instruction
//! (`bh`), which refers to the pages of Wormhole's packers for the rest. Both editions have these pages. After an outcome
//! that promises nothing the state is of no meaning. All happens at once here, in the order of the stages.
//!
//! *Source*: pages PACR (commits f7fda211, and f82128bb of Blackhole); of Packers: `InputAddressGenerator` (13547104),
//! `OutputAddressGenerator` (40bb8250), and `Compression` (f7fda211); those of the other stages stand in the files that
//! have them. ADCs (acaf0105) for the widths of counters.

// Shown by `every_instruction_agrees_in_every_mode`, where nothing else is said.

mod formats;
mod stages;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use tandem_isa::tensix::config::pack::{
    ADDR_MOD_PACK_FIELDS, ALU_ROUNDING_MODE_Bfp8_HF, ALU_ROUNDING_MODE_GS_LF, ALU_ROUNDING_MODE_Gasket_srnd_en,
    ALU_ROUNDING_MODE_Packer_srnd_en, Add_l1_dest_addr_offset, Addr_cnt_context, Dis_shared_exp_assembler,
    Disable_zero_compress, Downsample_rate, Exp_section_size, Force_pack_per_max_xy_plane, In_data_format,
    L1_Dest_addr, L1_source_addr, OF_BLACKHOLE, Out_data_format, PACK_COUNTERS_SEC_pack_yz_transposed,
    PCK0_ADDR_BASE_REG_0_Base, PCK0_ADDR_BASE_REG_1_Base, PCK0_ADDR_CTRL_XY_REG_0_Xstride,
    PCK0_ADDR_CTRL_XY_REG_0_Ystride, PCK0_ADDR_CTRL_XY_REG_1_Ystride, PCK0_ADDR_CTRL_ZW_REG_0_Wstride,
    PCK0_ADDR_CTRL_ZW_REG_0_Zstride, PCK0_ADDR_CTRL_ZW_REG_1_Wstride, PCK0_ADDR_CTRL_ZW_REG_1_Zstride, Pack_L1_Acc,
    PackField, PackerField, Read_mode, Source_interface_selection, Sub_l1_tile_header_size,
    THCON_SEC0_REG1_All_pack_disable_zero_compress, THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd,
    pack_fifo_size, pack_limit_address,
};
use tandem_isa::tensix::config::{CONFIG_WORDS, ConfigField, THREAD_CONFIG_WORDS};
use tandem_isa::tensix::inst::pack::{
    ADDR_CNT_CONTEXT, ADDR_MOD, CFG_CONTEXT, CTXT_CTRL, DST_ACCESS_MODE, FLUSH, LAST, OVRD_THREAD_ID, PACKER_MASK,
    READ_INTF_SEL, ROW_PAD_ZERO, ZERO_WRITE,
};
use tandem_isa::tensix::{
    AdcChannel, Chip, DATA, EXPONENTS, PACKERS_COMPRESSION, PACKERS_FORMAT_CONVERSION, PACKERS_INPUT_ADDRESS_GENERATOR,
    PACKERS_OUTPUT_ADDRESS_GENERATOR, PACR, PACR_BH, Small, Tensix,
};
use tandem_isa::{Citation, CodeField, Expectation, Step};

use super::configuration::state_id;
use super::l1::{l1_row_mut, thread};
use super::{UNNAMED_REASON, check};
use crate::bits::U;
use formats::late_conversion;
use stages::{advance_by_interfaces, downsampling};

const ACCUMULATION_REASON: &str = "the field is set, and no page says what packers do by it";
const BEYOND_REASON: &str = "the address is beyond L1";
const BIT_31_REASON: &str = "with bit 31 an address is always beyond the limit, and whether that is meant is not said";
const COLUMN_REASON: &str =
    "an interface reads all 16 data of a row, and what it does where X selects others is not said";
const COMPRESSION_REASON: &str = "how packers compress is not specified";
const CONTEXT_REASON: &str = "the field is not documented, or rests on a field that Blackhole does not have";
const COUNT_REASON: &str =
    "the width of InputNumDatums is not said, nor what it is where X of channel 1 is below the other";
const GROUP_REASON: &str = "an enabled interface leaves the group of four rows: undefined behaviour";
const MASK_REASON: &str = "other masks of packers are undefined";
const OVERLAP_REASON: &str = "the row is written twice, or read and written, and nothing says in which order";
const OVRD_REASON: &str = "Blackhole does not have the field that decides about compression here";
const ROUNDING_REASON: &str = "stochastic rounding has no function, and of the other modes of rounding no page speaks";
const SELECTION_REASON: &str =
    "by the code the mask counts from the group of four on, and by the prose from StartRow on";
const TRANSPOSED_REASON: &str = "how the position advances on Blackhole with pack_yz_transposed is not said";

/// `UndefinedBehavior()`.
fn undefined<T>(citation: &'static Citation) -> ControlFlow<Expectation, T> {
    ControlFlow::Break(Expectation::Undefined(citation))
}

/// What no page says.
fn unspecified<T>(citation: &'static Citation) -> ControlFlow<Expectation, T> {
    ControlFlow::Break(Expectation::Unspecified(citation))
}

/// What the instruction says, and what it finds.
struct Issue<'s> {
    code: &'s [u32],
    chip: Chip,
    current_thread: usize,
    config_state: [u32; CONFIG_WORDS],
    thread_config: [u16; THREAD_CONFIG_WORDS],
    /// The packers at work.
    packers: Vec<usize>,
    /// The enabled interfaces of Blackhole's packer.
    interfaces: Vec<u32>,
}

impl Issue<'_> {
    /// Whether a bit of the code is set.
    fn says(&self, field: CodeField) -> bool {
        field.get(self.code) != 0
    }

    /// A field that packers share.
    fn get(&self, field: PackField) -> u32 {
        field.get(self.chip, &self.config_state)
    }

    /// A field of a packer.
    fn of(&self, packer: usize, field: PackerField) -> u32 {
        field.get(self.chip, packer, &self.config_state)
    }

    fn is_on(&self, packer: usize, field: PackerField) -> bool {
        self.of(packer, field) != 0
    }

    /// Whether output buffers are flushed.
    fn flushes(&self) -> bool {
        // [PACR 40-41] [PACR_BH 68-69] Both fields do that, and have the next instruction begin at new addresses.
        // (`last_and_flush_write_what_waits_and_end_the_addresses`)
        self.says(LAST) || self.says(FLUSH)
    }

    /// A field of the section that `AddrMod` selects.
    fn addr_mod(&self, name: &str) -> u32 {
        // [PACKERS_INPUT_ADDRESS_GENERATOR 62] [PACKERS_OUTPUT_ADDRESS_GENERATOR 86] It is a section of the thread's.
        // (`counters_advance_by_the_section_of_addr_mod`)
        let field = ADDR_MOD_PACK_FIELDS.iter().find(|field| field.name == name).expect("sections have it");
        let section = U::<2>::new(ADDR_MOD.get(self.code)).index();
        field.of_section(self.chip.addr_mod_sections().pack, section).get(&self.thread_config)
    }

    /// `WhichADC`: the ADC that a packer uses.
    fn which_adc(&self, packer: usize) -> usize {
        // [PACKERS_INPUT_ADDRESS_GENERATOR 16] [PACKERS_OUTPUT_ADDRESS_GENERATOR 22] It is that of the thread …
        let mut which = self.current_thread;
        // [PACR 38] [PACKERS_INPUT_ADDRESS_GENERATOR 17-18] [PACKERS_OUTPUT_ADDRESS_GENERATOR 23-24] … or with
        // OvrdThreadId that of the packer's Addr_cnt_context, …
        // (`ovrd_thread_id_has_a_packer_use_the_counters_of_another_thread`)
        if self.says(OVRD_THREAD_ID) {
            which = U::<2>::new(self.of(packer, Addr_cnt_context)).index();
            // [PACKERS_INPUT_ADDRESS_GENERATOR 19] [PACKERS_OUTPUT_ADDRESS_GENERATOR 25] … of which 3 is 0.
            // (`ovrd_thread_id_has_a_packer_use_the_counters_of_another_thread`)
            if which == 3 {
                which = 0;
            }
        }
        which
    }
}

/// What rows of L1 the instruction reads and writes.
#[derive(Default)]
struct Traffic {
    read: BTreeSet<usize>,
    written: BTreeSet<usize>,
}

/// `PACR`.
///
/// *Source*: pages PACR, commits f7fda211 and f82128bb.
// Of pages `PACR` and `PACR_BH` (bh).
// [3] Up to four packers move data from Dst to L1, one after the other, and convert them.
// (`a_row_of_dst_becomes_rows_of_l1`)
// [bh 3] A packer moves data from Dst to L1 and converts them. (`a_row_of_dst_becomes_rows_of_l1`)
// [bh 3] One to four of its interfaces have a row each. (`interfaces_have_a_row_of_four_each`)
// [5] [bh 5] Packers execute it. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [bh 7-8] One packer with four interfaces stands for four packers, and else the pages of Wormhole's serve.
// (`interfaces_have_a_row_of_four_each`)
// [35] [bh 64] Data go through the stages in this order; AddrMod changes Y and Z of the ADC behind both generators.
// (`counters_advance_by_the_section_of_addr_mod`)
// [36] The same AddrMod does so. (`counters_advance_by_the_section_of_addr_mod`)
// [39] [bh 67] Concat is of compression, and without that of no effect: nothing is compressed here.
// (`concat_has_no_effect`)
// [43] [bh 74] Fields are sampled when the instruction begins, or a while later. Not modelled: each instruction ends
// before the next, so that all of these times are one.
pub fn pacr(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    let chip = Chip::of(step.instruction);
    let (packers, interfaces) = match chip {
        Chip::Wormhole => (packers_at_work(step)?, Vec::new()),
        Chip::Blackhole => (vec![0], enabled_interfaces(step)?),
    };
    let current_thread = thread(tensix.small);
    // [PACKERS_INPUT_ADDRESS_GENERATOR 9-10] [PACKERS_OUTPUT_ADDRESS_GENERATOR 10-11] [PACKERS_EDGE_MASKING 8-9, 50-51]
    // [PACKERS_RELU 8-9] [PACKERS_EXPONENT_THRESHOLDING 10-11] [PACKERS_DOWNSAMPLING 8]
    // [PACKERS_FORMAT_CONVERSION 155-156, 182] Configuration comes from the bank that the thread's StateID names.
    // (`the_state_id_of_the_thread_names_the_bank`)
    let issue = &Issue {
        code: step.code,
        chip,
        current_thread,
        config_state: tensix.small.config[state_id(tensix.small)],
        thread_config: tensix.small.thread_config[current_thread],
        packers,
        interfaces,
    };
    for &packer in &issue.packers {
        is_described(issue, packer)?;
    }
    let inputs = input_address_generator(issue, tensix.small)?;
    let mut traffic = Traffic::default();
    let mut outputs = Vec::new();
    for input in &inputs {
        let (from, data) = downsampling(issue, tensix, input, &mut traffic)?;
        outputs.push(late_conversion(from, issue.of(input.packer, Out_data_format), &data)?);
    }
    if chip == Chip::Blackhole {
        advance_by_interfaces(issue, tensix.small)?;
    }
    output_address_generator(issue, tensix.small)?;
    for (&packer, output) in issue.packers.iter().zip(&outputs) {
        write_out(issue, tensix, (packer, EXPONENTS), &output.exponents, &mut traffic)?;
        write_out(issue, tensix, (packer, DATA), &output.data, &mut traffic)?;
    }
    ControlFlow::Continue(())
}

/// The packers that an instruction of Wormhole gives work.
// Of page `PACR`.
// Shown by `a_mask_names_the_packers_at_work`.
fn packers_at_work(step: &Step<'_>) -> ControlFlow<Expectation, Vec<usize>> {
    // [10-12] AddrMod, of two bits, ZeroWrite, PackerMask, of four, OvrdThreadId, Concat, Flush and Last, of one each.
    // (`encodings_and_texts_round_trip`)
    // [17] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(PACR, "lines 10-12 and 17", UNNAMED_REASON))?;
    // [21] PackerMask names the packers at work.
    // [23] Which of the masks do what:
    let mask = match PACKER_MASK.get(step.code) {
        0b0000 => 0b0001, // [25, TX-147] None is packer 0, …
        // [26-32] … and each alone, the lower two, the upper two, and all are those.
        mask @ (0b0001 | 0b0010 | 0b0100 | 0b1000 | 0b0011 | 0b1100 | 0b1111) => mask,
        // [33] Others are undefined.
        _ => return undefined(cite!(PACR, "line 33", MASK_REASON)),
    };
    // [PACKERS_INPUT_ADDRESS_GENERATOR 11-12] [PACKERS_OUTPUT_ADDRESS_GENERATOR 12, 20] Packers without their bit have
    // nothing to do.
    ControlFlow::Continue((0..4).filter(|&packer| mask >> packer & 1 != 0).collect())
}

/// The interfaces that an instruction of Blackhole enables.
// Of page `PACR_BH`.
// Shown by `interfaces_have_a_row_of_four_each`.
fn enabled_interfaces(step: &Step<'_>) -> ControlFlow<Expectation, Vec<u32>> {
    // [13-16] CfgContext, RowPadZero, DstAccessMode, AddrMod, AddrCntContext, ZeroWrite, ReadIntfSel, OvrdThreadId,
    // Concat, CtxtCtrl, Flush and Last. (`encodings_and_texts_round_trip`)
    // [21] A picture shows where they lie in the word. (`encodings_and_texts_round_trip`)
    check(step, cite!(PACR_BH, "lines 13-16 and 21", UNNAMED_REASON))?;
    // [66] OvrdThreadId has another ADC, and what names that on Blackhole is not said.
    // (`what_blackhole_s_page_leaves_open_promises_nothing`)
    if OVRD_THREAD_ID.get(step.code) != 0 {
        return unspecified(cite!(PACR_BH, "lines 66 and 72", CONTEXT_REASON));
    }
    // [70] DstAccessMode is to read rows far apart, and what it does with ReadIntfSel is not documented.
    // (`what_blackhole_s_page_leaves_open_promises_nothing`)
    if DST_ACCESS_MODE.get(step.code) != 0 {
        return unspecified(cite!(PACR_BH, "line 70", CONTEXT_REASON));
    }
    // [71] Nor is in detail how RowPadZero pads. (`what_blackhole_s_page_leaves_open_promises_nothing`)
    if ROW_PAD_ZERO.get(step.code) != 0 {
        return unspecified(cite!(PACR_BH, "line 71", CONTEXT_REASON));
    }
    // [72] Nor are contexts. (`what_blackhole_s_page_leaves_open_promises_nothing`)
    if [CTXT_CTRL, ADDR_CNT_CONTEXT, CFG_CONTEXT].iter().any(|field| field.get(step.code) != 0) {
        return unspecified(cite!(PACR_BH, "line 72", CONTEXT_REASON));
    }
    // [27] ReadIntfSel is a mask of four.
    // [30, 63] It is a field of the instruction.
    let mut read_intf_mask = READ_INTF_SEL.get(step.code);
    // [31, 46] None is all four.
    if read_intf_mask == 0 {
        read_intf_mask = 0b1111;
    }
    // [35] They are looked at in their order.
    // [36, 51-52] Each with its bit has a row.
    // [56-57] Auto_set_last_pacr_intf_sel has the last instruction of a plane find its own mask. Not modelled: which one
    // is the last is not said, so that of this field nothing is promised.
    ControlFlow::Continue((0..4).filter(|&i| read_intf_mask & (1 << i) != 0).collect())
}

/// Goes on if pages say what all fields that are set do.
// Shown by `what_no_page_describes_promises_nothing`.
fn is_described(issue: &Issue<'_>, packer: usize) -> ControlFlow<Expectation> {
    let place =
        issue.chip.pick(cite!(PACR, "line 43", ACCUMULATION_REASON), cite!(PACR_BH, "line 74", ACCUMULATION_REASON));
    let fields = [Pack_L1_Acc, Dis_shared_exp_assembler, Force_pack_per_max_xy_plane, Read_mode, Downsample_rate];
    if fields.into_iter().any(|field| issue.is_on(packer, field)) {
        return unspecified(place);
    }
    let is_set = |field: &ConfigField| field.get(&issue.config_state) != 0;
    if issue.chip == Chip::Blackhole
        && (OF_BLACKHOLE.iter().any(is_set) || issue.is_on(packer, Source_interface_selection))
    {
        return unspecified(place);
    }
    // [PACKERS_FORMAT_CONVERSION 24, 65] Roundings can be stochastic, and then nothing is promised.
    let roundings = [
        ALU_ROUNDING_MODE_Packer_srnd_en,
        ALU_ROUNDING_MODE_Gasket_srnd_en,
        ALU_ROUNDING_MODE_GS_LF,
        ALU_ROUNDING_MODE_Bfp8_HF,
    ];
    if roundings.into_iter().any(|field| issue.get(field) != 0) {
        return unspecified(cite!(PACKERS_FORMAT_CONVERSION, "lines 24 and 65", ROUNDING_REASON));
    }
    // Blackhole's position advances with each instruction, whatever it moves.
    if issue.chip == Chip::Blackhole && issue.get(PACK_COUNTERS_SEC_pack_yz_transposed[0]) != 0 {
        return unspecified(cite!(PACR_BH, "line 59", TRANSPOSED_REASON));
    }
    compression(issue, packer)
}

/// Goes on if a packer does not compress.
// Of page `PACKERS_COMPRESSION`.
// Shown by `compression_promises_nothing`.
// [3, 5] Compression counts zeros behind data, in rows of data. Not modelled: how packers compress is not specified.
// [9-25] What the compressed form in L1 is. Not modelled: how packers compress is not specified.
// [27] How one finds a row of it. Not modelled: how packers compress is not specified.
// [35] Unpackers can read it. Not modelled: this is of another instruction.
fn compression(issue: &Issue<'_>, packer: usize) -> ControlFlow<Expectation> {
    let is_overridden = issue.get(THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd) != 0;
    if issue.chip == Chip::Blackhole && is_overridden {
        return unspecified(cite!(PACKERS_OUTPUT_ADDRESS_GENERATOR, "line 48", OVRD_REASON));
    }
    // [PACKERS_OUTPUT_ADDRESS_GENERATOR 48] A packer's bit of the field of all, or the packer's own field, disables it.
    let is_disabled = if is_overridden {
        THCON_SEC0_REG1_All_pack_disable_zero_compress.get(&issue.config_state) >> packer & 1 != 0
    } else {
        issue.is_on(packer, Disable_zero_compress)
    };
    // [31] What exactly is done then is not specified.
    // [PACKERS_OUTPUT_ADDRESS_GENERATOR 49-52, 54-58] It has a stream of row starts, and counters among the data. Not
    // modelled: how packers compress is not specified.
    if is_disabled {
        ControlFlow::Continue(())
    } else {
        unspecified(cite!(PACKERS_COMPRESSION, "line 31", COMPRESSION_REASON))
    }
}

/// `InputSource`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InputSource {
    DevNull,
    L1,
    Dst,
}

/// What the input address generator finds for a packer.
#[derive(Clone, Debug)]
struct Input {
    packer: usize,
    input_num_datums: u32,
    source: InputSource,
    /// `InputSourceAddr`: of Wormhole one, and of Blackhole one for each enabled interface.
    addresses: Vec<u32>,
    stride: u32,
}

/// The input address generator: where data come from.
// Of page `PACKERS_INPUT_ADDRESS_GENERATOR`.
// Shown by `counters_say_where_data_come_from`.
// [5] An instruction begins with the first address and the number of data.
// [89] Addresses are of whole data, and counters other than X of 16 bytes or more.
// [93] Only some X strides make sense. Not modelled: this is advice.
// [97] Counters of some ADC make the address.
// [99] Behind that Y and Z advance. (`counters_advance_by_the_section_of_addr_mod`)
// [99] Other instructions change them too. (`each_instruction_is_held_by_the_block_bits_of_its_unit`)
// [101] Of channel 1 it has X alone, for the number.
fn input_address_generator(issue: &Issue<'_>, small: &mut Small) -> ControlFlow<Expectation, Vec<Input>> {
    let mut adcs_to_advance = [false; 3]; // [8] No ADC has been used yet.
    let mut inputs = Vec::new();
    for &packer in &issue.packers {
        // [14-15] A packer has its own configuration.
        let which_adc = issue.which_adc(packer);
        let channels = small.adcs[which_adc].packers;
        let adc = channels[0]; // [21] Channel 0 is of the input.
        // [22-26] Its counters, times strides, and a base make an address; of the stride of X four bits count.
        let mut addr = issue
            .get(PCK0_ADDR_BASE_REG_0_Base)
            .wrapping_add(adc.x.wrapping_mul(issue.get(PCK0_ADDR_CTRL_XY_REG_0_Xstride) & 0xf))
            .wrapping_add(adc.y.wrapping_mul(issue.get(PCK0_ADDR_CTRL_XY_REG_0_Ystride)))
            .wrapping_add(adc.z.wrapping_mul(issue.get(PCK0_ADDR_CTRL_ZW_REG_0_Zstride)))
            .wrapping_add(adc.w.wrapping_mul(issue.get(PCK0_ADDR_CTRL_ZW_REG_0_Wstride)));
        adcs_to_advance[which_adc] = true; // [27] The ADC is one that will advance.

        // [29-30] The low two bits of the input format say how long a datum is.
        // (`a_datum_has_four_two_or_one_byte_by_its_format`)
        let (bytes_per_datum, adc_x_mask) = match issue.of(packer, In_data_format) & 3 {
            0 => (4, 0x3), // [31] Four bytes. (`a_datum_has_four_two_or_one_byte_by_its_format`)
            1 => (2, 0x7), // [32] Two bytes. (`a_datum_has_four_two_or_one_byte_by_its_format`)
            _ => (1, 0xf), // [33] One byte. (`a_datum_has_four_two_or_one_byte_by_its_format`)
        };

        let input_num_datums = input_num_datums(issue, &channels)?;
        let (source, address, stride) = if issue.says(ZERO_WRITE) || issue.says(FLUSH) {
            // [41-44] With ZeroWrite or Flush data are zeros.
            // [PACR 37] [PACR_BH 65] ZeroWrite is for that. (`zero_write_writes_zeros`)
            (InputSource::DevNull, 0, 0)
        } else if packer == 0 && issue.of(packer, Source_interface_selection) == 1 {
            // [45] Packer 0 can have them from L1. (`packer_0_can_read_l1`)
            // [46] There the high bits are a field, and 18 bits come from counters. (`packer_0_can_read_l1`)
            addr = (issue.of(packer, L1_source_addr) << 18).wrapping_add(addr & 0x3_ffff);
            // [47] Within 16 bytes X alone counts. (`packer_0_can_read_l1`)
            addr = (addr & !0xf).wrapping_add(bytes_per_datum * (adc.x & adc_x_mask));
            // [48-50] That is a byte of L1, in 21 bits, and the next datum is behind it. (`packer_0_can_read_l1`)
            (InputSource::L1, addr & 0x1f_ffff, bytes_per_datum)
        } else {
            // [53] The rest is Dst.
            // [54] The address counts data, and the low bits are those of X.
            addr = ((addr / bytes_per_datum) & !adc_x_mask).wrapping_add(adc.x & adc_x_mask);
            // [55] A packer has an offset, in rows of 16 data.
            let offset = small.dest_target_reg_cfg_pack_sec[packer] & 0xfff;
            addr = addr.wrapping_add(offset << 4);
            // [56-58, 91] That is a datum of Dst, in 14 bits, and the next one is behind it.
            (InputSource::Dst, addr & 0x3fff, 1)
        };
        let addresses = match issue.chip {
            Chip::Wormhole => vec![address],
            Chip::Blackhole => rows_of_interfaces(issue, source, address, input_num_datums)?,
        };
        let input = Input { packer, input_num_datums, source, addresses, stride };
        inputs.push(input);
    }
    // [63-64] Each ADC that was used advances once. (`counters_advance_by_the_section_of_addr_mod`)
    for which in (0..3).filter(|&which| adcs_to_advance[which]) {
        // [65-66] Here it is channel 0. (`counters_advance_by_the_section_of_addr_mod`)
        advance(issue, &mut small.adcs[which].packers[0], "src");
    }
    ControlFlow::Continue(inputs)
}

/// `InputNumDatums`.
// Of page `PACKERS_INPUT_ADDRESS_GENERATOR`.
// Shown by `both_x_say_how_many_data_there_are`.
fn input_num_datums(issue: &Issue<'_>, channels: &[AdcChannel; 2]) -> ControlFlow<Expectation, u32> {
    // [36-37] With Flush there are no data. (`last_and_flush_write_what_waits_and_end_the_addresses`)
    // [PACR 40] [PACR_BH 68] Flush is for that. (`last_and_flush_write_what_waits_and_end_the_addresses`)
    if issue.says(FLUSH) {
        return ControlFlow::Continue(0);
    }
    // [38-39] Otherwise there are as many as both X are apart, and one. More than a packer could have rows for, and
    // fewer than none, are outside of what the page speaks of.
    match (channels[1].x + 1).checked_sub(channels[0].x) {
        Some(count @ 0..=1024) => ControlFlow::Continue(count),
        _ => unspecified(cite!(PACKERS_INPUT_ADDRESS_GENERATOR, "line 39", COUNT_REASON)),
    }
}

/// Where the data of each enabled interface begin.
// Of page `PACR_BH`.
// Shown by `interfaces_have_a_row_of_four_each`.
// [42] Their data follow one another without a gap, and L1 gets so many for each.
// [42] So do exponents of BFP, one for each row. (`exponents_of_bfp_are_a_stream_of_their_own`)
// [44, 47-50] The lowest ones have the first rows of the group.
// [54] Three of four can leave the rest of L1 as it is, up to the 16 bytes that are written at a time.
fn rows_of_interfaces(
    issue: &Issue<'_>,
    source: InputSource,
    address: u32,
    input_num_datums: u32,
) -> ControlFlow<Expectation, Vec<u32>> {
    if source != InputSource::Dst {
        // Zeros take the place of a row, which has 16 data.
        if input_num_datums > 16 {
            return unspecified(cite!(PACR_BH, "line 42", COLUMN_REASON));
        }
        return ControlFlow::Continue(vec![address; issue.interfaces.len()]);
    }
    // What histograms have of data that X does not select is open, so X has to select them all.
    if input_num_datums != 16 || address & 0xf != 0 {
        return unspecified(cite!(PACR_BH, "line 42", COLUMN_REASON));
    }
    let start_row = address >> 4; // [27] The generator gives the row to start with.
    let read_intf_mask: u32 = issue.interfaces.iter().map(|&i| 1 << i).sum();
    // [32-33] An interface that leaves the group of four rows is undefined.
    // (`an_interface_has_to_stay_in_its_group_of_four`)
    if read_intf_mask << (start_row & 3) > 0b1111 {
        return undefined(cite!(PACR_BH, "lines 32-33", GROUP_REASON));
    }
    // [27, TX-148] Otherwise the mask should count from the first row on, and the code does not say so.
    // (`an_interface_has_to_stay_in_its_group_of_four`)
    if start_row & 3 != 0 {
        return unspecified(cite!(PACR_BH, "lines 27 and 37", SELECTION_REASON));
    }
    // [37] Each has the row of its number in an aligned group of four.
    ControlFlow::Continue(issue.interfaces.iter().map(|&i| ((start_row & !3) | i) << 4).collect())
}

/// The counters of a channel get ready for the next instruction. Its fields of AddrMod have `src` or `dst` in their names.
// Shown by `counters_advance_by_the_section_of_addr_mod`.
fn advance(issue: &Issue<'_>, channel: &mut AdcChannel, which: &str) {
    let field = |of: &str, name: &str| issue.addr_mod(&format!("{of}{which}{name}"));
    // [PACKERS_INPUT_ADDRESS_GENERATOR 68-70] [PACKERS_OUTPUT_ADDRESS_GENERATOR 92-94] Y and its Cr are cleared, …
    if field("Y", "Clear") != 0 {
        (channel.y, channel.y_cr) = (0, 0);
    } else if field("Y", "CR") != 0 {
        // [PACKERS_INPUT_ADDRESS_GENERATOR 71-73] [PACKERS_OUTPUT_ADDRESS_GENERATOR 95-97] … or Y is Cr, which grows, …
        channel.y_cr = (U::<13>::new(channel.y_cr) + U::new(field("Y", "Incr"))).get();
        channel.y = channel.y_cr;
    } else {
        // [PACKERS_INPUT_ADDRESS_GENERATOR 74-75] [PACKERS_OUTPUT_ADDRESS_GENERATOR 98-99] … or Y grows.
        channel.y = (U::<13>::new(channel.y) + U::new(field("Y", "Incr"))).get();
    }
    // [PACKERS_INPUT_ADDRESS_GENERATOR 78-80] [PACKERS_OUTPUT_ADDRESS_GENERATOR 102-104] Z is cleared with its Cr, …
    if field("Z", "Clear") != 0 {
        (channel.z, channel.z_cr) = (0, 0);
    } else {
        // [PACKERS_INPUT_ADDRESS_GENERATOR 81-82] [PACKERS_OUTPUT_ADDRESS_GENERATOR 105-106] … or grows.
        let sum = channel.z + field("Z", "Incr");
        channel.z = issue.chip.pick(U::<8>::new(sum).get(), U::<13>::new(sum).get());
    }
}

/// The output address generator: where streams go on.
// Of page `PACKERS_OUTPUT_ADDRESS_GENERATOR`.
// Shown by `counters_say_where_data_go`.
// [5] An instruction begins with new addresses, where they are needed.
// [119] Where they are not, data go on behind those of the last one.
// (`bytes_wait_until_there_are_sixteen_for_a_row_of_l1`)
// [123] Y, Z and W of an ADC make part of an address, in units of 256 bytes, and on Blackhole of 16.
// [125] Behind that Y and Z advance; other instructions change them too. (`counters_advance_by_the_section_of_addr_mod`)
fn output_address_generator(issue: &Issue<'_>, small: &mut Small) -> ControlFlow<Expectation> {
    // [16] Without a header an address is one unit of 16 bytes less.
    let base = |packer: usize| {
        let header = u32::from(!issue.is_on(packer, Sub_l1_tile_header_size));
        issue.of(packer, L1_Dest_addr).wrapping_add(header)
    };
    let packer_0_initial_addr = base(0); // [8, 17] That of packer 0 is kept, …
    let is_relative = packer_0_initial_addr >> 31 != 0;
    let mut adcs_to_advance = [false; 3]; // [9] No ADC has been used yet.
    for &packer in &issue.packers {
        // [13-14] A packer has its own configuration.
        let mut addr = base(packer);
        // [18] … and is added to those of the others if it has bit 31. (`bit_31_of_packer_0_s_address_is_added_to_others`)
        if packer != 0 && is_relative {
            addr = addr.wrapping_add(packer_0_initial_addr);
        }
        let which_adc = issue.which_adc(packer);
        let adc = small.adcs[which_adc].packers[1]; // [27] Channel 1 is of the output.
        // [28-31] Its counters but X, times strides, and a base make an offset.
        let mut yzw_addr = issue
            .get(PCK0_ADDR_BASE_REG_1_Base)
            .wrapping_add(adc.y.wrapping_mul(issue.get(PCK0_ADDR_CTRL_XY_REG_1_Ystride)))
            .wrapping_add(adc.z.wrapping_mul(issue.get(PCK0_ADDR_CTRL_ZW_REG_1_Zstride)))
            .wrapping_add(adc.w.wrapping_mul(issue.get(PCK0_ADDR_CTRL_ZW_REG_1_Wstride)));
        if issue.chip == Chip::Blackhole {
            yzw_addr >>= 4; // [32-33] On Blackhole it is in bytes, …
        } else {
            yzw_addr &= !15; // [34-35] … and on Wormhole in units of 16 of them, of which the low four bits do not count.
        }
        addr = addr.wrapping_add(yzw_addr); // [37] It is added.
        adcs_to_advance[which_adc] = true; // [38] The ADC is one that will advance.

        // [40-41] So is an offset that the TDMA-RISC sets, where the packer is to have it.
        if issue.is_on(packer, Add_l1_dest_addr_offset) {
            addr = addr.wrapping_add(small.packers[packer].l1_dest_addr_offset);
        }
        // [43, TX-145] The bit stays in the address, which the limit does not have: nothing is promised if that matters.
        // (`bit_31_of_packer_0_s_address_is_added_to_others`)
        if is_relative && pack_fifo_size(issue.chip, packer).get(&issue.config_state) != 0 {
            return unspecified(cite!(PACKERS_OUTPUT_ADDRESS_GENERATOR, "lines 18 and 43", BIT_31_REASON));
        }
        // [43-45] Beyond a limit it goes back by the size of the FIFO. (`an_address_beyond_the_limit_goes_back`)
        if addr > pack_limit_address(issue.chip, packer).get(&issue.config_state) * 2 + 1 {
            addr = addr.wrapping_sub(pack_fifo_size(issue.chip, packer).get(&issue.config_state) * 2);
        }

        let flushes = issue.flushes();
        let streams = &mut small.packers[packer].streams;
        let byte_address = |addr: u32| (addr & 0x1_ffff) << 4;
        // [61-64] Output formats of less than 16 bits have exponents in front of the data, even those that make none.
        // (`exponents_of_bfp_are_a_stream_of_their_own`)
        if issue.of(packer, Out_data_format) & 2 != 0 {
            // [65-67] Their stream begins there if it needs a new address. (`exponents_of_bfp_are_a_stream_of_their_own`)
            if streams[EXPONENTS].needs_new_address != 0 {
                streams[EXPONENTS].byte_address = byte_address(addr);
                streams[EXPONENTS].needs_new_address = 0;
            }
            // [69] Data begin behind a section for them. (`exponents_of_bfp_are_a_stream_of_their_own`)
            addr = addr.wrapping_add(issue.of(packer, Exp_section_size));
        }
        // [72-74] Data begin there if they need a new address.
        if streams[DATA].needs_new_address != 0 {
            streams[DATA].byte_address = byte_address(addr);
            streams[DATA].needs_new_address = 0;
        }
        // [77-79, 81-82] With Last or Flush the next instruction needs new ones.
        // (`last_and_flush_write_what_waits_and_end_the_addresses`)
        // [80] So does the stream of row starts. Not modelled: how packers compress is not specified.
        if flushes {
            streams.iter_mut().for_each(|stream| stream.needs_new_address = 1);
        }
    }
    // [87-88] Each ADC that was used advances once. (`counters_advance_by_the_section_of_addr_mod`)
    for which in (0..3).filter(|&which| adcs_to_advance[which]) {
        // [89-90] Here it is channel 1. (`counters_advance_by_the_section_of_addr_mod`)
        advance(issue, &mut small.adcs[which].packers[1], "dst");
    }
    ControlFlow::Continue(())
}

/// A stream takes bytes, and L1 gets what makes up rows of 16.
// Of page `PACKERS_OUTPUT_ADDRESS_GENERATOR`.
// Shown by `bytes_wait_until_there_are_sixteen_for_a_row_of_l1`.
fn write_out(
    issue: &Issue<'_>,
    tensix: &mut Tensix<'_>,
    (packer, stream): (usize, usize),
    bytes: &[u8],
    traffic: &mut Traffic,
) -> ControlFlow<Expectation> {
    // [113] Bytes wait for others, also those of later instructions, until there are 16.
    let before = tensix.small.packers[packer].streams[stream];
    let mut waiting: Vec<u8> = before.buffer.iter().flat_map(|word| word.to_le_bytes()).collect();
    waiting.truncate(U::<4>::new(before.filled).index());
    waiting.extend(bytes);
    // [113, 119] A flush fills them up with zeros, if there are any.
    // (`last_and_flush_write_what_waits_and_end_the_addresses`)
    if issue.flushes() {
        waiting.resize(waiting.len().next_multiple_of(16), 0);
    }
    let mut byte_address = U::<21>::new(before.byte_address);
    let (rows, rest) = waiting.as_chunks::<16>();
    for row in rows {
        let index = (byte_address >> 4).index();
        if index >= issue.chip.l1_bytes() / 16 {
            return unspecified(cite!(PACKERS_OUTPUT_ADDRESS_GENERATOR, "line 113", BEYOND_REASON));
        }
        // Streams and packers reach L1 in no order that is said.
        if traffic.read.contains(&index) || !traffic.written.insert(index) {
            return unspecified(cite!(PACKERS_OUTPUT_ADDRESS_GENERATOR, "line 113", OVERLAP_REASON));
        }
        *l1_row_mut(tensix, index)? = words(row);
        byte_address += U::new(16); // [115] The address goes on by 16 bytes.
    }
    let mut buffer = [0; 16];
    buffer[..rest.len()].copy_from_slice(rest);
    let after = &mut tensix.small.packers[packer].streams[stream];
    after.byte_address = byte_address.get();
    after.filled = u32::try_from(rest.len()).expect("it is below 16");
    after.buffer = words(&buffer);
    ControlFlow::Continue(())
}

/// Bytes as words, the lowest first.
fn words(bytes: &[u8; 16]) -> [u32; 4] {
    let (words, _) = bytes.as_chunks::<4>();
    std::array::from_fn(|n| u32::from_le_bytes(words[n]))
}

#[cfg(test)]
mod tests;
