//! Every statement of the page MOVA2D (commit 22812eeb), in our words, and where it went.

use crate::Statement;

pub(super) static STATEMENTS: &[Statement] = &[];
