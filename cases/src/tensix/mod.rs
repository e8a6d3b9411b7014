//! Tenstorrent Tensix, Wormhole and Blackhole.

mod adc;
mod addr_mod_axes;
mod addr_mod_quantities;
mod banks;
mod configuration;
mod control;
mod dmareg;
mod float;
mod immediate;
mod l1;
mod lens;
mod load_macro;
mod matrix;
mod mmio;
mod mova2d;
mod mova2d_axes;
mod mova2d_quantities;
mod mover;
mod moves;
mod pacr;
mod parts;
mod scalar;
mod sfpload;
mod sfpstore;
mod sfpu_axes;
mod sfpu_data;
mod sfpu_lanes;
mod sfpu_modes;
mod sfpu_quantities;
mod source;
mod state_quantities;
mod unpack;
mod unpacr;
mod values;
mod vector;
mod wait;
mod window;
use std::sync::LazyLock;

use tandem_isa::lists::{join, total};
use tandem_isa::tensix::{Chip, Mnemonic};
use tandem_isa::{
    Axis, BenchClass, CellSpace, ContestedData, Edition, Exhaust, Format, FormatOf, Instruction, Isa, Levels, MAX_AXES,
    Noise, Parts, Quantity, Recording, Reductions, each, tensix, tensix_instructions,
};

use crate::list::List;
use crate::quantity::NONE;
use crate::salt::ROW_SHAPE;

pub use values::value_class;

/// A chip as a type, so that constants can be those of a chip.
trait On: 'static {
    const CHIP: Chip;
}

struct Wormhole;

impl On for Wormhole {
    const CHIP: Chip = Chip::Wormhole;
}

struct Blackhole;

impl On for Blackhole {
    const CHIP: Chip = Chip::Blackhole;
}

/// The axes of some lists, one after the other.
const fn concat(lists: &[&[Axis]]) -> List<Axis, MAX_AXES> {
    let (mut axes, mut index) = (List::new(ROW_SHAPE), 0);
    while index < lists.len() {
        axes = axes.with(lists[index]);
        index += 1;
    }
    axes
}

/// The axes of some lists, in both editions.
macro_rules! axes {
    ($($list:expr),+ $(,)?) => {
        [const { &super::concat(&[$($list),+]) }.items(); 2]
    };
}
use axes;

