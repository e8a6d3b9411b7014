//! The errata of the family's pages: made from `errata/*.toml`, in the order of their ids.

use super::pages;
use crate::{Edition, Erratum, ErratumKind, Evidence, Grade, NoReading, Reading};

include!(concat!(env!("OUT_DIR"), "/tensix_errata.rs"));
