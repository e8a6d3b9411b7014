//! The generator: a case is a pure function of its id.

use std::sync::Arc;

use tandem_isa::{
    AlignedBytes, Axis, CellSpace, Code, DRAW_TABLE, Edition, Field, Instruction, Isa, Levels, MAX_AXES, Narrowing,
    Noise, Parts, Quantity, SaltPlan, State, Sweep, mix64,
};

use crate::case::{DrawnCase, Fit, Held, Question};
use crate::terms::{
    DataAtom,
    sequence::{self, below, low},
};
use crate::{CaseId, Pools, Salter};

/// Cases of a cell that share one background.
const EPOCH: u64 = 32;
/// Backgrounds of the small state in one epoch: all fields zero, all fields at their largest, and random ones.
pub(crate) const SMALL_VARIANTS: usize = 8;
/// The first so many of them are the same in all epochs.
const FIXED_VARIANTS: usize = 2;
/// Of a target that refuses something, one case in so many asks for a cell that it does not offer, and one for whatever
/// comes.
const ASKED: u64 = 40;
/// The first cases of each cell draw corner values only.
const CORNERS_FIRST: u64 = 6;
/// From this case of a cell on, one in two sweeps.
const SWEEPS_FROM: u64 = 8;
/// One case in so many of a cell has pairs of corners; the first is the last of these.
const PAIRS: u64 = 16;
/// Bits of a number of which each pair of values is to come.
const MEETING_BITS: u32 = 10;

/// The epoch that a case lies in.
#[must_use]
pub const fn epoch_of(index: u64) -> u64 {
    index / EPOCH
}

/// What a worker's state is put back to between cases: random everywhere, the same for all cases of an epoch.
pub(crate) struct Background {
    pub(crate) epoch: u64,
    pub(crate) arena: AlignedBytes,
    pub(crate) small: Vec<AlignedBytes>,
}

/// Where the cases of a run come from.
#[derive(Clone)]
pub struct CaseSource {
    /// The seed of the run.
    pub seed: u64,
    /// What operands are drawn from.
    pub pools: Arc<Pools>,
    /// The rules by which cases are drawn, if what a target refuses is known.
    pub held: Option<Arc<Held>>,
}

impl CaseSource {
    /// All cases of a seed, whatever a target refuses.
    #[must_use]
    pub fn new(isa: &'static Isa, seed: u64) -> Self {
        CaseSource { seed, pools: Pools::new(isa, seed), held: None }
    }

    /// Other cases, drawn by the same rules.
    #[must_use]
    pub fn anew(&self, isa: &'static Isa, seed: u64) -> Self {
        CaseSource { held: self.held.clone(), ..CaseSource::new(isa, seed) }
    }

    /// What draws the cases of an instruction in an edition.
    #[must_use]
    pub fn generator(&self, isa: &'static Isa, (instruction, edition): (&'static Instruction, Edition)) -> Generator {
        let held = self.held.clone();
        Generator { held, ..Generator::new(isa, instruction, edition, self.seed, Arc::clone(&self.pools)) }
    }
}

/// Generates the cases of one instruction in one edition.
pub struct Generator {
    /// The instruction set.
    pub isa: &'static Isa,
    /// The instruction.
    pub instruction: &'static Instruction,
    /// The edition.
    pub edition: Edition,
    /// The seed of the run.
    pub seed: u64,
    /// The cells.
    pub cells: &'static CellSpace,
    /// The orthogonal axes.
    pub orthogonal: &'static [Axis],
    /// Ends every case in place of [`Instruction::finish`]: how a speed class or an exhaustive run narrows the cases.
    pub adjust: Option<fn(&mut Parts<'_>, &mut Noise)>,
    /// Draws no axes, because [`Generator::adjust`] decides all that they would.
    pub skips_axes: bool,
    /// What the target refuses: cases are drawn so that it answers, but for some.
    pub held: Option<Arc<Held>>,
    tables: Vec<[u8; DRAW_TABLE]>,
    /// From one cell to the next that is visited.
    stride: u64,
    /// The levels that a case has by its place among those of its cell: one that sweeps, and one that has pairs of corners.
    sweeping: Forced,
    paired: Forced,
    /// The numbers of which cases that sweep have each pair of values.
    meeting: Vec<Vec<Quantity>>,
    pools: Arc<Pools>,
    background: Background,
}

/// Levels that axes have whatever is drawn, a bit for each axis that has one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forced {
    axes: u64,
    levels: Levels,
}

