//! `SFPLOADMACRO`: an `SFPLOAD`, and then an instruction of a template.
//!
//! *Source*: page SFPLOADMACRO (commit f7fda211), one text for each chip, whose lines have the same numbers.
//!
//! What is scheduled is executed to the end before the next instruction comes. What hangs on cycles is not promised (TX-133).
//!
//! After an outcome that promises nothing the state is of no meaning.

// Of pages `SFPLOADMACRO_WH` (wh) and `SFPLOADMACRO_BH` (bh).
// Shown by `what_is_scheduled_takes_its_registers_from_the_macro`, where nothing else is said.
//
// Of `isa/src/tensix/inst/sfpload.rs, load_macro`, shown by `encodings_and_texts_round_trip`:
// [wh 20-22, 24-25] [bh 20-22, 24-25] MacroIndex and VDLo are one argument; then come Mod0, AddrMod, and Imm9 and VDHi as one.
// [wh 23] AddrMod has two bits.
// [bh 23] AddrMod has three bits.
// [wh 30, TX-34] [bh 30, TX-34] A picture shows where the fields lie in the word.
//
// [wh 9] [bh 9] Of a Simple and a Round instruction of one cycle one alone may have VD of 16. Not modelled:
// of two nothing is promised.
// [wh 13] [bh 13] It is the one way to more than an instruction a cycle, and `SFPCONFIG` prepares it. Not modelled: cycles
// are not counted.
// [wh 34, 36, 38] [bh 34, 36, 38] Data move as `SFPLOAD` moves them, against the way of `SFPSTORE`. Not modelled: a summary.
// [wh 63] [bh 63] The rest is given by state. Not modelled: an introduction.
// [wh 70-73] [bh 70-73] A scheduled instruction replaces one that is to come at the same time. Not modelled: none is pending.
// [wh 135, TX-133] [bh 135, TX-133] When a delay ends, by cycles or by instructions. Not modelled: what is scheduled comes at once,
// and of what waits for instructions nothing is promised.
// [wh 149] [bh 149] A scheduled instruction discards an ordinary one of its cycle and sub-unit. Not modelled: cycles are not
// counted.
// [wh 153] [bh 153] Three unrelated instructions stand between the Matrix Unit and this one. Not modelled: cycle timing.
// [wh 155] [bh 155] Software keeps ordinary instructions out of the cycles of scheduled ones. Not modelled: advice.

use std::ops::ControlFlow;

use tandem_isa::tensix::inst::sfpload::{self as fields, load_macro, mod0};
use tandem_isa::tensix::inst::vector::{VB, VC, VD};
use tandem_isa::tensix::{Chip, Mnemonic, SFPLOADMACRO_BH, SFPLOADMACRO_WH, Tensix};
use tandem_isa::{Citation, Expectation, Step, tensix_instructions};

use super::lanes::{UNNAMED_REASON, unnamed_bits_of_move};
use super::vector::{Instruction, Scheduled};
use super::{sfpload, sfpstore, vector};
use crate::bits::U;

const SIMPLE: u32 = 0;
// The MAD and the Round sub-unit are 1 and 2.
const STORE: u32 = 3;
/// The load sub-unit, to which nothing is scheduled.
const LOAD: u32 = 4;

/// Which sub-unit can execute which instruction, on both chips.
// [wh 3, 5, 7] [bh 3, 5, 7] Four columns, of which each can be given an instruction.
// [wh 13] [bh 13] The load sub-unit executes what loads. (`what_a_sub_unit_lacks_becomes_a_nop`)
const COLUMNS: [&[Mnemonic]; 5] = {
    use Mnemonic::*;
    [
        &[
            Sfpabs, Sfpand, Sfpcast, Sfpcompc, Sfpconfig, Sfpdivp2, Sfpencc, Sfpexexp, Sfpexman, Sfpiadd, Sfplz,
            Sfpmov, Sfpnop, Sfpnot, Sfpor, Sfppopc, Sfppushc, Sfpsetcc, Sfpsetexp, Sfpsetman, Sfpsetsgn, Sfpshft,
            Sfpswap, Sfptransp, Sfpxor,
        ],
        &[Sfpadd, Sfpaddi, Sfplut, Sfplutfp32, Sfpmad, Sfpmul, Sfpmuli, Sfpnop],
        &[Sfpnop, Sfpshft2, Sfpstochrnd],
        &[Sfpstore],
        &[Sfpload, Sfploadi, Sfploadmacro, Sfpnop],
    ]
};
/// What Blackhole has besides.
const COLUMNS_BH: [&[Mnemonic]; 5] =
    [&[Mnemonic::Sfparecip, Mnemonic::Sfpgt, Mnemonic::Sfple], &[Mnemonic::Sfpmul24], &[], &[], &[]]; // [bh 7] Four more.

