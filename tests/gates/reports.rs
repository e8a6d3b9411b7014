//! Reports of a real campaign: a target that is wrong in one bit, from its divergence to every rendering.

use std::collections::BTreeMap;
use std::path::Path;

use tandem_cases::ISAS;
use tandem_harness::report::{
    Colour, Inputs, Report, bits_without_field, contested_cells, json, junit, markdown, terminal,
};
use tandem_harness::vectors::{Gap, Witnesses};
use tandem_harness::{Budget, Campaign, Plan, Pools, Progress, Suite, TargetFactory};
use tandem_isa::tensix::bank;
use tandem_isa::{Answer, Edition, FieldRole, Instruction, Reference, State, Step};
use tandem_reference::tensix::TensixReference;

use crate::parts::{acting, instruction, store};
use crate::program::ROOT;

const CASES: u64 = 40_000;

/// The reference as a target, with the top bit of column 3 of the first `Dst` row that was written flipped.
fn wrong(step: &Step<'_>, state: &mut State) -> Answer {
    let answer = TensixReference.execute(step, state).required_answer().unwrap_or(Answer::Unsupported);
    let mut first = None;
    state.tracker.log.written.each(|row_id| {
        let (which, row) = state.layout.locate(row_id);
        first = first.or((which == bank::DST).then_some(row));
    });
    if let (Answer::Done, Some(row)) = (answer, first) {
        let word = state.word(bank::DST, row, 3);
        state.set_word(bank::DST, row, 3, word ^ 0x8000);
    }
    answer
}

#[test]
fn a_wrong_bit_is_found_made_small_and_explained() {
    let (isa, mova2d) = instruction("tensix-wh/mova2d");
    let suite = Suite { isas: vec![isa.with_targets(vec![TargetFactory::new(|| acting(wrong))])] };
    let units = Edition::ALL.map(|edition| (mova2d, edition)).into();
    let plan = Plan { threads: 2, coverage: true, ..Plan::new(11, Budget::Cases(CASES), units) };
    let report = Report::build(&Inputs::new(&suite, &Campaign::new(&suite, &plan, &Progress::default()).run()));
    let text = json::report(&report);
    assert_eq!(report.result.cases, CASES);
    assert_eq!(json::parse(&text).expect("it reads back"), report);

    let [finding] = &report.result.findings[..] else { panic!("one finding, not {:#?}", report.result.findings) };
    assert_eq!(finding.signature.to_string(), "tensix-wh/mova2d acting DstBits value");
    assert_eq!(finding.bits.iter().map(|bit| bit.bit).collect::<Vec<_>>(), [15]);
    assert!(finding.bits[0].set > 0 && finding.bits[0].cleared > 0);
    assert_eq!(finding.seen.len(), 2);
    let smallest = finding.minimized.as_ref().expect("it fails alone");
    assert!(smallest.proven && smallest.size <= 2, "{smallest:#?}");
    assert!(smallest.text.starts_with("TT_MOVA2D("));
    let words = finding.explanation.join("\n");
    assert!(words.contains("DstBits[0][3]: before 0x0000, expected 0x0000, got 0x8000: value"), "{words}");
    assert!(words.contains("first differing bit: bit 15, the sign: expected 0, got 1"), "{words}");
    assert!(finding.citations.iter().any(|citation| citation.place.starts_with("lines ")), "{finding:#?}");
    assert!(finding.errata.is_empty(), "no other reading of an erratum does that: {finding:#?}");
    assert_eq!(finding.replay, format!("tandem replay {}", finding.first));

    // Every rendering has the replay command and the smallest case.
    let mut screen = Vec::new();
    terminal::render(&mut screen, &report, Colour::Never, None).expect("memory takes everything");
    let screen = String::from_utf8(screen).expect("it is text");
    for rendering in [screen, markdown::summary(&report)] {
        assert!(rendering.contains(&finding.replay) && rendering.contains(&smallest.text), "{rendering}");
    }
    assert!(junit::xml(&report, false).contains(&finding.replay));
}

#[test]
fn contested_cells_are_those_on_which_the_editions_differ() {
    let (isa, instruction) = instruction("tensix-wh/mova2d");
    let drawn = || contested_cells(&isa, instruction, 8, (5, &Pools::new(isa.isa, 5)));
    let cells = drawn();
    assert_eq!(cells, drawn());
    let space = (instruction.cells)(Edition::Newest);
    assert_eq!(cells.len(), space.len());
    let contested = cells.iter().filter(|cell| cell.is_contested()).count();
    assert!(contested > 0 && contested < cells.len(), "{contested} of {}", cells.len());
    // TX-03: TF32 under FP16A_FORCE_Enable writes 32 bits in one edition and 16 in the other.
    for (cell, what) in cells.iter().enumerate() {
        let modes = space.describe(cell);
        if modes.contains("SrcAFmt=TF32 FP16A_FORCE_Enable=1") {
            assert!(what.differing > 0, "{modes}");
        }
    }
}

/// What others recorded of every instruction.
fn witnesses() -> Vec<(&'static Instruction, Witnesses)> {
    let suite = tandem::wiring::suite();
    let store = store();
    let sources = tandem::wiring::sources();
    for (path, file) in &store.files {
        assert!(sources.has(&file.source), "{}: vectors/sources.toml lacks {}", path.display(), file.source.name);
    }
    suite.instructions().map(|(isa, one)| (one, Witnesses::of(store, &sources, isa, one))).collect()
}

