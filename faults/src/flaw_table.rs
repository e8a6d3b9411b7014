//! The table of an instruction set's flaws, from which its `Flaw` is made.

/// Makes the type `Flaw` from rows of variant, id, instruction, editions in which it is wrong, erratum, and what is
/// done wrong. `Flaw::kind` is for the caller to write: it knows which of its flaws depend on order.
macro_rules! flaws {
    ($doc:literal; $($variant:ident $id:literal $instruction:literal $wrong_in:ident $erratum:expr, $what:literal;)*) => {
        #[doc = $doc]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Flaw {
            $(#[doc = $what] $variant,)*
        }

        impl Flaw {
            /// All flaws.
            pub const ALL: &[Flaw] = &[$(Flaw::$variant),*];

            /// The entry in the catalogue.
            #[must_use]
            pub const fn fault(self) -> $crate::Fault {
                let kind = self.kind();
                match self {
                    $(Flaw::$variant => $crate::Fault {
                        id: $id, instruction: $instruction, what: $what, wrong_in: $wrong_in, erratum: $erratum, kind,
                    },)*
                }
            }

            /// The id of its fault.
            #[must_use]
            pub const fn id(self) -> &'static str {
                self.fault().id
            }

            /// The flaw whose fault is called `id`.
            #[must_use]
            pub fn named(id: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|flaw| flaw.id() == id)
            }
        }
    };
}

pub(crate) use flaws;
