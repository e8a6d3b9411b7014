//! Unit tests of the format.
