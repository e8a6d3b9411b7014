use rstest::rstest;
use tandem_isa::{Answer, Code, Edition, Facts, MACHINES, Machine, State, Step, Target, TargetInfo};

use super::{EMBEDDED, Policy, PolicyError, Refusing, RuleKind};

const MOVA2D: &str = "tensix-wh/mova2d";
const SFPLOAD: &str = "tensix-wh/sfpload";
const SFPSTORE: &str = "tensix-wh/sfpstore";
const SFPLOAD_BH: &str = "tensix-bh/sfpload";
const MOV: &str = "visa/mov";
const DPAS: &str = "visa/dpas";

fn find(path: &str) -> (&'static Machine, &'static Facts) {
    let all = MACHINES.iter().flat_map(|isa| isa.instructions.iter().map(move |&instruction| (*isa, instruction)));
    all.into_iter().find(|(_, instruction)| instruction.path() == path).expect("it is in the suite")
}

/// A case by value: fields of the code word (`code.…`), fields of the small state, and words of banks (`SrcA[0][8][3]`).
struct Case {
    instruction: &'static Facts,
    code: Code,
    state: State,
}

impl Case {
    fn new(path: &str, values: &[(&str, u32)]) -> Self {
        let (isa, instruction) = find(path);
        let mut case = Case { instruction, code: Code::new(instruction.base_code), state: isa.base_state() };
        for &(name, value) in values {
            case.set(name, value);
        }
        case
    }

    fn set(&mut self, name: &str, value: u32) {
        if let Some(code) = name.strip_prefix("code.") {
            self.instruction.code_field(code).expect("the field is there").set(&mut self.code, value);
        } else if let Some(field) = self.state.layout.field_named(name) {
            field.set(&mut self.state.small, value);
        } else {
            let bank =
                self.state.layout.bank_named(name.split('[').next().expect("a name")).expect("the bank is there");
            let spec = &self.state.layout.banks[bank];
            let places = (0..spec.rows()).flat_map(|row| (0..spec.columns()).map(move |column| (row, column)));
            let (row, column) = places
                .into_iter()
                .find(|&(row, column)| spec.word_name(row, column) == name)
                .expect("the word is there");
            self.state.set_word(bank, row, column, value);
        }
    }

    fn step(&self) -> Step<'_> {
        Step { instruction: self.instruction, edition: Edition::Newest, code: &self.code }
    }
}

fn with_condition(path: &str, condition: &str) -> Result<Policy, PolicyError> {
    let text = format!(
        "name = \"test\"\nabout = \"one condition\"\nimplements = [\"{path}\"]\n[[refusal]]\ninstructions = \
         [\"{path}\"]\nreason = \"because\"\nwhen = [{condition}]\n"
    );
    Policy::read("test.toml", &text)
}

const SECTION_5: (&str, u32) = ("ThreadConfig[1].ADDR_MOD_BIAS_SEC[5].BiasClear", 1);
const SUM: &str =
    r#"{ sum = ["code.DstRow", "RWCs[thread].Dst", "Config[state].DEST_REGW_BASE_Base"], not_multiple_of = 8 }"#;
const SRCB: &str = r#"{ format = "SrcB", in = ["BF16", 12] }"#;
const EXPONENT: &str = r#"{ data = "SrcA", as = "Src TF32", kind = "exponent all ones" }"#;
const DENORMAL: &str = r#"{ data = "DstBits", as = "Dst FP16", kind = "denormal" }"#;

#[rstest]
#[case::code(MOVA2D, r#"{ field = "code.DstRow", is = 5 }"#, &[("code.DstRow", 5)], &[("code.DstRow", 4)])]
#[case::not(MOVA2D, r#"{ field = "code.DstRow", not = 0 }"#, &[("code.DstRow", 5)], &[("code.SrcRow", 4)])]
#[case::list(MOVA2D, r#"{ field = "code.DstRow", in = [1, 63] }"#, &[("code.DstRow", 63)], &[("code.DstRow", 127)])]
#[case::no_list(MOVA2D, r#"{ field = "code.DstRow", not_in = [0, 1] }"#, &[("code.DstRow", 65)], &[("code.DstRow", 1)])]
#[case::bits(MOVA2D, r#"{ field = "code.DstRow", any_bit = 0x18 }"#, &[("code.DstRow", 8)], &[("code.DstRow", 7)])]
#[case::least(MOVA2D, r#"{ field = "code.DstRow", at_least = 9 }"#, &[("code.DstRow", 9)], &[("code.DstRow", 8)])]
#[case::most(MOVA2D, r#"{ field = "code.DstRow", at_most = 8 }"#, &[("code.DstRow", 8)], &[("code.DstRow", 9)])]
#[case::small(MOVA2D, r#"{ field = "ThreadConfig[1].FP16A_FORCE_Enable", is = 1 }"#,
    &[("ThreadConfig[1].FP16A_FORCE_Enable", 1)], &[("ThreadConfig[0].FP16A_FORCE_Enable", 1)])]
