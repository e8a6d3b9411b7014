//! The reference once more, where each thing that a line does can be done wrong: its own dictionary of mistakes.
//!
//! The code is that of `tandem-reference`, written down again when the crate is built (`build/twister.rs`). Each operator,
//! condition, number, field, index, range and statement is a [`Site`]; what a site can do wrong is a
//! [`Twist`]. Nobody wrote these mistakes, so they are not where somebody thought of one.
//!
//! Nothing is twisted but while a [`Twin`] executes, and then only in its thread.

// `cite!` of the reference, which its code calls here as there.
#[macro_use]
extern crate tandem_reference;

mod rule;
#[macro_use]
pub mod site;

mod sites {
    use super::site::{Call, Site, SiteKind};

    /// The rows of all pieces.
    const fn joined<T: Copy, const N: usize>(pieces: &[&[T]]) -> [T; N] {
        let mut rows = [pieces[0][0]; N];
        let (mut piece, mut place, mut row) = (0, 0, 0);
        while piece < pieces.len() {
            if place == pieces[piece].len() {
                (piece, place) = (piece + 1, 0);
                continue;
            }
            rows[row] = pieces[piece][place];
            (place, row) = (place + 1, row + 1);
        }
        assert!(row == N, "every row is there");
        rows
    }

    include!(concat!(env!("OUT_DIR"), "/sites.rs"));
}

pub use tandem_reference::bits;

pub use sites::{CALLS, NUM_SITES, SITES};

#[allow(
    warnings,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    reason = "it is written by a program, for a compiler"
)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/twisted.rs"));
}
pub use generated::{tensix, visa};

use tandem_isa::{Expectation, Reference, State, Step};

use site::{Noted, Only, Reached, Site, SiteKind, Twist};

/// The twin of all references: as they are, with what it is told to do wrong.
#[derive(Clone, Debug)]
pub struct Twin {
    twists: Vec<Twist>,
    /// What sites beside those are told.
    companions: Vec<(u16, u16)>,
    only: Only,
    /// Whether any of them reads words of another thread or bank, or what was before.
    reads_elsewhere: bool,
    keeps: Vec<site::Keep>,
    /// Turns that all loops of an execution may take together.
    turns: u32,
    /// Whether it does something also where it would have nothing to promise.
    insists: bool,
}

impl Default for Twin {
    fn default() -> Self {
        Twin::new(Vec::new(), Only::default())
    }
}

impl Twin {
    /// A twin that does these things wrong, where `only` allows it.
    #[must_use]
    pub fn new(twists: Vec<Twist>, only: Only) -> Self {
        let reads_elsewhere =
            twists.iter().any(|&twist| matches!(site_of(twist).kind, SiteKind::Field | SiteKind::Read));
        let companions = twists.iter().flat_map(|twist| twist.companions()).collect();
        Twin { twists, companions, only, reads_elsewhere, keeps: Vec::new(), turns: site::FUEL, insists: false }
    }

    /// The same twin with loops that end after fewer turns than any instruction needs.
    #[must_use]
    pub fn limited(self, turns: u32) -> Self {
        Twin { turns: turns.min(site::FUEL), ..self }
    }

    /// The same twin, which does something also where by what it does wrong nothing would be promised: whoever makes the mistake knows
    /// nothing of that.
    #[must_use]
    pub fn insisting(self) -> Self {
        Twin { insists: true, ..self }
    }

    /// The same twin with sites, by their numbers, that give what they should have given in the execution before, if there was
    /// one that came to them.
    #[must_use]
    pub fn keeping(self, sites: impl Iterator<Item = u16>) -> Self {
        Twin { keeps: sites.map(site::Keep::new).collect(), ..self }
    }

    /// Forgets earlier executions.
    pub fn forget(&mut self) {
        self.keeps.iter_mut().for_each(|keep| *keep = site::Keep::new(keep.site));
    }

    /// Executes an instruction as the reference does, but for what this twin does wrong.
    pub fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Expectation {
        let _followed = site::Followed::new(
            (&self.twists, &self.companions),
            self.only,
            &mut self.keeps,
            (self.turns, self.insists),
        );
        if self.reads_elsewhere {
            others_of(step, state).set();
        }
        straight(step, state)
    }
}

impl Reference for Twin {
    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Expectation {
        Twin::execute(self, step, state)
    }
}

/// The words of all threads and banks.
fn others_of(step: &Step<'_>, state: &mut State) -> site::Others {
    if is_visa(step) {
        return site::Others::default();
    }
    let small = &*tandem_isa::tensix::Tensix::new(state).small;
    site::Others {
        thread_config: small.thread_config.to_vec(),
        config: small.config.to_vec(),
        small: Some(Box::new(*small)),
    }
}

