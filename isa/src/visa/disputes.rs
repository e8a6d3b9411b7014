//! What is disputed of the family's pages: made from `disputes/*.toml`, in the order of their ids.

use crate::Dispute;

include!(concat!(env!("OUT_DIR"), "/visa_disputes.rs"));
