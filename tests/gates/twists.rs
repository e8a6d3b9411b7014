//! Mistakes that nobody wrote: the reference's twin is the reference, what it does wrong is found, and a target that does so is
//! told which rule it breaks.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use rstest::rstest;
use tandem::diagnosis::Mistakes;
use tandem::trial;
use tandem::twists::{self, Budget, Reach};
use tandem_faults::twist::{self, Guard, Twisted};
use tandem_harness::{CaseSource, DiagnoseLimits, Diagnosis, Dictionary, Pools, TargetFactory, Tier, each_case};
use tandem_isa::{Edition, Parts, State, Target};
use tandem_twin::SITES;
use tandem_twin::site::Twist;

use crate::parts::{acting, instruction, one_in};

#[test]
fn the_twin_does_what_the_reference_does() {
    let cases = 12_000 / one_in(2) as u64;
    let suite = tandem::wiring::references();
    let mut asked = 0;
    for (isa, instruction) in suite.instructions() {
        for &edition in instruction.editions() {
            let pools = Pools::new(isa.isa, 3);
            let mut twin = Twisted::new(Vec::new(), Guard::default());
            each_case(isa, (instruction, edition), &pools, (3, cases), |lineup, case, here| {
                assert!(lineup.agrees(&mut twin, case), "{}: case {}", instruction.path(), here.cases);
                asked += 1;
                true
            });
        }
    }
    assert!(asked > 80 * cases, "{asked} cases");
}

/// One twist in 32, by its name; `tandem faults --twists` hunts all.
#[test]
fn what_the_reference_does_wrong_is_found_or_changes_nothing() {
    let suite = tandem::wiring::references();
    tandem_harness::quiet_panics();
    let units: Vec<_> = suite.instructions().collect();
    let progress = tandem_harness::Progress::default();
    let hunted = trial::parallel(2, &units, &progress, |&(isa, instruction)| {
        // A dot product takes as long as ten others, and a move has as many cells.
        let bare = match &*instruction.path() {
            "visa/dpas" => 30_000,
            "visa/mov" => 80_000,
            // One latched mask of 512 is told from another one.
            "tensix-wh/stallwait" | "tensix-bh/stallwait" | "tensix-bh/semwait" => 80_000,
            _ => 20_000,
        };
        twists::hunt_all(
            isa,
            (instruction, Edition::Newest),
            ((2, 8 * one_in(4) as u64), Budget { bare, guarded: 3_000 }),
            1,
            &progress,
        )
    });
    let hunted: Vec<_> = hunted.into_iter().map(|hunted| hunted.expect("nobody stops it")).collect();
    let missed: Vec<String> = hunted
        .iter()
        .flat_map(|of| of.missed().map(|trial| format!("{}: {}", of.instruction, trial.mistake.name)))
        .collect();
    assert!(missed.is_empty(), "neither found nor known to change nothing: {missed:#?}");
    let bare: usize = hunted.iter().map(|hunted| hunted.bare.len()).sum();
    assert!(bare > 900 / one_in(4), "{bare} twists");
    let usual: Vec<_> =
        hunted.iter().flat_map(|hunted| &hunted.guarded).filter(|trial| !trial.mistake.guard.is_rare()).collect();
    let found = usual.iter().filter(|trial| trial.found.is_some()).count();
    // Some guards ask for one cell of thousands, and there are a few thousand cases.
    assert!(found * 100 >= usual.len() * 70, "{found} of {} with a guard", usual.len());
    let all = hunted.iter().flat_map(|hunted| &hunted.bare).chain(usual.iter().copied());
    let (median, _) = twists::quantiles(all).expect("some are found");
    assert!(median <= 5_000, "median {median}");
}

#[test]
fn what_changes_nothing_has_a_reason_and_is_still_there() {
    let names: BTreeSet<String> = (0..SITES.len()).flat_map(Twist::all_of).map(twist::name).collect();
    let mut gone = Vec::new();
    for survivor in twist::survivors() {
        assert!(survivor.why.len() > 30 && survivor.why.ends_with('.'), "{}", survivor.why);
        for pattern in &survivor.twists {
            let is_there = match pattern.strip_suffix('*') {
                Some(start) => names.iter().any(|name| name.starts_with(start)),
                None => names.contains(pattern),
            };
            if !is_there {
                gone.push(pattern);
            }
        }
    }
    assert!(gone.is_empty(), "survivors.toml: no twist is called so: {gone:#?}");
}

