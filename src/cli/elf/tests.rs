use proptest::prelude::*;
use rstest::rstest;
use tandem_isa::tensix::Chip::{Blackhole, Wormhole};

use super::*;

const BASE: u32 = 0x5000;

/// Names of instructions, and their words without fields.
const NAMES: &str = " lui 37 addi 13 andi 7013 lb 3 lw 2003 lbu 4003 jalr 67 csrrs 2073 sh 1023 sw 2023 beq 63 bne 1063 \
                     bgeu 7063 jal 6f word 0 ttinsn 0 ";

/// RISC-V instructions: registers are numbers, what is stored comes first, targets are bytes from the instruction.
fn assembled(text: &str) -> Vec<u32> {
    let hex = |word: &str| u32::from_str_radix(word, 16).unwrap();
    let number = |word: &str| word.strip_prefix("0x").map_or_else(|| word.parse::<i32>().unwrap().cast_unsigned(), hex);
    let assemble = |line: &str| {
        let (name, fields) = line.trim().split_once(' ').unwrap();
        let n: Vec<u32> = fields.split(' ').map(number).collect();
        let base = hex(NAMES.split_once(&format!(" {name} ")).unwrap().1.split(' ').next().unwrap());
        let spread = |value: u32, parts: &[(u32, u32, u32)]| {
            parts.iter().fold(0, |all, (low, count, to)| all | (value >> low & ((1 << count) - 1)) << to)
        };
        let fields = match base & 0x7f {
            0 => n[0].rotate_left(if name == "word" { 0 } else { 2 }),
            0x37 => n[1] | n[0] << 7,
            0x6f => spread(n[1], &[(20, 1, 31), (1, 10, 21), (11, 1, 20), (12, 8, 12)]) | n[0] << 7,
            0x63 => spread(n[2], &[(12, 1, 31), (5, 6, 25), (1, 4, 8), (11, 1, 7)]) | n[1] << 20 | n[0] << 15,
            0x23 => spread(n[2], &[(5, 7, 25), (0, 5, 7)]) | n[0] << 20 | n[1] << 15,
            _ => n[2] << 20 | n[1] << 15 | n[0] << 7,
        };
        base | fields
    };
    text.split(';').map(assemble).collect()
}

/// Code at `BASE`, data in the local RAM with as many bytes again that the file does not have, and symbols.
fn elf(code: &[u32], data: &[u32], symbols: &[(&str, u32)]) -> Vec<u8> {
    let (mut names, mut table) = (vec![0], vec![0; 4]);
    for (name, address) in symbols {
        table.extend([names.len() as u32, *address, 0, 0x1_0012]);
        names.extend(name.bytes().chain([0]));
    }
    names.resize(names.len().next_multiple_of(4), 0);
    let bytes = |words: &[u32]| 4 * words.len() as u32;
    let (code_size, size, table_size, names_size) = (bytes(code), bytes(data), bytes(&table), names.len() as u32);
    let (at, at_table, at_names) = (116 + code_size, 116 + code_size + size, 116 + code_size + size + table_size);
    let mut words = vec![0x464c_457f, 0x0001_0101, 0, 0, 0xf3_0002, 1, BASE, 52, at_names + names_size, 0];
    words.extend([0x20_0034, 0x28_0002, 0x2_0003, 1, 116, BASE, BASE, code_size, code_size, 5, 4]);
    words.extend([1, at, 0xffb0_0000, 0x6000, size, 2 * size, 6, 4]);
    let mut sections = vec![0; 11];
    sections.extend([2, 0, 0, at_table, table_size, 2, 1, 4, 16, 0, 3, 0, 0, at_names, names_size, 0, 0, 1, 0]);
    let bytes = |words: Vec<u32>| words.into_iter().flat_map(u32::to_le_bytes);
    bytes([&words, code, data, &table].concat()).chain(names).chain(bytes(sections)).collect()
}

