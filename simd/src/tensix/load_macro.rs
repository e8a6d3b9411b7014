//! `SFPLOADMACRO`: the load, and the instruction that it schedules, on both chips.
//!
//! What is scheduled is known before anything is done: nothing, an instruction with its registers, or a store. If nothing is
//! promised of it, the instruction is unsupported. Otherwise the load is that of `SFPLOAD`. Then comes the kernel of the
//! instruction, which finds the registers in its [`Code`], or the store, whose address is the one that the load computed.
//! What is scheduled is compiled over portable vectors only, whatever the level: all of it anew for each would be much code.
//!
//! What differs from the page (SFPLOADMACRO, commit f7fda211, of each chip), and why it is equal:
//! 1. `VD` and `Imm10` of the load: `Imm9` and `VDHi` lie where `SFPLOAD` has its `Imm10`.
//! 2. The loop over sub-units is one sub-unit: where others have something too, nothing is promised of one instruction alone,
//!    as with lanes that differ. Nor do delays matter, unless one ends with instructions that never come.
//! 3. What a column does not have is `SFPNOP`, which is nothing; in that of the store it is undefined. So the place of an
//!    instruction in the table is all that is asked for.
//! 4. `VB` and `VC` that have no field come from the `VD` of the template, which the kernels do not see. In `SFPSHFT2`, `VB` is a
//!    field only where an immediate names it: there it is assigned, unless the macro has assigned it.
//! 5. `VD` is 0 to 7 or 16, of which no lane asks for `DISABLE_BACKDOOR_LOAD`. The store is told not to ask, since its `VD` may be
//!    any. That of a result in `LReg[16]` leaves flags alone and is not chosen by `LReg[7]`, as the pages of kernels say.
//! 6. `SFPSWAP` needs an `SFPNOP` beside it, and for `MOD0_FMT_INT32_ALL` on Blackhole the page does not say what becomes of the
//!    stack pointer: both are unsupported. If nothing is promised of what is scheduled, the load has been done by then.

use tandem_isa::Answer;
use tandem_isa::tensix::inst::sfpload::{MOD0, load_macro, mod0};
use tandem_isa::tensix::{BLACKHOLE, Chip, Mnemonic, Tensix, WORMHOLE};

use super::instruction::{Code, Config, Decoded, Instruction, Registers, thread_of};
use super::rwcs::Counters;
use super::sfpu::{self, Address};
use super::{convert::*, exponents::*, flag_stack::*, float::*, lane_moves::*, sfpconfig::*, simple::*, table::*};
use super::{sfpload, sfpstore};

/// `SFPLOADMACRO`.
pub(crate) struct Sfploadmacro;

impl<V: Counters> Instruction<V> for Sfploadmacro
where
    V::Portable: Counters,
{
    #[inline(always)]
    fn execute(level: V::Level, step: Decoded, tensix: &mut Tensix<'_>) -> Answer {
        let Decoded { chip, code, .. } = step;
        let vd = (load_macro::VD_HI.get(&code) << 2 | load_macro::VD_LO.get(&code)) as usize;
        let Some(scheduled) = schedule(chip, &code, vd, tensix) else { return Answer::Unsupported };
        let address = sfpload::load::<V>(level, chip, &code, vd, tensix);
        run::<V::Portable>(V::PORTABLE, scheduled, address, step, tensix);
        Answer::Done
    }
}

/// What happens after the load.
#[derive(Clone, Copy, Debug)]
enum Scheduled {
    Nothing,
    Instruction { mnemonic: Mnemonic, code: Code },
    Store { vd: usize, mod0: u32 },
}

/// A column of the table, which has the number of its sub-unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Simple = 0,
    Mad = 1,
    Round = 2,
    Store = 3,
    /// None of these: what is not scheduled, and `SFPNOP`, which does nothing in either.
    Other,
}

macro_rules! columns {
    ($($column:ident: $($mnemonic:ident)*;)*) => {
        /// The column of an instruction of the Vector Unit.
        const fn column(mnemonic: Mnemonic) -> Option<Column> {
            match mnemonic {
                $($(Mnemonic::$mnemonic)|* => Some(Column::$column),)*
                Mnemonic::Sfpstore => Some(Column::Store),
                Mnemonic::Sfpload | Mnemonic::Sfploadi | Mnemonic::Sfploadmacro => Some(Column::Other),
                Mnemonic::Sfpnop => Some(Column::Other),
                _ => None,
            }
        }

        /// Executes an instruction of one of the first three columns.
        fn execute<V: Counters>(level: V::Level, mnemonic: Mnemonic, step: Decoded, tensix: &mut Tensix<'_>) {
            match mnemonic {
                $($(Mnemonic::$mnemonic => {
                    // Unsupported is only what nothing is promised of, and the load has been done.
                    let _: Answer = <$mnemonic as Instruction<V>>::execute(level, step, tensix);
                })*)*
                _ => {}
            }
        }
    };
}
columns! {
    Simple: Sfpabs Sfpand Sfparecip Sfpcast Sfpcompc Sfpconfig Sfpdivp2 Sfpencc Sfpexexp Sfpexman Sfpgt Sfpiadd Sfple
        Sfplz Sfpmov Sfpnot Sfpor Sfppopc Sfppushc Sfpsetcc Sfpsetexp Sfpsetman Sfpsetsgn Sfpshft Sfpswap Sfptransp Sfpxor;
    Mad: Sfpadd Sfpaddi Sfplut Sfplutfp32 Sfpmad Sfpmul Sfpmuli Sfpmul24;
    Round: Sfpshft2 Sfpstochrnd;
}

