//! The classes of modes of each instruction, in the edition `newest`, as names of tests: `build/classes.rs` lists them.

include!(concat!(env!("OUT_DIR"), "/classes.rs"));
