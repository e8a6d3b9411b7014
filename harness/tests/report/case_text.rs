//! Cases in names.

use tandem_harness::report::CaseText;
use tandem_harness::report::case_text::StepText;

use crate::sample;

#[test]
fn a_case_in_names_reads_back() {
    let suite = sample::suite();
    let value = sample::case();
    let text = CaseText::of(&value);
    let (read, _) = text.read(&suite).expect("it was written by us");
    assert_eq!((&read.fields, &read.words, &*read.code), (&value.fields, &value.words, &*value.code));
    let json = serde_json::to_string(&text).expect("texts serialize");
    assert_eq!(serde_json::from_str::<CaseText>(&json).expect("it reads back"), text);
}

#[test]
fn a_line_reads_back_and_says_what_it_lacks() {
    let mut text = CaseText::of(&sample::case());
    let line = text.to_string();
    assert!(!line.contains('\n') && line.starts_with(&format!("{} {} 0x", text.instruction, text.edition)), "{line}");
    assert_eq!(line.parse(), Ok(text.clone()));
    assert_eq!(line.replace(' ', "\n   ").parse(), Ok(text.clone()));
    text.then.push(StepText { instruction: "other".to_string(), code: vec!["0x1".to_string(), "0x2".to_string()] });
    text.then.push(StepText { instruction: "third".to_string(), code: vec!["0x3".to_string()] });
    assert!(text.to_string().contains(" then other 0x1 0x2 then third 0x3 "), "{text}");
    assert_eq!(text.to_string().parse(), Ok(text.clone()));

    let wrong = |line: &str| line.parse::<CaseText>().expect_err("it is broken").to_string();
    assert!(wrong("").starts_with("a case: "));
    assert!(wrong("a/b").starts_with("a case: "));
    assert!(wrong("a/b newest 12").starts_with("12: is neither "));
    assert!(wrong("a/b newest 0x1 Field=").starts_with("Field: "));
    assert!(wrong("a/b newest 0x1 Field=-1").starts_with("Field: "));
    assert!(wrong("a/b newest 0x1 then").starts_with("then: "));
}

#[test]
fn what_does_not_exist_or_fit_is_named() {
    let suite = sample::suite();
    let good = CaseText::of(&sample::case());
    let broken = |change: &dyn Fn(&mut CaseText)| {
        let mut text = good.clone();
        change(&mut text);
        text.read(&suite).err().expect("it is broken").to_string()
    };
    assert!(broken(&|text| text.edition = "new".into()).starts_with("edition: "));
    assert!(broken(&|text| text.instruction = "x/y".into()).starts_with("instruction: "));
    assert!(broken(&|text| text.code[0] = "12".into()).starts_with("code[0]: "));
    assert!(broken(&|text| text.code.clear()).starts_with("code: "));
    assert!(broken(&|text| text.words[0].place.push_str("[0]")).starts_with("words[0].place: "));
    assert!(broken(&|text| text.words[0].value = "0x123456789".into()).starts_with("words[0].value: "));
    assert!(broken(&|text| text.fields[0].name.push('x')).starts_with("fields[0].name: "));
    assert!(broken(&|text| text.fields[0].value = u32::MAX).starts_with("fields[0].value: "));
    assert!(broken(&|text| text.words.push(text.words[0].clone())).contains("twice"));
}
