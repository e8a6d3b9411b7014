//! Draws states and steps.

use std::sync::Arc;

use tandem_isa::{
    Axis, CellSpace, Code, DRAW_TABLE, Edition, Instruction, Isa, MAX_AXES, Noise, Parts, Reference, SaltPlan, State,
    Step, mix64,
};

use super::ProgramId;
use crate::case::{Background, Held, NextStep, SMALL_VARIANTS, draw_tables};
use crate::{Pools, Salter};

/// Code words of an instruction that steps behind the second are taken from.
const CODES: usize = 256;
/// Of code words for which nothing was promised in the state that they were drawn with, one in so many is kept.
const UNPROMISED: u64 = 8;
/// Programs of a pair and dependence that share one background.
const EPOCH: u64 = 512;
/// Of programs drawn by rules, one in so many asks for whatever comes, although rules may refuse it.
const FREE: u64 = 8;

/// For each instruction of a set, by its place in it, the rules by which a target is asked only what it answers, if it
/// refuses something. Without any, it is empty.
pub type Answered = Arc<[Option<Arc<Held>>]>;

/// What is needed to draw steps of one instruction.
struct Kit {
    instruction: &'static Instruction,
    cells: &'static CellSpace,
    axes: &'static [Axis],
    tables: Vec<[u8; DRAW_TABLE]>,
    /// [`CODES`] times the words that its code has, side by side: they are met at random, and few are in a cache.
    codes: Vec<u32>,
}

impl Kit {
    /// One of the code words, at random.
    fn code(&self, noise: &mut Noise) -> Code {
        let words = self.instruction.base_code.len();
        Code::new(&self.codes[noise.below(CODES) * words..][..words])
    }

    /// Gives a case an axis by axis level and a cell of the instruction, as single cases have them.
    fn impose(&self, parts: &mut Parts<'_>, held: Option<&Held>, noise: &mut Noise) {
        let mut levels = [0; MAX_AXES];
        (self.instruction.prepare)(parts, noise);
        for ((level, axis), table) in levels.iter_mut().zip(self.axes).zip(&self.tables) {
            *level = table[noise.half() as usize % DRAW_TABLE];
            (axis.set)(parts, usize::from(*level), noise);
        }
        let drawn = noise.word();
        let cell = match held.map(|held| &*held.offered) {
            Some(offered @ [_, ..]) => offered[(drawn % offered.len() as u64) as usize] as usize,
            _ => (drawn % self.cells.len() as u64) as usize,
        };
        self.cells.impose(cell, parts, noise);
        if let Some(held) = held {
            let _ = held.hold(parts, noise);
        }
        (self.instruction.finish)(parts, &mut levels, noise);
        if let Some(held) = held {
            let _ = held.hold(parts, noise);
        }
    }
}

/// Draws candidates of programs.
pub(super) struct Drawer {
    kits: Arc<[Kit]>,
    seed: u64,
    isa: &'static Isa,
    pools: Arc<Pools>,
    background: Background,
    held: Answered,
    /// The instructions of steps behind the second, by their place in the set.
    pub(super) fillers: Vec<usize>,
}

impl Drawer {
    pub(super) fn new(
        isa: &'static Isa,
        (edition, seed): (Edition, u64),
        pools: &Arc<Pools>,
        held: Answered,
        reference: &mut dyn Reference,
    ) -> Self {
        let background = Background::new(isa, None, pools, seed, 0);
        let kits = isa.instructions.iter().map(|&instruction| {
            let axes = (instruction.orthogonal)(edition);
            let (cells, tables) = ((instruction.cells)(edition), draw_tables(axes));
            Kit { instruction, cells, axes, tables, codes: Vec::new() }
        });
        let mut kits: Vec<Kit> = kits.collect();
        let mut state = State::zeroed(isa.layout);
        for kit in &mut kits {
            let mut noise = Noise::new(mix64(seed ^ mix64(u64::from(kit.instruction.number) ^ 0x636f_6465)));
            let held = held.get(kit.instruction.index).and_then(Option::as_deref);
            while kit.codes.len() < CODES * kit.instruction.base_code.len() {
                state.small.copy_from_slice(&background.small[noise.below(SMALL_VARIANTS)]);
                let (mut code, mut salt) = (Code::new(kit.instruction.base_code), SaltPlan::default());
                kit.impose(&mut Parts { code: &mut code, small: &mut state.small, salt: &mut salt }, held, &mut noise);
                let step = Step { instruction: kit.instruction, edition, code: &code };
                let promised = reference.execute(&step, &mut state).required_answer().is_some();
                state.tracker.clear();
                if promised || noise.word().is_multiple_of(UNPROMISED) {
                    kit.codes.extend_from_slice(&code);
                }
            }
        }
        let fillers = (0..kits.len()).collect();
        Drawer { kits: kits.into(), seed, isa, pools: Arc::clone(pools), background, held, fillers }
    }

    /// The same for another worker.
    pub(super) fn another(&self) -> Self {
        Drawer {
            kits: Arc::clone(&self.kits),
            background: Background::new(self.isa, None, &self.pools, self.seed, 0),
            pools: Arc::clone(&self.pools),
            held: Arc::clone(&self.held),
            fillers: self.fillers.clone(),
            ..*self
        }
    }