/// `CanExecuteOpcode`.
fn can_execute(chip: Chip, sub_unit: u32, mnemonic: Mnemonic) -> bool {
    let column = U::<3>::new(sub_unit).index();
    COLUMNS[column].contains(&mnemonic) || chip == Chip::Blackhole && COLUMNS_BH[column].contains(&mnemonic)
}

/// The function of an instruction that computes on `LReg`.
macro_rules! function {
    (vector $name:ident) => {
        Some(vector::$name as Instruction)
    };
    (immediate $name:ident) => {
        Some(vector::$name as Instruction)
    };
    (float $name:ident) => {
        Some(vector::$name as Instruction)
    };
    ($file:ident $name:ident) => {
        None
    };
}

macro_rules! functions {
    ($(
        $mnemonic:ident $name:literal $module:ident::$file:ident [$($chip:ident)*] $summary:literal
            |$on:pat_param| $facts:expr;
    )*) => {
        fn function(mnemonic: Mnemonic) -> Option<Instruction> {
            match mnemonic {
                $(Mnemonic::$mnemonic => function!($module $file),)*
            }
        }
    };
}
tensix_instructions!(functions);

/// The instruction of the Vector Unit of a chip that has the opcode of a template.
// [wh 59, TX-134] [bh 59, TX-134] Any instruction of the Vector Unit. (`what_is_not_promised_says_why`)
fn parse(chip: Chip, template: u32) -> Option<Mnemonic> {
    let is_of_unit = |mnemonic: Mnemonic| (SIMPLE..=LOAD).any(|sub_unit| can_execute(chip, sub_unit, mnemonic));
    let mut all = Mnemonic::ALL.iter().copied().filter(|mnemonic| mnemonic.is_on(chip));
    all.find(|mnemonic| is_of_unit(*mnemonic) && mnemonic.on(chip).matches(&[template]))
}

/// A citation of the page of the chip.
macro_rules! of_page {
    ($chip:expr, $place:literal, $reason:expr) => {
        $chip.pick(cite!(SFPLOADMACRO_WH, $place, $reason), cite!(SFPLOADMACRO_BH, $place, $reason))
    };
}

fn unspecified<T>(citation: &'static Citation) -> ControlFlow<Expectation, T> {
    ControlFlow::Break(Expectation::Unspecified(citation))
}

/// Of eight words one, if they are the same.
fn same(words: [u32; 8], citation: &'static Citation) -> ControlFlow<Expectation, u32> {
    // TX-133: the text allows it, and says little of it.
    if words.iter().any(|word| *word != words[0]) {
        return unspecified(citation);
    }
    ControlFlow::Continue(words[0])
}

const LANES_REASON: &str = "TX-133: LoadMacroConfig differs between lanes";