/// What is said of a target that was written from the pages by somebody else, with faults that were thought of by hand.
fn explained(path: &str, fault: &'static str) -> (Mistakes, Diagnosis) {
    let (isa, instruction) = instruction(path);
    tandem_harness::quiet_panics();
    let (unit, source) = ((instruction, Edition::Newest), CaseSource::new(isa.isa, 1));
    let mistakes = Mistakes::of(&isa, unit, &source.pools);
    let faulty =
        TargetFactory::new(move || tandem_faults::target(Some(fault)).expect("the fault exists") as Box<dyn Target>);
    let suite = isa.with_targets(vec![faulty]);
    let diagnosis = mistakes.explain(&suite, unit, &source, &DiagnoseLimits::default(), &|| false);
    (mistakes, diagnosis)
}

#[rstest]
#[case("tensix-wh/mova2d", "flush-never", "flush_denormals")]
#[case("tensix-wh/mova2d", "flush-keeps-sign", "srca_val = U::new(0)")]
#[case("tensix-wh/mova2d", "int16-missing", "INT16")]
#[case("tensix-wh/mova2d", "tx06-fp32-enabled-ignored", "it read TX-06 the other way")]
fn a_mistake_is_told_by_the_rule_that_it_breaks(#[case] path: &str, #[case] fault: &'static str, #[case] rule: &str) {
    let (mistakes, diagnosis) = explained(path, fault);
    let [cause] = &diagnosis.causes[..] else { panic!("{:?}", diagnosis.causes) };
    let says: Vec<String> = cause.class.iter().map(|&number| mistakes.says(number)).collect();
    assert_eq!((cause.tier, diagnosis.strange.len()), (Tier::Established, 0), "{says:?}");
    assert!(says.iter().any(|says| says.contains(rule)), "{says:?}");
}

/// What is looked for where nothing simpler explains: other numbers, what was taken for another, and what is wrong in one call alone.
#[rstest]
#[case("tensix-wh/mova2d", "0x3f8", "bit 2 the other way")]
#[case("tensix-wh/mova2d", "0x3f8", "from bit 6")]
#[case("tensix-wh/mova2d", "rwc.srca = rwc.srca_cr", "done again")]
#[case("tensix-wh/mova2d", "advance: + U::new(increment)", "opposite in call 5 of advance from apply_section")]
#[case("tensix-wh/mova2d", "ALU_ACC_CTRL_Zero_Flag_disabled_src", "instead")]
#[case("tensix-wh/sfplz", "sfplz: c#2", "as before")]
#[case("tensix-wh/sfpmov", "== ALL_LANES_ENABLED", "any bit in common")]
#[case("tensix-wh/setrwc", "DST_CTO_CR.get(code) != 0 before DST_CR", "exchanged")]
#[case("tensix-wh/mova2d", "rwc.srcb_cr", "as before")]
#[case("tensix-wh/shiftxa", "(1..16).rev()", "backwards")]
#[case("tensix-wh/sfpabs", ".wrapping_neg()", "saturated with a sign")]
#[case("tensix-wh/sfpstore", "to_fp16: >>= 13", "rounded")]
#[case("tensix-bh/movd2b", "srca_fmt: source", "A instead")]
#[case("tensix-bh/movd2a", "DISABLE_IMPLIED_SRCA_FMT_Base.get", "DISABLE_IMPLIED_SRCB_FMT_Base instead")]
#[case("tensix-wh/zerosrc", "matrix_unit_srcb_bank", "matrix_unit_srca_bank instead")]
#[case("tensix-wh/zerosrc", "zerosrc: 0", "value instead")]
#[case("tensix-wh/movb2d", "movb2d: srcb_fmt", "fmt instead")]
// What the pages leave open of a NaN is held against nobody.
#[case("tensix-wh/sfpmul", "unpack: == 0", "or one more")]
#[case("tensix-wh/sfpmuli", "add: sign", "if p_m >= z_m { z.sign } else { p.sign } instead")]
fn what_nobody_hunts_is_told_as_well(#[case] path: &str, #[case] text: &str, #[case] wrong: &str) {
    let (isa, instruction) = instruction(path);
    let (unit, source) = ((instruction, Edition::Newest), CaseSource::new(isa.isa, 1));
    let reach = Reach::soon(&isa, unit, &source.pools, 2);
    let in_calls = reach.bare().flat_map(|bare| reach.in_calls(bare.twist).collect::<Vec<_>>());
    let is_it = |twist: &Twist| {
        let name = twist::name(*twist);
        name.contains(text) && name.ends_with(wrong)
    };
    let twist = reach.further().chain(in_calls).find(is_it).expect("it is reached");
    assert!(twist::every().all(|other| other != twist), "it is not hunted");
    assert_eq!(twist.anywhere() == twist, twist.call().is_none());
    let (tier, names) = told(path, vec![twist], &|_| true);
    assert!(names.contains(&twist::name(twist)), "{tier:?} {names:?}");
}

