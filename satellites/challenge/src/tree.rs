//! A hash tree over lines, as RFC 6962 has it: a changed line is named by its leaf, and all leaves by the root.

use tandem_harness::vectors::{hex, sha256_bytes};

/// What stands before a line, and before two hashes: so that no line can pass for a node.
const LEAF: u8 = 0;
const NODE: u8 = 1;

/// The hash of a line.
pub(super) fn leaf(line: &[u8]) -> String {
    hex(&sha256_bytes(&[&[LEAF], line].concat()))
}

/// The hash of all leaves, in hex. A subtree on the left has the largest power of two of leaves that leaves one over.
pub(super) fn root(leaves: &[String]) -> String {
    match leaves {
        [] => hex(&sha256_bytes(&[])),
        [one] => one.clone(),
        _ => {
            let (left, right) = leaves.split_at(leaves.len().next_power_of_two() / 2);
            hex(&sha256_bytes(&[&[NODE], root(left).as_bytes(), root(right).as_bytes()].concat()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_leaf_and_the_order_of_leaves_are_in_the_root() {
        let leaves: Vec<String> = (0..21_u8).map(|number| leaf(&[number])).collect();
        let mut seen = std::collections::BTreeSet::from([root(&leaves), root(&leaves[..20]), root(&[])]);
        for index in 0..leaves.len() {
            let mut other = leaves.clone();
            other[index] = leaf(b"other");
            assert!(seen.insert(root(&other)), "{index}");
            other.clone_from(&leaves);
            other.swap(index, (index + 1) % leaves.len());
            assert!(seen.insert(root(&other)), "{index}");
        }
    }
}
