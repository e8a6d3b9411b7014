//! Recorded tests begin where a machine can be, and show something wherever their cell can.

use std::collections::BTreeMap;
use std::sync::Arc;

use tandem_cases::ISAS;
use tandem_harness::vectors::{Outcome, Sparse, no_state};
use tandem_harness::{Generator, Pools, Salter};
use tandem_isa::{Bank, Edition, Instruction, MAX_BANKS, ReadPort, RowShape, SaltPlan, Sweep};

use crate::parts::store;

// ------------------------------------------------------------------------------------------------ states that exist

#[test]
fn every_test_begins_where_a_machine_can_be() {
    let mut refused = Vec::new();
    let mut held = 0;
    for (path, file) in &store().files {
        for (_, test) in file.tests() {
            let banks = file.isa.layout.banks;
            held += test.before.rows.keys().filter(|(bank, row)| banks[*bank].holds(*row).is_some()).count();
            let id = test.id(file.isa, file.instruction);
            let say = |message| format!("{}: test {id}: {message}", path.display());
            refused.extend(no_state(file.isa, &test.before).into_iter().map(say));
        }
    }
    assert!(refused.is_empty(), "{} rows cannot be so:\n{}", refused.len(), refused.join("\n"));
    // LReg[11] to LReg[14] are named by tests, and constants by none.
    assert!(held >= 100, "tests name {held} rows in which not everything can stand");
}

#[test]
fn what_cannot_stand_in_a_row_is_refused() {
    let lanes = |word: fn(u32) -> u32| (0..32).map(word).collect::<Vec<u32>>();
    for isa in ISAS.iter().filter(|isa| isa.layout.bank_named("LReg").is_some()) {
        let bank = isa.layout.bank_named("LReg").expect("it was asked for");
        for (row, words, is_so) in [
            (8, lanes(|_| 0x3f56_594b), true),
            (8, lanes(|_| 0), false),
            (9, lanes(|_| 0), true),
            (9, lanes(|lane| u32::from(lane == 5)), false),
            (10, lanes(|_| 0x3f80_0000), true),
            (10, lanes(|lane| if lane == 31 { 0x3f80_0001 } else { 0x3f80_0000 }), false),
            (11, lanes(|lane| lane & 7), true),
            (14, lanes(|lane| lane & 15), false),
            (15, lanes(|lane| 2 * lane), true),
            (15, lanes(|lane| lane), false),
            (16, lanes(|lane| lane), true),
        ] {
            let before = Sparse { rows: BTreeMap::from([((bank, row), words)]), ..Sparse::default() };
            assert_eq!(no_state(isa, &before).is_empty(), is_so, "{} LReg[{row}]", isa.name);
        }
    }
}

/// Base state, backgrounds and operands are states that a machine can have.
#[test]
fn what_is_generated_can_stand_where_it_stands() {
    let mut rows = 0;
    for suite in &tandem::wiring::suite().isas {
        let pools = Pools::new(suite.isa, 5);
        let mut can_stand = |bank: &Bank, row: usize, bytes: &[u8], what: &str| {
            assert_eq!(
                bank.misheld(row, &bank.words_of(bytes)),
                None,
                "{}: {} of {what}",
                suite.isa.name,
                bank.row_name(row)
            );
            rows += usize::from(bank.holds(row).is_some());
        };
        let base = suite.isa.base_state();
        let instruction = suite.isa.instructions[0];
        let mut generator = Generator::new(suite.isa, instruction, Edition::Newest, 5, Arc::clone(&pools));
        for (index, bank) in suite.isa.layout.banks.iter().enumerate() {
            for held in bank.held {
                can_stand(bank, held.row, base.row(index, held.row), "the base state");
                for epoch in 0..4 {
                    generator.enter_epoch(32 * epoch);
                    can_stand(bank, held.row, &generator.arena()[bank.row_range(held.row)], "a background");
                }
                for key in 0..64 {
                    let class = (0..suite.isa.value_classes.len()).find(|&class| {
                        let class = &suite.isa.value_classes[class];
                        class.datum_bytes == bank.word.bytes() && class.bits == bank.bits
                    });
                    let class = class.expect("the bank has a class");
                    let mut bytes = vec![0; bank.row_bytes()];
                    let mut port = Salter::new(Arc::clone(&pools));
                    for shape in RowShape::ALL {
                        let plan = SaltPlan { class: [class as u8; MAX_BANKS], shape, ..SaltPlan::default() };
                        port.begin(key, &plan, key % 2 == 0);
                        port.fill(index, bank.first_row + held.row, &mut bytes);
                        can_stand(bank, held.row, &bytes, "an operand");
                        port.begin(key, &plan, false);
                        port.sweep(&Sweep { key, pass: key, domain: None });
                        port.fill(index, bank.first_row + held.row, &mut bytes);
                        can_stand(bank, held.row, &bytes, "an operand that is swept");
                    }
                }
            }
        }
    }
    assert!(rows > 1000, "{rows}");
}

