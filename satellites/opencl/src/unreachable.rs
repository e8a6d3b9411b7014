//! Tests that no kernel of OpenCL with inline vISA brings about.

tandem_isa::worded! {
    /// Why a test has no kernel. The text is what the list at the end of an export says.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Unreachable {
        /// A channel that the instruction selects is disabled.
        Masked "disabled-channel"
            "only control flow disables a channel, and the compiler moves variables around it channel by channel, so \
             that a disabled one loses what the test says",
        /// The registers that it touches are too many, or too far apart.
        Registers "too-many-registers" "the compiler would spill variables that hold so many registers",
        /// No device has its types with registers of its size.
        Device "no-device" "none of the devices has these types with registers of this size",
        /// Its code words have no form in text.
        Form "no-form" "the code words say what no text says",
        /// The reference promises nothing of it.
        Unpromised "unpromised" "the reference promises nothing of it",
    }
    /// The key in the closing object of an export.
    fn key;
    /// Why no kernel gets there.
    fn reason;
}