/// `SFPLOADMACRO`: data from `Dst` to a register, and an instruction of `LoadMacroConfig` after it.
// [wh 15] [bh 15] The load sub-unit executes it. Not modelled: which one does bears on cycles.
pub fn sfploadmacro(step: &Step<'_>, tensix: &mut Tensix<'_>) -> ControlFlow<Expectation> {
    let (chip, code) = (Chip::of(step.instruction), step.code);
    // TX-34: no page gives these bits a meaning.
    let encoding = of_page!(chip, "lines 20 to 25 and 30", UNNAMED_REASON);
    if let Some(refused) = unnamed_bits_of_move(chip, code, encoding) {
        return ControlFlow::Break(refused);
    }
    // [wh 45] [bh 45] The register is below 8.
    let vd = loaded(step);
    // [wh 42, 46] [bh 42, 46] It is an SFPLOAD; Imm9 and VDHi lie as Imm10 does.
    // (`what_is_stored_lies_where_the_macro_loaded`)
    let addr = sfpload::run(chip, step.edition, code, U::new(vd.get()), tensix)?;
    // [wh 49, 52-58, 60] [bh 49, 52-58, 60] `LoadMacroConfig`.
    let macro_index = load_macro::MACRO_INDEX.get(code);
    let sequences = *tensix.load_macro_row(U::<3>::new(4 + macro_index).index());
    // [wh 66-67, 76-79] [bh 66-67, 76-79] Eight bits for each sub-unit, of which three say what it gets: 0 is nothing.
    let has_kind = |sub_unit: u32, kind: u32| sequences.iter().any(|word| *word >> (sub_unit * 8) & 7 == kind);
    // [wh 80] [bh 80] And 1 is undefined. (`what_is_not_promised_says_why`)
    if (SIMPLE..=STORE).any(|sub_unit| has_kind(sub_unit, 1)) {
        return ControlFlow::Break(Expectation::Undefined(of_page!(chip, "line 80", "SequenceBits & 7 is 1")));
    }
    if sequences.iter().all(|word| *word & 0x0707_0707 == 0) {
        return ControlFlow::Continue(());
    }
    // [wh 137-138, TX-133] [bh 137-138, TX-133] Lanes may differ, but not in whether they store.
    // (`what_is_not_promised_says_why`)
    let sequence = same(sequences, of_page!(chip, "line 138", LANES_REASON))?;
    let is_scheduled = |sub_unit: &u32| sequence >> (*sub_unit * 8) & 7 != 0;
    let i = (SIMPLE..=STORE).find(is_scheduled).expect("a kind is not 0");
    // TX-133: what comes in which cycle is not modelled.
    if (SIMPLE..=STORE).filter(is_scheduled).count() > 1 {
        return unspecified(of_page!(chip, "lines 135 and 149", "TX-133: two sub-units are scheduled"));
    }
    let bits = U::<8>::new(sequence >> (i * 8));
    // [wh 68] [bh 68] Three bits more are the delay. (`what_is_not_promised_says_why`)
    let delay = (bits >> 3) & 7;
    // [wh 131-132, TX-133] [bh 131-132, TX-133] Whether it counts cycles or instructions. (`what_is_not_promised_says_why`)
    let waits = tensix.small.load_macro_misc.iter().any(|misc| U::<12>::new(*misc).bit(8 + i));
    if delay.get() != 0 && waits {
        return unspecified(of_page!(chip, "line 135", "TX-133: what is scheduled waits for instructions"));
    }
    let kind = (bits & 7).get();
    let mut template = 0;
    // [wh 81] [bh 81] 2 is SFPNOP. (`what_a_sub_unit_lacks_becomes_a_nop`)
    let mut opcode = Mnemonic::Sfpnop;
    if kind == 3 {
        // [wh 82] [bh 82] 3 is SFPSTORE of register 0. (`what_is_stored_lies_where_the_macro_loaded`)
        opcode = Mnemonic::Sfpstore;
    } else if kind >= 4 {
        // [wh 83-86] [bh 83-86] And 4 to 7 are the templates.
        let templates = *tensix.load_macro_row(U::<2>::new(kind - 4).index());
        template = same(templates, of_page!(chip, "line 138", LANES_REASON))?;
        match parse(chip, template) {
            Some(mnemonic) => opcode = mnemonic,
            // TX-134: what is of another unit has no place.
            None => {
                return unspecified(of_page!(chip, "line 59", "TX-134: the template is of no Vector Unit instruction"));
            }
        }
    }
    // [wh 88] [bh 88] What the sub-unit cannot execute becomes SFPNOP, (`what_a_sub_unit_lacks_becomes_a_nop`)
    if !can_execute(chip, i, opcode) {
        // [wh 90-92] [bh 90-92] which no store can be. (`what_is_not_promised_says_why`)
        if i == STORE {
            return ControlFlow::Break(Expectation::Undefined(of_page!(chip, "lines 90 to 92", "a store is SFPNOP")));
        }
        // [wh 89] [bh 89] It does nothing. (`what_a_sub_unit_lacks_becomes_a_nop`)
        return ControlFlow::Continue(());
    }
    if kind == 2 {
        return ControlFlow::Continue(());
    }
    // [wh 11] [bh 11] SFPSWAP needs an SFPNOP at its side. (`what_is_not_promised_says_why`)
    if opcode == Mnemonic::Sfpswap {
        return unspecified(of_page!(chip, "line 11", "SFPSWAP is without the SFPNOP in the MAD sub-unit"));
    }
    // [wh 96-97, 116] [bh 96-97, 116] Fields are overridden.
    if i == STORE { store(step, tensix, addr, bits, template) } else { compute(step, tensix, bits, template, opcode) }
}