fn is_visa(step: &Step<'_>) -> bool {
    step.instruction.isa == tandem_isa::visa::VISA.name
}

/// Executes an instruction with whatever the thread follows.
fn straight(step: &Step<'_>, state: &mut State) -> Expectation {
    if is_visa(step) { visa::VisaReference.execute(step, state) } else { tensix::TensixReference.execute(step, state) }
}

/// Adds to `reached`, which has an entry for each site, what an execution reaches, and says what that was.
pub fn note(reached: &mut Vec<Reached>, step: &Step<'_>, state: &mut State) -> Noted {
    note_at(0..NUM_SITES, reached, step, state)
}

/// The same of some sites alone: the others cost nothing.
fn note_at(
    sites: impl Iterator<Item = usize> + Clone,
    reached: &mut Vec<Reached>,
    step: &Step<'_>,
    state: &mut State,
) -> Noted {
    others_of(step, state).set();
    site::note(reached, sites, || {
        let _ = straight(step, state);
    })
}

/// Which of some twists may change anything in an execution, which takes about as long as to do one of them: those that give
/// something else at their sites. `reached` is of earlier calls, or empty.
pub fn mattering(twists: &[Twist], reached: &mut Vec<Reached>, step: &Step<'_>, state: &mut State) -> Vec<bool> {
    // What else could be done wrong at these sites is not tried, as if that were known to matter.
    let all = |reached: &mut Reached| (reached.times, reached.matters) = (0, u32::MAX);
    if reached.is_empty() {
        reached.resize(NUM_SITES, Reached::default());
        reached.iter_mut().for_each(all);
    }
    let sites = twists.iter().map(|twist| usize::from(twist.site));
    for twist in twists {
        reached[usize::from(twist.site)].matters &= !bit_of(*twist);
    }
    note_at(sites.clone(), reached, step, state);
    let matter = twists.iter().map(|&twist| matters(reached, twist)).collect();
    sites.for_each(|site| all(&mut reached[site]));
    matter
}

/// Everything that can be done wrong at the sites that were reached, and that mattered there.
pub fn mattered(reached: &[Reached]) -> impl Iterator<Item = Twist> {
    (0..reached.len()).flat_map(Twist::all_of).filter(|&twist| matters(reached, twist))
}

/// A twist, in each of the calls that came to its site beside others.
pub fn in_calls(reached: &[Reached], twist: Twist) -> impl Iterator<Item = Twist> {
    twist.in_calls(&reached[usize::from(twist.site)])
}

/// What else could be wrong at the sites that were reached: see [`Twist::further`].
pub fn further(reached: &[Reached]) -> impl Iterator<Item = Twist> {
    reached.iter().enumerate().flat_map(|(site, reached)| Twist::further(site, reached))
}

/// A twist, with what it takes to say fast whether it mattered in a case.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    site: u16,
    /// Its bit in [`Reached::matters`]; none if it has none.
    bit: u32,
    /// Of its result one of these bits must have been set.
    bits: i128,
    /// The call in which alone it is done wrong.
    call: Option<u16>,
}

impl Asked {
    /// Of a twist.
    #[must_use]
    pub fn of(twist: Twist) -> Self {
        let bit = if twist.otherwise().is_some() { 0 } else { bit_of(twist) };
        Asked { site: twist.site, bit, bits: twist.bits_lost(), call: twist.call().map(|call| call as u16) }
    }

    /// [`matters`] of it.
    #[must_use]
    pub fn matters(self, reached: &[Reached]) -> bool {
        let site = &reached[usize::from(self.site)];
        let is_reached = site.times > 0 && self.call.is_none_or(|call| site.is_within(call));
        is_reached && (self.bit == 0 || site.matters & self.bit != 0) && site.had_any(self.bits)
    }
}

/// Whether a twist mattered at its site, if that was reached.
#[must_use]
pub fn matters(reached: &[Reached], twist: Twist) -> bool {
    Asked::of(twist).matters(reached)
}

/// The bit of a twist in [`Reached::matters`], if it has one.
fn bit_of(twist: Twist) -> u32 {
    Twist::all_of(usize::from(twist.site)).position(|other| other == twist.anywhere()).map_or(0, |place| 1 << place)
}

/// The site of a twist.
#[must_use]
pub fn site_of(twist: Twist) -> &'static Site {
    &SITES[usize::from(twist.site)]
}
