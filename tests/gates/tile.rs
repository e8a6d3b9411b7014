//! Journeys of numbers from L1 to L1, and the law of pairs of formats that is made of them.

use std::sync::Arc;

use rstest::rstest;
use tandem::answers::{self, Answer, Topic};
use tandem::tile::{FORMATS, Journey, L1Format, Sum, Through, step};
use tandem::wiring;
use tandem_faults::twist;
use tandem_harness::speed;
use tandem_isa::Expectation;
use tandem_isa::tensix::Chip;
use tandem_twin::Twin;

use crate::program::{ended, run};

fn format(name: &str) -> &'static L1Format {
    L1Format::named(name).expect("there is one")
}

#[rstest]
#[case(&["1.1", "nan", "--from", "FP32", "--to", "BF16"], 0, "early conversion from FP32 to BF16, rounded")]
#[case(&["nan", "--from", "fp32", "--to", "bf16"], 0, "nan  0x7f80 infinity")]
#[case(&["1.1", "--from", "FP32", "--to", "FP16", "--raw"], 0, "by PACR, late conversion from FP32 to FP16")]
#[case(&["-1.5", "2", "--from", "BF16", "--relu"], 0, "-1.5  0x0000 0, by PACR, ReLU")]
#[case(&["-5", "--from", "INT8", "--isa", "tensix-bh"], 0, "-5  the same bits (0x85)")]
#[case(&["5", "--from", "INT8", "--through", "none"], 0, "PACR, early conversion from INT8 to INT8")]
#[case(&["1e-40", "--from", "BF16", "--through", "mova2d"], 0, "0x0000 0, by MOVA2D")]
#[case(&["1", "--from", "FP32", "--between", "FP16"], 0, "not promised (unspecified: UNPACR, lines 510-513")]
#[case(&["1", "0x1@0", "--from", "BFP8a"], 0, "of each number alone")]
#[case(&["1", "--from", "FP32", "--to", "TF32", "--raw"], 2, "leave --raw out")]
#[case(&["1", "--from", "INT8", "--between", "BF16"], 2, "ELWADD leaves INT32 in Dst")]
#[case(&["300", "--from", "INT8"], 2, "INT8 has no 300")]
#[case(&["0x10000", "--from", "BF16"], 2, "a datum of BF16 has 16 bits")]
#[case(&["1", "--from", "BF61"], 2, "BF16")]
#[case(&["1", "2", "--from", "INT8", "--at", "20,31"], 0, "2 in row 21, column 0: face 2, row 5, column 0")]
#[case(&["1", "--from", "BF16", "--at", "31,32"], 2, "each of them 0 to 31")]
#[case(&["0x40@127", "0x40@9", "--from", "BFP8", "--at", "3,15"], 0, "0x40@9    the same bits (0x40@9)")]
#[case(&["1", "2", "--from", "INT8", "--at", "31,31"], 2, "go beyond its end")]
fn a_journey_says_what_came_and_where(#[case] arguments: &[&str], #[case] code: i32, #[case] says: &str) {
    let (exit, stdout, stderr) = run(&[&["tile"], arguments].concat());
    assert_eq!(exit, code, "{stdout}{stderr}");
    assert!(if code == 0 { stdout } else { stderr }.contains(says), "{arguments:?}");
}

/// A whole tile at a time: all data of a row of `Dst`, of each row, of both chips.
#[test]
fn what_is_kept_has_the_same_bits_in_every_place_of_a_tile() {
    let suite = wiring::references();
    for chip in Chip::ALL {
        let isa = suite.isa(chip.isa()).expect("the suite has both");
        for name in ["FP32", "BF16", "FP16", "INT32", "INT16"] {
            for through in [Through::Straight, Through::Mova2d] {
                let own = Journey { through: Some(through), ..Journey::new(format(name), format(name)) };
                // SrcA has 19 bits of a datum, and no INT32.
                if through == Through::Mova2d && ["FP32", "INT32"].contains(&name) {
                    continue;
                }
                let is_raw = (own.early().len() > 1).then_some(true);
                // Normal numbers, as moves flush others.
                let numbers: Vec<String> = (0..1024).map(|place| format!("{:#x}", 0x2001 + 17 * place)).collect();
                let journey = Journey { is_raw, ..own };
                let tile = journey.run(isa, &numbers).expect("it can be asked for");
                assert!(
                    (0..1024).all(|place| tile.outcome(place).starts_with("the same bits")),
                    "{journey:?} {tile:?}"
                );
            }
        }
    }
}