/// The one cause of what a target does that makes mistakes at once where some axes have levels that `holds` says: how sure it is,
/// and the names of those that cannot be told apart, with its conditions.
fn told(path: &str, twists: Vec<Twist>, holds: &'static (dyn Fn(&[u8]) -> bool + Sync)) -> (Tier, Vec<String>) {
    tandem_harness::quiet_panics();
    let (isa, instruction) = instruction(path);
    let (unit, source) = ((instruction, Edition::Newest), CaseSource::new(isa.isa, 1));
    let axes = (instruction.cells)(Edition::Newest).axes;
    let make = move || {
        let mut sides = [Twisted::new(twists.clone(), Guard::default()), Twisted::new(Vec::new(), Guard::default())];
        acting(move |step, state| {
            let mut code = tandem_isa::Code::new(step.code);
            let parts = Parts { code: &mut code, small: &mut state.small, salt: &mut tandem_isa::SaltPlan::default() };
            let levels: Vec<u8> = axes.iter().map(|axis| (axis.get)(&parts) as u8).collect();
            sides[usize::from(!holds(&levels))].execute(step, state)
        })
    };
    let suite = isa.with_targets(vec![TargetFactory::new(make)]);
    let mistakes = Mistakes::of(&isa, unit, &source.pools);
    let diagnosis = mistakes.explain(&suite, unit, &source, &DiagnoseLimits::default(), &|| false);
    let [cause] = &diagnosis.causes[..] else { panic!("{:?}", diagnosis.causes) };
    let names = cause.class.iter().map(|&number| mistakes.name(number));
    let conditions = cause.guard.iter().map(|atom| atom.text(instruction, Edition::Newest));
    (cause.tier, names.chain(conditions).collect())
}

/// What is one mistake though it is made at several places: two numbers for each other, row for column, a number that is wrong
/// wherever a function has it, SrcB for SrcA throughout a function.
#[rstest]
#[case("tensix-wh/elwmul", &["srca_bits: 0: one more", "srcb_bits: 1: one less"], " and back")]
#[case("tensix-wh/sfpxor", &["is_lane_enabled: & 7: divided by 4", "is_lane_enabled: / 8: the rest by 4"], "the rest by 4")]
#[case("tensix-wh/setrwc", &["DST_CTO_CR.get(code): SRCA instead", "DST_CTO_CR.get(code)#2: SRCA instead"], "wherever it stands")]
#[case(
    "tensix-wh/movd2b",
    &[
        "SrcA_override.get(config): ALU_FORMAT_SPEC_REG_SrcB_override instead",
        "SrcA_val.get(config): ALU_FORMAT_SPEC_REG_SrcB_val instead",
        "REG0_SrcA.get(config): ALU_FORMAT_SPEC_REG1_SrcB instead",
    ],
    " and so on"
)]
fn what_is_done_at_several_places_is_one_mistake(#[case] path: &str, #[case] ends: &[&str], #[case] said: &str) {
    let (isa, instruction) = instruction(path);
    let source = CaseSource::new(isa.isa, 1);
    let reach = Reach::soon(&isa, (instruction, Edition::Newest), &source.pools, 2);
    let all: Vec<Twist> = reach.bare().map(|bare| bare.twist).chain(reach.further()).collect();
    let of = |end: &&str| *all.iter().find(|twist| twist::name(**twist).ends_with(end)).expect("it is reached");
    let (tier, names) = told(path, ends.iter().map(of).collect(), &|_| true);
    assert!(tier == Tier::Established && names.iter().any(|name| name.ends_with(said)), "{tier:?} {names:#?}");
}

