//! The rules of scheduling: each is broken by its program, and mended by the shortest wait and by nothing shorter.

use tandem_harness::rules::{
    Meeting, Planned, PlannedStep, Schedule, Waiting, check_program, fields_of, filler_code, mended_by, schedule,
    shortest_wait, unruled, with_waits,
};
use tandem_isa::{Enforced, FieldTest, Gap, MACHINES, Machine, Pattern, Rule, RuleSource};

/// Every rule, with its set.
fn all_rules() -> impl Iterator<Item = (&'static Machine, &'static Rule)> {
    MACHINES.iter().flat_map(|isa| isa.rules.rules.iter().map(move |rule| (*isa, rule)))
}

fn program(isa: &Machine, texts: &[&str]) -> Vec<PlannedStep> {
    let read = |text: &&str| Planned::parse(isa, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    texts.iter().map(read).map(PlannedStep::Instruction).collect()
}

/// Where the last step of a program meets a rule.
fn last_meets(made: &Schedule, steps: &[PlannedStep], rule: &Rule) -> Option<Meeting> {
    let all = made.stalls.iter().chain(&made.possible_stalls).chain(&made.broken).chain(&made.disputed);
    all.copied().find(|one| one.rule.id == rule.id && one.second + 1 == steps.len())
}

#[test]
fn each_rule_is_broken_by_its_program_and_mended_by_the_shortest_wait() {
    let (mut waits, mut reliefs) = (0, 0);
    for (isa, rule) in all_rules() {
        let Some(example) = rule.example else {
            assert!(matches!(rule.gap, Gap::OtherThread | Gap::Reset), "{}", rule.id);
            continue;
        };
        let steps = program(isa, example.program);
        let meets = |steps: &[PlannedStep]| last_meets(&schedule(isa.rules.rules, steps), steps, rule);
        let before_last = |put: &[PlannedStep]| {
            let (last, others) = steps.split_last().expect("a program has steps");
            [others, put, std::slice::from_ref(last)].concat()
        };
        let met = meets(&steps).unwrap_or_else(|| panic!("{} {}: its program does not meet it", isa.name, rule.id));
        if let Some(relief) = example.relieved {
            assert_eq!(shortest_wait(isa, &steps, &met, false), None, "{}: time mends it", rule.id);
            assert!(meets(&before_last(&program(isa, &[relief]))).is_none(), "{}: {relief} does not mend it", rule.id);
            reliefs += 1;
            continue;
        }
        if rule.gap == Gap::Ever {
            // The machine sees to it, however long it takes.
            assert_eq!((rule.enforced, met.missing), (Enforced::Hardware, 0), "{}", rule.id);
            continue;
        }
        assert_eq!(met.missing, example.wait, "{}", rule.id);
        let fillers = |count: u32| program(isa, &vec![rule.filler; count as usize]);
        for count in 0..=example.wait {
            let is_met = meets(&before_last(&fillers(count))).is_some();
            assert_eq!(is_met, count < example.wait, "{} {}: {count} {}", isa.name, rule.id, rule.filler);
            // Cycles alone mend what is counted in cycles, and nothing else.
            let is_met = meets(&before_last(&[PlannedStep::Cycles(count)])).is_some();
            let mends = matches!(rule.gap, Gap::Cycles(_)) && count >= example.wait;
            assert_eq!(is_met, !mends, "{} {}: {count} cycles", isa.name, rule.id);
        }
        if rule.enforced != Enforced::Hardware {
            assert_eq!(shortest_wait(isa, &steps, &met, false), Some(example.wait), "{}", rule.id);
        }
        waits += 1;
    }
    assert!(waits > 25 && reliefs > 8, "{waits} waits, {reliefs} reliefs");
}

#[test]
fn an_exported_program_waits_as_long_as_software_has_to_and_no_longer() {
    let (mut waited, mut advised) = (0, 0);
    for (isa, rule) in all_rules() {
        assert!(filler_code(isa, rule.filler).is_some(), "{} {}: {}", isa.name, rule.id, rule.filler);
        let Some(example) = rule.example.filter(|_| rule.enforced != Enforced::Hardware) else { continue };
        let read = |text: &&str| Planned::parse(isa, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let steps: Vec<Planned> = example.program.iter().map(read).collect();
        let made = with_waits(isa, &steps).unwrap_or_else(|broken| panic!("{} {}: {broken}", isa.name, rule.id));
        let place = |one: &Waiting| if let Waiting::Step(place) = one { Some(*place) } else { None };
        let own: Vec<usize> = made.iter().filter_map(place).collect();
        assert_eq!(own, (0..steps.len()).collect::<Vec<_>>(), "{}", rule.id);
        assert_eq!(made.last().and_then(place), Some(steps.len() - 1), "{}", rule.id);
        let fillers = made.len() - own.len();
        if matches!(rule.enforced, Enforced::Software | Enforced::Disputed) {
            // What no time mends is mended by the instruction that relieves it.
            let wanted = example.relieved.map_or(example.wait, |_| 1);
            assert_eq!(fillers, wanted as usize, "{} {}: {made:?}", isa.name, rule.id);
            let planned = made.iter().map(|one| match one {
                Waiting::Step(place) => steps[*place].clone(),
                Waiting::Filler(filler) => filler.planned(),
            });
            let planned: Vec<PlannedStep> = planned.map(PlannedStep::Instruction).collect();
            assert_eq!(schedule(isa.rules.rules, &planned).to_mend().count(), 0, "{} {}", isa.name, rule.id);
            waited += 1;
        } else {
            // Advice is about what a program is for: it goes out as it is.
            assert_eq!(fillers, 0, "{} {}: {made:?}", isa.name, rule.id);
            advised += 1;
        }
    }
    assert!(waited > 5 && advised > 3, "{waited} waited, {advised} against advice");
}

#[test]
fn wrcfg_behind_setdmareg_wants_a_stallwait_however_far_apart_they_are() {
    let isa = MACHINES.iter().find(|isa| isa.name == "tensix-bh").expect("there is Blackhole");
    let far = [vec!["SETDMAREG_IMMEDIATE ResultHalfReg=120"], vec!["NOP"; 50], vec!["WRCFG InputReg=60"]].concat();
    let broken = check_program(isa, &program(isa, &far));
    assert_eq!(broken.iter().map(|one| one.rule.id).collect::<Vec<_>>(), ["setdmareg-then-wrcfg-bh"]);
    assert!(broken[0].to_string().contains("tenstorrent/tt-isa-documentation#58"), "{}", broken[0]);
    // Neither the other unit's condition nor another block mends it.
    for (wait, mends) in [
        ("STALLWAIT BlockMask=128 ConditionMask=1", true),
        ("STALLWAIT BlockMask=192 ConditionMask=9", true),
        // No condition is four of them, of which this is one.
        ("STALLWAIT BlockMask=128", true),
        ("STALLWAIT BlockMask=64 ConditionMask=1", false),
        ("STALLWAIT BlockMask=128 ConditionMask=8", false),
    ] {
        let steps = program(isa, &["SETDMAREG_SPECIAL", wait, "WRCFG"]);
        let is_broken = check_program(isa, &steps).iter().any(|one| one.rule.id == "setdmareg-then-wrcfg-bh");
        assert_eq!(is_broken, !mends, "{wait}");
    }
}

#[test]
fn a_semaphore_waits_for_the_unit_that_works() {
    // The chip, what works, the condition of its unit, and whether STALLWAIT without conditions has it.
    for (chip, work, condition, is_meant_by_zero) in [
        ("tensix-wh", "SFPEXEXP", 1 << 14, false),
        ("tensix-wh", "MOVA2D", 1 << 7, false),
        ("tensix-wh", "UNPACR_NOP_ZEROSRC", 1 << 1, true),
        ("tensix-wh", "UNPACR_NOP_ZEROSRC WhichUnpacker=1", 1 << 2, true),
        ("tensix-wh", "SETDMAREG_SPECIAL", 1, true),
        ("tensix-wh", "WRCFG", 0, false),
        ("tensix-bh", "SFPEXEXP", 1 << 11, false),
        ("tensix-bh", "MOVA2D", 1 << 4, false),
        ("tensix-bh", "UNPACR_NOP_ZEROSRC WhichUnpacker=1", 1 << 2, true),
        ("tensix-bh", "SETDMAREG_SPECIAL", 1, true),
        ("tensix-bh", "WRCFG", 1 << 12, false),
    ] {
        let isa = MACHINES.iter().find(|isa| isa.name == chip).expect("there is this chip");
        let met = |texts: &[&str]| {
            let steps = program(isa, texts);
            let all =
                check_program(isa, &steps).into_iter().find(|one| one.rule.id.starts_with("semaphore-after-work"));
            all.map(|one| (mended_by(isa, &steps, &one), one.first))
        };
        let (mending, _) = met(&[work, "SEMPOST"]).unwrap_or_else(|| panic!("{chip} {work}: no rule is met"));
        let offered: Vec<Planned> = mending.iter().map(|one| one.planned()).collect();
        let wait = format!("STALLWAIT BlockMask=2 ConditionMask={condition}");
        if condition == 0 {
            assert!(offered.is_empty(), "{chip} {work}: {offered:?}");
        } else {
            let has = |field: (&str, u32)| offered[0].fields.contains(&(field.0.to_string(), field.1));
            assert!(has(("BlockMask", 2)) && has(("ConditionMask", condition)), "{chip} {work}: {offered:?}");
            assert!(met(&[work, &wait, "SEMPOST"]).is_none(), "{chip} {work}: {wait}");
        }
        let width = if chip == "tensix-wh" { 15 } else { 13 };
        let others = format!("STALLWAIT BlockMask=2 ConditionMask={}", ((1u32 << width) - 1) & !condition);
        assert!(met(&[work, &others, "SEMPOST"]).is_some(), "{chip} {work}: {others}");
        let is_mended = met(&[work, "STALLWAIT BlockMask=2", "SEMPOST"]).is_none();
        assert_eq!(is_mended, is_meant_by_zero, "{chip} {work}: no condition");
        assert!(met(&[work, "STALLWAIT", "SEMPOST"]).is_some(), "{chip} {work}: no block bit is B6");
    }
    // What waits for one unit leaves the other's work.
    let isa = MACHINES[0];
    let steps = program(isa, &["MOVA2D", "SFPEXEXP", "STALLWAIT BlockMask=2 ConditionMask=16384", "SEMPOST"]);
    let broken = check_program(isa, &steps);
    assert_eq!(broken.iter().map(|one| one.first).collect::<Vec<_>>(), [Some(0)], "{broken:?}");
}

#[test]
fn whoever_reads_what_the_mad_sub_unit_writes_is_found() {
    // The chip, the program, the rule, and whether the words show it.
    for (chip, steps, id, is_shown) in [
        ("tensix-wh", ["SFPMULI VD=2", "SFPSTOCHRND VC=2 VD=3"], "sfpmad-then-reader-wh", true),
        ("tensix-wh", ["SFPMULI VD=2", "SFPSTOCHRND VB=2 VC=1 Mod1=5"], "sfpmad-then-reader-wh", true),
        ("tensix-wh", ["SFPMUL VD=6", "SFPLOADMACRO Mod0=14 VDHi=1 VDLo=2"], "sfpmad-then-reader-wh", true),
        ("tensix-wh", ["SFPADDI VD=7", "SFPMULI VD=1 Mod1=8"], "sfpmad-then-reader-wh", true),
        ("tensix-wh", ["SFPADDI VD=7", "SFPLUT VD=1 Mod0=8"], "sfpmad-then-reader-wh", true),
        ("tensix-wh", ["SFPADD VD=7", "SFPMAD VA=1 VB=1 VC=1 Mod1=4"], "sfpmad-then-reader-wh", true),
        ("tensix-wh", ["SFPADD VD=3", "SFPMAD VA=1 VB=1 VC=1 Mod1=4"], "sfpmad-then-reader-wh", false),
        ("tensix-wh", ["SFPADD VD=5", "SFPSWAP VC=1 VD=2"], "sfpmad-then-reader-wh", false),
        ("tensix-wh", ["SFPLUTFP32 VD=5", "SFPABS VC=5"], "sfpmad-then-reader-wh", true),
        ("tensix-wh", ["SFPLUT VD=8 Mod0=8", "SFPLUTFP32"], "sfpmad-indirect-then-reader-wh", false),
        ("tensix-bh", ["SFPMUL24 VD=2", "SFPIADD VC=1 VD=2"], "sfpmad-unseen-reader-bh", true),
        ("tensix-bh", ["SFPLUT VD=2 Mod0=8", "SFPSHFT VD=2"], "sfpmad-indirect-unseen-reader-bh", false),
        ("tensix-bh", ["SFPSWAP VC=1 VD=2", "SFPGT VC=2 VD=5"], "sfpswap-then-reader", true),
        ("tensix-bh", ["SFPSWAP VC=1 VD=2", "SFPARECIP VB=2 VC=5 Mod1=1"], "sfpswap-then-reader", true),
        ("tensix-bh", ["SFPSWAP VC=1 VD=2", "SFPMUL24 VA=2 VB=5 VC=9"], "sfpswap-then-reader", true),
    ] {
        let isa = MACHINES.iter().find(|isa| isa.name == chip).expect("there is this chip");
        let made = schedule(isa.rules.rules, &program(isa, &steps));
        let met = made.broken.iter().chain(&made.disputed).find(|one| one.rule.id == id);
        let met = met.unwrap_or_else(|| panic!("{chip} {steps:?}: {id} is not met"));
        assert_eq!(met.unless.is_none(), is_shown, "{chip} {steps:?}: {met}");
    }
    // Nothing that reads another register is found, nor what a field names that is not read.
    for steps in [
        ["SFPMULI VD=2", "SFPSTOCHRND VC=3 VB=2 VD=2"],
        ["SFPMULI VD=2", "SFPSTOCHRND VC=3 VB=2 UseImm5=1 Mod1=4"],
        ["SFPMULI VD=2", "SFPLOADMACRO Mod0=14 VDHi=1 VDLo=2"],
        ["SFPMULI VD=6", "SFPLOADMACRO Mod0=13 VDHi=1 VDLo=2"],
        ["SFPLUTFP32 VD=5", "SFPABS VC=2"],
    ] {
        let broken = check_program(MACHINES[0], &program(MACHINES[0], &steps));
        assert!(broken.is_empty(), "{steps:?}: {broken:?}");
    }
}

#[test]
fn of_every_pair_a_rule_says_something_or_it_is_said_that_none_is_known() {
    for isa in MACHINES {
        let names = || isa.instructions.iter().map(|one| one.name).chain(isa.rules.words.iter().map(|one| one.name));
        let (mut said, mut disputed) = (0, Vec::new());
        for first in names() {
            for second in names() {
                let steps = program(isa, &[first, second]);
                let made = schedule(isa.rules.rules, &steps);
                let lists = [&made.stalls, &made.possible_stalls, &made.broken, &made.disputed];
                let is_met = lists.iter().any(|list| list.iter().any(|one| one.first == Some(0)));
                let none = unruled(isa.rules.rules, &steps, &made);
                assert_eq!(none.len(), usize::from(!is_met), "{} {first} {second}", isa.name);
                said += usize::from(is_met);
                disputed.extend(made.disputed.iter().map(|one| (first, second, one.rule.id)));
            }
        }
        if isa.name.starts_with("tensix") {
            assert!(said > 500, "{} {said}", isa.name);
            assert!(disputed.iter().any(|&(.., id)| id == "sfpswap-then-reader"), "{}", isa.name);
            let of_wormhole = disputed.contains(&("SFPIADD", "SFPSTORE", "sfpiadd-then-reader-wh"));
            assert_eq!(of_wormhole, isa.name == "tensix-wh", "{disputed:?}");
        }
    }
    // A rule that names both, and holds of other fields, is named.
    let isa = MACHINES.iter().find(|isa| isa.name == "tensix-wh").expect("there is Wormhole");
    let steps = program(isa, &["SFPIADD VD=1", "SFPSTORE VD=2"]);
    let none = unruled(isa.rules.rules, &steps, &schedule(isa.rules.rules, &steps));
    assert!(none[0].named_by.contains(&"sfpiadd-then-reader-wh"), "{none:?}");
}

#[test]
fn what_a_rule_names_is_there_with_its_fields() {
    let mut fields = 0;
    for (isa, rule) in all_rules() {
        let known = |pattern: &Pattern| -> Vec<Vec<(&str, u32)>> {
            pattern.instructions.iter().filter_map(|name| fields_of(isa, name)).collect()
        };
        let mut holds = |tests: &[FieldTest], of: &[Vec<(&str, u32)>]| {
            for test in tests {
                assert!(
                    of.iter().all(|own| own.iter().any(|(name, _)| *name == test.field)),
                    "{} {}: {}",
                    isa.name,
                    rule.id,
                    test.field
                );
                fields += 1;
            }
        };
        let reliefs = rule.relieved.iter().flat_map(|one| std::iter::once(&one.pattern).chain(&one.of));
        for pattern in rule.first.iter().chain(reliefs) {
            holds(pattern.fields, &known(pattern));
        }
        for follower in rule.second {
            let of_second = known(&follower.pattern);
            holds(follower.pattern.fields, &of_second);
            for (of_first, own) in follower.equal {
                assert!(
                    of_second.iter().all(|fields| fields.iter().any(|(name, _)| name == own)),
                    "{}: {own}",
                    rule.id
                );
                let named = rule.first.iter().flat_map(&known);
                assert!(named.flatten().any(|(name, _)| name == *of_first), "{}: {of_first}", rule.id);
            }
        }
        assert!(!rule.says.is_empty() && !rule.sources.is_empty());
        for source in rule.sources {
            let is_right = match source {
                RuleSource::Page { path, commit, .. } => commit.len() == 40 && path.ends_with(".md"),
                RuleSource::Thread { thread, date, says } => {
                    thread.contains('#') && date.len() == 10 && !says.is_empty()
                }
            };
            assert!(is_right, "{}: {source}", rule.id);
        }
    }
    assert!(fields > 100, "{fields} fields");
}

#[test]
fn words_are_read_as_they_are_written() {
    for isa in MACHINES {
        for word in isa.rules.words {
            let ones = word.fields.iter().fold(u32::from(word.opcode) << 24, |code, field| code | field.mask());
            // What the suite has is in no list twice.
            let own = isa.instructions.iter().find(|facts| facts.name == word.name || facts.matches(&[ones]));
            assert!(own.is_none(), "{} is an instruction: take its row of WORDS away", word.name);
            let read = Planned::decode(isa, &[ones]).expect("it is a word");
            assert_eq!(read.name, word.name);
            for (field, (own, value)) in word.fields.iter().zip(&read.fields) {
                assert_eq!((own.as_str(), *value), (field.name, (1 << field.width) - 1), "{}", word.name);
            }
        }
        // Every instruction of one word that the suite has is read by its name.
        for facts in isa.instructions.iter().filter(|facts| facts.base_code.len() == 1) {
            assert_eq!(Planned::decode(isa, facts.base_code).expect("it is read").name, facts.name);
        }
    }
    assert!(Planned::decode(MACHINES[0], &[0xff00_0000]).is_err());
    for (text, why) in [("MOVX", "no instruction"), ("NOP a=1", "no field"), ("SFPMAD VD=16", "that fits")] {
        let error = Planned::parse(MACHINES[0], text).expect_err(text).to_string();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn a_program_that_keeps_the_rules_is_let_be() {
    let isa = MACHINES[0];
    for texts in [
        &["MOVA2D", "NOP", "NOP", "NOP", "SFPLOAD"][..],
        &["SFPMAD VD=2", "SFPABS VC=3 VD=2"],
        &["SFPMAD VD=2", "SFPNOP", "SFPABS VC=2"],
        &["WRCFG CfgIndex=5", "NOP", "RDCFG CfgIndex=5"],
        &["STALLWAIT BlockMask=64 ConditionMask=1024", "MOVD2A"],
        // Of the words one cannot see more than that it waits.
        &["MOVD2B", "MOVD2B"],
    ] {
        let broken: Vec<Meeting> = check_program(isa, &program(isa, texts));
        let hard: Vec<&Meeting> = broken.iter().filter(|one| one.rule.enforced == Enforced::Software).collect();
        assert!(hard.is_empty(), "{texts:?}: {:?}", hard.iter().map(ToString::to_string).collect::<Vec<_>>());
    }
}

#[test]
fn what_the_machine_waits_for_counts_as_time() {
    // The third instruction waits three cycles for the second, so the first is long past.
    let isa = MACHINES[0];
    let steps = program(isa, &["MOVB2D", "MOVD2B", "SETRWC"]);
    let made = schedule(isa.rules.rules, &steps);
    assert_eq!(made.issued, [0, 4, 8]);
    assert_eq!(made.stalls.iter().map(|one| one.missing).collect::<Vec<_>>(), [3, 3]);
}

#[test]
fn a_broken_rule_is_named_with_its_page() {
    let isa = MACHINES[0];
    let steps = program(isa, &["SFPMAD VD=2", "SFPABS VC=2 VD=3"]);
    let named = |isa, steps: &[_]| check_program(isa, steps).iter().map(Meeting::to_string).collect::<Vec<_>>();
    assert_eq!(
        named(isa, &steps),
        ["steps 0 and 1: breaks sfpmad-then-reader-wh (1 cycle, 1 missing); page SFPMAD, lines 61 at 39304719"]
    );
    // On Blackhole the machine sees to it, but not of what reads unseen.
    let isa = MACHINES[1];
    assert!(named(isa, &steps).is_empty());
    let steps = program(isa, &["SFPMAD VD=2", "SFPIADD VD=2 VC=1"]);
    assert!(named(isa, &steps)[0].contains("breaks sfpmad-unseen-reader-bh"));
}
