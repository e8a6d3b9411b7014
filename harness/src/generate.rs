//! The generator: a case is a pure function of its id.

use std::sync::Arc;

use tandem_isa::{
    AlignedBytes, Axis, CellSpace, Code, DRAW_TABLE, Edition, FieldRole, Instruction, Isa, Levels, MAX_AXES, Noise,
    Parts, SaltPlan, State, mix64,
};

use crate::{CaseId, Pools, Salter};

/// Cases of a cell that share one background.
const EPOCH: u64 = 32;
/// Backgrounds of the small state in one epoch: all fields zero, all fields at their largest, and random ones.
const SMALL_VARIANTS: usize = 8;
/// The first cases of each cell draw corner values only.
const CORNERS_FIRST: u64 = 6;

/// The epoch that a case lies in.
#[must_use]
pub const fn epoch_of(index: u64) -> u64 {
    index / EPOCH
}

/// What a worker's state is put back to between cases: random everywhere, the same for all cases of an epoch.
struct Background {
    epoch: u64,
    arena: AlignedBytes,
    small: Vec<AlignedBytes>,
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
    tables: Vec<[u8; DRAW_TABLE]>,
    pools: Arc<Pools>,
    background: Background,
}

/// What was drawn for a case, besides the state.
#[derive(Clone, Copy, Debug)]
pub struct Drawn {
    /// The code words.
    pub code: Code,
    /// The level of each orthogonal axis.
    pub orthogonal: Levels,
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
        let background = Background::new(isa, &pools, seed, 0);
        Generator {
            isa,
            instruction,
            edition,
            seed,
            cells,
            orthogonal,
            adjust: None,
            skips_axes: false,
            tables: draw_tables(orthogonal),
            pools,
            background,
        }
    }

    /// A read port that salts as this generator's cases ask.
    #[must_use]
    pub fn port(&self) -> Box<Salter> {
        Box::new(Salter::new(Arc::clone(&self.pools)))
    }

    /// The id of case `number` of a run: cells are visited in a scrambled order, each once before any comes again.
    #[must_use]
    #[inline]
    pub fn id(&self, number: u64) -> CaseId {
        let cells = self.cells.len() as u64;
        let (index, place) = (number / cells, number % cells);
        // Another rotation in each round, so that neighbours change.
        let cell = (place + mix64(self.seed ^ index) % cells) % cells;
        CaseId {
            isa: self.isa.short,
            instruction: self.instruction,
            edition: self.edition,
            cell: u32::try_from(cell).expect("a cell number fits"),
            seed: self.seed,
            index,
        }
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
        self.background = Background::new(self.isa, &self.pools, self.seed, epoch_of(index));
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
        let axes = (self.orthogonal, &self.tables[..]);
        let mut orthogonal = if self.skips_axes {
            (self.instruction.prepare)(&mut parts, &mut noise);
            [0; MAX_AXES]
        } else {
            impose_case(self.instruction, self.cells, axes, id.cell, &mut parts, &mut noise)
        };
        match self.adjust {
            Some(adjust) => adjust(&mut parts, &mut noise),
            None => (self.instruction.finish)(&mut parts, &mut orthogonal, &mut noise),
        }
        if let Some(port) = state.port_mut() {
            port.begin(mix64(key), &salt, id.index < CORNERS_FIRST);
        }
        Drawn { code, orthogonal }
    }
}

/// One table for drawing the levels of each axis.
pub(crate) fn draw_tables(axes: &[Axis]) -> Vec<[u8; DRAW_TABLE]> {
    axes.iter().map(Axis::draw_table).collect()
}

/// Gives a case drawn orthogonal levels and then its cell; the levels drawn are returned.
///
/// The cell comes last: its axes set fields of the thread and the bank of configuration that the others choose.
#[inline]
pub(crate) fn impose_case(
    instruction: &Instruction,
    cells: &CellSpace,
    (axes, tables): (&[Axis], &[[u8; DRAW_TABLE]]),
    cell: u32,
    parts: &mut Parts<'_>,
    noise: &mut Noise,
) -> Levels {
    let mut levels = [0; MAX_AXES];
    (instruction.prepare)(parts, noise);
    for ((level, axis), table) in levels.iter_mut().zip(axes).zip(tables) {
        *level = table[noise.half() as usize % DRAW_TABLE];
        (axis.set)(parts, usize::from(*level), noise);
    }
    cells.impose(cell as usize, parts, noise);
    levels
}

impl Background {
    fn new(isa: &'static Isa, pools: &Pools, seed: u64, epoch: u64) -> Self {
        let key = mix64(mix64(seed ^ 0x6261_636b) ^ epoch);
        let mut arena = AlignedBytes::zeroed(isa.layout.arena_bytes);
        for (bank, &class) in isa.layout.banks.iter().zip(isa.background) {
            for row in 0..bank.rows() {
                pools.compose(usize::from(class), key, bank.first_row + row, false, &mut arena[bank.row_range(row)]);
            }
        }
        let mut noise = Noise::new(mix64(key));
        let small = (0..SMALL_VARIANTS).map(|variant| small_background(isa, variant, &mut noise)).collect();
        Background { epoch, arena, small }
    }
}

fn small_background(isa: &Isa, variant: usize, noise: &mut Noise) -> AlignedBytes {
    let mut small = AlignedBytes::zeroed(isa.layout.small_bytes);
    for field in (isa.layout.fields)() {
        let value = match variant {
            _ if field.role == FieldRole::Model => field.base,
            0 => 0,
            1 => field.max,
            _ => noise.bits(field.width).min(field.max),
        };
        field.set(&mut small, value);
    }
    small
}
