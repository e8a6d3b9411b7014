//! What holds for the quantities of every instruction of every set, and that each has its place.

use std::collections::BTreeSet;

use tandem_cases::{ISAS, of};
use tandem_isa::{
    AlignedBytes, Edition, Feed, Field, Instruction, Isa, MAX_AXES, MAX_BANKS, Noise, Parts, Quantity, SaltPlan,
};

fn instructions() -> impl Iterator<Item = (&'static Isa, &'static Instruction)> {
    ISAS.iter().flat_map(|isa| isa.instructions.iter().map(|&instruction| (*isa, instruction)))
}

/// A case whose axes have any level, and whose fields have any value where no axis cares.
struct Case {
    code: Vec<u32>,
    small: AlignedBytes,
    salt: SaltPlan,
}

impl Case {
    fn any(isa: &Isa, instruction: &Instruction, noise: &mut Noise) -> Self {
        let mut case = Case {
            code: instruction.base_code.to_vec(),
            small: AlignedBytes::zeroed(isa.layout.small_bytes),
            // A class of each bank that every axis can name a level of.
            salt: SaltPlan { class: [5; MAX_BANKS], ..SaltPlan::default() },
        };
        let one_in = [usize::MAX, 4, 1][noise.below(3)];
        for field in (isa.layout.fields)().iter() {
            let is_base = !field.role.is_drawn() || one_in == usize::MAX || noise.below(one_in) != 0;
            field.set(&mut case.small, if is_base { field.base } else { any_value(field, noise) });
        }
        let edition = Edition::ALL[noise.below(2)];
        let cells = (instruction.cells)(edition);
        let cell = noise.below(cells.len());
        let parts = &mut case.parts();
        (instruction.prepare)(parts, noise);
        let mut levels = [0; MAX_AXES];
        for (level, axis) in levels.iter_mut().zip((instruction.orthogonal)(edition)) {
            let drawn = axis.draw(noise);
            (axis.set)(parts, drawn, noise);
            *level = u8::try_from(drawn).expect("an axis has at most 256 levels");
        }
        cells.impose(cell, parts, noise);
        (instruction.finish)(parts, &mut levels, noise);
        case
    }

    fn parts(&mut self) -> Parts<'_> {
        Parts { code: &mut self.code, small: &mut self.small, salt: &mut self.salt }
    }

    /// Like somebody who makes a case smaller: some fields of the code or of the state become anything, or nothing.
    fn disturb(&mut self, isa: &Isa, instruction: &Instruction, noise: &mut Noise) {
        for _ in 0..noise.below(4) {
            let fields = (isa.layout.fields)();
            let field = &fields[noise.below(fields.len())];
            if field.role.is_drawn() {
                let value = [field.base, any_value(field, noise)][noise.below(2)];
                field.set(&mut self.small, value);
            }
            if let Some(last) = instruction.code_fields.len().checked_sub(1) {
                let field = instruction.code_fields[noise.below(last + 1)];
                let value = [0, noise.bits(32)][noise.below(2)];
                field.set(&mut self.code, value);
            }
        }
    }
}

fn any_value(field: &Field, noise: &mut Noise) -> u32 {
    match noise.below(4) {
        0 => field.max,
        1 => 0,
        _ if field.max == u32::MAX => noise.bits(32),
        _ => noise.below(field.max as usize + 1) as u32,
    }
}

fn largest(quantity: &Quantity) -> u32 {
    if quantity.width >= 32 { u32::MAX } else { (1 << quantity.width) - 1 }
}

#[test]
fn every_class_of_cells_is_listed_and_has_a_cell_and_exhaustive_cases_keep_theirs() {
    let mut noise = Noise::new(5);
    let (mut domains, mut empty) = (0, Vec::new());
    for (isa, instruction) in instructions() {
        let mut classes = BTreeSet::new();
        for &edition in instruction.editions() {
            let cells = (instruction.cells)(edition);
            for cell in 0..cells.len() {
                classes.insert((instruction.cell_class)(edition, cells.levels(cell)));
                let Some(domain) = (instruction.exhaust)(edition, cells.levels(cell)) else { continue };
                domains += 1;
                let mut case = Case::any(isa, instruction, &mut noise);
                let parts = &mut case.parts();
                cells.impose(cell, parts, &mut noise);
                (domain.set)(parts, &mut noise);
                assert_eq!(cells.classify(parts), Some(cell), "{}: {}", instruction.path(), cells.describe(cell));
                if let Feed::Rows { place, .. } = domain.feed {
                    assert!(place.bits.is_none_or(|bits| bits.count_ones() == domain.bits), "{}", instruction.path());
                }
            }
        }
        let listed: BTreeSet<&str> = instruction.cell_classes.iter().copied().collect();
        assert!(classes.is_subset(&listed), "{}: {classes:?}", instruction.path());
        empty.extend(listed.difference(&classes).map(|class| format!("{}: {class}", instruction.path())));
    }
    // The moves to Dst share one list, and of some of them no cell forces five bits on TF32.
    empty.retain(|class| !class.ends_with(": 5-bit exponent, TF32 write"));
    assert_eq!(empty, [""; 0]);
    assert!(domains > 2_000, "{domains}");
}

