//! Values computed by hand from the pages, and what holds of all instructions.

use rstest::rstest;
use tandem_isa::{Code, Noise};

use super::*;

/// An instruction: its name, and what is not as in its base code.
fn step(chip: Chip, name: &str, fields: &[(&str, u32)]) -> Act {
    let facts = machine(chip).instruction(name).expect("the chip has it");
    let mut code = Code::new(facts.base_code);
    for (name, value) in fields {
        facts.code_field(name).expect("it has the field").set(&mut code, *value);
    }
    Act::Instruction(Word { facts, code })
}

fn stand_in(path: usize, first: usize, rows: usize, flip: bool) -> Act {
    Act::StandIn(StandIn { path, first, rows, value: 0xfff_fffe, flip })
}

/// What an instruction does, done by a core.
fn of_core(act: Act) -> Act {
    if let Act::Instruction(word) = act { Act::Core(word) } else { act }
}

/// What nothing but an owner ends: bank 0 of `SrcA` is not the Unpackers'.
fn stuck(chip: Chip, block_mask: u32) -> Latched {
    Latched { opcode: Latched::STALLWAIT, condition_mask: chip.pick(0x100, 0x20), block_mask, ..Latched::default() }
}

/// Presents an act of thread 2 in the base state with some changes: what is promised, the state after it, what was touched, and
/// what is wrong.
fn present(chip: Chip, act: &Act, prepare: impl FnOnce(&mut Small)) -> (Expectation, State, Log, String) {
    let (mut state, mut threads) = (machine(chip).base_state(), TensixThreads::new(chip));
    prepare(Tensix::new(&mut state).small);
    let before = state.small.to_vec();
    let expectation = threads.present(2, act, Edition::Newest, &mut state);
    let log = state.tracker.take_log();
    let told = threads.trespasses(act, &before, &log).into_iter().map(|one| format!("{}: {}", one.kind, one.text));
    let told = told.collect::<Vec<_>>().join(", ");
    (expectation, state, log, told)
}

#[rstest]
fn who_executes_what_and_at_which_pace(#[values(Chip::Wormhole, Chip::Blackhole)] chip: Chip) {
    let [wh, bh] = [chip == Chip::Wormhole, chip == Chip::Blackhole];
    for (act, name, own_pace) in [
        (step(chip, "UNPACR_NOP_ZEROSRC", &[]), "Unpacker 0", true),
        (step(chip, "UNPACR_NOP_SETDVALID", &[("WhichUnpacker", 1)]), "Unpacker 1", true),
        (stand_in(0, 0, 1, true), "Unpacker 0", true),
        (stand_in(1, 0, 1, true), "Unpacker 1", true),
        (stand_in(2, 0, 1, false), "Unpacker 0", true),
        (stand_in(3, 0, 1, false), "Packer", true),
        (step(chip, "MVMUL", &[]), "Matrix Unit", true),
        (step(chip, "SFPLOAD", &[]), "Vector Unit", true),
        (step(chip, "SETDMAREG_IMMEDIATE", &[]), "Scalar Unit", true),
        (step(chip, "XMOV", &[]), "Mover", true),
        (step(chip, "PACR", &[]), "Packer", true),
        (step(chip, "SETC16", &[]), "Configuration Unit", false),
        (step(chip, "WRCFG", &[]), "Configuration Unit", false),
        (step(chip, "RDCFG", &[]), "Configuration Unit", bh),
        (step(chip, "SEMPOST", &[]), "Sync Unit", false),
        (step(chip, "STALLWAIT", &[]), "Sync Unit", false),
        (step(chip, "SETDVALID", &[]), "Miscellaneous Unit", false),
        (Act::Nop("NOP"), "Miscellaneous Unit", false),
        (Act::Store(Vec::new()), "core", wh),
        (of_core(step(chip, "SEMPOST", &[])), "core", wh),
    ] {
        let executes = TensixThreads::new(chip).executes(&act);
        assert_eq!((executes.name, executes.own_pace), (name, own_pace), "{act:?}");
        assert_eq!(By::ALL[executes.number as usize].name(), name);
    }
}