impl Forced {
    const NONE: Forced = Forced { axes: 0, levels: [0; MAX_AXES] };

    /// Each as `axis` or `axis=level`. What an edition does not have is left out.
    fn new(instruction: &Instruction, axes: &[Axis], entries: &[&str]) -> Self {
        let mut forced = Forced::NONE;
        for entry in entries {
            if let Some((axis, level)) = instruction.level_named(axes, entry) {
                forced.axes |= 1 << axis;
                forced.levels[axis] = level;
            }
        }
        forced
    }
}

/// What was drawn for a case, besides the state.
#[derive(Clone, Copy, Debug)]
pub struct Drawn {
    /// The code words.
    pub code: Code,
    /// The level of each orthogonal axis.
    pub orthogonal: Levels,
    /// What its rows are salted with.
    pub salt: SaltPlan,
    /// How it came out of holding, if there are rules.
    pub(crate) by_rules: Option<ByRules>,
}

/// How a case that was drawn by rules came out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByRules {
    /// Whether no rule refuses its numbers.
    pub(crate) fits: bool,
    /// Kinds of data by which it is refused, if it has them.
    pub(crate) watched: u64,
    /// The cell that it has.
    pub(crate) cell: Option<u32>,
}

impl Generator {
    /// A generator over `pools`, which were built with the same seed.
    #[must_use]
    pub fn new(
        isa: &'static Isa,
        instruction: &'static Instruction,
        edition: Edition,
        seed: u64,
        pools: Arc<Pools>,
    ) -> Self {
        let (cells, orthogonal) = ((instruction.cells)(edition), (instruction.orthogonal)(edition));
        assert!(orthogonal.len() <= MAX_AXES, "an instruction has at most {MAX_AXES} orthogonal axes");
        let background = Background::new(isa, instruction.background, &pools, seed, 0);
        Generator {
            isa,
            instruction,
            edition,
            seed,
            cells,
            orthogonal,
            adjust: None,
            skips_axes: false,
            held: None,
            tables: draw_tables(orthogonal),
            stride: stride(cells.len() as u64),
            sweeping: Forced::new(instruction, orthogonal, &[instruction.sweep, &["row_shape=blend"]].concat()),
            paired: Forced::new(instruction, orthogonal, &["row_shape=pairs of corners"]),
            meeting: meeting(instruction),
            pools,
            background,
        }
    }

    /// A read port that salts as this generator's cases ask.
    #[must_use]
    pub fn port(&self) -> Box<Salter> {
        let kinds = self.held.as_ref().map_or_else(|| Arc::new([]) as Arc<[DataAtom]>, |held| held.kinds());
        Box::new(Salter::avoiding(Arc::clone(&self.pools), kinds))
    }

    /// A read port that can be asked to avoid data of some kinds.
    pub(crate) fn port_avoiding(&self, kinds: Arc<[DataAtom]>) -> Box<Salter> {
        Box::new(Salter::avoiding(Arc::clone(&self.pools), kinds))
    }

    /// The id of case `number` of a run: cells are visited in a scrambled order, each once before any comes again.
    #[must_use]
    #[inline]
    pub fn id(&self, number: u64) -> CaseId {
        let offered = self.held.as_ref().map(|held| &held.offered[..]).filter(|offered| !offered.is_empty());
        let cells = offered.map_or(self.cells.len(), <[u32]>::len) as u64;
        let stride = offered.map_or(self.stride, |offered| stride(offered.len() as u64));
        let (index, place) = (number / cells, number % cells);
        // Far apart, so that a few of them have every level of every axis; and another rotation in each round, so that
        // neighbours change.
        let turn = below(cells, mix64(self.seed ^ index));
        let mut cell = (place * stride + turn) % cells;
        if let Some(offered) = offered {
            // What is not offered is asked for now and then all the same.
            let choice = mix64(self.seed ^ mix64(number ^ 0x6365_6c6c));
            let all = self.cells.len() as u64;
            let asks = self.held.as_ref().is_some_and(|held| held.asks()) && choice.is_multiple_of(ASKED);
            cell = if asks { (choice >> 8) % all } else { u64::from(offered[cell as usize]) };
        }
        self.id_of(u32::try_from(cell).expect("a cell number fits"), index)
    }