#[test]
fn every_instruction_names_quantities_once_and_each_fits_its_width_and_names() {
    for (isa, instruction) in instructions() {
        let mut names: BTreeSet<&str> = (isa.layout.fields)().iter().map(|field| field.name.as_str()).collect();
        names.extend(instruction.code_fields.iter().map(|field| field.name));
        for quantity in instruction.quantities {
            let place = format!("{}: {}", instruction.path(), quantity.name);
            assert!(names.insert(quantity.name), "{place} is named twice, or like a field");
            assert!(quantity.width > 0 && quantity.values.len() <= 1 << quantity.width.min(16), "{place}");
        }
        let mut noise = Noise::new(1);
        for _ in 0..300 {
            let mut case = Case::any(isa, instruction, &mut noise);
            case.disturb(isa, instruction, &mut noise);
            for quantity in instruction.quantities {
                let value = (quantity.get)(&case.parts());
                assert!(value <= largest(quantity), "{}: {} is {value}", instruction.path(), quantity.name);
            }
        }
    }
}

#[test]
fn a_quantity_has_the_value_that_it_was_given() {
    for (isa, instruction) in instructions() {
        let mut noise = Noise::new(2);
        for quantity in instruction.quantities {
            let place = format!("{}: {}", instruction.path(), quantity.name);
            let mut given = BTreeSet::new();
            for turn in 0..60 {
                let mut case = Case::any(isa, instruction, &mut noise);
                case.disturb(isa, instruction, &mut noise);
                let value = match turn % 5 {
                    0 => noise.bits(quantity.width),
                    1 => noise.below(40) as u32,
                    2 => largest(quantity) - noise.below(4).min(largest(quantity) as usize) as u32,
                    3 => (quantity.get)(&case.parts()) ^ 1 << noise.below(quantity.width as usize),
                    _ => (quantity.get)(&case.parts()),
                };
                if quantity.set(&mut case.parts(), value) {
                    assert_eq!((quantity.get)(&case.parts()), value, "{place}");
                    given.insert(value);
                } else {
                    assert_ne!(turn % 5, 4, "{place} cannot have the value {value} that it has");
                }
            }
            assert!(given.len() >= 2, "{place} can be given {given:?} only");
        }
    }
}

#[test]
fn a_value_that_a_quantity_has_is_given_without_changing_anything() {
    for (isa, instruction) in instructions() {
        let mut noise = Noise::new(3);
        for _ in 0..20 {
            let mut case = Case::any(isa, instruction, &mut noise);
            let before = (case.code.clone(), case.small.to_vec());
            for quantity in instruction.quantities {
                let value = (quantity.get)(&case.parts());
                assert!(quantity.set(&mut case.parts(), value));
                let after = (case.code.clone(), case.small.to_vec());
                assert!(before == after, "{}: {}", instruction.path(), quantity.name);
            }
        }
    }
}

#[test]
fn a_level_is_asked_for_whatever_the_case_is() {
    for (isa, instruction) in instructions() {
        let mut noise = Noise::new(4);
        for turn in 0..400 {
            let mut case = Case::any(isa, instruction, &mut noise);
            case.disturb(isa, instruction, &mut noise);
            let edition = Edition::ALL[turn % 2];
            let cells = (instruction.cells)(edition).axes;
            for axis in cells.iter().chain((instruction.orthogonal)(edition)) {
                // It may not be possible beside what else the case is.
                let level = noise.below(axis.levels.len());
                (axis.set)(&mut case.parts(), level, &mut noise);
                assert!((axis.get)(&case.parts()) < axis.levels.len(), "{}: {}", instruction.path(), axis.name);
            }
        }
    }
}

#[test]
fn plain_levels_are_levels_of_orthogonal_axes_and_none_is_the_first() {
    for (_, instruction) in instructions() {
        for entry in instruction.plain_levels() {
            let (name, level) = entry.split_once('=').expect("axis=level");
            for &edition in instruction.editions() {
                let axis = (instruction.orthogonal)(edition).iter().find(|axis| axis.name == name);
                let axis = axis.unwrap_or_else(|| panic!("{}: no axis {name}", instruction.path()));
                let place = axis.levels.iter().position(|&known| known == level);
                assert!(place.is_some_and(|place| place > 0), "{}: {entry}", instruction.path());
            }
        }
    }
}

#[test]
fn every_set_and_every_instruction_has_its_cases_at_its_place() {
    assert!(ISAS.iter().map(|isa| isa.name).eq(tandem_isa::MACHINES.iter().map(|machine| machine.name)));
    for isa in ISAS {
        assert_eq!(isa.instructions.len(), isa.machine.instructions.len(), "{}", isa.name);
        for (index, (instruction, facts)) in isa.instructions.iter().zip(isa.machine.instructions).enumerate() {
            assert!(std::ptr::eq(instruction.facts, *facts) && std::ptr::eq(of(facts), *instruction));
            assert_eq!((facts.index, facts.isa), (index, isa.name), "{}", facts.path());
        }
        assert_eq!(isa.background.len(), isa.layout.banks.len(), "{}", isa.name);
    }
}

/// What a case draws into a bank has no bit that the bank does not have.
#[test]
fn drawn_values_fit_their_banks() {
    let mut noise = Noise::new(17);
    for (isa, instruction) in instructions().filter(|(isa, _)| isa.name.starts_with("tensix")) {
        for _ in 0..200 {
            let case = Case::any(isa, instruction, &mut noise);
            for (number, bank) in isa.layout.banks.iter().enumerate() {
                let rows = bank.first_row..bank.first_row + bank.rows();
                let ranges = case.salt.ranges.iter().filter(|range| rows.contains(&usize::from(range.first)));
                let of_rows = ranges.filter(|range| range.first < range.end).map(|range| range.class);
                for class in of_rows.chain([case.salt.class[number]]) {
                    let class = &isa.value_classes[usize::from(class)];
                    let is_whole = bank.bits as usize == 8 * bank.word.bytes();
                    let fits = class.datum_bytes == bank.word.bytes() && class.bits <= bank.bits;
                    assert!(is_whole || fits, "{}: {} in {}", instruction.path(), class.name, bank.name);
                }
            }
        }
    }
}