#[rstest]
fn each_device_has_its_step(#[values(Wormhole, Blackhole)] chip: Chip) {
    let bank = 4 * chip.config_size() + 4;
    let code = assembled(&format!(
        "ttinsn 0x8a00000c; lui 5 0xffe40000; lui 6 0x12345000; addi 6 6 0x678; sw 6 5 0; lui 5 0xffb80000; sw 6 5 8;
         lui 5 0xffe80000; sw 0 5 0x2c; addi 7 0 1; sw 7 5 0x20; sw 0 5 4; lw 7 5 4; andi 7 7 0; bne 7 0 64;
         lui 5 0xffef0000; sw 6 5 12; sw 10 5 {bank}; lui 5 0xffe00000; sw 6 5 252; lui 5 0xffec1000; sw 6 5 0;
         lw 6 5 0; lw 6 5 4; lui 5 0xffb11000; sw 6 5 0; jalr 0 1 0"
    ));
    let steps = read(&elf(&code, &[], &[]), chip, 2, None).unwrap();
    let expected = "[Push { pc: 5000, word: 8a00000c }, Push { pc: 5010, word: 12345678 }, \
        MopCfg { pc: 5018, index: 2, word: 12345678 }, Semaphore { pc: 5020, index: 3, get: false }, \
        Semaphore { pc: 5028, index: 0, get: true }, \
        Elsewhere { pc: 502c, address: ffe80004, device: \"CoprocessorDoneCheck\" }, \
        Wait { pc: 5030, address: ffe80004, on: \"CoprocessorDoneCheck\" }, \
        Config { pc: 5040, bank: Some(0), index: 3, word: Some(12345678) }, \
        Config { pc: 5044, bank: Some(1), index: 1, word: None }, Gpr { pc: 504c, index: 3f, word: Some(12345678) }, \
        Elsewhere { pc: 5054, address: ffec1000, device: \"a mailbox\" }, \
        Wait { pc: 5058, address: ffec1000, on: \"a mailbox\" }, \
        Elsewhere { pc: 5064, address: ffb11000, device: \"TDMA-RISC\" }]";
    assert_eq!(format!("{steps:x?}"), expected);
    // Blackhole writes both banks at once behind them, where Wormhole has `ThreadConfig`.
    let both = read(&elf(&assembled("lui 5 0xffef0000; sw 0 5 1800; jalr 0 1 0"), &[], &[]), chip, 0, None);
    let both = both.map(|steps| format!("{steps:x?}")).unwrap_or_default();
    assert_eq!(both, chip.pick("", "[Config { pc: 5004, bank: None, index: 2, word: Some(0) }]"));
}

#[rstest]
#[case::loops("lui 6 0xffe40000; addi 5 0 3; sw 5 6 0; addi 5 5 -1; bne 5 0 -8; word 0x00100073", &[3, 2, 1])]
#[case::calls("jal 7 12; ttinsn 2; jalr 0 1 0; addi 2 2 -16; sw 7 2 12; ttinsn 1; lw 8 2 12; jalr 0 8 0", &[1, 2])]
#[case::data("lui 6 0xffe40000; lui 7 0xffb00000; lw 8 7 4; sw 8 6 0; lb 8 7 0; sw 8 6 0; jal 0 0", &[0, 0xffff_ffab])]
#[case::image("lui 6 0xffe40000; lui 7 0x6000; lbu 8 7 0; sw 8 6 0; lw 8 7 0; sw 8 6 0; jal 0 0", &[0xab, 0x4567_89ab])]
fn control_flow_over_what_is_known_is_followed(#[case] code: &str, #[case] words: &[u32]) {
    let file = elf(&assembled(&format!("ttinsn 9; {code}")), &[0x4567_89ab], &[("behind", BASE + 4)]);
    let steps = read(&file, Wormhole, 0, Some("behind")).unwrap();
    let pushed = steps.iter().map(|step| if let CoreStep::Push { word, .. } = step { *word } else { u32::MAX });
    assert_eq!(pushed.collect::<Vec<_>>(), words);
}

#[test]
fn arithmetic_is_that_of_the_isa() {
    const MINUS: u32 = u32::MAX;
    let on = |blackhole| move |funct7, funct3, a, b| arithmetic(blackhole, true, (funct7, funct3), a, b);
    let all = |funct7, a, b| [0, 1, 2, 3, 4, 5, 6, 7].map(|funct3| on(true)(funct7, funct3, a, b).unwrap_or(0xdead));
    assert_eq!(all(0, MINUS - 15, 33), [17, MINUS - 31, 1, 0, MINUS - 46, 0x7fff_fff8, MINUS - 14, 32]);
    assert_eq!(all(0x20, 3, 5), [MINUS - 1, 0xdead, 0xdead, 0xdead, MINUS - 6, 0, MINUS - 4, 2]);
    assert_eq!(all(1, MINUS - 6, 2)[4..], [MINUS - 2, 0x7fff_fffc, MINUS, 1]);
    assert_eq!(all(1, 1 << 31, MINUS), [1 << 31, 0, 1 << 31, 0x7fff_ffff, 1 << 31, 0, 0, 1 << 31]);
    assert_eq!(all(1, 7, 0), [0, 0, 0, 0, MINUS, MINUS, 7, 7]);
    assert_eq!(all(5, MINUS, 3), [0xdead, 0xdead, 0xdead, 0xdead, MINUS, 3, 3, MINUS]);
    assert_eq!(all(0x10, 3, 5), [0xdead, 0xdead, 11, 0xdead, 17, 0xdead, 29, 0xdead]);
    assert_eq!([on(true)(0x30, 1, 0x12, 4), on(true)(0x30, 5, 0x12, 4)], [Some(0x120), Some(0x2000_0001)]);
    assert_eq!([on(true)(4, 4, 0x1_8080, 0), on(false)(4, 4, 0, 0), on(false)(5, 4, 0, 0)], [Some(0x8080), None, None]);
    assert_eq!(arithmetic(true, false, (0x30, 1), 0x8080, 0x604), Some(MINUS - 127));
}

