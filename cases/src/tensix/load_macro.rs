//! Cases of `SFPLOADMACRO`, on both chips: the axes of its load are those of `SFPLOAD`.

use std::marker::PhantomData;

use tandem_isa::lists::{join, total};
use tandem_isa::tensix::inst::sfpload::load_macro::{MACRO_INDEX, VD_HI, VD_LO};
use tandem_isa::tensix::inst::sfpload::{ADDR_MOD, ADDR_MOD_BH, MOD0, UNNAMED_BITS, UNNAMED_BITS_BH, mod0};
use tandem_isa::tensix::inst::vector::{IMM_HIGH, MOD1, VA, VC};
use tandem_isa::tensix::{Chip, Mnemonic, WORMHOLE, bank};
use tandem_isa::{Axis, Bank, BenchClass, CodeField, Levels, Noise, Parts, Recording};

use super::addr_mod_axes::AddrModField;
use super::lens::{Lens, Partition, ROWS, split};
use super::parts::{axis, peek, small};
use super::sfpu_axes::{Orthogonal, Unnamed, prepare, prepare_blackhole};
use super::sfpu_modes::{MOD0_NAMES, SfpuForm};
use super::vector::choose_data;
use super::{CASES, Cases, On, axes, value_class};

/// `SFPLOADMACRO` on one of the chips.
struct Macro<C>(PhantomData<C>);

impl<C: On> AddrModField for Macro<C> {
    const FIELD: CodeField = Self::CHIP.pick(ADDR_MOD, ADDR_MOD_BH);
    const CHIP: Chip = C::CHIP;
}

impl<C: On> SfpuForm for Macro<C> {
    const LOADS: bool = true;
    const REGISTERS: &'static [(u32, u32)] = &[(0, 15)];
}

impl<C: On> Unnamed for Macro<C> {
    const BITS: u32 = Self::CHIP.pick(UNNAMED_BITS, UNNAMED_BITS_BH);
}

// -------------------------------------------------------------------------------------------------- what is scheduled

const BANK: &Bank = &WORMHOLE.layout.banks[bank::LOAD_MACRO_CONFIG];
/// The row of the first sequence; templates are in those before it.
const SEQUENCES: usize = 4;
/// The sub-unit that stores.
const STORE: u32 = 3;

macro_rules! scheduled {
    ($($name:ident $unit:literal $text:literal;)*) => {
        /// Templates, by the sub-unit that executes them: Simple, MAD, Round, Store.
        const TEMPLATES: &[(Mnemonic, u32)] = &[$((Mnemonic::$name, $unit)),*];
        const NAMES: &[&str] = &[$($text),*];
    };
}
scheduled! {
    Sfpabs 0 "SFPABS"; Sfpand 0 "SFPAND"; Sfpcast 0 "SFPCAST"; Sfpcompc 0 "SFPCOMPC"; Sfpconfig 0 "SFPCONFIG";
    Sfpdivp2 0 "SFPDIVP2"; Sfpencc 0 "SFPENCC"; Sfpexexp 0 "SFPEXEXP"; Sfpexman 0 "SFPEXMAN"; Sfpiadd 0 "SFPIADD";
    Sfplz 0 "SFPLZ"; Sfpmov 0 "SFPMOV"; Sfpnop 0 "SFPNOP"; Sfpnot 0 "SFPNOT"; Sfpor 0 "SFPOR"; Sfppopc 0 "SFPPOPC";
    Sfppushc 0 "SFPPUSHC"; Sfpsetcc 0 "SFPSETCC"; Sfpsetexp 0 "SFPSETEXP"; Sfpsetman 0 "SFPSETMAN";
    Sfpsetsgn 0 "SFPSETSGN"; Sfpshft 0 "SFPSHFT"; Sfpswap 0 "SFPSWAP"; Sfptransp 0 "SFPTRANSP"; Sfpxor 0 "SFPXOR";
    Sfpadd 1 "SFPADD"; Sfpaddi 1 "SFPADDI"; Sfplut 1 "SFPLUT"; Sfplutfp32 1 "SFPLUTFP32"; Sfpmad 1 "SFPMAD";
    Sfpmul 1 "SFPMUL"; Sfpmuli 1 "SFPMULI"; Sfpshft2 2 "SFPSHFT2"; Sfpstochrnd 2 "SFPSTOCHRND"; Sfpstore 3 "SFPSTORE";
    Sfparecip 0 "SFPARECIP"; Sfpgt 0 "SFPGT"; Sfple 0 "SFPLE"; Sfpmul24 1 "SFPMUL24";
}
/// The levels behind those of the templates.
const OTHERS: [(What, &str); 7] = [
    (What::Nothing, "nothing"),
    (What::StoreByCode, "SFPSTORE, by its code"),
    (What::NopByCode, "SFPNOP, by its code"),
    (What::OtherUnit, "of another sub-unit"),
    (What::Undefined, "undefined code"),
    (What::NoInstruction, "of no instruction"),
    (What::Several, "several, or lanes that differ"),
];
const OTHER_NAMES: &[&str] = &{
    let (mut names, mut place) = ([""; OTHERS.len()], 0);
    while place < names.len() {
        names[place] = OTHERS[place].1;
        place += 1;
    }
    names
};
/// What is scheduled: a template that the chip has, or one of [`OTHERS`].
const LISTS_WH: &[&[&str]] = &[NAMES.split_at(templates(Chip::Wormhole)).0, OTHER_NAMES];
const LEVELS_WH: &[&str] = &join::<_, { total(LISTS_WH) }>("", LISTS_WH);
const LISTS_BH: &[&[&str]] = &[NAMES, OTHER_NAMES];
const LEVELS_BH: &[&str] = &join::<_, { total(LISTS_BH) }>("", LISTS_BH);

