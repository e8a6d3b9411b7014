//! Cases of `SFPSTORE`: see `sfpload.rs`.

pub(super) use super::sfpload::sfpstore;
