//! What the pages say, by single data and branches, in tests of their own; every level must do it.

mod tensix;
mod visa;