    /// The id of a case of a cell.
    #[inline]
    fn id_of(&self, cell: u32, index: u64) -> CaseId {
        let Generator { instruction, edition, seed, .. } = *self;
        CaseId { isa: self.isa.short, instruction, edition, cell, seed, index }
    }

    /// Whether the current background is that of `index`'s epoch.
    #[must_use]
    #[inline]
    pub fn in_epoch(&self, index: u64) -> bool {
        self.background.epoch == epoch_of(index)
    }

    /// Makes the background of `index`'s epoch the current one; true if it changed.
    pub fn enter_epoch(&mut self, index: u64) -> bool {
        if self.in_epoch(index) {
            return false;
        }
        let Generator { isa, instruction, seed, .. } = *self;
        self.background.draw(isa, instruction.background, &self.pools, seed, epoch_of(index));
        true
    }

    /// The arena that every state has between cases of this epoch.
    #[must_use]
    pub fn arena(&self) -> &AlignedBytes {
        &self.background.arena
    }

    /// Draws a case into `state`'s small state and read port. The arena is the background already.
    #[inline]
    pub fn generate(&self, id: &CaseId, state: &mut State) -> Drawn {
        let key = id.key();
        let mut noise = Noise::new(key);
        let variant = noise.below(SMALL_VARIANTS);
        state.small.copy_from_slice(&self.background.small[variant]);
        let mut code = Code::new(self.instruction.base_code);
        let mut salt = SaltPlan::default();
        let mut parts = Parts { code: &mut code, small: &mut state.small, salt: &mut salt };
        let sweep = if self.adjust.is_none() { sweep_of(id) } else { None };
        let mut orthogonal = if self.skips_axes {
            (self.instruction.prepare)(&mut parts, &mut noise);
            [0; MAX_AXES]
        } else {
            let (forced, meeting) = match sweep {
                None => (&Forced::NONE, None),
                Some((Sequence::Values, pass)) => {
                    (&self.sweeping, Some(pass * self.cells.len() as u64 + u64::from(id.cell)))
                }
                Some((Sequence::Pairs, _)) => (&self.paired, None),
            };
            self.impose(forced, meeting, id.cell, &mut parts, &mut noise)
        };
        let held = self.held.as_deref().filter(|held| !held.asks() || !is_free(id));
        if let Some(held) = held {
            let _ = held.hold(&mut parts, &mut noise);
            read_levels(held, &parts, &mut orthogonal);
        }
        match self.adjust {
            Some(adjust) => adjust(&mut parts, &mut noise),
            None => (self.instruction.finish)(&mut parts, &mut orthogonal, &mut noise),
        }
        let mut by_rules = None;
        let mut avoid = 0;
        if let Some(held) = &self.held {
            (by_rules, avoid) = hold(held, id, &mut parts, &mut orthogonal, &mut noise);
        }
        if let Some(port) = state.port_mut() {
            port.begin(mix64(key), &salt, id.index < CORNERS_FIRST);
            if let Some((_, pass)) = sweep {
                let domain = (self.instruction.exhaust)(self.edition, self.cells.levels(id.cell as usize));
                port.sweep(&Sweep { key: mix64(self.seed ^ mix64(u64::from(id.cell))), pass, domain });
            }
            if avoid != 0 {
                port.narrow(&Narrowing { avoid, fill: None });
            }
        }
        Drawn { code, orthogonal, salt, by_rules }
    }