#[case::any_instance(MOVA2D, r#"{ field = "ThreadConfig[*].FP16A_FORCE_Enable", is = 1 }"#,
    &[("ThreadConfig[2].FP16A_FORCE_Enable", 1)], &[("ThreadConfig[2].SRCA_SET_Base", 1)])]
#[case::thread(MOVA2D, r#"{ field = "ThreadConfig[thread].FP16A_FORCE_Enable", is = 1 }"#,
    &[("CurrentThread", 2), ("ThreadConfig[2].FP16A_FORCE_Enable", 1)],
    &[("CurrentThread", 1), ("ThreadConfig[2].FP16A_FORCE_Enable", 1)])]
#[case::state(MOVA2D, r#"{ field = "Config[state].ALU_ACC_CTRL_Fp32_enabled", is = 1 }"#,
    &[("CurrentThread", 2), ("ThreadConfig[2].CFG_STATE_ID_StateID", 1), ("Config[1].ALU_ACC_CTRL_Fp32_enabled", 1)],
    &[("CurrentThread", 2), ("ThreadConfig[1].CFG_STATE_ID_StateID", 1), ("Config[1].ALU_ACC_CTRL_Fp32_enabled", 1)])]
#[case::all_but(MOVA2D, r#"{ field = "LaneConfig[*].*", except = ["ENABLE_DEST_INDEX"], not = 0 }"#,
    &[("LaneConfig[6].ROW_MASK", 8)], &[("LaneConfig[6].ENABLE_DEST_INDEX", 1)])]
#[case::differ(MOVA2D, r#"{ differ = "LaneConfig[*].*" }"#,
    &[("LaneConfig[7].BLOCK_DEST_MOV", 2)], &[("RWCs[0].Dst", 2)])]
#[case::sum(MOVA2D, SUM,
    &[("code.DstRow", 8), ("RWCs[0].Dst", 4), ("Config[0].DEST_REGW_BASE_Base", 3)],
    &[("code.DstRow", 9), ("RWCs[0].Dst", 4), ("Config[0].DEST_REGW_BASE_Base", 3)])]
#[case::sum_before_it_wraps(MOVA2D, r#"{ sum = ["code.SrcRow", "RWCs[thread].SrcA"], at_least = 64 }"#,
    &[("code.SrcRow", 60), ("RWCs[0].SrcA", 4)], &[("code.SrcRow", 60), ("RWCs[0].SrcA", 3)])]
#[case::sum_after_it_wraps(MOVA2D, r#"{ sum = ["code.SrcRow", "RWCs[thread].SrcA"], modulus = 64, at_least = 8 }"#,
    &[("code.SrcRow", 60), ("RWCs[0].SrcA", 12)], &[("code.SrcRow", 60), ("RWCs[0].SrcA", 4)])]
#[case::section_by_extra(MOVA2D, r#"{ field = "section.BiasClear", is = 1 }"#,
    &[("CurrentThread", 1), ("code.AddrMod", 1), ("RWCs[1].ExtraAddrModBit", 1), SECTION_5],
    &[("CurrentThread", 1), ("code.AddrMod", 1), ("RWCs[0].ExtraAddrModBit", 1), SECTION_5])]
#[case::section_by_base(SFPLOAD, r#"{ field = "section.BiasClear", is = 1 }"#,
    &[("CurrentThread", 1), ("code.AddrMod", 1), ("ThreadConfig[1].ADDR_MOD_SET_Base", 1), SECTION_5],
    &[("CurrentThread", 1), ("code.AddrMod", 2), ("ThreadConfig[1].ADDR_MOD_SET_Base", 1), SECTION_5])]
#[case::section_of_blackhole(SFPLOAD_BH, r#"{ field = "section.BiasClear", is = 1 }"#,
    &[("CurrentThread", 1), ("code.AddrMod", 5), SECTION_5],
    &[("CurrentThread", 1), ("code.AddrMod", 1), ("RWCs[1].ExtraAddrModBit", 1), SECTION_5])]
