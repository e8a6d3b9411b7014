//! The axes of what an AddrMod selects, for every instruction that has one.
//!
//! No implementation calls anything here.

use std::marker::PhantomData;

use super::parts::{OFF_ON, axis, get_thread_config, narrow, rwc, rwc_mut, set_thread_config};
use crate::tensix::Chip;
use crate::tensix::config::{self, ThreadConfigField};
use crate::{Axis, CodeField, Noise, Parts};

/// Where an instruction has its AddrMod.
pub(super) trait AddrModField {
    /// The field of the code word.
    const FIELD: CodeField;
    /// The chip, which decides where the sections lie.
    const CHIP: Chip;
}

const SOURCE_CONTROL: &[&str] = &["none", "CR", "Clear", "Clear+CR"];

/// How the increments of the section in force are chosen.
#[inline(always)]
fn increment(level: usize, width: u32, noise: &mut Noise) -> usize {
    let last = (1 << width) - 1;
    ((noise.bits(width) & [0, 0, 0, last][level]) | [0, 1, last, 0][level]) as usize
}

pub(super) const EXTRA: Axis = axis!(
    "extra_addr_mod_bit",
    OFF_ON,
    &[],
    |parts, level, _| rwc_mut(parts).extra_addr_mod_bit = narrow(level),
    |parts| rwc(parts).extra_addr_mod_bit as usize
);
pub(super) const SET_BASE: Axis = axis!(
    "addr_mod_set_base",
    OFF_ON,
    &[],
    |parts, level, _| set_thread_config(parts, config::ADDR_MOD_SET_Base, level),
    |parts| get_thread_config(parts, config::ADDR_MOD_SET_Base)
);

/// The axes of the section that the AddrMod of `F` selects.
pub(super) struct AddrModAxes<F>(PhantomData<F>);

impl<F: AddrModField> AddrModAxes<F> {
    /// The section that the case's AddrMod bits select, so that the axes below can say what is in it.
    #[inline(always)]
    pub(super) fn section_in_force(parts: &Parts<'_>) -> usize {
        let selected = F::FIELD.get(parts.code) as usize;
        match F::CHIP {
            Chip::Wormhole => {
                let extra = rwc(parts).extra_addr_mod_bit != 0;
                let base = get_thread_config(parts, config::ADDR_MOD_SET_Base) != 0;
                selected + if extra || base { 4 } else { 0 }
            }
            Chip::Blackhole => selected,
        }
    }

    #[inline(always)]
    pub(super) fn ab(parts: &Parts<'_>, field: ThreadConfigField) -> ThreadConfigField {
        field.of_section(F::CHIP.addr_mod_sections().ab, Self::section_in_force(parts))
    }

    #[inline(always)]
    pub(super) fn dst(parts: &Parts<'_>, field: ThreadConfigField) -> ThreadConfigField {
        field.of_section(F::CHIP.addr_mod_sections().dst, Self::section_in_force(parts))
    }

    #[inline(always)]
    pub(super) fn bias(parts: &Parts<'_>, field: ThreadConfigField) -> ThreadConfigField {
        field.of_section(F::CHIP.addr_mod_sections().bias, Self::section_in_force(parts))
    }