    /// Makes a case that is held one that is not, and that is masked nowhere.
    pub(crate) fn open(&self, parts: &mut Parts<'_>, noise: &mut Noise) {
        for (place, axis) in
            self.orthogonal.iter().enumerate().filter(|(place, _)| self.sweeping.axes >> place & 1 != 0)
        {
            (axis.set)(parts, usize::from(self.sweeping.levels[place]), noise);
        }
    }

    /// Gives a case drawn orthogonal levels, pairs of numbers if it has a number among those that meet, and then its cell;
    /// the levels drawn are returned.
    ///
    /// The cell comes last: its axes set fields of the thread and the bank of configuration that the others choose, and
    /// take part of an address from what is added to it.
    #[inline]
    fn impose(
        &self,
        forced: &Forced,
        meeting: Option<u64>,
        cell: u32,
        parts: &mut Parts<'_>,
        noise: &mut Noise,
    ) -> Levels {
        let mut levels = [0; MAX_AXES];
        (self.instruction.prepare)(parts, noise);
        for (place, ((level, axis), table)) in levels.iter_mut().zip(self.orthogonal).zip(&self.tables).enumerate() {
            let drawn = table[noise.half() as usize % DRAW_TABLE];
            *level = if forced.axes >> place & 1 == 0 { drawn } else { forced.levels[place] };
            (axis.set)(parts, usize::from(*level), noise);
        }
        if let Some(number) = meeting {
            self.meet(parts, number);
        }
        self.cells.impose(cell as usize, parts, noise);
        levels
    }

    /// Gives the numbers of each group values of which each pair comes once before any comes again.
    fn meet(&self, parts: &mut Parts<'_>, number: u64) {
        for (group, numbers) in self.meeting.iter().enumerate() {
            let pair = sequence::number(number, 2 * MEETING_BITS, mix64(self.seed ^ group as u64));
            let (first, second) = (pair as u32, (pair >> MEETING_BITS) as u32);
            for (quantity, value) in numbers.iter().zip([first, second, first ^ second]) {
                let _ = quantity.set(parts, value & low(quantity.width.min(MEETING_BITS)) as u32);
            }
        }
    }

    /// A case of a cell before operands are drawn, as a question; and the noise that drew it.
    pub(crate) fn bare_question(&self, cell: u32, index: u64, held: Option<&Held>) -> (Question, Noise) {
        let id = self.id_of(cell, index);
        let mut noise = Noise::new(id.key());
        // Whatever the background of an epoch may be.
        let variant = noise.below(SMALL_VARIANTS);
        let mut case = DrawnCase::bare(self.instruction, small_background(self.isa, variant, noise.word()));
        let mut parts = case.parts();
        let mut levels = self.impose(&Forced::NONE, None, cell, &mut parts, &mut noise);
        if let Some(held) = held {
            let _ = held.hold(&mut parts, &mut noise);
            read_levels(held, &parts, &mut levels);
        }
        (self.instruction.finish)(&mut parts, &mut levels, &mut noise);
        (Question::new(case, mix64(id.key())), noise)
    }

    /// A case of a cell as a question, drawn so that rules hold.
    pub(crate) fn question(&self, cell: u32, index: u64, held: Option<&Held>) -> Question {
        let (mut question, mut noise) = self.bare_question(cell, index, held);
        if let Some(held) = held {
            question.narrowing.avoid = held.hold(&mut question.parts(), &mut noise).avoid;
        }
        question
    }
}

/// The numbers of an instruction of which each pair of values is to come.
fn meeting(instruction: &Instruction) -> Vec<Vec<Quantity>> {
    let named = |name: &&str| {
        let found = instruction.quantities.iter().find(|quantity| quantity.name == *name);
        *found.unwrap_or_else(|| panic!("{} has no quantity `{name}`", instruction.path()))
    };
    instruction.pairs.iter().map(|names| names.iter().map(named).collect()).collect()
}

/// A step with which one comes to each of so many places once: near the golden section, so that neighbours are far apart.
fn stride(places: u64) -> u64 {
    const fn common_divisor(a: u64, b: u64) -> u64 {
        if b == 0 { a } else { common_divisor(b, a % b) }
    }
    let section = (places as f64 * 0.618_033_988_75) as u64;
    (section.max(1)..).find(|&step| common_divisor(step, places) == 1).unwrap_or(1)
}