/// What all eight columns of lanes have, if they have the same.
fn alike(words: [u32; 8]) -> Option<u32> {
    words.iter().all(|&word| word == words[0]).then_some(words[0])
}

/// What a macro schedules; nothing if nothing is promised of it.
#[inline(never)]
fn schedule(chip: Chip, code: &Code, vd: usize, tensix: &mut Tensix<'_>) -> Option<Scheduled> {
    const KINDS: u32 = 0x0707_0707;
    const TO_16: u32 = 0x40;
    const OTHER: u32 = 0x80;
    let index = load_macro::MACRO_INDEX.get(code);
    let sequences = *tensix.load_macro_row(4 + index as usize);
    if sequences.iter().all(|word| word & KINDS == 0) {
        return Some(Scheduled::Nothing);
    }
    let sequence = alike(sequences)?;
    let unit = (sequence & KINDS).trailing_zeros() / 8;
    let bits = sequence >> (8 * unit);
    let (kind, delay) = (bits & 7, bits >> 3 & 7);
    let misc = tensix.small.load_macro_misc;
    let waits = delay != 0 && misc.iter().any(|misc| misc >> (8 + unit) & 1 != 0);
    if kind == 1 || bits & KINDS != kind || waits {
        return None;
    }

    let (facts, template) = match kind {
        2 => (Mnemonic::Sfpnop.on(chip), 0),
        3 => (Mnemonic::Sfpstore.on(chip), 0),
        _ => {
            let template = alike(*tensix.load_macro_row(kind as usize - 4))?;
            let mut all = chip.pick(&WORMHOLE, &BLACKHOLE).instructions.iter();
            (*all.find(|facts| facts.base_code[0] >> 24 == template >> 24)?, template)
        }
    };
    let mnemonic = Mnemonic::of(facts);
    let column = column(mnemonic)?;
    let of_template = |name| facts.code_field(name).map(|field| field.get(&[template]) as usize);
    let to = |usual| if bits & TO_16 != 0 { 16 } else { usual };
    if unit == Column::Store as u32 {
        let own = if bits & OTHER != 0 { of_template("VD")? } else { vd };
        let mod0 = match alike(misc.map(|misc| misc >> (4 + index) & 1))? {
            0 => alike(misc.map(|misc| misc & 0xf))?,
            _ => MOD0.get(code),
        };
        let is_promised = column == Column::Store && (chip == Chip::Wormhole || mod0 != mod0::INT32_ALL);
        return is_promised.then_some(Scheduled::Store { vd: to(own), mod0 });
    }
    if column as u32 != unit {
        return Some(Scheduled::Nothing);
    }
    if mnemonic == Mnemonic::Sfpswap {
        return None;
    }
    let [own_vb, own_vc] = ["VB", "VC"].map(of_template);
    // Without a field of its own, a register is the template's VD; what has none of these reads none.
    let own = |register: Option<usize>| register.or(of_template("VD")).unwrap_or(0);
    let (vb, vc) = if bits & OTHER != 0 { (vd, own(own_vc)) } else { (own(own_vb), vd) };
    Some(Scheduled::Instruction { mnemonic, code: Code::new(template, Some(Registers { vd: to(vd), vb, vc })) })
}

/// Does what is scheduled.
#[inline(never)]
fn run<V: Counters>(level: V::Level, scheduled: Scheduled, address: Address, step: Decoded, tensix: &mut Tensix<'_>) {
    match scheduled {
        Scheduled::Nothing => {}
        Scheduled::Instruction { mnemonic, code } => execute::<V>(level, mnemonic, Decoded { code, ..step }, tensix),
        Scheduled::Store { vd, mod0 } => {
            let small = &*tensix.small;
            let thread = thread_of(small);
            let mode = sfpu::resolve(step.chip, mod0, Config::of(small, thread), &small.thread_config[thread]);
            sfpstore::store::<V>(level, step.chip, (mode, address), (vd, true), tensix);
        }
    }
}
