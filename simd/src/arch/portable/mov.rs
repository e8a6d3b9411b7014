//! What `MOV` has of its own without intrinsics: nothing.

use super::vector::{Portable, Words};
use crate::visa::mov::{Kernels, Recipe};
use crate::visa::mov_wide::{convert, store};
use crate::visa::region::{BLOCK, Elements};

impl Kernels for Words {
    #[inline]
    fn convert(_: Portable, recipe: &Recipe, from: &[u8; BLOCK], to: &mut Elements) {
        convert(recipe, from, to);
    }

    #[inline]
    fn store_channels(_: Portable, log2_size: u32, channels: u32, from: &Elements, to: &mut [u8]) {
        store(log2_size, channels, from, to);
    }
}
