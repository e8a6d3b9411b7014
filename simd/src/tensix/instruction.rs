//! What an instruction is at every level, and the thread and the configuration that it is executed with.
//!
//! An instruction is written once over a [`Vector`], or over what a level offers beyond vectors: a trait that stands with
//! the instructions which need it, has a default over vectors, and is overridden where a level does better.

use std::marker::PhantomData;
use std::ops::Deref;

use tandem_isa::tensix::config::{CFG_STATE_ID_StateID, CONFIG_WORDS, ConfigField};
use tandem_isa::tensix::inst::vector::{VB, VC, VD};
use tandem_isa::tensix::{Chip, Small, Tensix};
use tandem_isa::{Answer, CodeField, Edition, State, Step};

use crate::vector::{Task, Vector};

/// The current thread. There are three, whatever the two bits say.
#[inline(always)]
pub(crate) fn thread_of(small: &Small) -> usize {
    (small.current_thread as usize).min(2)
}

/// The word of an instruction, and the registers that take the place of those which it names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Code {
    word: [u32; 1],
    /// Those of an instruction that `SFPLOADMACRO` scheduled, else none. Where it is known that there are none, as wherever a
    /// word is executed by itself, nothing is asked.
    pub(crate) scheduled: Option<Registers>,
}

/// The registers of an instruction that was scheduled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Registers {
    /// One that can be written: 0 to 7, or 16.
    pub(crate) vd: usize,
    pub(crate) vb: usize,
    pub(crate) vc: usize,
}

impl Code {
    /// A word and registers.
    #[inline(always)]
    pub(crate) const fn new(word: u32, scheduled: Option<Registers>) -> Self {
        Code { word: [word], scheduled }
    }
}

/// A register of what is scheduled, else the one that a field of the word names.
#[inline(always)]
fn register(code: &Code, field: CodeField, of: impl FnOnce(Registers) -> usize) -> usize {
    code.scheduled.map_or(field.get(code) as usize, of)
}

/// The register `VC`.
#[inline(always)]
pub(super) fn vc(code: &Code) -> usize {
    register(code, VC, |registers| registers.vc)
}

/// The register `VB`, where it has a field.
#[inline(always)]
pub(super) fn vb(code: &Code) -> usize {
    register(code, VB, |registers| registers.vb)
}

/// The register `VD`.
#[inline(always)]
pub(super) fn vd(code: &Code) -> usize {
    vd_in(VD, code)
}

/// The register `VD`, if it has another field.
#[inline(always)]
pub(super) fn vd_in(field: CodeField, code: &Code) -> usize {
    register(code, field, |registers| registers.vd)
}

/// The register `VB` of pages that set it to `VD`.
#[inline(always)]
pub(super) fn vb_or_vd(code: &Code) -> usize {
    register(code, VD, |registers| registers.vb)
}

/// The register `VC` of pages that set it to `VD`.
#[inline(always)]
pub(super) fn vc_or_vd(code: &Code) -> usize {
    register(code, VD, |registers| registers.vc)
}

impl Deref for Code {
    type Target = [u32];

    #[inline(always)]
    fn deref(&self) -> &[u32] {
        &self.word
    }
}

/// What is executed, and as what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoded {
    /// The chip.
    pub(crate) chip: Chip,
    /// The edition of the pages.
    pub(crate) edition: Edition,
    /// The word.
    pub(crate) code: Code,
}

/// `Config[StateID]` of a thread.
///
/// `StateID` is read from all threads, and a shift chooses, so that these reads need not wait for the number of the thread.
#[derive(Clone, Copy)]
pub(crate) struct Config<'a> {
    bank: &'a [u32; CONFIG_WORDS],
}

impl<'a> Config<'a> {
    /// The configuration of a thread.
    #[inline(always)]
    pub(crate) fn of(small: &'a Small, thread: usize) -> Self {
        let [first, second, third] = small.thread_config.each_ref().map(|words| CFG_STATE_ID_StateID.get(words));
        let state_id = ((first | second << 1 | third << 2) >> thread) & 1;
        Config { bank: &small.config[state_id as usize] }
    }

    /// The value of a field.
    #[inline(always)]
    pub(crate) const fn get(self, field: ConfigField) -> u32 {
        field.get(self.bank)
    }
}

/// An instruction, over the vectors of a level.
pub(crate) trait Instruction<V: Vector> {
    /// Whether it is compiled for each chip by itself, as those are of which each chip has much at another place.
    const BY_CHIP: bool = false;

    /// Executes it. Each level inlines this into a function that is compiled for the level.
    fn execute(level: V::Level, step: Decoded, tensix: &mut Tensix<'_>) -> Answer;
}

/// Instructions of which nothing is done.
macro_rules! unsupported {
    ($($name:ident),+) => {$(
        #[doc = concat!("`", stringify!($name), "`, which is not supported.")]
        pub(crate) struct $name;

        impl<V: Vector> Instruction<V> for $name {
            #[inline(always)]
            fn execute(_: V::Level, _: Decoded, _: &mut Tensix<'_>) -> Answer {
                Answer::Unsupported
            }
        }
    )+};
}
pub(crate) use unsupported;

/// One instruction, with what says how it is executed.
pub(crate) struct Whole<'a, 'c, I> {
    instruction: PhantomData<I>,
    chip: Chip,
    step: &'a Step<'c>,
}

impl<'a, 'c, I> Whole<'a, 'c, I> {
    /// The instruction of a step, on a chip.
    #[inline(always)]
    pub(crate) fn new(chip: Chip, step: &'a Step<'c>) -> Self {
        Whole { instruction: PhantomData, chip, step }
    }
}

impl<V: Vector, I: Instruction<V>> Task<V> for Whole<'_, '_, I> {
    type On = State;
    type Output = Answer;

    #[inline(always)]
    fn run<const EXTRA: bool>(self, level: V::Level, state: &mut State) -> Answer {
        let [code] = *self.step.code else { return Answer::Unsupported };
        let tensix = &mut Tensix::new(state);
        let decoded = |chip| Decoded { chip, edition: self.step.edition, code: Code::new(code, None) };
        if !I::BY_CHIP {
            return I::execute(level, decoded(self.chip), tensix);
        }
        match self.chip {
            Chip::Wormhole => I::execute(level, decoded(Chip::Wormhole), tensix),
            Chip::Blackhole => I::execute(level, decoded(Chip::Blackhole), tensix),
        }
    }
}