// ------------------------------------------------------------------------------------------------ what tests show

/// Cells in which an instruction changes no register and no flag: instructions, levels of data-path axes, and why.
type Still = (&'static [&'static str], &'static [(&'static str, &'static [&'static str])], &'static str);

/// Every instruction that writes a register which `VD` names; what is excepted writes `Dst` or flags, or has other levels of `VD`.
const TO_REGISTERS: &[&str] = &["sfp*"];
const NOT_TO_REGISTERS: &[&str] = &[
    "sfpstore",
    "sfploadmacro",
    "sfpsetcc",
    "sfpencc",
    "sfpconfig",
    "sfpnop",
    "sfptransp",
    "sfpswap",
    "sfpshft2",
    "sfpmad",
    "sfpadd",
    "sfpmul",
    "sfpaddi",
    "sfpmuli",
    "sfpmul24",
    "sfplut",
    "sfplutfp32",
    "sfpmov",
    "sfpcast",
    "sfpstochrnd",
    "sfppushc",
    "sfppopc",
    "sfpcompc",
    "sfple",
    "sfpgt",
];
/// Those that write where `LReg[7]` says, if bit 3 of `Mod1` is set.
const INDIRECT: &[&str] = &["sfpmad", "sfpadd", "sfpmul", "sfpaddi", "sfpmuli", "sfpmul24", "sfplutfp32"];
const COMPARISONS: &[&str] = &["sfple", "sfpgt"];
const FROM_8: (&str, &[&str]) = ("VD", &["8-11", "12-15"]);

