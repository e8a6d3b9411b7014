//! What the tests of several files have in common.

use tandem_isa::tensix::{BLACKHOLE, Chip, Mnemonic, Tensix, WORMHOLE};
use tandem_isa::{Answer, CodeField, Edition, State, Step, Target};
use tandem_simd::Level;
use tandem_simd::tensix::TensixSimd;

/// What every level answers to an instruction on the base state with what `set` makes of it, and leaves.
pub fn run(
    mnemonic: Mnemonic,
    (chip, edition): (Chip, Edition),
    fields: &[(CodeField, u32)],
    set: impl FnOnce(&mut Tensix<'_>),
) -> (Answer, State) {
    let instruction = mnemonic.on(chip);
    let mut code = [instruction.base_code[0]];
    fields.iter().for_each(|(field, value)| field.set(&mut code, *value));
    let isa = chip.pick(&WORMHOLE, &BLACKHOLE);
    let mut before = isa.base_state();
    set(&mut Tensix::new(&mut before));
    let at = |level| {
        let mut state = isa.base_state();
        state.copy_from(&before);
        state.tracker.clear();
        (TensixSimd::new(level).execute(&Step { instruction, edition, code: &code }, &mut state), state)
    };
    let (answer, state) = at(Level::Portable);
    for level in Level::detect_all() {
        let (other_answer, other) = at(level);
        assert_eq!(other_answer, answer, "{level:?}");
        assert!(other.arena[..] == state.arena[..] && other.small[..] == state.small[..], "{level:?}");
    }
    (answer, state)
}
