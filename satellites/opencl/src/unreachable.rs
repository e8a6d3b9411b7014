//! Tests that no kernel of OpenCL with inline vISA brings about.

/// Why a test has no kernel. The text is what the list at the end of an export says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unreachable {
    /// A channel that the instruction selects is disabled.
    Masked,
    /// The registers that it touches are too many, or too far apart.
    Registers,
    /// No device has its types with registers of its size.
    Device,
    /// Its code words have no form in text.
    Form,
    /// The reference promises nothing of it.
    Unpromised,
}

impl Unreachable {
    /// The key in the closing object of an export.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Unreachable::Masked => "disabled-channel",
            Unreachable::Registers => "too-many-registers",
            Unreachable::Device => "no-device",
            Unreachable::Form => "no-form",
            Unreachable::Unpromised => "unpromised",
        }
    }

    /// Why no kernel gets there.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Unreachable::Masked => {
                "only control flow disables a channel, and the compiler moves variables around it channel by channel, so \
                 that a disabled one loses what the test says"
            }
            Unreachable::Registers => "the compiler would spill variables that hold so many registers",
            Unreachable::Device => "none of the devices has these types with registers of this size",
            Unreachable::Form => "the code words say what no text says",
            Unreachable::Unpromised => "the reference promises nothing of it",
        }
    }
}
