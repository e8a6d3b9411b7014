//! Tests of the border: malformed answers, and the slow way.