const STILL: &[Still] = &[
    (TO_REGISTERS, &[FROM_8], "registers from 8 on are written by SFPCONFIG alone"),
    (INDIRECT, &[FROM_8, ("Mod1", &["0", "1", "2", "3", "4", "5", "6", "7"])], "VD says what is written"),
    (&["sfplut"], &[FROM_8, ("Mod0", &["no bit", "SGN_RETAIN"])], "VD says what is written"),
    (
        &["sfpshft2"],
        &[FROM_8, ("Mod1", &["SUBVEC_SHFLROR1", "SUBVEC_SHFLSHR1", "SHFT_LREG", "SHFT_IMM"])],
        "VD says what is written",
    ),
    (&["sfpswap"], &[FROM_8, ("VC", &["8", "9", "10", "11-14", "15"])], "neither is written"),
    (&["sfpswap"], &[("VC", &["VD"])], "a register changes places with itself"),
    (&["sfpnop", "dmanop", "flushdma", "unpacr_flush_cache"], &[], "it does nothing"),
    (&["atcas"], &[], "it goes on only where the word is CmpVal, which plain data are not"),
    (&["sfpand", "sfpor"], &[("VC", &["VD"]), ("Mod1", &["VD"])], "a register and itself, and or or, is itself"),
    (&["sfpmov"], &[("VC", &["VD"]), ("Mod1", &["copy", "ALL_LANES_ENABLED"])], "a register moves to itself"),
    (&["sfpsetsgn"], &[("VC", &["VD"]), ("Mod1", &["VD"])], "a register gets its own sign"),
    (&["sfpsetexp"], &[("VC", &["VD"]), ("Mod1", &["ARG_EXPONENT"])], "a register gets its own exponent"),
    (&["sfpsetman"], &[("VC", &["VD"]), ("Mod1", &["VD"])], "a register gets its own mantissa"),
    (&["sfpor"], &[("VC", &["9"]), ("Mod1", &["VD"])], "LReg[9] is zero: nothing is set"),
    (&["sfpxor"], &[("VC", &["9"])], "LReg[9] is zero: nothing flips"),
    (&["sfpiadd"], &[("VC", &["9"]), ("Mod1", &["4"])], "LReg[9] is zero: nothing is added, and no flag asked for"),
    (
        &["sfpshft"],
        &[("VC", &["9", "10"]), ("Mod1", &["VC", "ARITHMETIC"])],
        "the low bits of LReg[9] and LReg[10] are zero: nothing is shifted",
    ),
    (&["cleardvalid"], &[("FlipSrcA", &["0"]), ("FlipSrcB", &["0"])], "no bank is given away"),
    (&["setdvalid"], &[("FlipSrcA", &["0"]), ("FlipSrcB", &["0"])], "no bank is given away"),
    (&["atgetm"], &[("HeldBy", &["itself"])], "the thread has the mutex already"),
    (
        &["atrelm"],
        &[("HeldBy", &["nobody", "the next thread", "the thread after it"])],
        "the thread has no mutex to release",
    ),
    (&["seminit", "sempost", "semget"], &[("SemaphoreMask", &["none"])], "no semaphore is selected"),
    (&["zerosrc"], &[("ClearSrcA", &["0"]), ("ClearSrcB", &["0"])], "neither source is cleared"),
    (&["setadcxx"], &[("U0", ZERO), ("U1", ZERO), ("PK", ZERO)], "no counter is set"),
    (XY, &[("X0", ZERO), ("Y0", ZERO), ("X1", ZERO), ("Y1", ZERO)], "no counter is set"),
    (ZW, &[("Z0", ZERO), ("W0", ZERO), ("Z1", ZERO), ("W1", ZERO)], "no counter is set"),
    (
        &["incadcxy"],
        &[("increment of X0", ZERO), ("increment of Y0", ZERO), ("increment of X1", ZERO), ("increment of Y1", ZERO)],
        "nothing is added",
    ),
    (
        &["incadczw"],
        &[("increment of Z0", ZERO), ("increment of W0", ZERO), ("increment of Z1", ZERO), ("increment of W1", ZERO)],
        "nothing is added",
    ),
    (&["unpacr_increment_context_counter"], &[("Context_count", ZERO)], "the counter goes from 0 to 0"),
    (&["wrcfg", "cfgshiftmask", "streamwrcfg"], &[("CfgIndex", WORDS_OUTSIDE)], "these words are no part of the state"),
    (&["wrcfg"], &[("CfgIndex", &["223"]), ("Is128Bit", &["0"])], "without the three before it nothing of the state"),
    (
        &["xmov"],
        &[("direction", &["XMOV_L1_TO_L0", "XMOV_L0_TO_L0"]), ("destination", &["memory of NC"])],
        "the memory of a core is no part of the state",
    ),
    (
        &["cfgshiftmask"],
        &[("AluMode", &["and", "and not"]), ("CfgIndex", &["187 to 202"])],
        "these words are 0, and stay so",
    ),
    (RMWCIB, &[("Index4", WORDS_OUTSIDE)], "these words are no part of the state"),
    (&["sfpconfig"], &[("VD", &["9-10"])], "9 and 10 are nothing"),
    (
        &["sfpmov"],
        &[FROM_8, ("Mod1", &["copy", "NEGATE", "ALL_LANES_ENABLED", "NEGATE and 2"])],
        "registers from 8 on are written by SFPCONFIG alone",
    ),
    (
        &["sfpmov"],
        &[FROM_8, ("Mod1", &["FROM_SPECIAL"]), ("VC", &["0-7", "8", "10", "11-14", "15"])],
        "the PRNG alone goes on where nothing is written",
    ),
    (
        &["sfpcast"],
        &[FROM_8, ("Mod1", &["RND_EVEN", "SM32_TO_FP32_RNE", "INT32_ABS", "INT32_SM32"])],
        "the PRNG alone goes on where nothing is written",
    ),
    (COMPARISONS, &[("Mod1", &["0", "4"])], "the result goes nowhere"),
    (COMPARISONS, &[FROM_8, ("Mod1", &["8", "12"])], "registers from 8 on are written by SFPCONFIG alone"),
    (&["sfple"], &[("VC", &["VD"]), ("Mod1", &["2"])], "a register is what it is: and nothing is cleared"),
    (&["sfpgt"], &[("VC", &["VD"]), ("Mod1", &["6"])], "a register is not above itself: and nothing is set"),
];