/// Whoever makes a mistake does something also where the pages, with the mistake, would promise nothing.
// No rows instead of 8: of a count of 0 the pages say nothing.
#[rstest]
#[case("visa/dpas", "dpas::Dpas::of: RC.get(code): cut to 3 bits")]
// A row that is not valid, of which nothing is promised either. Two operators are grouped otherwise.
#[case(
    "tensix-wh/sfpload",
    "dst_offset & 3: U::<10>::new(small.rwcs[thread].dst) + (U::new(config::DEST_REGW_BASE_Base.get(config_state)) & 3) instead"
)]
fn a_mistake_is_told_where_it_leaves_what_the_pages_promise(#[case] path: &str, #[case] end: &str) {
    let (isa, instruction) = instruction(path);
    let (unit, source) = ((instruction, Edition::Newest), CaseSource::new(isa.isa, 1));
    let further: Vec<Twist> = Reach::soon(&isa, unit, &source.pools, 2).further().collect();
    let twist = *further.iter().find(|twist| twist::name(**twist).ends_with(end)).expect("it is reached");
    let target = move || -> Box<dyn Target> { Box::new(Twisted::new(vec![twist], Guard::default()).insisting()) };
    let suite = isa.with_targets(vec![TargetFactory::new(target)]);
    let mistakes = Mistakes::of(&isa, unit, &source.pools);
    let diagnosis = mistakes.explain(&suite, unit, &source, &DiagnoseLimits::default(), &|| false);
    let [cause] = &diagnosis.causes[..] else { panic!("{:?}", diagnosis.causes.len()) };
    let has_name = |&number: &usize| mistakes.name(number).ends_with(end);
    assert!(cause.class.iter().any(has_name), "{}", mistakes.says(cause.class[0]));
    assert_eq!(diagnosis.strange.len(), 0);
}

/// Where an instruction's own page sends its readers to another one, that is cited; and a page of several instructions comes before
/// another's.
#[rstest]
#[case("multiply_and_add: has(mod1, mad::NEGATE_VA): never", ("bh-sfpmad", 30, 30))]
#[case("fma_blackhole: p.e < 0: never", ("fma", 142, 143))]
fn the_page_that_the_own_one_sends_to_is_cited(#[case] end: &str, #[case] line: (&str, u32, u32)) {
    let (_, sfpmul) = instruction("tensix-bh/sfpmul");
    let twist = twist::every().find(|twist| twist::name(*twist).ends_with(end)).expect("there is one");
    assert_eq!(tandem::diagnosis::lines(twist, sfpmul).first(), Some(&line));
}

/// Two rules that undo each other are no causes, though each explains what the other spoils.
#[test]
fn causes_that_undo_each_other_are_left_out() {
    const NAMES: [&str; 8] = [
        "small.rwcs[thread].extra_addr_mod_bit != 0 || config::ADDR_…: exclusive or",
        "apply_addr_mod: true: inverted",
        "remove_low_mantissa: 0x7f: without its top bit",
        "RowRange::of: 0x3f: without its top bit",
        "srca_val = U::new(0): keeps the top bit",
        "CFG_STATE_ID_StateID.get(thread_config): the first",
        "ALU_ACC_CTRL_Zero_Flag_disabled_src.get(config_stat…: the bits above",
        "RowRange::of: 0x3f8: without its top bit",
    ];
    let names = told_at_once(&NAMES, DiagnoseLimits::default());
    assert!((NAMES.len() - 1..=NAMES.len()).contains(&names.len()), "{names:#?}");
}