/// How many of the templates a chip has: the first ones.
const fn templates(chip: Chip) -> usize {
    match chip {
        Chip::Wormhole => TEMPLATES.len() - 4,
        Chip::Blackhole => TEMPLATES.len(),
    }
}

/// What is scheduled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Template(usize),
    Nothing,
    StoreByCode,
    NopByCode,
    OtherUnit,
    Undefined,
    NoInstruction,
    Several,
}

impl What {
    fn of_level(chip: Chip, level: usize) -> Self {
        level.checked_sub(templates(chip)).map_or(What::Template(level), |other| OTHERS[other].0)
    }

    fn level(self, chip: Chip) -> usize {
        match self {
            What::Template(place) => place,
            other => templates(chip) + OTHERS.iter().position(|(one, _)| *one == other).expect("it has all"),
        }
    }
}

/// The place of a template for speed.
const SFPMAD: usize = 29;
const _: () = assert!(matches!(TEMPLATES[SFPMAD], (Mnemonic::Sfpmad, 1)));

/// What a word is for a sub-unit of a chip.
fn what_of(chip: Chip, word: u32, unit: u32) -> What {
    let has_opcode = |mnemonic: Mnemonic| mnemonic.is_on(chip) && mnemonic.on(chip).base_code[0] >> 24 == word >> 24;
    match TEMPLATES.iter().position(|&(mnemonic, _)| has_opcode(mnemonic)) {
        Some(place) if TEMPLATES[place].1 == unit || (TEMPLATES[place].0 == Mnemonic::Sfpnop && unit != STORE) => {
            What::Template(place)
        }
        None if ![Mnemonic::Sfpload, Mnemonic::Sfploadi, Mnemonic::Sfploadmacro].into_iter().any(has_opcode) => {
            What::NoInstruction
        }
        _ => What::OtherUnit,
    }
}

/// What is scheduled, and the byte of the sub-unit that it is scheduled for.
fn scheduled(chip: Chip, parts: &Parts<'_>) -> (What, u32) {
    let Some(sequence) = parts.salt.settings.get(SEQUENCES + MACRO_INDEX.get(parts.code) as usize) else {
        return (What::Several, 0);
    };
    let bytes = sequence.to_le_bytes().map(u32::from);
    let mut busy = (0..).zip(bytes).filter(|(_, byte)| byte & 7 != 0);
    let what = match (busy.next(), busy.next()) {
        _ if bytes.iter().any(|byte| byte & 7 == 1) => What::Undefined,
        (None, _) => What::Nothing,
        (_, Some(_)) => What::Several,
        (Some((unit, byte)), None) => match byte & 7 {
            2 => What::NopByCode,
            3 if unit == STORE => What::StoreByCode,
            3 => What::OtherUnit,
            code => {
                let template = parts.salt.settings.get(code as usize - SEQUENCES);
                template.map_or(What::Several, |template| what_of(chip, template, unit))
            }
        },
    };
    (what, bytes.into_iter().find(|byte| byte & 7 != 0).unwrap_or(0))
}

/// Whether something is executed, so that the cell says what becomes of its registers.
const fn is_executed(what: What) -> bool {
    matches!(what, What::Template(_) | What::StoreByCode)
}

/// `SFPSHFT2_MOD1_SHFT_IMM`.
const SHFT_IMM: u32 = 6;

