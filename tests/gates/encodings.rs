//! Encodings, texts, modes and case ids go both ways.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tandem::wiring;
use tandem_cases::tensix;
use tandem_harness::{CaseId, CaseIdError, Generator, Pools};
use tandem_isa::{Edition, Isa, Noise, Parts, SaltPlan};

/// The chips of the family.
const TENSIX: [&Isa; 2] = [&tensix::WORMHOLE, &tensix::BLACKHOLE];

proptest! {
    #[test]
    fn encodings_and_texts_round_trip(word in any::<u32>()) {
        for instruction in TENSIX.iter().flat_map(|isa| isa.instructions) {
            let opcode = instruction.base_code[0];
            let code = [(word & !instruction.opcode_mask(0)) | opcode];
            prop_assert!(instruction.matches(&code));
            // Fields and unnamed bits are all there is.
            let mut again = [opcode | (code[0] & instruction.unnamed_bits(0))];
            for field in instruction.code_fields {
                field.set(&mut again, field.get(&code));
            }
            prop_assert_eq!(code, again);
            let text = instruction.print(&code);
            let parsed = instruction.parse(&text).expect("what is printed is read");
            prop_assert_eq!(&parsed[..], &code[..], "{}", text);
        }
    }

    #[test]
    fn texts_that_are_no_instruction_are_refused(text in "\\PC{0,60}") {
        for instruction in TENSIX.iter().flat_map(|isa| isa.instructions) {
            if let Ok(code) = instruction.parse(&text) {
                // Whatever is accepted means what it prints.
                let printed = instruction.print(&code);
                prop_assert_eq!(&instruction.parse(&printed).expect("read")[..], &code[..]);
            }
        }
    }

    #[test]
    fn case_ids_round_trip(place in 0u32..4096, seed in 0u64..1 << 48, index in 0u64..1 << 36, newest in any::<bool>()) {
        let suite = wiring::suite();
        let (isa, instruction) = suite.instructions().next().expect("there is one");
        let edition = if newest { Edition::Newest } else { Edition::Spec };
        let cell = place % u32::try_from((instruction.cells)(edition).len()).expect("a number of cells fits");
        let id = CaseId { isa: isa.isa.short, instruction, edition, cell, seed, index };
        let text = id.to_string();
        prop_assert!(text.len() <= 40, "{} has {} characters", text, text.len());
        let (read, _) = CaseId::parse(&text, &suite).expect("what is printed is read");
        prop_assert_eq!((read.cell, read.seed, read.index, read.edition), (cell, seed, index, edition));
        prop_assert_eq!(read.key(), id.key());
    }
}

#[test]
fn the_page_s_own_syntax_is_read() {
    for (isa, text, word) in [
        (
            0,
            "TT_SFPLOAD(/* u4 */ 3, /* u4 */ 12, /* u2 */ 2, /* u10 */ 0x2c0)",
            0x70 << 24 | 3 << 20 | 12 << 16 | 2 << 14 | 0x2c0,
        ),
        (0, "TTI_SFPSTORE(15, 0, 3, 1023);", 0x72 << 24 | 15 << 20 | 3 << 14 | 0x3ff),
        (
            1,
            "TT_SFPLOAD(/* u4 */ 3, /* u4 */ 12, /* u3 */ 7, /* u10 */ 0x2c0)",
            0x70 << 24 | 3 << 20 | 12 << 16 | 7 << 13 | 0x2c0,
        ),
        (1, "TT_SFPSTORE(1, 2, 4, 5) | 0x400", 0x72 << 24 | 1 << 20 | 2 << 16 | 4 << 13 | 0x405),
    ] {
        let code = TENSIX[isa].instructions.iter().find_map(|it| it.parse(text).ok()).expect("the form is read");
        assert_eq!(code[0], word, "{text}");
        assert!(TENSIX[isa].decode(&code).is_some_and(|it| it.parse(text) == Ok(code)));
    }
    let error =
        tandem_isa::tensix::inst::sfpload::SFPLOAD.parse("TT_SFPLOAD(0, 0, 4, 0)").expect_err("too wide").to_string();
    assert!(error.contains("AddrMod is 4"), "{error}");
    let instruction = tandem_isa::tensix::inst::mova2d::MOVA2D;
    let text = "TT_MOVA2D(/* bool */ 1, /* u6 */ 8, /* u2 */ 3, (/* bool */ 1) << 1, /* u10 */ 0x2c0)";
    let code = instruction.parse(text).expect("the page's form is read");
    assert_eq!(code[0], 0x12 << 24 | 1 << 23 | 8 << 17 | 3 << 15 | 1 << 13 | 0x2c0);
    for (broken, why) in [
        ("TT_MOVA2D(0, 64, 0, 0, 0)", "SrcRow is 64"),
        ("TT_MOVA2D(0, 0, 0, 0)", "5 arguments"),
        ("TT_MOVB2D(0, 0, 0, 0, 0)", "does not begin"),
        ("TT_MOVA2D(0, 0, 0, 4, 0)", "2 bits"),
        ("TT_MOVA2D(0, x, 0, 0, 0)", "not a number"),
        ("TT_MOVA2D(0, 0, 0, 1 << 40, 0)", "too far"),
        ("TT_MOVA2D(0, 0, 0, 0, 0) | 0x1", "the arguments name"),
    ] {
        let error = instruction.parse(broken).expect_err(broken).to_string();
        assert!(error.contains(why), "{broken}: {error}");
    }
}

