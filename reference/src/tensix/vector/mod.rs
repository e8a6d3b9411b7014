//! Instructions of the Vector Unit that compute on `LReg` and on the flags of the lanes.
//!
//! The modules have a function for each instruction, and `fma` what several of them compute; this file has what the page
//! `VectorUnit` defines for all of them: the registers, the flags and the random bits of one lane, and whether it takes part.
//!
//! A number in brackets is a line of the page that the function names, counted from 1: what stands behind it does what
//! that line says. Where the chips have a text each, the number says of which. Lines of braces, titles and code fences
//! have no number.
//!
//! After an outcome that promises nothing the state is of no meaning: lanes may be written in part.

pub mod bitwise;
pub mod condition;
pub mod config;
pub mod convert;
pub mod exponent;
pub mod flag_stack;
pub mod float;
mod fma;
pub mod integer;
pub mod lane_moves;
pub mod loadi;
pub mod mov;
pub mod table;

pub use {
    bitwise::*, condition::*, config::*, convert::*, exponent::*, flag_stack::*, float::*, integer::*, lane_moves::*,
    loadi::*, mov::*, table::*,
};

use std::ops::ControlFlow;

use tandem_isa::tensix::inst::vector as fields;
use tandem_isa::tensix::{Chip, Mnemonic, Tensix};
use tandem_isa::{Citation, CodeField, Edition, Expectation, Step};

use super::lanes::{self, lane_config_bit as bit};
use crate::bits::U;

/// An instruction: it goes on to the end if the state after it is promised, and else breaks off, or ends, with what the
/// pages promise.
pub type Instruction = fn(&mut VectorUnit<'_, '_>) -> ControlFlow<Expectation>;

/// Executes an instruction of the Vector Unit.
pub fn execute(step: &Step<'_>, tensix: &mut Tensix<'_>, instruction: Instruction) -> Expectation {
    let chip = Chip::of(step.instruction);
    // SFPNOP, which has none, does not ask.
    let vd = step.instruction.code_field(fields::VD.name).unwrap_or(&fields::VD);
    let (edition, code, vd) = (step.edition, step.code, U::new(vd.get(step.code)));
    let [vd_field, vb, vc] = [vd.get(), fields::VB.get(code), fields::VC.get(code)].map(U::new);
    let mut unit = VectorUnit {
        chip,
        edition,
        code,
        vd: vd_field,
        vb,
        vc,
        is_scheduled: false,
        is_vb_of_macro: false,
        tensix,
        wrote_with_open_backdoor: false,
    };
    let expectation = match instruction(&mut unit) {
        ControlFlow::Continue(()) => Expectation::Done,
        ControlFlow::Break(expectation) => expectation,
    };
    match expectation {
        // TX-17: page SFPCONFIG has such a lane write a template, and perhaps nothing else.
        Expectation::Done | Expectation::NonContractual(_) if unit.wrote_with_open_backdoor => {
            lanes::two_readings_of_the_backdoor(chip)
        }
        // TX-55: SFPCONFIG is no such instruction.
        Expectation::Done | Expectation::NonContractual(_) if Mnemonic::of(step.instruction) != Mnemonic::Sfpconfig => {
            lanes::leave_templates_open(chip, unit.tensix, vd);
            expectation
        }
        expectation => expectation,
    }
}

/// Executes an instruction that `SFPLOADMACRO` scheduled, whose word is `code`, with other registers than the word has.
// Of pages `SFPLOADMACRO_WH` (wh) and `SFPLOADMACRO_BH` (bh).
// Shown by `what_is_scheduled_takes_its_registers_from_the_macro`.
pub fn execute_scheduled(
    (chip, edition, code): (Chip, Edition, &[u32]),
    registers: Scheduled,
    tensix: &mut Tensix<'_>,
    instruction: Instruction,
) -> ControlFlow<Expectation> {
    let Scheduled { vd, vb, vc, is_vb_of_macro } = registers;
    let wrote_with_open_backdoor = false;
    let is_scheduled = true;
    let mut unit =
        VectorUnit { chip, edition, code, vd, vb, vc, is_scheduled, is_vb_of_macro, tensix, wrote_with_open_backdoor };
    instruction(&mut unit)
}

/// The registers that `SFPLOADMACRO` gives an instruction.
#[derive(Clone, Copy, Debug)]
pub struct Scheduled {
    /// `Insn.VD`: 0 to 7, or 16.
    pub vd: U<5>,
    /// `Insn.VB`.
    pub vb: U<5>,
    /// `Insn.VC`.
    pub vc: U<5>,
    /// Whether `Insn.VB` is the register that was loaded.
    pub is_vb_of_macro: bool,
}

