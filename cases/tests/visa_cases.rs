//! The cases that `MOV`'s facts draw have one form, and cells of vISA are imposed and found again from any state. That the cases
//! keep the rules of the pages is a gate of the whole suite, where the reference is at hand.

use tandem_cases::visa::{MOV, VISA as VISA_CASES};
use tandem_isa::visa::operand::{self, DST, class};
use tandem_isa::visa::{Small, VISA};
use tandem_isa::{AlignedBytes, Code, Edition, Levels, MAX_AXES, Noise, Parts, SaltPlan, mix64};

/// Code words and orthogonal levels of a case as the generator of the harness draws it.
fn draw(number: u64) -> (Code, Levels) {
    let mut noise = Noise::new(mix64(number ^ 0xca5e));
    let mut bytes = AlignedBytes::zeroed(size_of::<Small>());
    for field in (VISA.layout.fields)() {
        let value = match number % 8 {
            0 => 0,
            1 => field.max,
            _ => noise.bits(field.width).min(field.max),
        };
        field.set(&mut bytes, value);
    }
    let space = (MOV.cells)(Edition::Spec);
    let cell = (number % space.len() as u64) as usize;
    let (mut code, mut salt) = (Code::new(MOV.base_code), SaltPlan::default());
    let mut parts = Parts { code: &mut code, small: &mut bytes, salt: &mut salt };
    let mut levels = [0; MAX_AXES];
    (MOV.prepare)(&mut parts, &mut noise);
    for (level, axis) in levels.iter_mut().zip((MOV.orthogonal)(Edition::Spec)) {
        let drawn = axis.draw(&mut noise);
        *level = u8::try_from(drawn).expect("few levels");
        (axis.set)(&mut parts, drawn, &mut noise);
    }
    space.impose(cell, &mut parts, &mut noise);
    (MOV.finish)(&mut parts, &mut levels, &mut noise);
    assert_eq!(space.classify(&parts), Some(cell), "case {number}: {}", space.describe(cell));
    (code, levels)
}

fn axis(name: &str) -> usize {
    (MOV.orthogonal)(Edition::Spec).iter().position(|axis| axis.name == name).expect("an axis")
}

#[test]
fn cases_are_canonical_and_have_a_text() {
    for number in 0..40_000 {
        let (code, levels) = draw(number);
        let text = MOV.print(&code);
        assert_eq!(MOV.parse(&text).as_deref(), Ok(&code[..]), "{text}");
        if levels[axis("encoding_rule")] == 0
            && levels[axis("region_rule")] != 10
            && DST.class.get(&code) != class::PREDICATE
        {
            assert!(!text.contains('|'), "case {number}: {text}");
            let bytes = operand::bytes::to_bytes(&code).expect("a byte form");
            assert_eq!(operand::bytes::from_bytes(&bytes).as_deref(), Ok(&code[..]), "{text}");
        }
    }
}

#[test]
fn imposing_and_classifying_are_inverse_from_any_state() {
    for instruction in VISA_CASES.instructions {
        let (space, mut noise) = ((instruction.cells)(Edition::Newest), Noise::new(3));
        for (round, cell) in (0..6).flat_map(|round| (0..space.len()).map(move |cell| (round, cell))) {
            let mut small = AlignedBytes::zeroed(size_of::<Small>());
            let words = instruction.base_code.iter().map(|_| if round == 0 { 0 } else { noise.bits(32) });
            let words: Vec<u32> = words.collect();
            let mut code = if round == 1 { Code::new(instruction.base_code) } else { Code::new(&words) };
            for byte in small.iter_mut().take(if round < 2 { 0 } else { 192 }) {
                *byte = noise.bits(8) as u8;
            }
            let mut parts = Parts { code: &mut code, small: &mut small, salt: &mut SaltPlan::default() };
            space.impose(cell, &mut parts, &mut noise);
            assert_eq!(space.classify(&parts), Some(cell), "{} {}", instruction.name, space.describe(cell));
        }
    }
}
