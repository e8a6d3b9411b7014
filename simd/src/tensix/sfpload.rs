//! `SFPLOAD`, on both chips: what is the same at every level. Not implemented yet.

use tandem_isa::tensix::Chip;

/// Whether there is a kernel for `chip`.
pub(crate) const fn implements(_: Chip) -> bool {
    false
}