/// The levels of words of `Config` that are no part of the state, of both chips.
const WORDS_OUTSIDE: &[&str] =
    &["156 to 163", "184 to 186", "203 to 208", "204 to 207", "212 to 219", "221 and 222", "last"];
const ZERO: &[&str] = &["0"];
const XY: &[&str] = &["setadcxy", "addrcrxy"];
const ZW: &[&str] = &["setadczw", "addrcrzw"];
const RMWCIB: &[&str] = &["rmwcib0", "rmwcib1", "rmwcib2", "rmwcib3"];

/// Why no test of a cell can show a change of registers or flags.
fn why_still(instruction: &Instruction, edition: Edition, cell: usize) -> Option<usize> {
    let space = (instruction.cells)(edition);
    let has = |(name, levels): &(&str, &[&str])| {
        // An axis that a chip's page does not have excludes nothing.
        space
            .axes
            .iter()
            .position(|axis| axis.name == *name)
            .is_none_or(|place| levels.contains(&space.axes[place].levels[usize::from(space.levels(cell)[place])]))
    };
    let file = instruction.file;
    let is_to_register = file.starts_with("sfp") && !NOT_TO_REGISTERS.contains(&file);
    let is_one = |files: &[&str]| files.contains(&file) || files == TO_REGISTERS && is_to_register;
    STILL.iter().position(|(files, levels, _)| is_one(files) && levels.iter().all(has))
}

#[test]
fn tests_show_something_wherever_a_cell_can() {
    let mut met = vec![0; STILL.len()];
    for (path, file) in store().files.iter().filter(|(_, file)| file.source.name == "tandem reference") {
        let (mut plain, mut idle, mut still, mut others) = (0, Vec::new(), 0, 0);
        if file.has_programs() {
            let idle: Vec<_> = file.tests().filter(|(_, test)| test.after.is_empty()).map(|(_, test)| test).collect();
            assert!(idle.is_empty(), "{}: programs that change nothing: {idle:#?}", path.display());
            continue;
        }
        for (group, test) in file.tests().filter(|(_, test)| test.outcome == Outcome::Done) {
            let has = |wanted: &str| test.flags.iter().any(|flag| flag == wanted);
            // A disputed one is no measure, and its operands are not chosen.
            let is_plain = has("plain") && !has("disputed");
            let why = why_still(file.instruction, group.edition, group.cell);
            let name = || format!("{}: test {}", path.display(), test.id(file.isa, file.instruction));
            match why {
                Some(why) => {
                    // Counters may move, and configuration be read: but not by a plain test.
                    assert!(
                        !is_plain || test.after.is_empty(),
                        "{} changes something although {}",
                        name(),
                        STILL[why].2
                    );
                    met[why] += 1;
                    still += 1;
                }
                None if is_plain => {
                    assert!(!test.after.is_empty(), "{} is plain and changes nothing", name());
                    plain += 1;
                }
                None => {
                    others += 1;
                    if test.after.is_empty() {
                        idle.push(name());
                    }
                }
            }
        }
        println!(
            "{}: {plain} plain tests, of {others} others {} change nothing; {still} cannot",
            path.display(),
            idle.len()
        );
        // Of some instructions nothing is promised, or nothing that is exported.
        let is_idle = still > 0 && plain + others == 0;
        assert!(file.is_empty() || is_idle || plain > 0 && others > 0, "{}: nothing was looked at", path.display());
        // A level that disables every lane is tested as well: one in twenty tests, or one of fewer.
        assert!(idle.len() <= (others / 20).max(1), "{}: of {others} change nothing {idle:#?}", path.display());
    }
    for ((files, _, why), met) in STILL.iter().zip(met) {
        assert!(met > 0, "{files:?}: no test of a cell where {why}");
    }
}
