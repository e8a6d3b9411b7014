//! The committed vectors as a part of the program, so that it works in any folder.
//!
//! They are packed, to a sixth of their size, and read without the checks that `recorded_vectors_replay` makes of all committed
//! files.

include!(concat!(env!("OUT_DIR"), "/vectors.rs"));

#[cfg(test)]
mod tests {
    use super::VECTORS;

    #[test]
    fn every_committed_file_of_vectors_is_there() {
        let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
        let mut found = vec!["revoked.json".to_string()];
        for path in tandem_harness::vectors::vector_paths(&directory).expect("the directory can be read") {
            let name = path.strip_prefix(&directory).expect("below the directory").display().to_string();
            found.push(name);
        }
        found.sort();
        let listed: Vec<&str> = VECTORS.iter().map(|file| file.name).collect();
        assert_eq!(listed, found);
        for file in VECTORS {
            let text = std::fs::read_to_string(directory.join(file.name)).expect("it can be read");
            assert!(file.text() == text, "{}", file.name);
        }
    }
}
