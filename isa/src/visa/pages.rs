//! The pages, pinned: made from `pages/visa/*.toml`, each static with the name of its file.

use crate::{Lines, Page};

include!(concat!(env!("OUT_DIR"), "/visa_pages.rs"));