#[test]
fn what_cannot_be_followed_is_named() {
    for (code, said) in [
        (
            "lui 5 0xffe80000; lw 6 5 0x20; beq 6 0 -4",
            "polls at @8 (main+0x8): load at @4 (main+0x4) of 0xffe80020, a sema",
        ),
        ("lw 6 0 0x100; bne 0 6 8", "branches on data at @4 (main+0x4): load at @0 (main+0x0) of 0x00000100, memory"),
        ("bgeu 10 0 8", "branches on data at @0 (main+0x0): load at @0 (main+0x0) of a register as it begins"),
        ("csrrs 5 0 -1024; beq 5 0 8", "branches on data at @4 (main+0x4): load at @0 (main+0x0) of a CSR"),
        ("ttinsn 2; jalr 0 10 0", "jumps to data at @4"),
        ("lw 6 10 0; lui 5 0xffe40000; sw 6 5 0", "pushes data at @8 (main+0x8): load at @0 (main+0x0) of an address"),
        ("lui 5 0xffb80000; sw 10 5 0", "has data for the MOP Expander at @4"),
        ("lui 5 0xffe80000; sw 10 5 0x20", "posts data at @4"),
        ("sw 0 10 0", "stores to an address that is data at @0"),
        ("lui 5 0xffbd8000; sw 0 5 0", "stores at @4 (main+0x4): 0xffbd8000 is Dst; leave it out"),
        ("lui 5 0xffe50000; sw 0 5 0", "0xffe50000 is mapped to nothing that the pages describe"),
        ("lui 5 0xffe50000; lw 5 5 0", "loads at @4 (main+0x4): 0xffe50000 is mapped to nothing"),
        ("lui 5 0xffe40000; sh 0 5 0", "0xffe40000 takes whole words"),
        ("lw 6 0 2", "loads at @0 (main+0x0): 0x00000002 is not aligned"),
        ("word 0x53", "an instruction that is not run at @0 (main+0x0): 0x00000053 is not of .ttinsn, RV32IM,"),
        ("ttinsn 2", "stops at @4: the file has no code there, where @0 (main+0x0) goes"),
        ("addi 5 0 0x7fe; jalr 0 5 0", "stops at 0x000007fe"),
        ("ttinsn 2; jal 0 -4", "does not end at @0 (main+0x0): 1000000 instructions were run"),
    ] {
        let steps = read(&elf(&assembled(code), &[], &[("main", BASE)]), Blackhole, 1, Some("main"));
        let error = steps.unwrap_err().to_string();
        assert!(error.starts_with("RISCV T1 ") && error.contains(&said.replace('@', "0x0000500")), "{error}");
    }
}

#[test]
fn files_and_symbols_that_are_not_meant_are_refused() {
    let good = elf(&assembled("jalr 0 1 0"), &[], &[("main", BASE), ("twice", BASE), ("twice", BASE + 1)]);
    let said = |file: &[u8], from| read(file, Wormhole, 0, from).map_err(|error| error.to_string());
    let with = |index: usize, byte: u8| said(&[&good[..index], &[byte], &good[index + 1..]].concat(), None);
    assert_eq!(said(&good, Some("main")), Ok(vec![]));
    for (refused, expected) in [
        (said(b"", None), "it does not begin as one of 32 bits that is little-endian; give"),
        (with(4, 2), "of 32 bits"),
        (with(5, 2), "little-endian"),
        (with(18, 62), "it is not for RISC-V"),
        (with(44, 0), "it has no code to load"),
        (with(70, 0xff), "a segment is cut off"),
        (with(75, 0xff), "it has more to load than L1 holds"),
        (said(&good[..100], None), "this is no ELF that is read"),
        (said(&good, Some("mian")), "has 0 symbols 'mian', and not one; did you mean 'main'?"),
        (said(&good, Some("twice")), "has 2 symbols 'twice', and not one; there are: main"),
    ] {
        assert!(refused.as_ref().is_err_and(|error| error.contains(expected)), "{expected}: {refused:?}");
    }
}

proptest! {
    #[test]
    fn no_file_panics(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
        kept in 0_usize..500,
        random in prop::collection::vec(any::<u32>(), 0..24),
    ) {
        let code = assembled("lui 5 0xffe40000; sw 0 5 0; addi 6 6 1; bne 6 0 -8; jalr 0 1 0");
        let mut file = elf(&code, &[7], &[("main", BASE)]);
        changes.into_iter().for_each(|(index, byte)| *index.get_mut(&mut file) = byte);
        file.truncate(kept);
        for bytes in [&elf(&random, &[1], &[("main", BASE)]), &file] {
            let _ = (read(bytes, Wormhole, 0, None), read(bytes, Blackhole, 2, Some("main")));
        }
    }
}