#[rstest]
fn acts_are_held_by_the_block_bits_of_their_unit(#[values(Chip::Wormhole, Chip::Blackhole)] chip: Chip) {
    for (act, bits) in [
        (stand_in(0, 0, 1, true), 0x009),
        (stand_in(1, 0, 1, true), 0x009),
        (stand_in(2, 0, 1, true), 0x009),
        (stand_in(3, 0, 1, true), 0x005),
        (Act::Nop("SFPNOP"), 0x100),
        (Act::Nop("NOP"), 0),
        (Act::Store(Vec::new()), 0),
        (step(chip, "ELWADD", &[]), 0x040),
        (step(chip, "XMOV", &[]), 0x011),
        (step(chip, "SEMWAIT", &[]), chip.pick(0x002, 0x1ff)),
    ] {
        for bit in 0..9 {
            assert_eq!(TensixThreads::new(chip).holds(1 << bit, &act), bits >> bit & 1 != 0, "{act:?} B{bit}");
        }
    }
    let post = of_core(step(chip, "SEMPOST", &[("SemaphoreMask", 1)]));
    let store = Act::Store(vec![(StatePlace::Field(TensixThreads::new(chip).signals()[0]), 1)]);
    for (mask, nop, packs) in [(0x0ff, false, true), (0x1fa, false, false), (0x1ff, true, true)] {
        for (act, is_held) in
            [(Act::Nop("NOP"), nop), (stand_in(3, 0, 1, false), packs), (store.clone(), false), (post.clone(), false)]
        {
            let (expectation, mut state, log, _) = present(chip, &act, |small| small.latched[2] = stuck(chip, mask));
            assert_eq!(matches!(expectation, Expectation::Blocked(_)), is_held, "{act:?} {mask:#x}");
            assert!(!is_held || log.read.is_empty());
            let small = Tensix::new(&mut state).small;
            assert_eq!((small.current_thread, small.latched[2]), (0, stuck(chip, mask)));
        }
    }
}

#[rstest]
// C0 to C6; one packer of four; all four; C7, C12, C13, C14; the owners.
#[case(Chip::Wormhole, 0, 0, 0b10_0111, 0, 0x40)]
#[case(Chip::Wormhole, 0x0008, 0x004, 0, 0, 0x04)]
#[case(Chip::Wormhole, 0x0078, 0x004, 0b100, 0, 0x04)]
#[case(Chip::Wormhole, 0x7080, 0x180, 1 << 3 | 1 << 10 | 1 << 4, 1 << 6, 0x180)]
#[case(Chip::Wormhole, 0x0f00, 0x001, 0, 0, 0x01)]
// C0 to C3; C4, C9, C10, C11, C12; the owners.
#[case(Chip::Blackhole, 0, 0, 0b10_0111, 0, 0x40)]
#[case(Chip::Blackhole, 0x1e10, 0x081, 1 << 3 | 1 << 10 | 1 << 4, 1 << 6 | 1 << 7, 0x81)]
#[case(Chip::Blackhole, 0x01e0, 0x001, 0, 0, 0x01)]
fn a_stallwait_waits_for_the_units_that_it_names(
    #[case] chip: Chip,
    #[case] conditions: u32,
    #[case] mask: u32,
    #[case] units: u32,
    #[case] of_all: u32,
    #[case] blocks: u32,
) {
    let threads = TensixThreads::new(chip);
    let act = step(chip, "STALLWAIT", &[("ConditionMask", conditions), ("BlockMask", mask)]);
    assert_eq!(threads.drains(&act), Some(Drain { units, of_all, blocks }));
    let act = step(chip, "SEMWAIT", &[("ConditionMask", 1), ("BlockMask", mask)]);
    assert_eq!(threads.drains(&act), Some(Drain { units: 0, of_all: 0, blocks }));
    assert_eq!(threads.drains(&step(chip, "SEMPOST", &[])), None);
}