/// What is told of the cases of an instruction on a chip.
struct Cases {
    /// The data-path axes, by edition.
    path: [&'static [Axis]; 2],
    /// Whether there are cells of these levels.
    has: fn(&Levels) -> bool,
    class: Class,
    /// The orthogonal axes, by edition.
    orthogonal: [&'static [Axis]; 2],
    prepare: fn(&mut Parts<'_>, &mut Noise),
    finish: fn(&mut Parts<'_>, &mut Levels, &mut Noise),
    data: Data,
    contested: fn(&Parts<'_>) -> Option<&'static str>,
    contested_data: ContestedData,
    quantities: &'static [&'static [Quantity]],
    plain: &'static [&'static str],
    /// See [`Instruction::sweep`].
    sweep: &'static [&'static str],
    /// See [`Instruction::pairs`].
    pairs: &'static [&'static [&'static str]],
    recording: Recording,
    bench_classes: &'static [BenchClass],
    /// See [`Instruction::background`].
    background: Option<&'static [u8]>,
    exhaust: fn(Edition, &Levels) -> Option<Exhaust>,
}

/// The class of a cell.
enum Class {
    /// The level of a data-path axis.
    Axis(usize),
    /// As a function says, one of these names.
    Of(fn(Edition, &Levels) -> &'static str, &'static [&'static str]),
}

/// What data are.
enum Data {
    /// Those of registers have a value class, and a layout.
    Registers(u8, &'static Format),
    /// As a function says.
    Of(FormatOf),
}

/// What an instruction usually has.
const CASES: Cases = Cases {
    path: [&[]; 2],
    has: |_| true,
    class: Class::Axis(0),
    orthogonal: [&[]; 2],
    prepare: |_, _| {},
    finish: |_, _, _| {},
    data: Data::Registers(value_class::LREG_ANY, &tensix::format::BITS32),
    contested: |_| None,
    contested_data: ContestedData::NOTHING,
    quantities: &[],
    plain: &[],
    sweep: &[],
    pairs: &[],
    recording: Recording { always: &[], unpromised: &[], others: 3, source_rows: 8 },
    bench_classes: &[],
    background: None,
    exhaust: |_, _| None,
};

impl Cases {
    fn prepare(&self, parts: &mut Parts<'_>, noise: &mut Noise) {
        parts.salt.class[..values::BACKGROUND.len()].copy_from_slice(values::BACKGROUND);
        (self.prepare)(parts, noise);
        if let Data::Registers(values, _) = self.data {
            vector::choose_data(values, parts, noise);
        }
    }

    fn class(&self, edition: Edition, levels: &Levels) -> &'static str {
        match self.class {
            Class::Axis(axis) => self.path[0][axis].levels[usize::from(levels[axis])],
            Class::Of(class, _) => class(edition, levels),
        }
    }

    /// The classes of cells; whoever forgot axes hears it from the compiler.
    const fn classes(&self) -> &'static [&'static str] {
        assert!(!self.orthogonal[0].is_empty() && !self.orthogonal[1].is_empty(), "there are orthogonal axes");
        match self.class {
            Class::Axis(axis) => self.path[0][axis].levels,
            Class::Of(_, names) => names,
        }
    }

    fn format(
        &self,
        edition: Edition,
        parts: &Parts<'_>,
        bank: usize,
        place: Option<(usize, usize)>,
    ) -> Option<&'static Format> {
        match self.data {
            Data::Registers(_, format) => (bank == tensix::bank::LREG).then_some(format),
            Data::Of(format) => format(edition, parts, bank, place),
        }
    }
}

macro_rules! instructions {
    ($(
        $mnemonic:ident $name:literal $module:ident::$file:ident [$($chip:ident)*] $summary:literal
            |$on:pat_param| $facts:expr;
    )*) => {
        /// An instruction of a chip.
        const fn instruction(mnemonic: Mnemonic, chip: Chip) -> Instruction {
            match (mnemonic, chip) {
                $($((Mnemonic::$mnemonic, Chip::$chip) => {
                    const CASES: Cases = $module::$file::<$chip>();
                    const QUANTITIES: [Quantity; total(CASES.quantities)] = join(NONE, CASES.quantities);
                    static CELLS: [LazyLock<CellSpace>; 2] = [
                        LazyLock::new(|| CellSpace::new(CASES.path[0], CASES.has)),
                        LazyLock::new(|| CellSpace::new(CASES.path[1], CASES.has)),
                    ];
                    Instruction {
                        facts: Mnemonic::$mnemonic.on(Chip::$chip),
                        cells: |edition| &CELLS[edition as usize],
                        orthogonal: |edition| CASES.orthogonal[edition as usize],
                        prepare: |parts, noise| CASES.prepare(parts, noise),
                        finish: CASES.finish,
                        cell_class: |edition, levels| CASES.class(edition, levels),
                        cell_classes: CASES.classes(),
                        format: |edition, parts, bank, place| CASES.format(edition, parts, bank, place),
                        contested: CASES.contested,
                        contested_data: CASES.contested_data,
                        reductions: Reductions::NONE,
                        quantities: &QUANTITIES,
                        plain: CASES.plain,
                        sweep: CASES.sweep,
                        pairs: CASES.pairs,
                        recording: CASES.recording,
                        bench_classes: CASES.bench_classes,
                        background: CASES.background,
                        exhaust: CASES.exhaust,
                    }
                })*)*
                _ => panic!("the chip has this instruction"),
            }
        }
    };
}
tensix_instructions!(instructions);

const fn instructions<const N: usize>(chip: Chip) -> [Instruction; N] {
    let list: [Mnemonic; N] = Mnemonic::list(chip);
    let (mut all, mut index) = ([instruction(list[0], chip); N], 0);
    while index < N {
        all[index] = instruction(list[index], chip);
        index += 1;
    }
    all
}

static ON_WORMHOLE: [Instruction; Mnemonic::count(Chip::Wormhole)] = instructions(Chip::Wormhole);
static ON_BLACKHOLE: [Instruction; Mnemonic::count(Chip::Blackhole)] = instructions(Chip::Blackhole);

/// The cases of an instruction on a chip.
///
/// # Panics
/// If the chip lacks it.
#[must_use]
pub const fn on(mnemonic: Mnemonic, chip: Chip) -> &'static Instruction {
    let all: &'static [Instruction] = match chip {
        Chip::Wormhole => &ON_WORMHOLE,
        Chip::Blackhole => &ON_BLACKHOLE,
    };
    &all[mnemonic.on(chip).index]
}

/// Wormhole (`tensix-wh`).
pub static WORMHOLE: Isa = Isa {
    machine: &tensix::WORMHOLE,
    instructions: &each(&ON_WORMHOLE),
    value_classes: values::VALUE_CLASSES,
    background: values::BACKGROUND,
};

/// Blackhole (`tensix-bh`).
pub static BLACKHOLE: Isa = Isa {
    machine: &tensix::BLACKHOLE,
    instructions: &each(&ON_BLACKHOLE),
    value_classes: values::VALUE_CLASSES,
    background: values::BACKGROUND,
};
