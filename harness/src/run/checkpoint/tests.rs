use std::fmt::Debug;

use proptest::collection::{btree_map, btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use serde::de::DeserializeOwned;
use tandem_isa::{Answer, Call, Misbehaviour, MisbehaviourKind};

use super::*;
use crate::Kind;
use crate::bench::Mishap;
use crate::terms::{Atom, DataAtom, Lens, Rule, Rules, Test};

fn reads_back<T: DeserializeOwned + PartialEq + Debug + Serialize>(value: &T) {
    let text = serde_json::to_string(value).expect("it is data");
    let read = serde_json::from_str::<T>(&text).unwrap_or_else(|error| panic!("{value:?} is written {text}: {error}"));
    assert_eq!(&read, value, "{text}");
}

/// Whatever stands in a file by its name is read back by it.
#[test]
fn every_name_that_is_written_is_read_back() {
    Kind::all().for_each(|kind| reads_back(&kind));
    Edition::ALL.iter().for_each(reads_back);
    Answer::ALL.iter().for_each(reads_back);
    MisbehaviourKind::ALL.iter().for_each(reads_back);
    Call::ALL.iter().for_each(reads_back);
    for edition in Edition::ALL {
        assert_eq!(Edition::named(edition.name()), Some(edition));
    }
    let error = serde_json::from_str::<Difference>(r#"{"rerun":"nothing"}"#).expect_err("there is no such kind");
    assert!(error.to_string().contains("'nothing' is no kind of difference"), "{error}");
}

fn kind() -> impl Strategy<Value = Kind> {
    proptest::sample::select(Kind::all().collect::<Vec<_>>())
}

fn misbehaviour() -> impl Strategy<Value = Misbehaviour> {
    let kinds = proptest::sample::select(MisbehaviourKind::ALL.to_vec());
    let calls = proptest::sample::select(Call::ALL.to_vec());
    (kinds, calls, ".*", option::of(any::<u32>())).prop_map(|(kind, call, message, case)| Misbehaviour {
        kind,
        call,
        message,
        case,
    })
}

fn difference() -> impl Strategy<Value = Difference> {
    let answer = || proptest::sample::select(Answer::ALL.to_vec());
    let numbers = any::<[u32; 3]>();
    let plain = prop_oneof![
        (any::<[usize; 3]>(), numbers, kind()).prop_map(|([bank, row, column], [before, expected, got], kind)| {
            Difference::Word { bank, row, column, before, expected, got, kind }
        }),
        (any::<usize>(), any::<[u32; 3]>(), kind()).prop_map(|(field, [before, expected, got], kind)| {
            Difference::Field { field, before, expected, got, kind }
        }),
        (any::<usize>(), any::<[u8; 2]>()).prop_map(|(byte, [expected, got])| Difference::LooseBits {
            byte,
            expected,
            got
        }),
        (answer(), answer()).prop_map(|(expected, got)| Difference::Answer { expected, got }),
        ".*".prop_map(Difference::Panic),
        misbehaviour().prop_map(Difference::Misbehaved),
        any::<[u32; 2]>().prop_map(|[expected, got]| Difference::ArenaHash { expected, got }),
        vec(any::<(usize, usize)>(), 0..4).prop_map(Difference::StrayRows),
        kind().prop_map(Difference::Rerun),
        Just(Difference::KeptThroughReset),
    ];
    plain.prop_recursive(2, 4, 1, |inner| inner.prop_map(|change| Difference::Refused(Box::new(change))))
}

fn signature() -> impl Strategy<Value = Signature> {
    (".*", ".*", ".*", kind()).prop_map(|(instruction, target, place, kind)| Signature {
        instruction,
        target,
        place,
        kind,
    })
}

fn finding() -> impl Strategy<Value = SavedFinding> {
    let editions = proptest::sample::select(Edition::ALL.to_vec());
    let seen = (btree_map(editions, btree_set(any::<u32>(), 0..4), 0..3), btree_set(".*", 0..3));
    let bits = btree_map(0_u32..32, any::<(u64, u64)>(), 0..4);
    let first = (".*", vec(".*", 0..3), option::of(".*"), any::<bool>(), vec(difference(), 0..6));
    (signature(), first, any::<[u64; 3]>(), seen, bits).prop_map(|(signature, first, numbers, seen, bits)| {
        let (id, after, level, by_value, differences) = first;
        let ([cases_to_find, datums_to_find, count], (cells, levels)) = (numbers, seen);
        SavedFinding {
            signature,
            id,
            after,
            level,
            by_value,
            differences,
            cases_to_find,
            datums_to_find,
            count,
            cells,
            levels,
            bits,
        }
    })
}

fn rule() -> impl Strategy<Value = Rule> {
    let lens = (0_usize..8, any::<usize>()).prop_map(|(form, place)| match form {
        0 => Lens::Quantity(place),
        1 => Lens::Path(place),
        2 => Lens::Code(place),
        3 => Lens::Unnamed(place),
        4 => Lens::Field(place),
        5 => Lens::Axis(place),
        6 => Lens::Any(place),
        _ => Lens::Differ(place),
    });
    let test = (0_usize..4, vec(any::<u32>(), 1..4)).prop_map(|(form, values)| match form {
        0 => Test::In(values),
        1 => Test::Bits(values[0]),
        2 => Test::AtLeast(values[0]),
        _ => Test::Not(values[0]),
    });
    let data = (any::<[usize; 2]>(), any::<u64>(), ".*").prop_map(|([bank, datum_bytes], instead, words)| DataAtom {
        bank,
        datum_bytes,
        tests: Vec::new(),
        words,
        instead,
    });
    let all = vec((lens, test).prop_map(|(lens, test)| Atom { lens, test }), 0..4);
    (all, option::of(data), option::of(".*")).prop_map(|(all, data, reason)| Rule { all, data, reason })
}

fn observation() -> impl Strategy<Value = Observation> {
    let lists = (vec(vec(any::<u32>(), 0..3), 0..3), vec(any::<u32>(), 0..4), vec(any::<[u64; 3]>(), 0..4));
    let mishap = (any::<u32>(), vec(difference(), 0..3)).prop_map(|(cell, differences)| Mishap { cell, differences });
    (vec(rule(), 0..4), lists, any::<u64>(), option::of(".*"), vec(mishap, 0..3)).prop_map(
        |(list, lists, cases, ended, mishaps)| {
            let (homes, offered, asked) = lists;
            Observation { rules: Rules { list }, homes, offered, asked, cases, ended, mishaps }
        },
    )
}

fn unit() -> impl Strategy<Value = SavedUnit> {
    let words = || vec(any::<u64>(), 0..4);
    let counts = (any::<[u64; 4]>(), option::of(any::<[u64; 4]>()));
    let seen = (option::of(words()), [words(), words()], btree_map(any::<u32>(), any::<u64>(), 0..4));
    (vec(any::<[u64; 6]>(), 0..6), option::of(observation()), counts, seen).prop_map(
        |(cells, observation, counts, (tuples, bits, disputed))| {
            let [answered, refused, unexplained, contradicted] = counts.0;
            let foretold = Foretold { answered, refused, unexplained, contradicted };
            let claimed =
                counts.1.map(|[kept, broken, unclaimed, not_offered]| Claimed { kept, broken, unclaimed, not_offered });
            SavedUnit { cells, disputed, observation, foretold, claimed, tuples, bits, spoilt: None }
        },
    )
}

fn checkpoint() -> impl Strategy<Value = Checkpoint> {
    let numbers = (any::<[u64; 4]>(), any::<[u64; 2]>(), vec(any::<u64>(), 0..4));
    // A fraction that a decimal number says exactly.
    let seconds = (0_u32..1 << 24).prop_map(|parts| f64::from(parts) / 64.0);
    (numbers, seconds, vec(unit(), 0..3), vec(finding(), 0..3)).prop_map(|(numbers, seconds, units, findings)| {
        let ([blocks, cases, datums, completed], undone, datums_of_blocks) = numbers;
        Checkpoint { blocks, seconds, cases, datums, completed, units, findings, undone, datums_of_blocks }
    })
}

proptest! {
    #[test]
    fn every_difference_reads_back_as_it_was_written(difference in difference()) {
        reads_back(&difference);
    }

    #[test]
    fn every_checkpoint_reads_back_as_it_was_written(checkpoint in checkpoint()) {
        reads_back(&checkpoint);
    }
}