#[rstest]
fn what_stands_in_for_an_unpacker_waits_for_its_bank_and_gives_it_away(
    #[values(Chip::Wormhole, Chip::Blackhole)] chip: Chip,
    #[values(0, 1)] unpacker: usize,
    #[values(false, true)] flip: bool,
) {
    let act = stand_in(unpacker, 62, 2, flip);
    let owners = |small: &mut Small| [small.srca_allowed_client, small.srcb_allowed_client][unpacker];
    let (expectation, mut state, log, told) = present(chip, &act, |small| {
        (small.unpackers_src_bank, small.srca_allowed_client, small.srcb_allowed_client) = ([1, 1], [0, 1], [0, 1]);
        // SRCA_SET_Base and SRCB_SET_Base among others, of two bits.
        small.thread_config[2].fill(!0);
    });
    assert_eq!((expectation, &*told), (Expectation::Done, ""));
    let bank = [bank::SRCA, bank::SRCB][unpacker];
    // 0x7fffe are the low 19 bits of the word.
    assert!([126, 127].iter().all(|&row| (0..16).all(|column| state.word(bank, row, column) == 0x7_fffe)));
    let first = state.layout.banks[bank].first_row;
    assert!(log.written.contains(first + 126) && log.written.contains(first + 127));
    assert_eq!((log.written.len(), log.read.len()), (2, 0));
    let small = Tensix::new(&mut state).small;
    assert_eq!(owners(small), if flip { [0, 0] } else { [0, 1] });
    assert_eq!([small.unpackers_src_bank[unpacker], small.unpackers_src_bank[1 - unpacker]], [u32::from(!flip), 1]);
    assert_eq!(small.unpackers_src_row[unpacker], if flip { [0, 0, 48] } else { [0; 3] });
    // The bank that is in use is the Matrix Unit's.
    let (expectation, state, log, _) = present(chip, &act, |_| ());
    let page = chip.pick(&STALLWAIT_WH, &STALLWAIT_BH);
    assert!(matches!(expectation, Expectation::Blocked(citation) if citation.page == page));
    assert!(log.written.is_empty() && *state.small == *machine(chip).base_state().small);
}

#[rstest]
#[case(2, 1020, 4, Some((0, 8)))]
#[case(3, 0, 64, Some((128, 0)))]
#[case(0, 0, 65, None)]
#[case(1, 64, 1, None)]
#[case(2, 1023, 2, None)]
#[case(3, usize::MAX, 2, None)]
fn a_row_that_is_not_there_is_undefined(
    #[values(Chip::Wormhole, Chip::Blackhole)] chip: Chip,
    #[case] path: usize,
    #[case] first: usize,
    #[case] rows: usize,
    #[case] touched: Option<(usize, usize)>,
) {
    let ours = |small: &mut Small| (small.srca_allowed_client, small.srcb_allowed_client) = ([1; 2], [1; 2]);
    let (expectation, state, log, _) = present(chip, &stand_in(path, first, rows, true), ours);
    assert_eq!((log.read.len(), log.written.len()), touched.unwrap_or_default());
    assert_eq!(matches!(expectation, Expectation::Undefined(_)), touched.is_none());
    assert_eq!(state.word(bank::DST, 1023, 15), if touched == Some((0, 8)) { 0xfffe } else { 0 });
}

#[rstest]
fn each_gate_forgets_what_is_over(#[values(Chip::Wormhole, Chip::Blackhole)] chip: Chip) {
    let (mut state, mut threads) = (machine(chip).base_state(), TensixThreads::new(chip));
    let small = Tensix::new(&mut state).small;
    // Thread 0 waits for a unit; threads 1 and 2 for tokens of semaphores 4 and 5, of which the latter has one.
    let of =
        |opcode, semaphore_mask| Latched { opcode, condition_mask: 1, block_mask: 2, semaphore_mask, ..stuck(chip, 0) };
    small.latched = [of(1, 0), of(2, 16), of(2, 32)];
    small.semaphores[5].value = 1;
    assert_eq!([threads.look(&mut state), threads.look(&mut state)], [0b101, 0]);
    assert_eq!(Tensix::new(&mut state).small.latched, [Latched::default(), of(2, 16), Latched::default()]);
    let post = step(chip, "SEMPOST", &[("SemaphoreMask", 16)]);
    assert_eq!(threads.present(0, &post, Edition::Newest, &mut state), Expectation::Done);
    assert_eq!(threads.look(&mut state), 0b010);
}

