//! `tandem describe`: complete, as its schema says, and a header in C that reads and writes what Rust does.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use tandem_cases::ISAS;
use tandem_isa::{AlignedBytes, Field, FieldRole, Isa, Noise};

use crate::cli_json;
use crate::program::{self, ROOT, ended, has};

fn describe(arguments: &[&str]) -> String {
    let (stdout, _) = ended(program::run(&[&["describe"], arguments].concat()), 0);
    stdout
}

fn json(isa: &Isa) -> Value {
    serde_json::from_str(&describe(&[isa.name, "--json"])).expect("JSON")
}

#[test]
fn the_json_fits_its_schema_and_has_every_number() {
    for isa in ISAS {
        let value = json(isa);
        cli_json::fits("describe", &value);
        let fields = value["fields"].as_array().expect("a list");
        assert_eq!(fields.len(), (isa.layout.fields)().len());
        for (value, field) in fields.iter().zip((isa.layout.fields)()) {
            let Field { name, role, byte, word, shift, width, max, base, address, key } = field;
            assert_eq!(*key, Field::key_of(name), "{name}: by it alone its values are drawn");
            assert_eq!(value["name"], name.as_str());
            assert_eq!(value["role"], role.kind());
            for (key, number) in [("byte", *byte), ("word_bytes", word.bytes())] {
                assert_eq!(value[key], number, "{name} {key}");
            }
            for (key, number) in [("shift", shift), ("width", width), ("maximum", max), ("base", base)] {
                assert_eq!(value[key], *number, "{name} {key}");
            }
            assert_eq!(value["address"]["word"].as_u64(), address.map(|(_, word)| word.into()), "{name}");
            if *role == FieldRole::Model {
                assert_eq!(value["values"].as_array().map(Vec::len), Some(*max as usize + 1), "{name}");
            }
        }
        for (value, bank) in value["banks"].as_array().expect("a list").iter().zip(isa.layout.banks) {
            assert_eq!(value["name"], bank.name);
            for (key, number) in [
                ("rows", bank.rows()),
                ("columns", bank.columns()),
                ("row_bytes", bank.row_bytes()),
                ("first_row", bank.first_row),
                ("offset", bank.offset),
                ("word_bits", bank.bits as usize),
                ("base", bank.base as usize),
            ] {
                assert_eq!(value[key], number, "{} {key}", bank.name);
            }
        }
        for (value, instruction) in value["instructions"].as_array().expect("a list").iter().zip(isa.instructions) {
            assert_eq!(value["name"], instruction.name);
            assert_eq!(value["fields"].as_array().map(Vec::len), Some(instruction.code_fields.len()));
        }
    }
}

#[test]
fn the_table_names_each_family_and_what_its_numbers_mean() {
    for isa in ISAS {
        let table = describe(&[isa.name]);
        for field in (isa.layout.fields)() {
            let name = field.name.rsplit(['.', ']']).next().unwrap_or(&field.name);
            assert!(table.contains(name), "{}: {}", isa.name, field.name);
        }
        for bank in isa.layout.banks {
            assert!(table.contains(&format!(" {}[", bank.name)), "{}: {}", isa.name, bank.name);
        }
        let lines = table.lines().count();
        assert!(table.lines().all(|line| line.chars().count() <= 200), "{}", isa.name);
        assert!(lines < 3_500, "{}: {lines} lines are too many to read", isa.name);
    }
    let table = describe(&["tensix-wh", "mova2d"]);
    for wanted in [
        "AllowedClient",
        "0 MatrixUnit, 1 Unpackers",
        "4 TF32",
        "sign bit 18",
        "ThreadConfig[0..3].ADDR_MOD_DST_SEC[0..8].DestIncr",
    ] {
        assert!(table.contains(wanted), "{wanted}");
    }
    assert!(table.contains("MOVA2D: ") && !table.contains("SFPLOAD: "), "only what is asked for");
}

