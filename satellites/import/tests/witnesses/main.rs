//! What implementations that are not ours did, as it was recorded.

mod dpas;
mod lines;
