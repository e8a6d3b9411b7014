//! The classes of modes of each instruction, in the edition `newest`, as names of tests: the build makes
//! them of `reports/classes.txt`.

include!(concat!(env!("OUT_DIR"), "/classes.rs"));
