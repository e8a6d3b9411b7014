//! The header and its mirror in Rust are the same.

use std::process::Command;

use super::abi::{CONSTANTS, FUNCTIONS, MIRRORS, Mirror};

const HEADER: &str = include_str!("../../include/tandem.h");

/// The header without comments, each space run one space.
fn plain() -> String {
    let mut text = String::new();
    let mut rest = HEADER;
    while let Some((before, comment)) = rest.split_once("/*") {
        text.push_str(before);
        rest = comment.split_once("*/").expect("a comment ends").1;
    }
    text.push_str(rest);
    text
}

fn one_space(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Name, and fields as type and name.
type Parsed = (String, Vec<(String, String)>);

/// Every structure of the header.
fn structures() -> Vec<Parsed> {
    let text = plain();
    let mut list = Vec::new();
    for piece in text.split("typedef struct ").skip(1) {
        let (name, rest) = piece.split_once('{').expect("a structure has fields");
        let (body, _) = rest.split_once('}').expect("a structure ends");
        let field = |line: &str| {
            let line = one_space(line);
            let at = line.rfind([' ', '*']).expect("a field has type and name") + 1;
            (line[..at].trim_end().to_string(), line[at..].to_string())
        };
        let fields = body.split(';').filter(|line| !line.trim().is_empty()).map(field).collect();
        list.push((name.trim().to_string(), fields));
    }
    list
}

#[test]
fn every_structure_of_the_header_has_its_mirror() {
    let mirrored: Vec<Parsed> = MIRRORS
        .iter()
        .map(|mirror| {
            let fields = mirror.fields.iter().map(|field| (field.c_type.to_string(), field.name.to_string()));
            (mirror.name.to_string(), fields.collect())
        })
        .collect();
    assert_eq!(structures(), mirrored);
}

#[test]
fn sizes_and_places_are_those_that_c_gives() {
    for Mirror { name, size, fields } in MIRRORS {
        let (mut end, mut align) = (0, 1);
        for field in *fields {
            let pointer = field.c_type.ends_with('*');
            let expected = match field.c_type {
                _ if pointer => size_of::<usize>(),
                "uint64_t" => 8,
                "uint32_t" => 4,
                other => panic!("{name}.{}: the type {other} is not known here", field.name),
            };
            assert_eq!(field.size, expected, "{name}.{}", field.name);
            assert_eq!(field.offset, usize::next_multiple_of(end, expected), "{name}.{}", field.name);
            end = field.offset + field.size;
            align = align.max(expected);
        }
        assert_eq!(*size, end.next_multiple_of(align), "{name}");
        // Without holes there is nothing that a compiler could lay out otherwise.
        assert_eq!(end, fields.iter().map(|field| field.size).sum::<usize>(), "{name} has a hole");
    }
}

#[test]
fn constants_and_functions_are_those_of_the_header() {
    let defines: Vec<(String, u32)> = plain()
        .lines()
        .filter_map(|line| line.strip_prefix("#define TANDEM_"))
        .filter_map(|line| line.split_once(' '))
        .map(|(name, value)| {
            let value = value.trim().trim_end_matches('u').parse().expect("a constant is a number");
            (format!("TANDEM_{name}"), value)
        })
        .collect();
    let ours: Vec<(String, u32)> = CONSTANTS.iter().map(|&(name, value)| (name.to_string(), value)).collect();
    assert_eq!(defines, ours);
    let text = one_space(&plain());
    let found: Vec<&str> =
        text.split(';').map(str::trim).filter(|line| line.contains(" tandem_") && line.ends_with(')')).collect();
    let declared: Vec<&str> =
        found.iter().map(|line| &line[line.rfind('}').map_or(0, |at| at + 1)..]).map(str::trim).collect();
    let ours: Vec<&str> = FUNCTIONS.iter().map(|(_, declaration)| *declaration).collect();
    let ends = |line: &&str| ours.iter().any(|ours| line.ends_with(ours));
    assert_eq!(declared.iter().filter(|line| ends(line)).count(), FUNCTIONS.len(), "{declared:?}");
    assert_eq!(declared.len(), FUNCTIONS.len(), "{declared:?}");
}

#[test]
fn a_c_compiler_lays_them_out_as_we_do() {
    let mut source = String::from("#include <stddef.h>\n#include \"tandem.h\"\n");
    let mut check = |claim: String| source.push_str(&format!("_Static_assert({claim}, \"{claim}\");\n"));
    for Mirror { name, size, fields } in MIRRORS {
        check(format!("sizeof({name}) == {size}"));
        for field in *fields {
            check(format!("offsetof({name}, {}) == {}", field.name, field.offset));
            check(format!("sizeof((({name} *)0)->{}) == {}", field.name, field.size));
        }
    }
    for (name, value) in CONSTANTS {
        check(format!("{name} == {value}u"));
    }
    for (name, declaration) in FUNCTIONS {
        source.push_str(&format!("{declaration};\nvoid *take_{name}(void) {{ return (void *){name}; }}\n"));
    }
    let file = std::env::temp_dir().join(format!("tandem-abi-{}.c", std::process::id()));
    std::fs::write(&file, source).expect("a temporary file can be written");
    let include = concat!(env!("CARGO_MANIFEST_DIR"), "/include");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_string());
    let output =
        Command::new(&compiler).args(["-std=c11", "-Wall", "-fsyntax-only", "-I", include]).arg(&file).output();
    std::fs::remove_file(&file).expect("the temporary file is ours");
    match output {
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
        Err(error) => eprintln!("not run: there is no C compiler {compiler}: {error}"),
    }
}