fn identifier(name: &str) -> String {
    name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect()
}

/// The name of a field's accessors, and its indices: `RWCs[2].Dst` is `RWCs_Dst` with 2.
fn accessor(name: &str) -> (String, Vec<u32>) {
    let (mut stem, mut indices) = (String::new(), Vec::new());
    for (place, part) in name.split('[').enumerate() {
        match part.split_once(']').filter(|_| place > 0) {
            Some((index, rest)) => {
                indices.push(index.parse().expect("an index"));
                stem.push_str(rest);
            }
            None => stem.push_str(part),
        }
    }
    (identifier(&stem), indices)
}

/// A program that reads states and code words, and prints what the header makes of them.
fn program() -> String {
    let mut text = "#include <stdio.h>\n#include \"tandem.h\"\n".to_string();
    for isa in ISAS {
        writeln!(text, "#include \"{}.h\"", isa.name).expect("a string");
    }
    text.push_str("static void need(void *to, size_t bytes) { if (fread(to, 1, bytes, stdin) != bytes) *(volatile char *)0 = 0; }\n");
    for isa in ISAS {
        let lower = identifier(isa.name);
        let upper = lower.to_uppercase();
        let mut body = String::new();
        writeln!(body, "    static uint8_t a[{upper}_SMALL_BYTES], b[{upper}_SMALL_BYTES];").expect("a string");
        writeln!(body, "    static uint8_t arena[{upper}_ARENA_BYTES];").expect("a string");
        body.push_str("    uint32_t code[16];\n    (void)code;\n    need(a, sizeof a); need(b, sizeof b); need(code, sizeof code);\n");
        for field in (isa.layout.fields)() {
            // Where a number is missing, each field has accessors of its own.
            let own = (identifier(&field.name), Vec::new());
            let (name, indices) =
                Some(accessor(&field.name)).filter(|_| !field.name.starts_with("Mutex[")).unwrap_or(own);
            let indices: String = indices.iter().map(|index| format!(", {index}")).collect();
            writeln!(body, "    printf(\"%u\\n\", (unsigned){lower}_get_{name}(a{indices}));").expect("a string");
            writeln!(body, "    {lower}_set_{name}(b{indices}, {lower}_get_{name}(a{indices}));").expect("a string");
        }
        body.push_str("    for (size_t i = 0; i < sizeof b; i++) printf(\"%u\\n\", b[i]);\n");
        writeln!(body, "    {lower}_base_small(b);\n    {lower}_base_arena(arena);").expect("a string");
        body.push_str("    for (size_t i = 0; i < sizeof b; i++) printf(\"%u\\n\", b[i]);\n");
        for bank in isa.layout.banks {
            let name = identifier(bank.name);
            let (row, column) = (bank.rows().saturating_sub(2), bank.columns() - 1);
            writeln!(body, "    printf(\"%u\\n\", (unsigned){lower}_get_{name}_word(arena, {row}, {column}));")
                .expect("a string");
            writeln!(body, "    {lower}_set_{name}_word(arena, {row}, {column}, code[0]);").expect("a string");
        }
        body.push_str("    for (size_t i = 0; i < sizeof arena; i++) printf(\"%u\\n\", arena[i]);\n");
        for instruction in isa.instructions {
            let prefix = format!("{upper}_{}", identifier(instruction.name));
            writeln!(body, "    printf(\"%d\\n\", {prefix}_MATCHES(code) ? 1 : 0);").expect("a string");
            for field in instruction.code_fields {
                writeln!(body, "    printf(\"%u\\n\", (unsigned){prefix}_{}(code));", identifier(field.name))
                    .expect("a string");
            }
        }
        writeln!(text, "static void run_{lower}(void)\n{{\n{body}}}").expect("a string");
    }
    text.push_str("int main(void)\n{\n    for (int round = 0; round < 3; round++) {\n");
    for isa in ISAS {
        writeln!(text, "        run_{}();", identifier(isa.name)).expect("a string");
    }
    text.push_str("    }\n    return TENSIX_WH_Config_ALU_FORMAT_SPEC_REG_SrcA_val_TF32 == 4 && TENSIX_WH_SrcA_AllowedClient_Unpackers == 1 &&\n");
    text.push_str(
        "        VISA_Model_Sum_single_rounding == 3 && VISA_DPAS_W_tf32 == 12 && VISA_dispatch_size_32 == 2 &&\n",
    );
    text.push_str("        TENSIX_BH_SFPLOAD_Mod0_INT32_SM == 12 && tensix_wh_SrcA_row(1, 3) == 67 ? 0 : 1;\n}\n");
    text
}