/// A word of an instruction: what its fields hold is drawn, mostly so that the word is of a form that its page has.
fn template(chip: Chip, mnemonic: Mnemonic, noise: &mut Noise) -> u32 {
    let facts = mnemonic.on(chip);
    // Fields are often zero, as some forms of a word have fewer of them, and modifiers often few.
    let mut bits = 0;
    for field in facts.code_fields {
        let drawn = noise.bits(field.width) & if field.name == "Mod1" { [7, 15][noise.below(2)] } else { !0 };
        bits |= (drawn * u32::from(noise.below(3) != 0)) << field.shift;
    }
    let unnamed = if noise.below(32) == 0 { noise.bits(24) } else { 0 };
    let mut word = [facts.base_code[0] & 0xff00_0000 | bits | unnamed];
    let all_forms = noise.below(8) == 0;
    match mnemonic {
        _ if all_forms => {}
        // One form has a shift, and the others two registers.
        Mnemonic::Sfpshft2 => {
            let mode = noise.below(7) as u32;
            MOD1.set(&mut word, mode);
            if mode == SHFT_IMM { VC.set(&mut word, 0) } else { IMM_HIGH.set(&mut word, 0) }
        }
        // These are to have the registers of 1 and of 0.
        Mnemonic::Sfpadd => VA.set(&mut word, 10),
        Mnemonic::Sfpmul => VC.set(&mut word, 9),
        // Of one form the pages do not say which register the macro gives it.
        Mnemonic::Sfpand | Mnemonic::Sfpor if chip == Chip::Blackhole => MOD1.set(&mut word, 1),
        _ => {}
    }
    word[0]
}

fn schedule(chip: Chip, parts: &mut Parts<'_>, what: What, noise: &mut Noise) {
    for field in [MACRO_INDEX, VD_LO, VD_HI] {
        let bits = noise.bits(field.width);
        field.set(parts.code, bits);
    }
    let number = MACRO_INDEX.get(parts.code) as usize;
    let slot = noise.below(4);
    let (mut unit, mut code) = (noise.below(4), SEQUENCES + slot);
    let mut word = noise.bits(32);
    match what {
        What::Nothing | What::Several => {}
        What::StoreByCode => (unit, code) = (STORE as usize, 3),
        What::NopByCode => (unit, code) = (noise.below(3), 2),
        What::OtherUnit => {
            let others = [Mnemonic::Sfpload, Mnemonic::Sfploadi, Mnemonic::Sfploadmacro, Mnemonic::Sfpmad];
            let others = [&others[..], &[Mnemonic::Sfpshft2, Mnemonic::Sfpstore, Mnemonic::Sfpor]].concat();
            word = template(chip, others[noise.below(others.len())], noise);
            // Store is the one for which this is undefined.
            unit = [0, 1, 2, 0, 1, 2, 3][noise.below(7)];
            while what_of(chip, word, unit as u32) != What::OtherUnit {
                unit = (unit + 1) % 3;
            }
        }
        What::Undefined => code = 1,
        What::NoInstruction => word = noise.bits(24) | [0x02, 0x12, 0x45, 0xb2][noise.below(4)] << 24,
        What::Template(place) => {
            let (mnemonic, of) = TEMPLATES[place];
            unit = if mnemonic == Mnemonic::Sfpnop { noise.below(3) } else { of as usize };
            word = template(chip, mnemonic, noise);
        }
    }
    // Most are executed at once.
    let mut byte = || (if noise.below(2) == 0 { 0 } else { noise.bits(3) << 3 }) | noise.bits(2) << 6;
    let mut bytes = [byte(), byte(), byte(), byte()];
    bytes[unit] |= code as u32;
    match what {
        What::Nothing => bytes[unit] &= !7,
        What::Several => bytes[(unit + 1) % 4] |= 2 + noise.bits(2),
        _ => {}
    }
    let sequence = (0..4).fold(0, |sequence, unit| sequence | bytes[unit] << (8 * unit));
    let settings = &mut parts.salt.settings;
    settings.set(BANK, slot, word);
    settings.set(BANK, SEQUENCES + number, sequence);
    choose_data(value_class::LREG_ANY, parts, noise);
}

impl<C: On> Macro<C> {
    const SCHEDULED: Axis = axis!(
        "scheduled",
        C::CHIP.pick(LEVELS_WH, LEVELS_BH),
        &[],
        |parts, level, noise| schedule(Self::CHIP, parts, What::of_level(Self::CHIP, level), noise),
        |parts| scheduled(Self::CHIP, parts).0.level(Self::CHIP)
    );