#[rstest]
fn the_machine_sees_to_order_in_dst(#[values(Chip::Wormhole, Chip::Blackhole)] chip: Chip) {
    let [store, load, mova2d, movd2a] = ["SFPSTORE", "SFPLOAD", "MOVA2D", "MOVD2A"].map(|name| step(chip, name, &[]));
    let [sets, adds] = [0, 1].map(|add| step(chip, "ELWADD", &[("AddDst", add)]));
    let [unpacks, packs] = [2, 3].map(|path| stand_in(path, 0, 1, false));
    for (first, second, between, bank, sees) in [
        (&store, &movd2a, 0, bank::DST, true),
        (&mova2d, &packs, 0, bank::DST_ROW_VALID, true),
        (&store, &adds, 0, bank::DST, true),
        (&store, &sets, 9, bank::DST, false),
        (&mova2d, &load, 2, bank::DST, false),
        (&mova2d, &load, 3, bank::DST, true),
        (&mova2d, &store, 9, bank::DST, false),
        (&movd2a, &store, 9, bank::DST, false),
        (&unpacks, &movd2a, 9, bank::DST, false),
        (&mova2d, &movd2a, 0, bank::SRCA, false),
    ] {
        assert_eq!(TensixThreads::new(chip).sees(first, second, between, bank), sees, "{first:?} {second:?} {between}");
    }
}

#[rstest]
#[case("SEMGET", 0, "lost token: the Value of semaphore 6 is 0: nothing is there to get")]
#[case("SEMGET", 1, "")]
#[case("SEMPOST", 15, "lost token: the Value of semaphore 6 is 15: the post is dropped")]
#[case("SEMPOST", 14, "")]
#[case("SEMINIT", 0, "")]
fn tokens_that_are_lost_are_told(#[case] name: &str, #[case] value: u32, #[case] text: &str) {
    for chip in Chip::ALL {
        let act = step(chip, name, &[("SemaphoreMask", 0x40)]);
        let (.., told) = present(chip, &act, |small| small.semaphores[6].value = value);
        assert_eq!(told, text, "{chip:?}");
        let (.., told) = present(chip, &of_core(act), |small| small.semaphores[6].value = value);
        assert_eq!(told, text, "{chip:?}, of a core");
    }
}

#[rstest]
#[case("MOVB2A", &[], "rows of SrcA[0] are touched while the bank is the Unpackers'")]
#[case("MOVD2B", &[], "")]
#[case("MOVA2D", &[], "")]
#[case("ZEROSRC", &[("ClearSrcA", 1)], "")]
#[case("ZEROSRC", &[("ClearSrcB", 1)], "rows of SrcB[0] are touched while the bank is the Matrix Unit's")]
#[case("ZEROSRC", &[("ClearSrcA", 1), ("SingleBankMatrixUnit", 1)], "rows of SrcA[0] are touched while the bank is the Unpackers'")]
#[case("ZEROSRC", &[("ClearSrcB", 1), ("SingleBankMatrixUnit", 1)], "")]
#[case("ZEROSRC", &[("ClearSrcA", 1), ("ClearSrcB", 1), ("BothBanks", 1)], "")]
#[case("UNPACR_NOP_ZEROSRC", &[], "")]
#[case("UNPACR_NOP_SETDVALID", &[], "")]
#[case("UNPACR_NOP_SETDVALID", &[("WhichUnpacker", 1)], "SrcB[0] is given to the Matrix Unit, whose it is already")]
#[case("SETDVALID", &[("FlipSrcA", 1), ("FlipSrcB", 1)], "SrcB[0] is given to the Matrix Unit, whose it is already")]
fn who_touches_a_bank_of_the_other_is_told(#[case] name: &str, #[case] fields: &[(&str, u32)], #[case] text: &str) {
    for chip in Chip::ALL {
        // Bank 0 of SrcA and bank 1 of SrcB are the Unpackers', and all are at bank 0.
        let (.., told) = present(chip, &step(chip, name, fields), |small| {
            (small.srca_allowed_client, small.srcb_allowed_client) = ([1, 0], [0, 1]);
        });
        assert_eq!(told.strip_prefix("two owners: ").unwrap_or_default(), text, "{chip:?} {told}");
    }
}