/// The Vector Unit while it executes one instruction.
///
/// *Source*: page VectorUnit (commit f7fda211), which serves both chips.
///
/// `[101]` to `[114]` `lanewise` is a loop over 32 lanes, and each name in it means the member of the lane; here each
/// accessor takes the lane. `[105]` to `[114]` are the accessors.
pub struct VectorUnit<'a, 's> {
    /// Which chip's text counts where there are two.
    pub chip: Chip,
    /// Which edition counts where there are two.
    pub edition: Edition,
    code: &'a [u32],
    vd: U<5>,
    vb: U<5>,
    vc: U<5>,
    /// Whether `SFPLOADMACRO` scheduled the instruction, and gave it the registers.
    is_scheduled: bool,
    /// Whether it gave `VB` the register that was loaded.
    is_vb_of_macro: bool,
    tensix: &'a mut Tensix<'s>,
    /// Whether the instruction assigned to a register, a flag, a stack or the PRNG of a lane whose back door is open. The pages
    /// of today have none that does: from `VD` 12 on they write these only where the lane shuts it, or not at all.
    wrote_with_open_backdoor: bool,
}

impl VectorUnit<'_, '_> {
    /// Breaks off if nothing is promised of the instruction whatever it does, where `named` is all fields that its page
    /// names at `syntax`.
    fn check(&self, named: &[CodeField], syntax: &'static Citation) -> ControlFlow<Expectation> {
        // TX-34: bits without a name.
        let unnamed = named.iter().fold(!fields::OPCODE.mask(), |unnamed, field| unnamed & !field.mask());
        let refused = lanes::unnamed_bits(self.code, unnamed, syntax);
        refused.map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }

    /// `VD`, which `SFPLOADI` and `SFPLUT` have elsewhere in the word than the others.
    fn vd(&self) -> U<5> {
        self.vd
    }

    /// `VB` of an instruction whose page assigns `VD` to it.
    // Of pages `SFPLOADMACRO_WH` (wh) and `SFPLOADMACRO_BH` (bh).
    // Shown by `what_is_scheduled_takes_its_registers_from_the_macro`.
    // [wh 145] [bh 145] One that is scheduled has the one that `SFPLOADMACRO` gives it.
    fn vb_that_is_vd(&self) -> U<5> {
        if self.is_scheduled { self.vb } else { self.vd }
    }

    /// `VC` of an instruction whose page assigns `VD` to it.
    // Of pages `SFPLOADMACRO_WH` (wh) and `SFPLOADMACRO_BH` (bh).
    // Shown by `what_is_scheduled_takes_its_registers_from_the_macro`.
    // [wh 146] [bh 146] One that is scheduled has the one that `SFPLOADMACRO` gives it.
    fn vc_that_is_vd(&self) -> U<5> {
        if self.is_scheduled { self.vc } else { self.vd }
    }

    /// `VC`.
    fn vc(&self) -> U<5> {
        self.vc
    }

    /// `VB`, of the instructions that have such a field.
    fn vb(&self) -> U<5> {
        self.vb
    }

    /// `VA`, of the instructions that have such a field.
    fn va(&self) -> U<5> {
        U::new(fields::VA.get(self.code))
    }

    /// `Mod1`.
    fn mod1(&self) -> U<4> {
        U::new(fields::MOD1.get(self.code))
    }

    /// `Imm8`.
    fn imm8(&self) -> U<8> {
        U::new(fields::IMM8.get(self.code))
    }

    /// `Imm12`.
    fn imm12(&self) -> U<12> {
        U::new(fields::IMM12.get(self.code))
    }

    /// `Imm2`.
    fn imm2(&self) -> U<2> {
        U::new(fields::IMM2.get(self.code))
    }

    /// `Imm1`.
    fn imm1(&self) -> U<1> {
        U::new(fields::IMM1.get(self.code))
    }

    /// `VD < 8 || VD == 16`: whether the instruction writes its register. The word has no code for 16; `SFPLOADMACRO` has.
    fn writes_vd(&self) -> bool {
        self.vd().get() < 8 || self.vd().get() == 16
    }

    /// `VD < 12 || LaneConfig.DISABLE_BACKDOOR_LOAD`.
    // Of pages `SFPLOADMACRO_WH` (wh) and `SFPLOADMACRO_BH` (bh).
    // Shown by `the_back_door_is_shut_to_what_is_scheduled`.
    // [wh 143-144] [bh 143-144] What is scheduled finds it set, whatever instruction it is.
    fn below_12_or_backdoor_disabled(&self, lane: u32) -> bool {
        self.vd().get() < 12 || self.is_scheduled || self.lane_config(lane).bit(bit::DISABLE_BACKDOOR_LOAD)
    }

