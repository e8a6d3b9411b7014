//! The committed vectors as a part of the program, so that it works in any folder.
//!
//! They lie in it as they are: compressed they would be a fifth as large, and a further dependency. What is not read costs
//! nothing, because the system loads pages of a program when they are touched. They are read without the checks that
//! `recorded_vectors_replay` makes of all committed files.

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
        let listed: Vec<&str> = VECTORS.iter().map(|(name, _)| *name).collect();
        assert_eq!(listed, found);
    }
}