/// What the program must print for these inputs.
fn expected(isa: &Isa, a: &[u8], b: &mut [u8], code: &[u32]) -> Vec<u32> {
    let mut numbers = Vec::new();
    for field in (isa.layout.fields)() {
        numbers.push(field.get(a));
        field.set(b, field.get(a));
    }
    numbers.extend(b.iter().map(|&byte| u32::from(byte)));
    let mut base = isa.base_state();
    numbers.extend(base.small.iter().map(|&byte| u32::from(byte)));
    for (number, bank) in isa.layout.banks.iter().enumerate() {
        let (row, column) = (bank.rows().saturating_sub(2), bank.columns() - 1);
        numbers.push(base.word(number, row, column));
        base.set_word(number, row, column, code[0] & bank.word_mask());
    }
    numbers.extend(base.arena.iter().map(|&byte| u32::from(byte)));
    for instruction in isa.instructions {
        let words = &code[..instruction.base_code.len()];
        numbers.push(u32::from(instruction.matches(words)));
        numbers.extend(instruction.code_fields.iter().map(|field| field.get(words)));
    }
    numbers
}

#[test]
fn the_header_in_c_reads_and_writes_what_rust_does() {
    if !has("cc") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    for isa in ISAS {
        let header = describe(&[isa.name, "--format", "c"]);
        assert_eq!(header.matches("/*").count(), header.matches("*/").count());
        std::fs::write(folder.path().join(format!("{}.h", isa.name)), header).expect("the folder takes files");
    }
    let source = folder.path().join("main.c");
    std::fs::write(&source, program()).expect("the folder takes files");
    let include = Path::new(ROOT).join("harness/include");
    let compiled = Command::new("cc")
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-Wpedantic", "-O0", "-I"])
        .arg(&include)
        .arg("-I")
        .arg(folder.path())
        .arg(&source)
        .arg("-o")
        .arg(folder.path().join("main"))
        .output()
        .expect("cc runs");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));

    let mut noise = Noise::new(0x6865_6164);
    let (mut input, mut numbers) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        for isa in ISAS {
            let mut random = || {
                let mut small = AlignedBytes::zeroed(isa.layout.small_bytes);
                small.iter_mut().for_each(|byte| *byte = noise.bits(8).to_le_bytes()[0]);
                small
            };
            let (a, mut b) = (random(), random());
            let code: Vec<u32> = (0..16).map(|_| noise.bits(32)).collect();
            input.extend_from_slice(&a);
            input.extend_from_slice(&b);
            code.iter().for_each(|word| input.extend_from_slice(&word.to_ne_bytes()));
            numbers.extend(expected(isa, &a, &mut b, &code));
        }
    }
    let mut child = Command::new(folder.path().join("main"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut to = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || to.write_all(&input));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("it writes").expect("the program reads");
    assert_eq!(output.status.code(), Some(0), "a constant has the wrong value");
    let printed: Vec<u32> =
        String::from_utf8_lossy(&output.stdout).lines().map(|line| line.parse().expect("a number")).collect();
    assert_eq!(printed.len(), numbers.len());
    let wrong = printed.iter().zip(&numbers).position(|(printed, number)| printed != number);
    assert_eq!(wrong, None, "the first number that differs");
}