    /// `[108]`, `[130]` to `[142]` `LaneEnabled`.
    fn lane_enabled(&self, lane: u32) -> bool {
        lanes::is_lane_enabled(self.tensix.small, lane)
    }

    /// `[112]` `LaneConfig`.
    fn lane_config(&self, lane: u32) -> U<18> {
        lanes::lane_config(self.tensix.small, lane)
    }

    /// `[113]` `LoadMacroConfig`: a template, or from row 4 on a sequence.
    fn load_macro_row(&mut self, row: U<3>, lane: u32) -> u32 {
        self.tensix.load_macro_row(row.index())[U::<3>::new(lane).index()]
    }

    /// `[113]` `LoadMacroConfig.Misc`.
    fn load_macro_misc(&self, lane: u32) -> U<12> {
        U::new(self.tensix.small.load_macro_misc[U::<3>::new(lane).index()])
    }

    /// `[114]` `AdvancePRNG()`.
    // Shown by `random_bits_come_as_the_page_says`.
    // [VECTOR_UNIT 150] Modes of three instructions take random bits.
    // [VECTOR_UNIT 162] They are not very random. Not modelled: it says nothing of what they are.
    fn advance_prng(&mut self, lane: u32) -> u32 {
        self.note_write(lane);
        // [VECTOR_UNIT 153-154] Each lane has a state of its own.
        let index = U::<5>::new(lane).index();
        // [VECTOR_UNIT 155, 158] It is what comes out,
        let result = self.tensix.prng()[index];
        // [VECTOR_UNIT 156] and four of its bits say
        let taps = (result & 0x8020_0003).count_ones();
        // [VECTOR_UNIT 157] what comes in from above: one, if an even number of them is set.
        self.tensix.prng_mut()[index] = (!taps << 31) | (result >> 1);
        result
    }

    /// `[107]` `LReg[register].u32`.
    #[inline]
    fn lreg(&mut self, register: U<5>, lane: u32) -> u32 {
        self.tensix.lreg(register.index(), U::<5>::new(lane).index())
    }

    /// `[107]` `LReg[register]`, of all lanes.
    fn lreg_of_all_lanes(&mut self, register: U<5>) -> [u32; 32] {
        *self.tensix.lreg_row(register.index())
    }

    /// `[107]` Assigns to `LReg[register].u32`.
    #[inline]
    fn set_lreg(&mut self, register: U<5>, lane: u32, value: u32) {
        self.note_write(lane);
        self.tensix.set_lreg(register.index(), U::<5>::new(lane).index(), value);
    }

    /// Leaves bits of a word of `LReg` open, which was assigned to.
    fn leave_open(&mut self, register: U<5>, lane: u32, mask: u32, citation: &'static Citation) {
        self.tensix.leave_lreg_open(register.index(), U::<5>::new(lane).index(), mask, citation);
    }

    /// `[109]`, `[119]` `LaneFlags`.
    fn lane_flags(&self, lane: u32) -> bool {
        U::<32>::new(self.tensix.small.lane_flags).bit(lane)
    }

    /// `[109]` Assigns to `LaneFlags`.
    fn set_lane_flags(&mut self, lane: u32, value: bool) {
        self.note_write(lane);
        set_bit(&mut self.tensix.small.lane_flags, lane, value);
    }

    /// `[110]`, `[120]` `UseLaneFlagsForLaneEnable`.
    fn use_lane_flags(&self, lane: u32) -> bool {
        U::<32>::new(self.tensix.small.use_lane_flags_for_lane_enable).bit(lane)
    }

    /// `[110]` Assigns to `UseLaneFlagsForLaneEnable`.
    fn set_use_lane_flags(&mut self, lane: u32, value: bool) {
        self.note_write(lane);
        set_bit(&mut self.tensix.small.use_lane_flags_for_lane_enable, lane, value);
    }

    /// Remembers an assignment that one reading of TX-17 does not have.
    fn note_write(&mut self, lane: u32) {
        self.wrote_with_open_backdoor |= self.is_backdoor_open(lane);
    }

    /// Whether the lane takes the instruction for a template.
    fn is_backdoor_open(&self, lane: u32) -> bool {
        !self.is_scheduled && lanes::is_backdoor_open(self.tensix.small, U::new(self.vd().get()), lane)
    }
}

/// Whether `mod1` has a bit of `modifier`: `Mod1 & modifier`, as a condition.
fn has(mod1: U<4>, modifier: u32) -> bool {
    (mod1 & modifier).get() != 0
}

fn set_bit(word: &mut u32, index: u32, value: bool) {
    *word = *word & !(1 << index) | u32::from(value) << index;
}

#[cfg(test)]
mod tests;