    /// Whether a program is drawn so that no rule refuses a step of it.
    pub(super) fn holds(&self, id: &ProgramId) -> bool {
        id.index % FREE != FREE - 1 && self.has_rules()
    }

    /// Whether code words, and most programs, are drawn by rules.
    pub(super) fn has_rules(&self) -> bool {
        self.held.iter().any(Option::is_some)
    }

    fn held(&self, instruction: &Instruction) -> Option<&Held> {
        self.held.get(instruction.index).and_then(Option::as_deref)
    }

    /// Whether no rule refuses a step in the small state that it comes to.
    pub(super) fn fits(&self, step: &NextStep, small: &mut [u8], salt: &mut SaltPlan) -> bool {
        let mut code = step.code;
        self.held(step.instruction).is_none_or(|held| held.fit(&Parts { code: &mut code, small, salt }).fits)
    }

    /// A read port that salts as the programs ask.
    pub(super) fn port(&self) -> Box<Salter> {
        Box::new(Salter::new(Arc::clone(&self.pools)))
    }

    /// Makes the background of an index the current one; true if it changed.
    pub(super) fn enter(&mut self, index: u64) -> bool {
        let epoch = index / EPOCH;
        let changes = self.background.epoch != epoch;
        if changes {
            self.background.draw(self.isa, None, &self.pools, self.seed, epoch);
        }
        changes
    }

    pub(super) fn arena(&self) -> &[u8] {
        &self.background.arena
    }

    /// Draws the small state and the first two steps. The read port of the state is begun.
    pub(super) fn candidate(&self, id: &ProgramId, key: u64, state: &mut State) -> ([NextStep; 2], SaltPlan) {
        let mut noise = Noise::new(key);
        state.small.copy_from_slice(&self.background.small[noise.below(SMALL_VARIANTS)]);
        let mut salt = self.salt();
        let mut codes = [Code::new(id.first.base_code), Code::new(id.second.base_code)];
        // Whoever is imposed last has the state that it wants; the first needs it most.
        let order: &[usize] = match noise.below(4) {
            0 => &[0],
            1 => &[0, 1],
            _ => &[1, 0],
        };
        let instructions = [id.first, id.second];
        let held = if self.holds(id) { instructions.map(|one| self.held(one)) } else { [None; 2] };
        for &place in order {
            let mut parts = Parts { code: &mut codes[place], small: &mut state.small, salt: &mut salt };
            self.kits[instructions[place].index].impose(&mut parts, held[place], &mut noise);
        }
        if order.len() == 1 {
            codes[1] = self.kits[id.second.index].code(&mut noise);
        }
        if noise.below(4) != 0 {
            link(id, &mut codes, &mut noise);
        }
        for place in [1, 0] {
            if let Some(held) = held[place] {
                let mut parts = Parts { code: &mut codes[place], small: &mut state.small, salt: &mut salt };
                let _ = held.hold(&mut parts, &mut noise);
            }
        }
        state.port_mut().expect("it was opened").begin(mix64(key), &salt, id.index < 4);
        let [first, second] = codes;
        ([NextStep { instruction: id.first, code: first }, NextStep { instruction: id.second, code: second }], salt)
    }

    /// How rows are salted of which the first two steps say nothing: as those of the background are. A later step may read any.
    pub(super) fn salt(&self) -> SaltPlan {
        let mut salt = SaltPlan::default();
        salt.class[..self.isa.background.len()].copy_from_slice(self.isa.background);
        salt
    }

    /// Puts the quietest small state into a state.
    pub(super) fn quiet(&self, state: &mut State) {
        state.small.copy_from_slice(&self.background.small[0]);
    }

    /// Draws a step behind the second.
    pub(super) fn filler(&self, noise: &mut Noise) -> NextStep {
        let kit = &self.kits[self.fillers[noise.below(self.fillers.len())]];
        NextStep { instruction: kit.instruction, code: kit.code(noise) }
    }
}

/// Gives the second step in some field what a field of the first has: the same name, or else the same width. What a field
/// means is not known, so which fields name one place is left to chance and to who looks for a dependence.
fn link(id: &ProgramId, codes: &mut [Code; 2], noise: &mut Noise) {
    let (from, to) = (id.first.code_fields, id.second.code_fields);
    if from.is_empty() || to.is_empty() {
        return;
    }
    let [first, second] = codes;
    if noise.below(2) == 0 {
        for field in to {
            let same = from.iter().find(|one| one.name == field.name && one.width == field.width);
            if let Some(same) = same.filter(|_| noise.below(4) != 0) {
                field.set(second, same.get(first));
            }
        }
        return;
    }
    let to = &to[noise.below(to.len())];
    let alike = |one: &&tandem_isa::CodeField| one.width == to.width;
    let count = from.iter().filter(alike).count();
    if count > 0 {
        let from = from.iter().filter(alike).nth(noise.below(count)).expect("it was counted");
        to.set(second, from.get(first));
    }
}