/// The sum is computed here once more, and all levels end as the reference does, with every bit.
#[test]
fn a_whole_tile_is_unpacked_added_and_packed_by_reference_and_levels_alike() {
    for isa in wiring::suite().isas.iter().filter(|isa| Chip::named(isa.isa.name).is_some()) {
        let Sum { state, steps, operands: [a, b] } = Sum::new(isa);
        let steps: Vec<_> = steps.iter().map(step).collect();
        let row = speed::measure_program(isa, "tile", (&state, &steps), 1).unwrap_or_else(|who| panic!("{who}"));
        assert_eq!(row.levels.len(), isa.targets.len());
        let (mut reference, mut after) = ((isa.reference)(), state);
        assert!(steps.iter().all(|step| reference.execute(step, &mut after) == Expectation::Done));
        let sums: Vec<i32> = a.iter().zip(&b).map(|(a, b)| (a + b).clamp(-127, 127)).collect();
        assert!(sums.iter().any(|sum| sum.abs() == 127) && sums.iter().any(|sum| sum.abs() < 100));
        assert_eq!(Sum::came(isa, after), sums);
    }
}

/// One that does not end as the reference does is named, and nothing is measured.
#[test]
fn what_ends_otherwise_is_not_measured() {
    let suite = wiring::suite();
    let isa = suite.isa("tensix-bh").expect("there is one");
    let Sum { state, steps, .. } = Sum::new(isa);
    let steps: Vec<_> = steps.iter().map(step).collect();
    let shows = |twist: &tandem_twin::site::Twist| {
        let mut isa = suite.isa("tensix-bh").expect("there is one").with_targets(isa.targets.clone());
        let twists = vec![*twist];
        isa.reference = Arc::new(move || Box::new(Twin::new(twists.clone(), Default::default())));
        speed::measure_program(&isa, "tile", (&state, &steps), 1).is_err()
    };
    let twists: Vec<_> = twist::every().filter(|&one| twist::name(one).contains("late_conversion")).collect();
    assert!(twists.iter().any(shows), "none of {} twists shows", twists.len());
}

#[test]
fn the_law_has_every_pair_and_what_shows_a_cell_says_the_same() {
    let suite = wiring::references();
    let law = answers::of(&suite, Topic::Formats, &|one| one.file == "pacr", 0);
    for (chip, from, to) in Chip::ALL.iter().flat_map(|chip| {
        FORMATS.iter().flat_map(move |from| FORMATS.iter().map(move |to| (chip.isa(), from.name(), to.name())))
    }) {
        let pair = format!("{from} to {to}");
        let own = |answer: &&Answer| answer.isa == chip && answer.of.split(',').next() == Some(&*pair);
        assert!(law.iter().filter(own).count() >= 3, "{chip} {pair}");
    }
    let says = |start: &str| law.iter().filter(|answer| answer.says.starts_with(start)).count();
    assert!(says("the same bits") > 100 && says("the same value") > 500 && says("0x") > 1000);
    assert!(
        says("PACR: not promised (") > 500 && says("UNPACR_REGULAR: not promised (undefined: UNPACR, line 608") > 50
    );
    for answer in law.iter().step_by(311) {
        let arguments: Vec<&str> = answer.shown[0].iter().map(String::as_str).collect();
        let (stdout, _) = ended(run(&arguments), 0);
        assert!(stdout.trim_end().ends_with(&answer.says), "{arguments:?}: {stdout}");
    }
}

/// Nothing of it is written down: with something done wrong by `UNPACR` it is another one.
#[test]
fn the_law_is_what_the_reference_does() {
    let law = |twists: Vec<tandem_twin::site::Twist>| {
        let mut suite = wiring::references();
        for isa in &mut suite.isas {
            let twists = twists.clone();
            isa.reference = Arc::new(move || Box::new(Twin::new(twists.clone(), Default::default())));
        }
        let isa = suite.isa("tensix-wh").expect("there is one");
        Journey::new(format("BFP8"), format("FP32"))
            .run(isa, &["1.5", "-0.75", "0x81@120"])
            .expect("it can be asked for")
    };
    let right = law(Vec::new());
    let convert = |name: &str| name.contains("bfp8_to_bf16");
    let twists: Vec<_> = twist::every().filter(|&one| convert(&twist::name(one))).collect();
    let changed = twists.iter().filter(|&&twist| law(vec![twist]) != right).count();
    assert!(changed > 3, "{changed} of {} twists show", twists.len());
}