    /// The section's number, as the instruction gives it.
    pub(super) const SECTION: Axis = axis!(
        "addr_mod",
        &["0", "1", "2", "3", "4", "5", "6", "7"].split_at(1 << F::FIELD.width).0,
        &[],
        |parts, level, _| F::FIELD.set(parts.code, narrow(level)),
        |parts| F::FIELD.get(parts.code) as usize
    );
    pub(super) const SRCA_CONTROL: Axis = axis!(
        "srca_control",
        SOURCE_CONTROL,
        &[],
        |parts, level, _| {
            set_thread_config(parts, Self::ab(parts, config::SrcACR), level & 1);
            set_thread_config(parts, Self::ab(parts, config::SrcAClear), level >> 1);
        },
        |parts| {
            get_thread_config(parts, Self::ab(parts, config::SrcACR))
                + 2 * get_thread_config(parts, Self::ab(parts, config::SrcAClear))
        }
    );
    pub(super) const SRCB_CONTROL: Axis = axis!(
        "srcb_control",
        SOURCE_CONTROL,
        &[],
        |parts, level, _| {
            set_thread_config(parts, Self::ab(parts, config::SrcBCR), level & 1);
            set_thread_config(parts, Self::ab(parts, config::SrcBClear), level >> 1);
        },
        |parts| {
            get_thread_config(parts, Self::ab(parts, config::SrcBCR))
                + 2 * get_thread_config(parts, Self::ab(parts, config::SrcBClear))
        }
    );
    pub(super) const DST_CONTROL: Axis = axis!(
        "dst_control",
        &["none", "CR", "CToCR", "CToCR+CR", "Clear", "Clear+CR", "Clear+CToCR", "Clear+CToCR+CR"],
        &[],
        |parts, level, _| {
            set_thread_config(parts, Self::dst(parts, config::DestCR), level & 1);
            set_thread_config(parts, Self::dst(parts, config::DestCToCR), (level >> 1) & 1);
            set_thread_config(parts, Self::dst(parts, config::DestClear), level >> 2);
        },
        |parts| {
            get_thread_config(parts, Self::dst(parts, config::DestCR))
                + 2 * get_thread_config(parts, Self::dst(parts, config::DestCToCR))
                + 4 * get_thread_config(parts, Self::dst(parts, config::DestClear))
        }
    );
    pub(super) const FIDELITY: Axis = axis!(
        "fidelity_control",
        &["0", "1", "2", "3", "Clear"],
        &[],
        |parts, level, noise| {
            let incr = if level == 4 { noise.below(4) } else { level };
            set_thread_config(parts, Self::dst(parts, config::FidelityIncr), incr);
            set_thread_config(parts, Self::dst(parts, config::FidelityClear), level / 4);
        },
        |parts| {
            if get_thread_config(parts, Self::dst(parts, config::FidelityClear)) != 0 {
                4
            } else {
                get_thread_config(parts, Self::dst(parts, config::FidelityIncr))
            }
        }
    );
    pub(super) const BIAS: Axis = axis!(
        "bias_control",
        &["0", "low bits set", "only high bits set", "Clear", "Clear with increment"],
        &[],
        |parts, level, noise| {
            let (high, low) = (noise.below(4), noise.below(3));
            let incr = [0, (high << 2) + 1 + low, (1 + low) << 2, 0, 1 + ((high << 2) | low)][level];
            set_thread_config(parts, Self::bias(parts, config::BiasIncr), incr);
            set_thread_config(parts, Self::bias(parts, config::BiasClear), usize::from(level >= 3));
        },
        |parts| {
            let incr = get_thread_config(parts, Self::bias(parts, config::BiasIncr));
            if get_thread_config(parts, Self::bias(parts, config::BiasClear)) != 0 {
                3 + usize::from(incr != 0)
            } else if incr & 3 != 0 {
                1
            } else {
                2 * usize::from(incr != 0)
            }
        }
    );
    pub(super) const INCREMENTS: Axis = axis!(
        "increments",
        &["0", "1", "last", "any"],
        &[1, 1, 1, 3],
        |parts, level, noise| {
            for (field, width) in [(config::SrcAIncr, 6), (config::SrcBIncr, 6)] {
                let value = increment(level, width, noise);
                set_thread_config(parts, Self::ab(parts, field), value);
            }
            let value = increment(level, 10, noise);
            set_thread_config(parts, Self::dst(parts, config::DestIncr), value);
        },
        |parts| {
            let values = [
                (get_thread_config(parts, Self::ab(parts, config::SrcAIncr)), 63),
                (get_thread_config(parts, Self::ab(parts, config::SrcBIncr)), 63),
                (get_thread_config(parts, Self::dst(parts, config::DestIncr)), 1023),
            ];
            let all = |wanted: fn(usize) -> usize| values.iter().all(|&(value, last)| value == wanted(last));
            if all(|_| 0) {
                0
            } else if all(|_| 1) {
                1
            } else if all(|last| last) {
                2
            } else {
                3
            }
        }
    );
}