/// What a case runs through together with others of its cell.
#[derive(Clone, Copy)]
enum Sequence {
    /// All values of an operand.
    Values,
    /// All pairs of corner values.
    Pairs,
}

/// The sequence that a case belongs to by its place among those of its cell, and its number in it.
#[inline]
fn sweep_of(id: &CaseId) -> Option<(Sequence, u64)> {
    let index = id.index.checked_sub(SWEEPS_FROM)?;
    match index % PAIRS {
        place if place % 2 == 1 => Some((Sequence::Values, index / 2)),
        place if place + 2 == PAIRS => Some((Sequence::Pairs, index / PAIRS)),
        _ => None,
    }
}

/// Changes a finished case until no rule refuses it, but for one in some; the levels are then read back. (It was held before
/// it was finished as well, so that what is finished fits what is held.) Beside how it came out,
/// the kinds of data that it must avoid.
#[cold]
fn hold(
    held: &Held,
    id: &CaseId,
    parts: &mut Parts<'_>,
    levels: &mut Levels,
    noise: &mut Noise,
) -> (Option<ByRules>, u64) {
    let view = held.view();
    let is_free = held.asks() && is_free(id);
    let Fit { fits, avoid } = if is_free { held.fit(parts) } else { held.hold(parts, noise) };
    if !is_free {
        read_levels(held, parts, levels);
    }
    let cell = view.cells.classify(parts).and_then(|cell| u32::try_from(cell).ok());
    let (watched, avoid) = if is_free { (avoid, 0) } else { (0, avoid) };
    (Some(ByRules { fits, watched, cell }), avoid)
}

/// Whether a case asks for whatever comes, although rules may refuse it.
fn is_free(id: &CaseId) -> bool {
    mix64(id.key() ^ 0x6672_6565).is_multiple_of(ASKED)
}

/// Reads back the levels of a case that was changed.
fn read_levels(held: &Held, parts: &Parts<'_>, levels: &mut Levels) {
    for (level, axis) in levels.iter_mut().zip(held.view().orthogonal) {
        *level = u8::try_from((axis.get)(parts)).expect("an axis has at most 256 levels");
    }
}

/// One table for drawing the levels of each axis.
pub(crate) fn draw_tables(axes: &[Axis]) -> Vec<[u8; DRAW_TABLE]> {
    axes.iter().map(Axis::draw_table).collect()
}

impl Background {
    /// The classes of the banks' data are an instruction's own, or those of its set.
    pub(crate) fn new(isa: &'static Isa, own: Option<&[u8]>, pools: &Pools, seed: u64, epoch: u64) -> Self {
        let arena = AlignedBytes::zeroed(isa.layout.arena_bytes);
        // What is random is drawn over that.
        let fixed: [AlignedBytes; FIXED_VARIANTS] = std::array::from_fn(|variant| small_background(isa, variant, 0));
        let small = (0..SMALL_VARIANTS).map(|variant| fixed[variant.min(FIXED_VARIANTS - 1)].clone()).collect();
        let mut background = Background { epoch, arena, small };
        background.draw(isa, own, pools, seed, epoch);
        background
    }

    /// Draws anew what is random, for another epoch.
    pub(crate) fn draw(&mut self, isa: &'static Isa, own: Option<&[u8]>, pools: &Pools, seed: u64, epoch: u64) {
        let classes = own.unwrap_or(isa.background);
        let key = mix64(mix64(seed ^ 0x6261_636b) ^ epoch);
        for (bank, &class) in isa.layout.banks.iter().zip(classes) {
            for row in 0..bank.rows() {
                let (row_id, bytes) = (bank.first_row + row, &mut self.arena[bank.row_range(row)]);
                pools.compose(usize::from(class), key, row_id, false, bytes);
                pools.hold(row_id, bytes);
            }
        }
        let mut noise = Noise::new(mix64(key));
        let keys: [u64; SMALL_VARIANTS] = std::array::from_fn(|_| noise.word());
        for field in (isa.layout.fields)().iter().filter(|field| field.role.is_drawn()) {
            for (small, key) in self.small.iter_mut().zip(keys).skip(FIXED_VARIANTS) {
                field.set(small, random_value(field, key));
            }
        }
        self.epoch = epoch;
    }
}

