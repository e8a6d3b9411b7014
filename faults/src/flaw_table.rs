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

        /// Several flaws at once, or none.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Flaws([u64; 6]);

        const _: () = assert!(Flaw::ALL.len() <= 384);

        impl Flaws {
            /// These flaws.
            #[must_use]
            pub fn of(flaws: impl IntoIterator<Item = Flaw>) -> Self {
                let mut set = Flaws::default();
                for flaw in flaws {
                    set.0[flaw as usize / 64] |= 1 << (flaw as usize % 64);
                }
                set
            }

            /// Whether a flaw is among them.
            #[must_use]
            #[inline]
            pub const fn has(self, flaw: Flaw) -> bool {
                self.0[flaw as usize / 64] >> (flaw as usize % 64) & 1 != 0
            }

            /// How a target with them is called: `plain`, or `fault:` with the ids of the faults.
            #[must_use]
            pub fn name(self) -> String {
                let ids: Vec<&str> =
                    Flaw::ALL.iter().filter(|flaw| self.has(**flaw)).map(|flaw| flaw.id()).collect();
                if ids.is_empty() { "plain".to_string() } else { format!("fault:{}", ids.join("+")) }
            }
        }
    };
}

pub(crate) use flaws;
