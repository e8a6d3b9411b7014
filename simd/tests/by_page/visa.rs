//! What `MOV` and `DPAS` make of single data at every level, worked out by hand from their pages.

mod dpas;
mod mov;

use tandem_isa::visa::{DataType, GRF_BYTES, GeneralVariable, VISA, Visa};
use tandem_isa::{Answer, Edition, Facts, State, Step, Target};

use tandem_simd::Level;
use tandem_simd::visa::VisaSimd;

/// Bytes from the beginning of a variable to that of the next one.
const SPACING: usize = 2048;

/// A state whose variables `V32` to `V35` have these types, 2,048 bytes each.
fn state(types: [DataType; 4]) -> State {
    let mut state = VISA.base_state();
    let variables = &mut Visa::new(&mut state).small.variables;
    for (index, (variable, data_type)) in variables.iter_mut().zip(types).enumerate() {
        *variable = GeneralVariable {
            data_type: data_type.code() as u16,
            num_elements: (SPACING / data_type.bytes()) as u16,
            offset: (index * SPACING) as u16,
            unused: 0,
        };
    }
    state
}

/// Writes data one after the other from the beginning of a variable on, `V32` to `V35` by 0 to 3.
fn put<const N: usize>(state: &mut State, variable: usize, data: &[[u8; N]]) {
    Visa::new(state).write_bytes(variable * SPACING, data.as_flattened());
}

/// As many data from the beginning of a variable on.
fn get<const N: usize>(state: &mut State, variable: usize, count: usize) -> Vec<[u8; N]> {
    Visa::new(state).read_bytes(variable * SPACING, N * count).as_chunks().0.to_vec()
}

/// What each level answers to an instruction by its text, and leaves.
fn run(instruction: &'static Facts, text: &str, before: &State) -> Vec<(Answer, State)> {
    let code = (instruction.syntax.parse)(instruction, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let each = |level| {
        let mut state = VISA.base_state();
        state.copy_from(before);
        let step = Step { instruction, edition: Edition::Newest, code: &code };
        let answer = VisaSimd::new(level).execute(&step, &mut state);
        (answer, state)
    };
    Level::detect_all().into_iter().map(each).collect()
}

/// Asserts that every level refuses it, and leaves everything alone.
fn assert_refused(instruction: &'static Facts, text: &str, before: &State) {
    for (answer, after) in run(instruction, text, before) {
        assert_eq!(answer, Answer::Unsupported, "{text}");
        assert!(after.arena[..] == before.arena[..] && after.small[..] == before.small[..], "{text}");
    }
}

/// Asserts what every level leaves in `V32`.
fn assert_makes<const N: usize>(instruction: &'static Facts, text: &str, before: &State, expected: &[[u8; N]]) {
    for (answer, mut after) in run(instruction, text, before) {
        assert_eq!(answer, Answer::Done, "{text}");
        assert_eq!(get::<N>(&mut after, 0, expected.len()), expected, "{text}");
        let len = N * expected.len();
        let [before, after] = [before, &after].map(|state| &state.arena[len..GRF_BYTES]);
        assert!(before == after, "{text}: only its destination changes");
    }
}