/// Draws fields of some things, and rows of them unless all that is drawn are fields of backgrounds.
fn draw(state: &mut State, things: u64, of_backgrounds: bool, noise: &mut Noise) {
    for field in (state.layout.fields)().iter().filter(|field| thing_of(&field.name) & things != 0) {
        if field.role.is_drawn() || !of_backgrounds {
            field.set(&mut state.small, noise.bits(field.width).min(field.max));
        }
    }
    for (number, bank) in state.layout.banks.iter().enumerate().filter(|_| !of_backgrounds) {
        for row in (0..bank.rows()).filter(|&row| thing_of_row(number, row) & things != 0 && bank.holds(row).is_none())
        {
            (0..bank.columns()).for_each(|at| state.set_word(number, row, at, noise.bits(32) & bank.word_mask()));
        }
    }
}

/// What is written lies within the bits of an act, what is read as well, and what lies outside of them changes nothing.
#[rstest]
fn an_act_touches_no_more_than_it_says(#[values(Chip::Wormhole, Chip::Blackhole)] chip: Chip) {
    let (layout, mut threads, mut noise) = (machine(chip).layout, TensixThreads::new(chip), Noise::new(chip as u64));
    let copy = |of: &State| {
        let mut copy = State::zeroed(layout);
        copy.copy_from(of);
        copy
    };
    for field in (layout.fields)() {
        assert_eq!(thing_of(&field.name).count_ones(), u32::from(field.name != "CurrentThread"), "{}", field.name);
    }
    let (mut full, mut promised) = (machine(chip).base_state(), 0);
    let in_rows = DST | SRCA | SRCB | LANES | STREAMS | (7 * GPRS);
    draw(&mut full, in_rows, false, &mut noise);
    full.small.copy_from_slice(&machine(chip).base_state().small);
    let of_suite = machine(chip).instructions.iter().flat_map(|facts| (0..40).map(move |_| Err(*facts)));
    for (number, act) in of_suite.chain((0..24).map(|number| Ok(number % 4))).enumerate() {
        let act = match act {
            Ok(path) => stand_in(path, noise.below(60), noise.below(5), noise.below(2) != 0),
            Err(facts) => {
                // Of some words few fields are other than in the base code.
                let mut code = Code::new(facts.base_code);
                let drawn = facts.code_fields.iter().filter(|of| number % 3 == 0 || number >> (of.shift % 5) & 1 != 0);
                drawn.for_each(|field| field.set(&mut code, noise.bits(field.width)));
                Act::Instruction(Word { facts, code })
            }
        };
        let (thread, mut before) = (noise.below(3), copy(&full));
        draw(&mut before, u64::MAX, true, &mut noise);
        let Touches { reads, writes } = threads.touches(thread, &act);
        // The same, where all that lies outside is another.
        let mut other = copy(&before);
        draw(&mut other, !(reads | writes), false, &mut noise);
        let (mut after, kept) = (copy(&before), copy(&other));
        let expectation = threads.present(thread, &act, Edition::Newest, &mut after);
        assert_eq!(threads.present(thread, &act, Edition::Newest, &mut other), expectation, "{act:?}");
        if expectation.required_answer().is_none() {
            continue;
        }
        promised += 1;
        for field in (layout.fields)() {
            let [was, is, other, kept] = [&before, &after, &other, &kept].map(|state| field.get(&state.small));
            let thing = thing_of(&field.name);
            assert!(was == is || thing & writes != 0, "{act:?} writes {}", field.name);
            assert_eq!(other, if thing & (reads | writes) != 0 { is } else { kept }, "{act:?} {}", field.name);
        }
        let log = after.tracker.take_log();
        for (number, bank) in layout.banks.iter().enumerate() {
            for row in 0..bank.rows() {
                let (id, thing) = (bank.first_row + row, thing_of_row(number, row));
                let [is_read, is_written] = [&log.read, &log.written].map(|rows| rows.contains(id));
                assert!(!is_written || thing & writes != 0, "{act:?} writes {} {row}", bank.name);
                assert!(!is_read || thing & (reads | writes) != 0, "{act:?} reads {} {row}", bank.name);
                let expected = if thing & (reads | writes) != 0 { &after } else { &kept };
                assert_eq!(other.row(number, row), expected.row(number, row), "{act:?} {} {row}", bank.name);
            }
        }
    }
    assert!(promised > 1000, "{promised}");
}