#[test]
fn a_case_has_the_cell_that_was_imposed() {
    for isa in &wiring::suite().isas {
        for instruction in isa.isa.instructions {
            for edition in Edition::ALL {
                let cells = (instruction.cells)(edition);
                assert!(cells.len() <= 4096, "a case id has 12 bits for the cell");
                let generator = Generator::new(isa.isa, instruction, edition, 3, Pools::new(isa.isa, 3));
                let mut state = isa.isa.base_state();
                for round in 0..3 {
                    for number in 0..cells.len() as u64 {
                        let id = generator.id(round * cells.len() as u64 + number);
                        let mut drawn = generator.generate(&id, &mut state);
                        let parts = Parts { code: &mut drawn.code, small: &mut state.small, salt: &mut drawn.salt };
                        assert_eq!(cells.classify(&parts), Some(id.cell as usize));
                    }
                }
            }
        }
    }
}

#[test]
fn an_orthogonal_level_that_is_set_reads_back() {
    for (isa, instruction) in TENSIX.iter().flat_map(|isa| isa.instructions.iter().map(move |it| (isa, *it))) {
        let base = isa.base_state();
        for edition in Edition::ALL {
            let mut noise = Noise::new(5);
            let mut small = base.small.clone();
            for axis in (instruction.orthogonal)(edition) {
                for level in 0..axis.levels.len() {
                    for _ in 0..40 {
                        small.copy_from_slice(&base.small);
                        let mut code = tandem_isa::Code::new(instruction.base_code);
                        let mut salt = SaltPlan::default();
                        salt.class[tandem_isa::tensix::bank::DST_ROW_VALID] = tensix::value_class::ALL_VALID;
                        let mut parts = Parts { code: &mut code, small: &mut small, salt: &mut salt };
                        (axis.set)(&mut parts, level, &mut noise);
                        let read = (axis.get)(&parts);
                        // A level that takes any value may have drawn one that has a level of its own.
                        let wide =
                            ["any", "other", "aligned", "small", "misaligned", "last"].contains(&axis.levels[level]);
                        assert!(
                            wide || read == level,
                            "{} {}: read {}",
                            axis.name,
                            axis.levels[level],
                            axis.levels[read]
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn broken_case_ids_say_what_is_wrong() {
    let suite = wiring::suite();
    let (isa, instruction) = suite.instructions().next().expect("there is one");
    let id = CaseId { isa: isa.isa.short, instruction, edition: Edition::Newest, cell: 7, seed: 9, index: 11 };
    let text = id.to_string();
    assert!(matches!(CaseId::parse("", &suite), Err(CaseIdError::Form(_))));
    assert!(matches!(CaseId::parse(&text[..text.len() - 1], &suite), Err(CaseIdError::Form(_))));
    assert!(matches!(CaseId::parse(&text.replace("wh.", "zz."), &suite), Err(CaseIdError::Unknown { .. })));
    // A mistyped character is noticed seven times out of eight.
    let digits = text.rfind('.').expect("an id has dots") + 1;
    let mut noticed = 0;
    for at in digits..text.len() {
        for digit in "0123456789abcdefghjkmnpqrstvwxyz".chars() {
            let mut wrong: Vec<char> = text.chars().collect();
            if wrong[at] != digit {
                wrong[at] = digit;
                noticed += usize::from(CaseId::parse(&wrong.into_iter().collect::<String>(), &suite).is_err());
            }
        }
    }
    assert!(noticed * 10 >= 31 * 22 * 8, "{noticed}");
}

#[test]
fn every_instruction_has_a_number_of_its_own() {
    for isa in &wiring::suite().isas {
        let numbers: BTreeSet<u16> = isa.isa.instructions.iter().map(|instruction| instruction.number).collect();
        assert_eq!(numbers.len(), isa.isa.instructions.len(), "{}: two instructions share an opcode", isa.isa.name);
    }
    assert_eq!(tensix::WORMHOLE.instruction("mova2d").map(|one| one.number), Some(0x12));
}
