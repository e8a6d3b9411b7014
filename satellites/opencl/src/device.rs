//! The devices that Intel's compiler of OpenCL knows, as far as tests tell them apart.

use tandem_isa::visa::operand::EXEC_SIZES;
use tandem_isa::visa::precision::Precision;
use tandem_isa::visa::{DataType, GRF_SIZES, Small};

/// What a test asks of a device.
#[derive(Clone, Debug, Default)]
pub(super) struct Needs {
    /// Bytes of a register.
    pub register_bytes: usize,
    /// The types of its operands.
    pub types: Vec<DataType>,
    /// Of a `DPAS`: the code of its execution size, and the precision of its weights.
    pub systolic: Option<(usize, Option<Precision>)>,
}

impl Needs {
    pub fn of(small: &Small) -> Self {
        Needs { register_bytes: GRF_SIZES[small.grf_size as usize & 1], ..Needs::default() }
    }
}

tandem_isa::worded! {
    /// A device, by the word that `ocloc` has for it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Device {
        /// Gen9: 64-bit types, no BF and no `DPAS`.
        Skl "skl",
        /// Gen12: no 64-bit types, no BF and no `DPAS`.
        Tgllp "tgllp",
        /// As [`Device::Tgllp`].
        AdlS "adl-s",
        /// XeHPG: BF and `DPAS` on 8 channels, no 64-bit types.
        Dg2 "dg2",
        /// XeHPC: registers of 64 bytes, all types, `DPAS` on 16 channels.
        Pvc "pvc",
    }
    /// The word for `ocloc compile -device`.
    fn name;
}

/// Tests whose kernels Intel's compiler 1.0.12504.6 does not take for a device: it crashes over those for `pvc`. The two others
/// it refuses, as what it allocates itself for the variable in which ours lie ends before them.
const NOT_TAKEN: [(Device, &str); 13] = [
    (Device::Pvc, "1111cb35864ab33f"),
    (Device::Pvc, "2de23511a2b82ea4"),
    (Device::Pvc, "356ee4a10e94b108"),
    (Device::Pvc, "655c5765399e4861"),
    (Device::Pvc, "85ea54e2b0de8837"),
    (Device::Pvc, "86f72f71bfe65f8a"),
    (Device::Pvc, "9a9aeb5d551de8ed"),
    (Device::Pvc, "aea6b177cc09f86d"),
    (Device::Skl, "c20eaecb05bb884b"),
    (Device::Skl, "bf35fcab1e081925"),
    (Device::Tgllp, "bf35fcab1e081925"),
    (Device::AdlS, "bf35fcab1e081925"),
    (Device::Dg2, "bf35fcab1e081925"),
];

impl Device {
    const fn register_bytes(self) -> usize {
        match self {
            Device::Pvc => GRF_SIZES[1],
            Device::Skl | Device::Tgllp | Device::AdlS | Device::Dg2 => GRF_SIZES[0],
        }
    }

    /// Whether its compiler takes the kernel of a test, by the test's id.
    pub(super) fn takes(self, test: &str) -> bool {
        !NOT_TAKEN.contains(&(self, test))
    }

    /// Whether it has all that a test needs.
    pub(super) fn meets(self, needs: &Needs) -> bool {
        let has_type = |data_type: &DataType| match data_type {
            // Without 64-bit integers the compiler takes moves of them apart, and crashes over some.
            DataType::Df | DataType::Uq | DataType::Q => matches!(self, Device::Skl | Device::Pvc),
            DataType::Bf => matches!(self, Device::Dg2 | Device::Pvc),
            _ => true,
        };
        let has_systolic = needs.systolic.is_none_or(|(size, precision)| match self {
            Device::Skl | Device::Tgllp | Device::AdlS => false,
            // Its accumulators have 32 bits (reports/assembler.md).
            Device::Dg2 => {
                let is_wide = needs.types.iter().all(|data_type| data_type.bits() == 32);
                EXEC_SIZES[size] == Some(8) && precision != Some(Precision::Tf32) && is_wide
            }
            Device::Pvc => EXEC_SIZES[size] == Some(16),
        });
        self.register_bytes() == needs.register_bytes && needs.types.iter().all(has_type) && has_systolic
    }
}