/// An instruction of the first three sub-units.
fn compute(
    step: &Step<'_>,
    tensix: &mut Tensix<'_>,
    bits: U<8>,
    template: u32,
    opcode: Mnemonic,
) -> ControlFlow<Expectation> {
    let chip = Chip::of(step.instruction);
    let vd = loaded(step);
    let facts = opcode.on(chip);
    let insn_vd = facts.code_field(VD.name).map_or(0, |field| field.get(&[template]));
    let has_vb = facts.code_field(VB.name).is_some();
    let has_vc = facts.code_field(VC.name).is_some();
    let mut insn_vb = U::<5>::new(VB.get(&[template]));
    let mut insn_vc = U::<5>::new(VC.get(&[template]));
    // [wh 98-99] [bh 98-99] One operand is the register that was loaded:
    let is_vb = bits.bit(7);
    if is_vb {
        // [wh 100] [bh 100] VB,
        insn_vb = vd;
        // [wh 101-103] [bh 101-103] while VC, if the word has none, is its VD;
        if !has_vc {
            insn_vc = U::new(insn_vd);
        }
    } else {
        // [wh 105] [bh 105] or VC,
        insn_vc = vd;
        // [wh 106-108] [bh 106-108] while VB is.
        if !has_vb {
            insn_vb = U::new(insn_vd);
        }
    }
    // [wh 111-112] [bh 111-112] The result goes to register 16,
    // [wh 113-114] [bh 113-114] or to the one that was loaded.
    let insn_vd = if bits.bit(6) { U::new(16) } else { vd };
    let registers = Scheduled { vd: insn_vd, vb: insn_vb, vc: insn_vc, is_vb_of_macro: is_vb };
    match function(opcode) {
        // [wh 130] [bh 130] It is executed.
        Some(instruction) => {
            vector::execute_scheduled((chip, step.edition, &[template]), registers, tensix, instruction)
        }
        None => unreachable!("no column of the three has what moves to or from Dst: {opcode:?}"),
    }
}

/// An `SFPSTORE`.
fn store(step: &Step<'_>, tensix: &mut Tensix<'_>, addr: U<10>, bits: U<8>, template: u32) -> ControlFlow<Expectation> {
    let chip = Chip::of(step.instruction);
    // TX-34: no page gives these bits a meaning.
    if let Some(refused) = unnamed_bits_of_move(chip, &[template], of_page!(chip, "line 59", UNNAMED_REASON)) {
        return ControlFlow::Break(refused);
    }
    // [wh 117-119] [bh 117-119] What is stored is register 16,
    let insn_vd = if bits.bit(6) {
        U::new(16)
    } else if bits.bit(7) {
        // [wh 120-121] [bh 120-121] the one of the template,
        U::new(fields::VD.get(&[template]))
    } else {
        // [wh 122-124] [bh 122-124] or the one that was loaded.
        loaded(step)
    };
    // [wh 126] [bh 126] Mod0 is that of the load, or of the configuration.
    let macro_index = load_macro::MACRO_INDEX.get(step.code);
    let misc = tensix.small.load_macro_misc;
    let place = of_page!(chip, "line 138", LANES_REASON);
    let uses_load = same(misc.map(|misc| misc >> (4 + macro_index) & 1), place)? != 0;
    let insn_mod0 = if uses_load { fields::MOD0.get(step.code) } else { same(misc.map(|misc| misc & 15), place)? };
    // [wh 127] [bh 127] [bh 140, TX-135] Imm10 is that of the load, which gives the address with what the load saw besides.
    // (`what_is_not_promised_says_why`)
    if chip == Chip::Blackhole && insn_mod0 == mod0::INT32_ALL {
        return unspecified(of_page!(chip, "line 140", "TX-135: whether the stack pointer of a scheduled store moves"));
    }
    sfpstore::run_scheduled(chip, insn_vd, U::new(insn_mod0), addr, tensix)
}

/// `VD` of the load.
fn loaded(step: &Step<'_>) -> U<5> {
    U::new(load_macro::VD_HI.get(step.code) << 2 | load_macro::VD_LO.get(step.code))
}

#[cfg(test)]
mod tests;
