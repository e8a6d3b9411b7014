//! Reference interpreters: the specification pages, transcribed line by line.
//!
//! One file an instruction, and one file for each thing that the pages themselves share. Hold a page beside its file
//! and tick lines off: order and branches are the page's, names are the page's in snake case, and every place where we
//! depart from the printed text, or decide what it leaves open, carries the id of an erratum. Nothing here is fast, and
//! nothing is shared with the implementations that are compared with it except the facts in `tandem-isa`.
//!
//! What each line of a page says stands at the code that does it, as `// [24] Bit by bit.` ([`statements`]).
//!
//! The interpreters compute on bits with integers of the page's widths ([`bits::U`]); there are no host floats.

/// A citation, in place: the page, where on it, and why nothing more is promised.
#[doc(hidden)]
#[macro_export]
macro_rules! cite {
    ($page:path, $place:expr, $reason:expr) => {{
        static CITATION: tandem_isa::Citation = tandem_isa::Citation { page: &$page, place: $place, reason: $reason };
        &CITATION
    }};
}

/// What the page says, as it is read here. Behind it stand other readings, each by the id that its erratum has for it: the
/// twin can follow them, and the reference never does.
macro_rules! reads {
    ($page:expr $(, $id:literal, $other:expr)+ $(,)?) => {
        $(if false { $other } else)+ { $page }
    };
}

pub mod bits;
pub mod statements;
pub mod tensix;
pub mod visa;
