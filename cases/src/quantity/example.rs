//! Cases by values of fields, for tests.

use tandem_isa::{Instruction, Machine, Parts, Quantity, SaltPlan};

/// Looks at the base case with other values of some fields, of the code words or of the small state.
pub(crate) fn with_case(
    machine: &Machine,
    instruction: &Instruction,
    fields: &[(&str, u32)],
    look: impl FnOnce(&mut Parts<'_>),
) {
    let (mut code, mut state) = (instruction.base_code.to_vec(), machine.base_state());
    for &(name, value) in fields {
        match instruction.code_field(name) {
            Some(field) => field.set(&mut code, value),
            None => machine.layout.field_named(name).expect("a field").set(&mut state.small, value),
        }
    }
    look(&mut Parts { code: &mut code, small: &mut state.small, salt: &mut SaltPlan::default() });
}

/// The quantity called `name`.
pub(crate) fn quantity(instruction: &Instruction, name: &str) -> &'static Quantity {
    instruction.quantities.iter().find(|known| known.name == name).unwrap_or_else(|| panic!("no {name}"))
}

/// Asserts the values that quantities have in such a case.
pub(crate) fn assert_values(
    machine: &Machine,
    instruction: &Instruction,
    fields: &[(&str, u32)],
    values: &[(&str, u32)],
) {
    with_case(machine, instruction, fields, |parts| {
        for &(name, value) in values {
            let found = (quantity(instruction, name).get)(parts);
            assert_eq!(found, value, "{}: {name} of {fields:?}", instruction.path());
        }
    });
}
