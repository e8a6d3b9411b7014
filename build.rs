//! Packs the committed vectors, which become a part of the program, digests the sources that decide a result, and lists classes of
//! modes for `tandem::conformance!`.

#[path = "build/classes.rs"]
mod classes;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=vectors");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where the package is"));
    // Where the package is alone its version says which sources these are.
    let reference = digest(&root, &["isa/src", "isa/build", "isa/errata", "isa/pages", "isa/rules", "reference/src"])?;
    let sources = digest(&root, &["cases/src", "harness/src", "simd/src", "src"])?;
    println!("cargo::rustc-env=TANDEM_REFERENCE={reference:016x}");
    println!("cargo::rustc-env=TANDEM_SOURCES={sources:016x}");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where to write"));
    fs::write(out.join("classes.rs"), classes::list())?;
    // Under `conformance!` nobody reads recorded vectors. The wheel packs them with a program of its own.
    let is_library = env::var("CARGO_PKG_NAME").is_ok_and(|name| name == "tandem");
    if is_library && env::var_os("CARGO_FEATURE_PROGRAM").is_none() {
        return Ok(());
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
