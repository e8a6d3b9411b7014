//! What is disputed of the family's pages: made from `disputes/*.toml`, in the order of their ids.

use super::pages;
use crate::{Dispute, DisputeKind, DisputeSource, DisputedCase};

include!(concat!(env!("OUT_DIR"), "/tensix_disputes.rs"));