#[case::format(MOVA2D, r#"{ format = "SrcA", is = "BF16" }"#,
    &[("Config[0].ALU_FORMAT_SPEC_REG0_SrcA", 5), ("Config[0].ALU_FORMAT_SPEC_REG_SrcA_val", 1)],
    &[("Config[0].ALU_FORMAT_SPEC_REG0_SrcA", 5), ("Config[0].ALU_FORMAT_SPEC_REG_SrcA_override", 1)])]
#[case::format_overridden(SFPLOAD, SRCB,
    &[("Config[0].ALU_FORMAT_SPEC_REG_SrcB_val", 12), ("Config[0].ALU_FORMAT_SPEC_REG_SrcB_override", 1)],
    &[("Config[0].ALU_FORMAT_SPEC_REG_SrcB_val", 12)])]
#[case::format_of_the_stack_unit(SFPLOAD_BH, SRCB,
    &[("ThreadConfig[0].SFPU_DEST_FMT_Enable", 1), ("ThreadConfig[0].SFPU_DEST_FMT_Base", 5)],
    &[("ThreadConfig[0].SFPU_DEST_FMT_Enable", 1), ("Config[0].ALU_FORMAT_SPEC_REG1_SrcB", 5)])]
#[case::type_of_a_variable(MOV, r#"{ type = "Dst", is = "HF" }"#,
    &[("code.Dst.id", 34), ("V34.type", 14)], &[("code.Dst.id", 33), ("V34.type", 14)])]
#[case::type_of_an_immediate(MOV, r#"{ type = "Src0", is = "VF" }"#,
    &[("code.Src0.operand_class", 5), ("code.Src0.type", 9)], &[("code.Src0.type", 9), ("V33.type", 0)])]
#[case::type_behind_an_address(MOV, r#"{ type = "Dst", is = "F" }"#,
    &[("code.Dst.operand_class", 3), ("code.Dst.bit_properties.type", 7)], &[("code.Dst.bit_properties.type", 7)])]
#[case::type_of_a_raw_operand(DPAS, r#"{ type = "Src0", is = "F" }"#,
    &[("code.Src0.id", 33), ("V33.type", 7)], &[("code.Src0.id", 0), ("V33.type", 7)])]
#[case::data_of_eight_rows(MOVA2D, EXPONENT,
    &[("code.Move8Rows", 1), ("code.SrcRow", 11), ("SrcA[0][15][3]", 0x400ff)],
    &[("code.Move8Rows", 1), ("code.SrcRow", 11), ("SrcA[0][16][3]", 0x400ff)])]
#[case::data_of_one_row(MOVA2D, EXPONENT,
    &[("code.SrcRow", 11), ("RWCs[0].SrcA", 55), ("MatrixUnit.SrcABank", 1), ("SrcA[1][2][15]", 0xff)],
    &[("code.SrcRow", 11), ("RWCs[0].SrcA", 55), ("MatrixUnit.SrcABank", 0), ("SrcA[1][2][15]", 0xff)])]
#[case::data_of_a_held_case(MOVA2D, EXPONENT,
    &[("SrcA[1].AllowedClient", 1), ("SrcA[0][0][0]", 0xff)], &[("SrcA[0].AllowedClient", 1), ("SrcA[0][0][0]", 0xff)])]
#[case::data_of_dst(SFPLOAD, DENORMAL,
    &[("code.Mod0", 1), ("code.Imm10", 6), ("RWCs[0].Dst", 1), ("DstBits[7][2]", 0x8020)],
    &[("code.Mod0", 1), ("code.Imm10", 6), ("RWCs[0].Dst", 2), ("DstBits[7][2]", 0x8020)])]
#[case::data_of_wide_dst(SFPLOAD, DENORMAL,
    &[("code.Mod0", 3), ("code.Imm10", 8), ("DstBits[26][2]", 0x20)], &[("code.Mod0", 2), ("code.Imm10", 8), ("DstBits[26][2]", 0x20)])]
#[case::data_of_no_register(SFPLOAD, DENORMAL,
    &[("code.VD", 7), ("DstBits[0][2]", 0x20)], &[("code.VD", 8), ("DstBits[0][2]", 0x20)])]
#[case::data_by_mask(SFPSTORE, r#"{ data = "LReg", mask = 0xff, value = 0x12 }"#,
    &[("code.VD", 3), ("LReg[3][31]", 0xab12)], &[("code.VD", 3), ("LReg[2][31]", 0xab12)])]
#[case::conjunction(MOVA2D, r#"{ field = "code.DstRow", is = 5 }, { field = "code.SrcRow", is = 6 }"#,
    &[("code.DstRow", 5), ("code.SrcRow", 6)], &[("code.DstRow", 5)])]
