//! The pages, pinned: made from `pages/tensix/*.toml`, each static with the name of its file.

use crate::{Lines, Page};

include!(concat!(env!("OUT_DIR"), "/tensix_pages.rs"));