/// A small state as one of a background is.
fn small_background(isa: &Isa, variant: usize, key: u64) -> AlignedBytes {
    let mut small = AlignedBytes::zeroed(isa.layout.small_bytes);
    for field in (isa.layout.fields)() {
        let value = match variant {
            _ if !field.role.is_drawn() => field.base,
            0 => 0,
            1 => field.max,
            FIXED_VARIANTS.. => random_value(field, key),
        };
        field.set(&mut small, value);
    }
    small
}

/// What a field holds depends on its name and on no other field, so that a state may grow and every case stay what it was.
#[inline]
fn random_value(field: &Field, key: u64) -> u32 {
    Noise::new(key ^ field.key).bits(field.width).min(field.max)
}

#[cfg(test)]
mod tests {
    use tandem_cases::ISAS;

    use super::*;

    #[test]
    fn the_cases_of_a_cell_go_through_both_sequences_and_leave_nothing_out() {
        let (isa, instruction) = (ISAS[0], ISAS[0].instructions[0]);
        let (mut values, mut pairs) = (Vec::new(), Vec::new());
        for index in 0..SWEEPS_FROM + 8 * PAIRS {
            let id = CaseId { isa: isa.short, instruction, edition: Edition::Spec, cell: 0, seed: 1, index };
            match sweep_of(&id) {
                Some((Sequence::Values, pass)) => values.push(pass),
                Some((Sequence::Pairs, pass)) => pairs.push(pass),
                None => {}
            }
        }
        assert_eq!(values, Vec::from_iter(0..4 * PAIRS));
        assert_eq!(pairs, Vec::from_iter(0..8));
    }

    #[test]
    fn a_background_that_is_drawn_again_is_that_of_its_epoch_throughout() {
        for isa in ISAS {
            let pools = Pools::new(isa, 1);
            let [first, mut background] = [0; 2].map(|epoch| Background::new(isa, None, &pools, 1, epoch));
            background.draw(isa, None, &pools, 1, 5);
            let fresh = Background::new(isa, None, &pools, 1, 5);
            assert!(*background.arena == *fresh.arena && background.epoch == fresh.epoch);
            for (variant, (small, fresh)) in background.small.iter().zip(&fresh.small).enumerate() {
                assert!(**small == **fresh, "variant {variant} of {}", isa.name);
                assert_eq!(
                    **small == *first.small[variant],
                    variant < FIXED_VARIANTS,
                    "variant {variant} of {}",
                    isa.name
                );
            }
        }
    }

    #[test]
    fn an_epoch_has_a_background_of_its_own_and_keeps_it() {
        let (isa, instruction) = (ISAS[0], ISAS[0].instructions[0]);
        let pools = Pools::new(isa, 1);
        let mut generator = Generator::new(isa, instruction, Edition::Spec, 1, Arc::clone(&pools));
        for epoch in 0..4 {
            assert_eq!(generator.enter_epoch(epoch * EPOCH), epoch > 0);
            assert!(!generator.enter_epoch(epoch * EPOCH + EPOCH - 1));
        }
        let of = |(seed, epoch)| Background::new(isa, instruction.background, &pools, seed, epoch).arena.to_vec();
        let mut all: Vec<Vec<u8>> =
            [1, 2].into_iter().flat_map(|seed| (0..4).map(move |epoch| (seed, epoch))).map(of).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 8);
    }

    #[test]
    fn each_cell_is_visited_once_a_round_and_neighbours_are_far_apart() {
        for places in 1..3000 {
            let stride = stride(places);
            let mut seen = vec![false; places as usize];
            (0..places).for_each(|place| seen[(place * stride % places) as usize] = true);
            assert!(seen.iter().all(|&seen| seen), "{places}");
            let apart = stride.min(places - stride % places);
            assert!(places < 20 || apart > places / 4, "{places}: {stride}");
        }
    }
}