/// What is found in `MOVA2D` where mistakes with names that end like this are made at once.
fn told_at_once(ends: &[&str], limits: DiagnoseLimits) -> Vec<String> {
    let (isa, mova2d) = instruction("tensix-wh/mova2d");
    let (unit, source) = ((mova2d, Edition::Newest), CaseSource::new(isa.isa, 1));
    let reach = Reach::soon(&isa, unit, &source.pools, 2);
    let all: Vec<Twist> = twist::every().chain(reach.further()).collect();
    let of = |end: &&str| *all.iter().find(|twist| twist::name(**twist).ends_with(end)).expect("there is one");
    let twists: Vec<Twist> = ends.iter().map(of).collect();
    let target = move || -> Box<dyn Target> { Box::new(Twisted::new(twists.clone(), Guard::default())) };
    let suite = isa.with_targets(vec![TargetFactory::new(target)]);
    let mistakes = Mistakes::of(&isa, unit, &source.pools);
    let diagnosis = mistakes.explain(&suite, unit, &source, &limits, &|| false);
    diagnosis.causes.iter().map(|cause| mistakes.name(cause.class[0])).collect()
}

/// Of ten mistakes at once some are told only by what explains more seldom, and some only once what took their place was refuted.
#[test]
fn ten_mistakes_at_once_are_told() {
    const NAMES: [&str; 10] = [
        "ALU_ACC_CTRL_INT8_math_enabled.get(config_state): zero",
        "RowRange::of: & 0x38: left operand alone",
        "remove_low_mantissa: 0x7f: without its top bit",
        "U::new(config::DEST_REGW_BASE_Base.get(config_state)): top bit lost",
        "dst32b: lo-reads-stale: the other",
        "RowRange::of: 0x3f: without its top bit",
        "advance::<10>(&mut rwc.dst, dst(config::DestIncr)); rwc.dst…: operands swapped",
        "small.rwcs[thread].extra_addr_mod_bit != 0 || config::ADDR_…: exclusive or",
        "rwc.srca = rwc.srca_cr: done again",
        "block_dest_mov: column & 1 == 0: inverted",
    ];
    let limits = DiagnoseLimits::default();
    let names = told_at_once(&NAMES, DiagnoseLimits { steps: 4 * limits.steps, ..limits });
    let told = NAMES.iter().filter(|end| names.iter().any(|name| name.ends_with(**end))).count();
    assert!(told >= 8 && (9..=11).contains(&names.len()), "{told}: {names:#?}");
}

/// Two fields that a function reads, each in place of the other.
#[test]
fn fields_that_are_taken_for_each_other_are_one_mistake() {
    let (isa, incrwc) = instruction("tensix-wh/incrwc");
    let source = CaseSource::new(isa.isa, 1);
    let reach = Reach::soon(&isa, (incrwc, Edition::Newest), &source.pools, 2);
    let of = |end: &str| reach.further().find(|twist| twist::name(*twist).ends_with(end)).expect("it is reached");
    let both = vec![of("SRCA_CR.get(code): SRCB_CR instead"), of("SRCB_CR.get(code): SRCA_CR instead")];
    let (tier, names) = told("tensix-wh/incrwc", both, &|_| true);
    assert!(tier == Tier::Established && names.iter().any(|name| name.ends_with(" and back")), "{names:#?}");
}

/// A condition may name several levels of an axis, if no single ones do.
#[test]
fn a_condition_names_as_many_levels_as_it_takes() {
    let (_, sfpload) = instruction("tensix-wh/sfpload");
    let axis = &(sfpload.cells)(Edition::Newest).axes[0];
    assert!(axis.levels.len() > 11, "{:?}", axis.levels);
    let is_write = |&twist: &Twist| twist::name(twist).contains("sfpload") && twist::name(twist).contains("set_lreg");
    let twist = twist::every().find(is_write).expect("it writes");
    let (tier, names) = told("tensix-wh/sfpload", vec![twist], &|levels| levels[0] % 2 == 0);
    let condition = names.last().expect("it has one");
    let named = condition.split_once(['=', '≠']).map_or(0, |(_, levels)| levels.split('|').count());
    assert!(tier == Tier::Established && named > 4, "{names:?}");
}

