//! The fingerprint tells implementations apart, and claims nothing that is not so.

use std::sync::{Arc, LazyLock};

use tandem::{readings, trial, wiring};
use tandem_harness::fingerprint::{EditionVerdict, Fingerprint, Probes, Verdict, probes};
use tandem_harness::{IsaSuite, TargetFactory};
use tandem_isa::{Answer, Edition, Facts, Instruction, Noise, Reference, State, Step, Target, TargetInfo};
use tandem_twin::site_of;

/// The reference under one edition, whatever edition is asked for.
struct UnderEdition(Box<dyn Reference>, Edition);

impl Target for UnderEdition {
    fn info(&self) -> TargetInfo {
        TargetInfo { name: format!("reference in {}", self.1.name()), level: None }
    }

    fn implements(&self, _: &'static Facts) -> bool {
        true
    }

    fn execute(&mut self, step: &Step<'_>, state: &mut State) -> Answer {
        let step = Step { edition: self.1, ..*step };
        // Where nothing is promised, doing something is as good as anything.
        self.0.execute(&step, state).required_answer().unwrap_or(Answer::Done)
    }
}

fn isas() -> Vec<IsaSuite> {
    wiring::references().isas
}

/// The first instruction that is known to be read otherwise.
fn first(isa: &IsaSuite) -> &'static Instruction {
    isa.isa.instructions.iter().find(|one| !readings::of(one).is_empty()).expect("there are readings")
}

static PROBES: LazyLock<Vec<Probes>> = LazyLock::new(|| {
    let of = |isa: &IsaSuite| {
        let instruction = first(isa);
        probes(isa, instruction, readings::of(instruction), 120_000)
    };
    isas().iter().map(of).collect()
});

fn judge(probes: &Probes, factory: &TargetFactory) -> Fingerprint {
    probes.judge(factory.make().as_mut(), None)
}

/// Checks that nothing wrong is claimed of a target that follows `followed` and no other reading. Returns how many of
/// these are seen.
fn check(probes: &Probes, print: &Fingerprint, followed: &[&str]) -> usize {
    let mut seen = 0;
    for claim in &print.claims {
        let id = &*probes.readings[claim.reading].id;
        match claim.verdict {
            Verdict::Follows => assert!(followed.contains(&id), "{followed:?} is said to follow {id}"),
            Verdict::FollowsNot => assert!(!followed.contains(&id), "{followed:?} is said not to follow {id}"),
            Verdict::CannotTell => {}
        }
        seen += usize::from(claim.verdict == Verdict::Follows);
    }
    seen
}

#[test]
fn there_are_at_most_200_cases_and_they_show_nearly_every_reading() {
    let cases: usize = PROBES.iter().map(|probes| probes.probes.len()).sum();
    assert!((100..=200).contains(&cases), "{cases} cases");
    for probes in PROBES.iter() {
        let print = judge(probes, &trial::right());
        assert_eq!(check(probes, &print, &[]), 0);
        assert_eq!(print.plain.0, print.plain.1, "a plain case is not answered as the reference does");
        let untold = print.claims.iter().filter(|claim| claim.verdict == Verdict::CannotTell).count();
        // One in ten, and one where there are fewer.
        assert!(untold * 10 <= probes.readings.len().max(10), "{untold} of {} cannot be told", probes.readings.len());
    }
}

#[test]
fn editions_are_told_apart() {
    for (isa, probes) in isas().iter().zip(PROBES.iter()) {
        for edition in Edition::ALL {
            let reference = Arc::clone(&isa.reference);
            let factory = TargetFactory::new(move || Box::new(UnderEdition(reference(), edition)) as Box<dyn Target>);
            let print = judge(probes, &factory);
            let expected = match first(isa).editions() {
                [_] => EditionVerdict::OneEdition,
                _ => EditionVerdict::Follows(edition),
            };
            assert_eq!(print.edition, expected, "{}", factory.info);
        }
    }
}

#[test]
fn every_single_reading_is_told_apart() {
    for probes in PROBES.iter() {
        let mut signatures = std::collections::BTreeMap::new();
        let mut named = 0;
        for (place, reading) in probes.readings.iter().enumerate() {
            let print = judge(probes, &reading.factory);
            let own = &print.claims[place];
            if check(probes, &print, &[&reading.id]) == 1 {
                named += 1;
            } else {
                println!("{} is not named: {} ({} probes)", reading.id, own.why, own.evidence.len());
            }
            let seen = format!("{:?}", print.observed);
            if let Some(other) = signatures.insert(seen, reading.id.clone()) {
                println!("{} and {other} are not told apart", reading.id);
            }
        }
        assert!(signatures.len() * 100 >= probes.readings.len() * 95, "{} fingerprints", signatures.len());
        assert!(named * 10 >= probes.readings.len() * 8, "{named} of {} are named", probes.readings.len());
    }
}

/// Where the reference reads something otherwise, by its functions; or only the id.
fn places(id: &str) -> Vec<&str> {
    let twists = tandem_faults::twist::of_reading(id);
    twists.map_or(vec![id], |twists| twists.into_iter().map(|twist| site_of(twist).item).collect())
}

#[test]
fn nothing_wrong_is_claimed_of_mixtures() {
    let mut noise = Noise::new(20);
    let (mut named, mut mixed) = (0, 0);
    for probes in PROBES.iter() {
        for _ in 0..20 {
            let count = 2 + noise.below(3);
            let mut ids: Vec<&str> = Vec::new();
            while ids.len() < count {
                let id = &*probes.readings[noise.below(probes.readings.len())].id;
                // Nobody reads one place in two ways.
                if !ids.iter().any(|other| places(other).iter().any(|place| places(id).contains(place))) {
                    ids.push(id);
                }
            }
            let joined: &'static str = Box::leak(ids.join("+").into_boxed_str());
            named += check(probes, &judge(probes, &trial::factory(joined)), &ids);
            mixed += count;
        }
    }
    assert!(named * 2 >= mixed, "{named} of {mixed} readings are named in mixtures");
}

#[test]
fn models_of_sums_are_told_apart() {
    let isas = isas();
    let isa = isas.iter().find(|isa| !isa.isa.models.is_empty()).expect("an instruction set has models");
    let instruction = isa.isa.instruction("dpas").expect("its results go by models");
    let probes = probes(isa, instruction, readings::of(instruction), 12_000);
    assert!(probes.probes.len() < 100, "{} cases", probes.probes.len());
    let models: Vec<_> = probes.readings.iter().filter(|reading| reading.topic.starts_with("model ")).collect();
    assert_eq!(models.len(), 13);
    for reading in &probes.readings {
        let print = judge(&probes, &reading.factory);
        let named = check(&probes, &print, &[&reading.id]);
        assert!(named == 1 || !reading.topic.starts_with("model "), "{}: {:#?}", reading.id, print.claims);
    }
    assert_eq!(check(&probes, &judge(&probes, &trial::right()), &[]), 0);
}
