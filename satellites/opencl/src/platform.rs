//! The platforms of the assembler that tests can be held against.

use tandem_isa::visa::{GRF_SIZES, PRE_XEHP, Small};

tandem_isa::worded! {
    /// A platform that `GenX_IR` knows; one for each combination of what a case says of its machine.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Platform {
        /// Before XeHP, registers of 32 bytes.
        Skl "SKL",
        /// XeHP, registers of 32 bytes.
        XehpSdv "XeHP_SDV",
        /// Registers of 64 bytes.
        Pvc "PVC",
    }
    /// The word that the assembler knows it by.
    fn name;
}

impl Platform {
    /// The platform that a state is of.
    #[must_use]
    pub fn of(small: &Small) -> Self {
        match (GRF_SIZES[small.grf_size as usize & 1], small.platform) {
            (64, _) => Platform::Pvc,
            (_, PRE_XEHP) => Platform::Skl,
            _ => Platform::XehpSdv,
        }
    }

    /// The most registers that a thread can have.
    #[must_use]
    pub const fn registers(self) -> usize {
        match self {
            Platform::Skl => 128,
            Platform::XehpSdv | Platform::Pvc => 256,
        }
    }

    /// Bytes of a register.
    #[must_use]
    pub const fn register_bytes(self) -> usize {
        match self {
            Platform::Skl | Platform::XehpSdv => GRF_SIZES[0],
            Platform::Pvc => GRF_SIZES[1],
        }
    }

    /// Bytes of variables that a kernel may declare: the assembler keeps some registers for itself.
    #[must_use]
    pub const fn room(self) -> usize {
        (self.registers() - 16) * self.register_bytes()
    }
}
