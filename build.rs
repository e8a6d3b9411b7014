//! Packs the committed vectors, which become a part of the program, digests the sources that decide a result, and lists classes of
//! modes for `tandem::conformance!`.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The classes of each instruction, as `tandem report` writes them. To ask the instructions for them here, they would have
/// to be compiled for this build as well.
const CLASSES: &str = "reports/classes.txt";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=vectors");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where the package is"));
    // Where the package is alone its version says which sources these are.
    let reference = digest(&root, &["isa/src", "isa/build", "isa/errata", "isa/pages", "isa/rules", "reference/src"])?;
    let sources = digest(&root, &["cases/src", "harness/src", "simd/src", "src"])?;
    println!("cargo::rustc-env=TANDEM_REFERENCE={reference:016x}");
    println!("cargo::rustc-env=TANDEM_SOURCES={sources:016x}");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where to write"));
    // The wheel packs the vectors with a program of its own, and has no `conformance!`.
    if env::var("CARGO_PKG_NAME").is_ok_and(|name| name == "tandem") {
        println!("cargo::rerun-if-changed={CLASSES}");
        fs::write(out.join("classes.rs"), classes(&fs::read_to_string(root.join(CLASSES))?))?;
        // Under `conformance!` nobody reads recorded vectors.
        if env::var_os("CARGO_FEATURE_PROGRAM").is_none() {
            return Ok(());
        }
    }
    let mut files = Vec::new();
    collect(&root.join("vectors"), &|path| path.extension().is_some_and(|ending| ending == "json"), &mut files)?;
    files.sort();
    let mut list = String::from(
        "/// The files below `vectors`, in ascending order of their paths.\n\
         pub(crate) const VECTORS: &[tandem_harness::vectors::EmbeddedFile] = &[\n",
    );
    for (number, file) in files.iter().enumerate() {
        let name = file.strip_prefix(root.join("vectors")).expect("it lies there").to_str().expect("names are text");
        let packed = miniz_oxide::deflate::compress_to_vec(&fs::read(file)?, 9);
        fs::write(out.join(format!("{number}.deflate")), packed)?;
        let bytes = format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{number}.deflate\"))");
        let _ = writeln!(list, "    tandem_harness::vectors::EmbeddedFile {{ name: {name:?}, packed: {bytes} }},");
    }
    list.push_str("];\n");
    fs::write(out.join("vectors.rs"), list)
}

/// A macro that hands all classes, with the names of their tests, to another.
fn classes(record: &str) -> String {
    let mut text = String::from(
        "/// Hands all classes to a macro.\n#[doc(hidden)]\n#[macro_export]\nmacro_rules! __conformance_classes {\n    \
         ($($tests:tt)+) => { $($tests)+! {\n",
    );
    let lines = record.lines().map(|line| {
        let (path, classes) = line.split_once(": ").expect("a path and its classes");
        let (machine, instruction) = path.split_once('/').expect("a machine and an instruction");
        (machine, instruction, classes)
    });
    for of_machine in lines.collect::<Vec<_>>().chunk_by(|one, next| one.0 == next.0) {
        let _ = writeln!(text, "{} {{", of_machine[0].0.replace('-', "_"));
        for (machine, instruction, classes) in of_machine {
            let _ = write!(text, "    \"{machine}/{instruction}\" {instruction} {{");
            for class in classes.split(" | ") {
                let words = class.split(|letter: char| !letter.is_ascii_alphanumeric());
                let words: Vec<_> = words.filter(|word| !word.is_empty()).map(str::to_ascii_lowercase).collect();
                let _ = write!(text, " class_{} {class:?}", words.join("_"));
            }
            text += " }\n";
        }
        text += "}\n";
    }
    text + "    } };\n}\n"
}

/// A number for the names and bytes of all files below directories: FNV-1a.
fn digest(root: &Path, directories: &[&str]) -> io::Result<u64> {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |bytes: &[u8]| {
        for &byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    };
    for directory in directories.iter().map(|name| root.join(name)).filter(|directory| directory.is_dir()) {
        println!("cargo::rerun-if-changed={}", directory.display());
        let mut files = Vec::new();
        collect(&directory, &|_| true, &mut files)?;
        files.sort();
        for file in files {
            let name = file.strip_prefix(root).expect("it lies there").to_str().expect("names are text");
            add(name.replace('\\', "/").as_bytes());
            add(&[0]);
            add(&fs::read(&file)?);
            add(&[0]);
        }
    }
    Ok(hash)
}

/// The files below a directory that are wanted.
fn collect(directory: &Path, is_wanted: &dyn Fn(&Path) -> bool, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, is_wanted, files)?;
        } else if is_wanted(&path) {
            files.push(path);
        }
    }
    Ok(())
}