/// What a cause survived are different cases, also where the target differs in one cell of thousands.
#[test]
fn a_cause_survives_cases_that_differ_from_each_other() {
    let (isa, mov) = instruction("visa/mov");
    let (unit, source) = ((mov, Edition::Newest), CaseSource::new(isa.isa, 1));
    let cells = (mov.cells)(Edition::Newest);
    let begin = "dst_type=BF src_type=F saturation=no source_modifier=none rounding_mode=RTNE";
    let cell = (0..cells.len()).find(|&cell| cells.describe(cell).starts_with(begin)).expect("there is such a cell");
    let levels = cells.axes.iter().zip(cells.levels(cell)).map(|(axis, level)| (axis, usize::from(*level))).collect();
    let guard = Guard { levels, ..Guard::default() };
    let twist = twist::every().find(|&twist| twist::name(twist).contains("bf-truncated")).expect("it is a reading");
    let wrong_in = Arc::new(Mutex::new(BTreeSet::new()));
    let own = Arc::clone(&wrong_in);
    let make = move || {
        let (guard, wrong_in, mut after) = (guard.clone(), Arc::clone(&own), State::zeroed(isa.isa.layout));
        let mut sides = [Twisted::new(vec![twist], guard), Twisted::new(Vec::new(), Guard::default())];
        acting(move |step, state| {
            after.copy_from(state);
            let before = (step.code.to_vec(), state.small.to_vec(), state.arena.to_vec());
            let [answer, _] = [sides[0].execute(step, state), sides[1].execute(step, &mut after)];
            if *state.arena != *after.arena {
                wrong_in.lock().expect("no target panics").insert(before);
            }
            answer
        })
    };
    let suite = isa.with_targets(vec![TargetFactory::new(make)]);
    let mistakes = Mistakes::of(&suite, unit, &source.pools);
    let diagnosis = mistakes.explain(&suite, unit, &source, &DiagnoseLimits::default(), &|| false);
    let [cause] = &diagnosis.causes[..] else { panic!("{:?}", diagnosis.causes) };
    let different = wrong_in.lock().expect("no target panics").len() as u64;
    assert!((64..different).contains(&cause.survived), "{} of {different}", cause.survived);
}

/// A site of a function that no line of a page describes has the lines at which it is called, and what a caller says stands there
/// as well.
#[rstest]
#[case("tensix-wh/sfpand", "writes_vd: < 8: equality too", "wh-sfpand")]
#[case("tensix-wh/mova2d", "apply_addr_mod: true: inverted", "wh-mova2d-newest")]
fn what_is_said_where_a_function_is_called_has_that_line(#[case] path: &str, #[case] end: &str, #[case] page: &str) {
    let (_, instruction) = instruction(path);
    let twist = twist::every().find(|&twist| twist::name(twist).ends_with(end)).expect("it is a site");
    let lines = tandem::diagnosis::lines(twist, instruction);
    assert!(lines.iter().any(|(of, ..)| *of == page), "{lines:?}");
}

/// Beside its own lines a place has those of what it names: of the constant with which a loop ends, and of the table that is
/// asked. A reading has those that are the evidence against it.
#[rstest]
#[case("tensix-wh/sfpor", "::sfpor: 0..LANES: a turn short", ("wh-vectorunit", 103))]
#[case("tensix-wh/gmpool", "::gmpool: nonlinear_i_transform[", ("wh-gmpool", 143))]
#[case("visa/mov", "nm-predicate-offset-ignored: the other", ("visa-execution-model", 149))]
fn what_a_place_names_is_said_of_it(#[case] path: &str, #[case] name: &str, #[case] (page, line): (&str, u32)) {
    let (_, instruction) = instruction(path);
    let is_said = |twist| {
        let lines = tandem::diagnosis::lines(twist, instruction);
        lines.iter().any(|&(of, first, last)| of == page && (first..=last).contains(&line))
    };
    assert!(twist::every().any(|twist| twist::name(twist).contains(name) && is_said(twist)));
}

#[test]
fn what_no_rule_explains_is_not_explained() {
    let (_, diagnosis) = explained("tensix-wh/mova2d", "stray-source-row");
    assert_eq!(diagnosis.causes.iter().filter(|cause| cause.tier == Tier::Established).count(), 0);
}
