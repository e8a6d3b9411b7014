//! tandem.