fn a_condition_holds_where_it_says(
    #[case] path: &str,
    #[case] condition: &str,
    #[case] refused: &[(&str, u32)],
    #[case] answered: &[(&str, u32)],
) {
    let policy = with_condition(path, condition).expect("the condition is one");
    let first = |values: &[(&str, u32)]| {
        let case = Case::new(path, values);
        policy.first(RuleKind::Refusal, &case.step(), &case.state).map(|(place, reason)| (place, reason.to_string()))
    };
    assert_eq!(first(refused), Some((0, "because".to_string())));
    assert_eq!(first(answered), None);
}

#[test]
fn bits_that_no_field_names_are_looked_at_one_by_one() {
    let policy = with_condition(MOVA2D, r#"{ field = "code.unnamed", not = 0 }"#).expect("the condition is one");
    for bit in 0..24 {
        let mut case = Case::new(MOVA2D, &[]);
        case.code[0] |= 1 << bit;
        let is_refused = policy.first(RuleKind::Refusal, &case.step(), &case.state).is_some();
        assert_eq!(is_refused, [10, 11, 12, 14].contains(&bit), "bit {bit}");
    }
}

#[rstest]
#[case::field(r#"{ field = "code.DstRows", is = 1 }"#, "has no field 'code.DstRows'; did you mean code.DstRow")]
#[case::nothing_like_it(
    r#"{ field = "Frobnicate", is = 1 }"#,
    "has no field 'Frobnicate'; `tandem describe tensix-wh`"
)]
#[case::key(r#"{ feild = "code.DstRow", is = 1 }"#, "unknown field `feild`")]
#[case::no_test(r#"{ field = "code.DstRow" }"#, "a condition asks one thing; write one of is")]
#[case::two_tests(r#"{ field = "code.DstRow", is = 1, not = 2 }"#, "a condition asks one thing")]
#[case::two_sources(r#"{ field = "code.DstRow", format = "SrcA", is = 1 }"#, "a condition looks at one thing")]
#[case::several(r#"{ sum = ["LaneConfig[*].ROW_MASK"], is = 1 }"#, "may be several fields")]
#[case::modulus(r#"{ sum = ["code.DstRow"], modulus = 100, is = 1 }"#, "a modulus is a power of two")]
#[case::stray(r#"{ field = "code.DstRow", modulus = 8, is = 1 }"#, "'modulus' belongs to sum")]
#[case::value(r#"{ format = "SrcA", is = "BF17" }"#, "'BF17' is no name of a value here")]
#[case::except(r#"{ field = "LaneConfig[*].*", except = ["X"], not = 0 }"#, "has no 'X' to leave out")]
#[case::bank(r#"{ data = "SrcB", mask = 1, value = 1 }"#, "nothing is known of the rows of 'SrcB'")]
#[case::layout(r#"{ data = "SrcA", as = "FP64", kind = "nan" }"#, "there is no layout 'FP64'; write one of Src TF32")]
#[case::kind(r#"{ data = "SrcA", as = "Src TF32", kind = "odd" }"#, "unknown variant `odd`")]
#[case::mask(r#"{ data = "SrcA", mask = 1, value = 2 }"#, "a value has bits that the mask has not")]
#[case::multiple(r#"{ field = "code.DstRow", not_multiple_of = 1 }"#, "every number is a multiple of that")]
#[case::nothing("", "a rule has no condition")]
fn a_mistake_is_named_with_its_line_and_the_next_step(#[case] condition: &str, #[case] message: &str) {
    let error = with_condition(MOVA2D, condition).expect_err("it is no condition").to_string();
    assert!(error.starts_with("test.toml:7: "), "{error}");
    assert!(error.contains(message), "{error}");
    assert!(error.contains("; "), "{error}");
}

