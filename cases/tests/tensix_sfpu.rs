//! Cases of the Vector Unit's instructions: cells of `SFPLOAD` and `SFPSTORE`, and speed classes.

use tandem_cases::tensix::{BLACKHOLE, WORMHOLE, value_class};
use tandem_isa::{Code, Edition, Instruction, Isa, Noise, Parts, SaltPlan};

fn instructions() -> impl Iterator<Item = (&'static Isa, &'static Instruction)> {
    [&WORMHOLE, &BLACKHOLE]
        .into_iter()
        .flat_map(|isa| isa.instructions.iter().map(move |&it| (isa, it)))
        .filter(|(_, it)| it.name.starts_with("SFP"))
}

/// Those that move data between `Dst` and the registers.
fn moves() -> impl Iterator<Item = (&'static Isa, &'static Instruction)> {
    instructions().filter(|(_, it)| ["SFPLOAD", "SFPSTORE"].contains(&it.name))
}

#[test]
fn cells_are_as_many_as_the_pages_tell_apart() {
    let counts: Vec<usize> = moves().map(|(_, it)| (it.cells)(Edition::Newest).len()).collect();
    assert_eq!(counts, [1376, 512, 1888, 576]);
}

#[test]
fn a_speed_class_is_the_same_on_every_background() {
    for (isa, it) in instructions() {
        for class in it.bench_classes {
            let cases: Vec<_> = [0x00, 0xff]
                .map(|byte| {
                    let mut state = isa.base_state();
                    for field in (isa.layout.fields)() {
                        field.set(&mut state.small, if byte == 0 { 0 } else { field.max });
                    }
                    let (mut code, mut salt) = (Code::new(it.base_code), SaltPlan::default());
                    let mut parts = Parts { code: &mut code, small: &mut state.small, salt: &mut salt };
                    let mut noise = Noise::new(7);
                    (it.prepare)(&mut parts, &mut noise);
                    (class.set)(&mut parts, &mut noise);
                    let cell = (it.cells)(Edition::Newest).classify(&parts);
                    let reads_dst = moves().any(|(_, one)| std::ptr::eq(one, it));
                    let is_valid = salt.class[tandem_isa::tensix::bank::DST_ROW_VALID] == value_class::ALL_VALID;
                    assert!(is_valid || !reads_dst, "{} {}", it.path(), class.name);
                    (code.to_vec(), cell)
                })
                .to_vec();
            assert_eq!(cases[0], cases[1], "{} {}", it.path(), class.name);
            assert!(cases[0].1.is_some());
        }
    }
}