#[test]
fn what_is_unwitnessed_follows_from_the_recordings_of_others() {
    let witnesses = witnesses();
    let of = |path: &str| &witnesses.iter().find(|(one, _)| one.path() == path).expect("there is such a one").1;
    // A recording of ours is no witness.
    let mov = of("visa/mov");
    assert!(mov.by_author.is_empty());
    assert!(mov.gaps.iter().map(|gap| &*gap.of).eq([Gap::ALL]));
    let mova2d = of("tensix-wh/mova2d");
    assert!(mova2d.by_author.keys().eq(["tenstorrent"]));
    let gaps: Vec<&str> = mova2d.gaps.iter().map(|gap| &*gap.of).collect();
    for gap in ["Move8Rows=0", "SrcAFmt=BFP8a", "dest_regw_base"] {
        assert!(gaps.contains(&gap), "{gap} is not in {gaps:?}");
    }
    assert!(!gaps.iter().any(|gap| gap.starts_with("UseDst32bLo=")), "both are recorded: {gaps:?}");
}

#[test]
fn nothing_is_said_of_a_level_that_others_recorded() {
    for (instruction, witnesses) in witnesses() {
        let edition = Edition::Newest;
        let axes = (instruction.cells)(edition).axes.iter().chain((instruction.orthogonal)(edition));
        let axes: Vec<_> = axes.collect();
        for said in witnesses.besides {
            let (name, level) = said.of.split_once('=').map_or((&*said.of, None), |(axis, level)| (axis, Some(level)));
            // Where the pages promise nothing, recordings do not count.
            if instruction.recording.unpromised.contains(&name) {
                continue;
            }
            let axis = axes.iter().find(|axis| axis.name == name);
            let is_gap = axis.is_some_and(|axis| level.is_none_or(|level| axis.levels.contains(&level)));
            assert!(!is_gap, "{}: {} is recorded", instruction.path(), said.of);
        }
    }
}

#[test]
fn every_bit_beside_a_field_is_reported_as_not_modelled() {
    let mut words_without = Vec::new();
    for isa in ISAS {
        let stretches = bits_without_field(isa.layout);
        let missing = |space: &str, word: u32| {
            let here = stretches.iter().filter(|one| one.space == space && (one.first..=one.last).contains(&word));
            here.fold(0, |bits, one| bits | one.bits)
        };
        let fields = (isa.layout.fields)();
        let spaces: BTreeMap<&str, (u32, usize)> = fields
            .iter()
            .filter_map(|field| field.address.map(|(space, word)| (space, (word, 8 * field.word.bytes()))))
            .fold(BTreeMap::new(), |mut spaces, (space, (word, width))| {
                let (last, _) = spaces.entry(space).or_insert((0, width));
                *last = word.max(*last);
                spaces
            });
        // Each bit of a word, one after the other, is of a field or of none.
        for (&space, &(last, width)) in &spaces {
            for (word, bit) in
                (0..=last).flat_map(|word| (0..u32::try_from(width).unwrap_or(32)).map(move |bit| (word, bit)))
            {
                let is_named = fields
                    .iter()
                    .any(|one| one.address == Some((space, word)) && (one.shift..one.shift + one.width).contains(&bit));
                assert_eq!(missing(space, word) >> bit & 1 != 0, !is_named, "{} {space} {word}, bit {bit}", isa.name);
            }
            words_without.push((isa.name, space, (0..=last).filter(|&word| missing(space, word) != 0).count()));
        }
        let text = std::fs::read_to_string(Path::new(ROOT).join(format!("reports/{}.md", isa.name)));
        let text = text.expect("the report is committed");
        assert_eq!(
            text.contains("\n## Not modelled\n"),
            !stretches.is_empty() || !isa.unmodelled.is_empty(),
            "{}",
            isa.name
        );
        for one in isa.unmodelled {
            assert!(text.contains(&format!("- `{}`", one.name)), "{} lacks {}", isa.name, one.name);
            let place =
                one.place.into_iter().flat_map(|place| (place.first..=place.last).map(move |word| (place, word)));
            for (place, word) in place {
                let named = fields
                    .iter()
                    .filter(|field| field.address == Some((place.space, word)) && field.role != FieldRole::Unnamed)
                    .fold(0, |bits, field| bits | ((u32::MAX >> (32 - field.width)) << field.shift));
                assert_eq!(place.bits & named, 0, "{} is a field in word {word}", one.name);
            }
        }
    }
    // Of the words of the state every bit has a field; of `Config` there are others between them.
    let whole = |&(_, space, words): &(&str, &str, usize)| (words == 0) != (space == "Config");
    assert!(words_without.len() == 4 && words_without.iter().all(whole), "{words_without:?}");
    let has = |isa: usize, name: &str| ISAS[isa].unmodelled.iter().any(|one| one.name.contains(name));
    assert!((0..2).all(|isa| has(isa, "RISCV_DEBUG_REG_DBG_FEATURE_DISABLE, bit 11")));
    assert_eq!(["SrcAIncr", "SrcBIncr"].map(|name| has(1, &format!("ADDR_MOD_AB2_SEC[0..8].{name}"))), [true; 2]);
}