#[test]
fn a_mistake_outside_of_conditions_is_named_too() {
    let read = |text: &str| Policy::read("test.toml", text).expect_err("it is no policy").to_string();
    let head = "name = \"x\"\nabout = \"y\"\n";
    assert!(read(head).contains("missing field `implements`"));
    let unknown = read(&format!("{head}implements = [\"tensix-wh/mova\"]\n"));
    assert!(unknown.starts_with("test.toml:3: there is no instruction 'tensix-wh/mova'; write one of"), "{unknown}");
    let rule = "[[lie]]\ninstructions = [\"visa/mov\"]\nreason = \"z\"\nwhen = [{ field = \"GRF_size\", is = 1 }]\n";
    let other = read(&format!("{head}implements = [\"{MOVA2D}\"]\n{rule}"));
    assert!(other.starts_with("test.toml:5: the target does not have 'visa/mov'; name it"), "{other}");
    let long = "z".repeat(tandem_isa::REASON_BYTES + 1);
    let rule = format!("[[lie]]\ninstructions = [\"{MOVA2D}\"]\nreason = \"{long}\"\nwhen = []\n");
    let long = read(&format!("{head}implements = [\"{MOVA2D}\"]\n{rule}"));
    assert!(long.starts_with("test.toml:6: a reason is at most"), "{long}");
    let error = Policy::embedded("nowhere").expect_err("there is none").to_string();
    assert_eq!(
        error,
        "nowhere: no such policy comes with the suite; name one of simulator-wormhole, simulator-blackhole, \
         partial-library, emulator, hard, or a file"
    );
}

#[test]
fn every_policy_of_the_suite_is_one_and_refuses_something_of_each_instruction() {
    for (name, _) in EMBEDDED {
        let policy = Policy::embedded(name).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(policy.name(), *name);
        assert!(!policy.about().is_empty());
        for instruction in policy.instructions() {
            assert!(policy.reasons(instruction, RuleKind::Refusal).count() > 0, "{name}: {}", instruction.path());
            assert_eq!(policy.reasons(instruction, RuleKind::Wrong).count(), 0, "{name}: {}", instruction.path());
        }
    }
    let hard = Policy::embedded("hard").expect("it was just read");
    let lies = hard.instructions().filter(|instruction| hard.reasons(instruction, RuleKind::Lie).count() > 0);
    assert!(lies.count() >= 3);
}

/// Writes one row of `Dst`.
struct Writer;

impl Target for Writer {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: "writer".to_string(), level: None }
    }

    fn implements(&self, instruction: &'static Facts) -> bool {
        instruction.isa == "tensix-wh"
    }

    fn execute(&mut self, _: &Step<'_>, state: &mut State) -> Answer {
        tandem_isa::tensix::Tensix::new(state).dst_row_mut(9).fill(0x1234);
        Answer::Done
    }
}

#[test]
fn a_refusal_touches_nothing_a_lie_hides_one_bit_and_a_wrong_case_shows_one() {
    let rule = |kind: &str, row: u32| {
        format!(
            "[[{kind}]]\ninstructions = [\"{MOVA2D}\"]\nreason = \"row {row}\"\nwhen = [{{ field = \"code.DstRow\", is = {row} \
             }}]\n"
        )
    };
    let head = format!("name = \"test\"\nabout = \"all kinds\"\nimplements = [\"{MOVA2D}\"]\n");
    let text = [head, rule("refusal", 1), rule("lie", 2), rule("wrong", 3)].concat();
    let policy = std::sync::Arc::new(Policy::read("test.toml", &text).expect("it is a policy"));
    let run = |mut target: Refusing, row: u32| {
        let Case { code, mut state, instruction } = Case::new(MOVA2D, &[("code.DstRow", row)]);
        let answer = target.execute(&Step { instruction, edition: Edition::Newest, code: &code }, &mut state);
        let wrong: u32 = (0..16).map(|column| (state.word(0, 9, column) ^ 0x1234).count_ones()).sum();
        let touched = !state.tracker.log.written.is_empty() || state.word(0, 9, 0) != 0;
        (answer, touched.then_some(wrong), target.refusal())
    };
    let target = || Refusing::new(Box::new(Writer), std::sync::Arc::clone(&policy));
    assert_eq!(run(target(), 0), (Answer::Done, Some(0), None));
    assert_eq!(run(target(), 1), (Answer::Unsupported, None, Some("row 1".to_string())));
    assert_eq!(run(target(), 2), (Answer::Unsupported, None, Some("row 2".to_string())));
    assert_eq!(run(target(), 3), (Answer::Done, Some(1), None));
    assert_eq!(run(target().without_lies(), 2), (Answer::Done, Some(1), None));
    assert!(target().implements(find(MOVA2D).1));
    assert!(!target().implements(find(SFPLOAD).1));
    assert_eq!(target().info().name, "test");
    assert_eq!(target().claims(), None);
    let text = text.replace("[[refusal]]", "claims = \"a claim\"\n[[refusal]]");
    let claiming = std::sync::Arc::new(Policy::read("test.toml", &text).expect("it is a policy"));
    assert_eq!(Refusing::new(Box::new(Writer), claiming).claims(), Some("a claim".to_string()));
}
