//! The committed vectors as a part of the program, so that it works in any folder.
//!
//! They lie in it as they are: compressed they would be a fifth as large, and a further dependency. What is not read costs
//! nothing, because the system loads pages of a program when they are touched.

/// The files below `vectors`, each by its path there, in ascending order.
pub(crate) const VECTORS: &[(&str, &str)] = &[
    ("revoked.json", include_str!("../vectors/revoked.json")),
    ("tensix-bh/sfpload.json", include_str!("../vectors/tensix-bh/sfpload.json")),
    ("tensix-bh/sfpload.ttsim-1.10.0.json", include_str!("../vectors/tensix-bh/sfpload.ttsim-1.10.0.json")),
    ("tensix-bh/sfpstore.json", include_str!("../vectors/tensix-bh/sfpstore.json")),
    ("tensix-wh/mova2d.json", include_str!("../vectors/tensix-wh/mova2d.json")),
    ("tensix-wh/mova2d.ttsim-1.10.0.json", include_str!("../vectors/tensix-wh/mova2d.ttsim-1.10.0.json")),
    ("tensix-wh/sfpload.json", include_str!("../vectors/tensix-wh/sfpload.json")),
    ("tensix-wh/sfpload.ttsim-1.10.0.json", include_str!("../vectors/tensix-wh/sfpload.ttsim-1.10.0.json")),
    ("tensix-wh/sfpstore.json", include_str!("../vectors/tensix-wh/sfpstore.json")),
    ("tensix-wh/sfpstore.ttsim-1.10.0.json", include_str!("../vectors/tensix-wh/sfpstore.ttsim-1.10.0.json")),
    ("visa/dpas.cm-cpu-emulation-8d7b65fa.json", include_str!("../vectors/visa/dpas.cm-cpu-emulation-8d7b65fa.json")),
    ("visa/dpas.json", include_str!("../vectors/visa/dpas.json")),
    ("visa/mov.json", include_str!("../vectors/visa/mov.json")),
];

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