    /// A bit of the byte of the sequence; the cell of what is not executed does not tell it.
    fn bit(parts: &Parts<'_>, bit: u32) -> usize {
        let (what, byte) = scheduled(Self::CHIP, parts);
        if is_executed(what) { (byte >> bit & 1) as usize } else { 0 }
    }

    fn set_bit(parts: &mut Parts<'_>, bit: u32, level: usize) {
        let (what, _) = scheduled(Self::CHIP, parts);
        let row = SEQUENCES + MACRO_INDEX.get(parts.code) as usize;
        let Some(sequence) = parts.salt.settings.get(row).filter(|_| is_executed(what)) else { return };
        let busy = (0..32).step_by(8).find(|shift| sequence >> shift & 7 != 0).unwrap_or(0);
        let mask = 1 << (busy + bit);
        parts.salt.settings.set(BANK, row, if level == 0 { sequence & !mask } else { sequence | mask });
    }

    const RESULT: Axis =
        axis!("register", &["VD", "16"], &[], |parts, level, _| Self::set_bit(parts, 6, level), |parts| Self::bit(
            parts, 6
        ));
    const OPERAND: Axis =
        axis!("operand", &["VC", "VB"], &[], |parts, level, _| Self::set_bit(parts, 7, level), |parts| Self::bit(
            parts, 7
        ));

    fn has(levels: &Levels) -> bool {
        is_executed(What::of_level(Self::CHIP, usize::from(levels[0]))) || (levels[1] == 0 && levels[2] == 0)
    }

    /// `Misc` of all lanes: mostly the same, and nothing waits for instructions.
    const MISC: Axis = axis!(
        "Misc",
        &["cycles", "instructions", "lanes that differ"],
        &[12, 1, 1],
        |parts, level, noise| {
            let one = noise.bits(8) | if level == 1 { 0xf00 } else { 0 };
            for word in &mut small(parts).load_macro_misc {
                *word = if level == 2 { noise.bits(12) } else { one };
            }
        },
        |parts| {
            let misc = peek(parts).load_macro_misc;
            match misc {
                _ if misc.iter().any(|word| *word != misc[0]) => 2,
                _ => usize::from(misc[0] >> 8 != 0),
            }
        }
    );
    const MOD0: Axis = split!("Mod0", &MOD0_NAMES, &[], Lens::Code(MOD0), Partition::Each);

    const ORTHOGONAL: [&'static [Axis]; 2] = axes!(Orthogonal::<Self>::ALL, &[Self::MOD0, Self::MISC]);

    const BENCH_CLASSES: &'static [BenchClass] = &[BenchClass::whole("sfploadmacro", |parts, noise| {
        Orthogonal::<Self>::bench(parts, mod0::BF16, noise);
        schedule(Self::CHIP, parts, What::Template(SFPMAD), noise);
        let index = MACRO_INDEX.get(parts.code) as usize;
        // VA, VB and VC of 0 to 2, to register 3, at once.
        parts.salt.settings.set(BANK, 0, 0x8400_1230);
        parts.salt.settings.set(BANK, SEQUENCES + index, 0x0000_0400);
        VD_LO.set(parts.code, 3);
        VD_HI.set(parts.code, 0);
    })];

    const fn cases() -> Cases {
        Cases {
            path: [&[Self::SCHEDULED, Self::RESULT, Self::OPERAND]; 2],
            has: Self::has,
            orthogonal: Self::ORTHOGONAL,
            prepare: C::CHIP.pick(prepare, prepare_blackhole),
            // The register that is loaded has a bit in the address.
            finish: |parts, levels, _| {
                let imm10 = Self::ORTHOGONAL[0].iter().position(|axis| axis.name == "imm10").expect("it is there");
                if usize::from(levels[imm10]) != ROWS.len() - 1 {
                    levels[imm10] = (Self::ORTHOGONAL[0][imm10].get)(parts) as u8;
                }
            },
            sweep: Orthogonal::<Self>::SWEEP,
            recording: Recording {
                always: &["lane_flags"],
                unpromised: C::CHIP.pick(
                    &["row_validity", "unnamed_bits", "Misc"],
                    &["row_validity", "extra_addr_mod_bit", "unnamed_bits", "Misc"],
                ),
                source_rows: 4,
                ..CASES.recording
            },
            bench_classes: Self::BENCH_CLASSES,
            ..CASES
        }
    }
}

pub(super) const fn sfploadmacro<C: On>() -> Cases {
    Macro::<C>::cases()
}
