//! The axes of what an AddrMod selects, for every instruction that has one.

use std::marker::PhantomData;
use std::mem::offset_of;

use tandem_isa::tensix::config::{self, ThreadConfigField};
use tandem_isa::tensix::{Chip, Rwc};
use tandem_isa::{Axis, CodeField};

use super::lens::{AddrMod, Lens, Partition, flag, split};

/// Where an instruction has its AddrMod.
pub(super) trait AddrModField {
    /// The field of the code word.
    const FIELD: CodeField;
    /// The chip, which decides where the sections lie.
    const CHIP: Chip;
}

pub(super) const EXTRA: Axis = flag!("extra_addr_mod_bit", Lens::rwc(offset_of!(Rwc, extra_addr_mod_bit), 1));
/// On Blackhole, where no page says what the bit does.
pub(super) const RARE_EXTRA: Axis = Axis { weights: &[31, 1], ..EXTRA };
pub(super) const SET_BASE: Axis = flag!("addr_mod_set_base", Lens::Thread(config::ADDR_MOD_SET_Base));

/// The axes of the section that the AddrMod of `F` selects.
pub(super) struct AddrModAxes<F>(PhantomData<F>);

/// An axis of members of the section in force.
macro_rules! members {
    ($name:literal, $levels:expr, $weights:expr, [$($member:ident)*], $by:expr) => {
        split!($name, $levels, $weights, Self::lens(&[$(config::$member),*]), $by)
    };
}

const SOURCE_CONTROL: &[&str] = &["none", "CR", "Clear", "Clear+CR"];

impl<F: AddrModField> AddrModAxes<F> {
    pub(super) const ADDR_MOD: AddrMod = AddrMod { field: F::FIELD, chip: F::CHIP };

    pub(super) const fn lens(fields: &'static [ThreadConfigField]) -> Lens {
        Lens::Section(Self::ADDR_MOD, fields)
    }

    /// The section's number, as the instruction gives it.
    pub(super) const SECTION: Axis = split!(
        "addr_mod",
        &["0", "1", "2", "3", "4", "5", "6", "7"].split_at(1 << F::FIELD.width).0,
        &[],
        Lens::Code(F::FIELD),
        Partition::Each
    );
    const SRCA_CONTROL: Axis = members!("srca_control", SOURCE_CONTROL, &[], [SrcACR SrcAClear], Partition::Each);
    const SRCB_CONTROL: Axis = members!("srcb_control", SOURCE_CONTROL, &[], [SrcBCR SrcBClear], Partition::Each);
    const DST_CONTROL: Axis = members!(
        "dst_control",
        &["none", "CR", "CToCR", "CToCR+CR", "Clear", "Clear+CR", "Clear+CToCR", "Clear+CToCR+CR"],
        &[],
        [DestCR DestCToCR DestClear],
        Partition::Each
    );
    const FIDELITY: Axis = members!(
        "fidelity_control",
        &["0", "1", "2", "3", "Clear"],
        &[],
        [FidelityIncr FidelityClear],
        Partition::Ranges(&[(0, 0), (1, 1), (2, 2), (3, 3), (4, 7)])
    );
    const BIAS: Axis = members!(
        "bias_control",
        &["0", "low bits set", "only high bits set", "Clear", "Clear with increment"],
        &[],
        [BiasIncr BiasClear],
        Partition::Sets(&[
            &[0],
            &[1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15],
            &[4, 8, 12],
            &[16],
            &[17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]
        ])
    );
    /// All 0, all 1, or all as large as they can be.
    const INCREMENTS: Axis = members!(
        "increments",
        &["0", "1", "last", "any"],
        &[1, 1, 1, 3],
        [SrcAIncr SrcBIncr DestIncr],
        Partition::Points(&[0, 1 | 1 << 6 | 1 << 12, (1 << 22) - 1])
    );
    /// All but the section's number.
    pub(super) const MEMBERS: [Axis; 6] =
        [Self::SRCA_CONTROL, Self::SRCB_CONTROL, Self::DST_CONTROL, Self::FIDELITY, Self::BIAS, Self::INCREMENTS];
}
