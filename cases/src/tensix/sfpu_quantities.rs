//! The quantities of `SFPLOAD` and `SFPSTORE`: numbers by which an implementation may refuse a case.
//!
//! Labels, like the axes.

use std::marker::PhantomData;

use tandem_isa::tensix::config::{self, blackhole};
use tandem_isa::tensix::inst::sfpload::{IMM10, MOD0, mod0};
use tandem_isa::tensix::{Chip, format};
use tandem_isa::{Parts, Quantity};

use super::addr_mod_axes::AddrModAxes;
use super::parts::{
    get_config, get_thread_config, peek, rwc, rwc_mut, set_config, set_thread_config, small, thread_of,
};
use super::sfpu_lanes::{ROW_MASKS, bit, pattern, set_pattern};
use super::sfpu_modes::{MOD0_NAMES, Path, SfpuForm};
use super::state_quantities::{
    BLACKHOLE_CONFIG, BLACKHOLE_CONFIG_ANYWHERE, BLACKHOLE_THREAD, BLACKHOLE_THREAD_ANYWHERE, CONFIG, CONFIG_ANYWHERE,
    COUNTERS, LANES, STACK_POINTER, STATE, dst_sum, put_dst_sum, put_wrapped_dst_sum, shifted, spread,
};
use crate::quantity::with_ones;

/// The quantities of `F`.
pub(super) struct Quantities<F>(PhantomData<F>);

/// The value of `SrcBFmt where Mod0 asks for it` where it does not.
const NOT_ASKED: u32 = 16;

/// The names of formats, and of no format.
const ASKED_NAMES: [&str; 17] = {
    let mut names = ["not asked"; 17];
    names.first_chunk_mut::<16>().expect("there are seventeen").copy_from_slice(&format::CODE_NAMES);
    names
};

impl<F: SfpuForm> Quantities<F> {
    /// What is set anywhere comes before what is in force: where only the latter counts, cases that are answered soon show
    /// it.
    pub(super) const ALL: &'static [&'static [Quantity]] = match F::CHIP {
        Chip::Wormhole => const { &[Self::OWN, LANES, AddrModAxes::<F>::QUANTITIES, STATE[0], Self::LAST] },
        Chip::Blackhole => &[
            Self::OWN,
            LANES,
            AddrModAxes::<F>::QUANTITIES,
            CONFIG_ANYWHERE,
            BLACKHOLE_CONFIG_ANYWHERE,
            BLACKHOLE_THREAD_ANYWHERE,
            COUNTERS,
            STACK_POINTER,
            CONFIG,
            BLACKHOLE_CONFIG,
            BLACKHOLE_THREAD,
            Self::LAST,
        ],
    };

    const OWN: &'static [Quantity] = &[
        Quantity::new("resolved Mod0", 4, Self::resolved, |parts, value| MOD0.set(parts.code, value))
            .named(&MOD0_NAMES),
        Quantity::new("SrcBFmt where Mod0 asks for it", 5, Self::asked_fmt, |parts, value| {
            if value == NOT_ASKED {
                return MOD0.set(parts.code, mod0::BF16);
            }
            if Self::asked_fmt(parts) == NOT_ASKED {
                MOD0.set(parts.code, mod0::SRCB);
                set_config(parts, config::ALU_ACC_CTRL_SFPU_Fp32_enabled, 0);
            }
            Self::put_fmt(parts, value);
        })
        .named(&ASKED_NAMES),
        Quantity::new("address in Dst", 10, |parts| Self::address(parts).sum() & 0x3ff, Self::put_wrapped_address),
        // The same for both modes and chips: what is added to `Imm10` most of the time.
        Quantity::new(
            "address in Dst by counter and base",
            10,
            |parts| dst_sum(parts, IMM10) & 0x3ff,
            |parts, value| put_wrapped_dst_sum(parts, IMM10, value),
        ),
        Quantity::new("resolved SrcBFmt", 4, Self::fmt, Self::put_fmt).named(&format::CODE_NAMES),
        Quantity::new(
            "datum of 32 bits",
            1,
            |parts| u32::from(Path::of_parts::<F>(parts).is_wide::<F>()),
            |parts, value| MOD0.set(parts.code, if value == 0 { mod0::BF16 } else { mod0::FP32 }),
        ),
        Quantity::new(
            "number of lanes enabled",
            6,
            |parts| enabled(parts).count_ones(),
            |parts, value| {
                let before = enabled(parts);
                if let Some(after) = with_ones(before, u32::MAX, value) {
                    enable(parts, after & !before);
                    disable(parts, before & !after);
                }
            },
        ),
    ];

    /// They say as well what single fields hold, and so they come last.
    const LAST: &'static [Quantity] = &[
        Quantity::new(
            if F::LOADS {
                "number of lanes that BLOCK_SFPU_RD_FROM_DEST blocks, of 8"
            } else {
                "number of lanes that BLOCK_DEST_WR_FROM_SFPU blocks, of 8"
            },
            4,
            |parts| pattern(parts, Self::BLOCK).count_ones(),
            |parts, value| {
                if let Some(blocked) = with_ones(pattern(parts, Self::BLOCK), 0xff, value) {
                    set_pattern(parts, Self::BLOCK, blocked);
                }
            },
        ),
        Quantity::new("address in Dst before it wraps", 17, |parts| Self::address(parts).sum(), Self::put_address),
        Quantity::new(
            "address in Dst by counter and base, before it wraps",
            17,
            |parts| dst_sum(parts, IMM10),
            |parts, value| put_dst_sum(parts, IMM10, value),
        ),
    ];

    const BLOCK: u32 = if F::LOADS { bit::BLOCK_SFPU_RD_FROM_DEST } else { bit::BLOCK_DEST_WR_FROM_SFPU };

    fn resolved(parts: &Parts<'_>) -> u32 {
        Path::of_parts::<F>(parts).resolved()
    }

    /// Whether the format comes from the thread's `SFPU_DEST_FMT`, and if not, the register of `Config` that it comes from.
    fn fmt_register(parts: &Parts<'_>) -> Option<config::ConfigField> {
        if F::CHIP == Chip::Blackhole && get_thread_config(parts, blackhole::SFPU_DEST_FMT_Enable) != 0 {
            None
        } else if get_config(parts, config::ALU_FORMAT_SPEC_REG_SrcB_override) != 0 {
            Some(config::ALU_FORMAT_SPEC_REG_SrcB_val)
        } else {
            Some(config::ALU_FORMAT_SPEC_REG1_SrcB)
        }
    }

    fn fmt(parts: &Parts<'_>) -> u32 {
        match Self::fmt_register(parts) {
            Some(register) => get_config(parts, register),
            None => get_thread_config(parts, blackhole::SFPU_DEST_FMT_Base),
        }
    }

    fn put_fmt(parts: &mut Parts<'_>, value: u32) {
        match Self::fmt_register(parts) {
            Some(register) => set_config(parts, register, value),
            None => set_thread_config(parts, blackhole::SFPU_DEST_FMT_Base, value),
        }
    }

    /// The format if `Mod0` is `SRCB` and `SFPU_Fp32_enabled` does not decide.
    fn asked_fmt(parts: &Parts<'_>) -> u32 {
        let asks = MOD0.get(parts.code) == mod0::SRCB && get_config(parts, config::ALU_ACC_CTRL_SFPU_Fp32_enabled) == 0;
        if asks { Self::fmt(parts) } else { NOT_ASKED }
    }

    /// What the address is made of.
    fn address(parts: &Parts<'_>) -> Address {
        let takes_stack = MOD0.get(parts.code) == mod0::INT32_ALL;
        let counter = rwc(parts).dst;
        let base = get_config(parts, config::DEST_REGW_BASE_Base);
        let (mut sp, mut sp_base) = (0, 0);
        if F::CHIP == Chip::Blackhole {
            let small = peek(parts);
            sp = small.sp[thread_of(small)];
            sp_base = get_config(parts, blackhole::DEST_SP_BASE_Base);
            if F::LOADS && sp != 0 && takes_stack {
                sp = sp.wrapping_sub(get_thread_config(parts, blackhole::SFPU_STACK_Incr)) & 0x3ff;
            }
        }
        let fields = [IMM10.get(parts.code), get_thread_config(parts, config::DEST_TARGET_REG_CFG_MATH_Offset)];
        if takes_stack {
            Address { takes_stack, fields, counter: 0, base: sp_base, rest: sp + ((counter + base) & 3) }
        } else {
            Address { takes_stack, fields, counter, base, rest: (sp + sp_base) & 3 }
        }
    }

    fn put_wrapped_address(parts: &mut Parts<'_>, value: u32) {
        let Address { takes_stack, fields: [imm10, offset], counter, base, rest } = Self::address(parts);
        let (imm10, offset) = if takes_stack {
            // The stack's base stays: it is not on both chips.
            let [imm10, offset] = shifted([imm10, offset], value.wrapping_sub(base + rest), 10);
            (imm10, offset)
        } else {
            let [imm10, counter, offset, base] = shifted([imm10, counter, offset, base], value.wrapping_sub(rest), 10);
            rwc_mut(parts).dst = counter;
            set_config(parts, config::DEST_REGW_BASE_Base, base);
            (imm10, offset)
        };
        IMM10.set(parts.code, imm10);
        set_thread_config(parts, config::DEST_TARGET_REG_CFG_MATH_Offset, offset);
    }

    fn put_address(parts: &mut Parts<'_>, value: u32) {
        let Address { takes_stack, fields: [imm10, offset], counter, base, rest } = Self::address(parts);
        let base_field = if takes_stack { blackhole::DEST_SP_BASE_Base } else { config::DEST_REGW_BASE_Base };
        let most_of_counter = if takes_stack { 0 } else { 0x3ff };
        let most_of_base = if takes_stack && F::CHIP == Chip::Wormhole { 0 } else { 0xffff };
        let terms = [(imm10, 0x3ff), (counter, most_of_counter), (offset, 0xfff), (base, most_of_base)];
        let Some([imm10, counter, offset, base]) = value.checked_sub(rest).and_then(|sum| spread(terms, sum)) else {
            return;
        };
        IMM10.set(parts.code, imm10);
        if most_of_counter != 0 {
            rwc_mut(parts).dst = counter;
        }
        if most_of_base != 0 {
            set_config(parts, base_field, base);
        }
        set_thread_config(parts, config::DEST_TARGET_REG_CFG_MATH_Offset, offset);
    }
}

/// An address in `Dst`: what it is the sum of.
struct Address {
    /// Whether the mode is the one that takes the stack's terms in full, and two bits of the rows' sum, not the reverse.
    takes_stack: bool,
    /// `Imm10` and `MATH_Offset`.
    fields: [u32; 2],
    /// The counter of rows, if it counts in full.
    counter: u32,
    /// `DEST_REGW_BASE` or `DEST_SP_BASE`, the one that counts in full.
    base: u32,
    /// What counts in part, and the stack's counter, which a load may pop.
    rest: u32,
}

impl Address {
    /// The sum before it wraps.
    fn sum(&self) -> u32 {
        self.fields[0] + self.fields[1] + self.counter + self.base + self.rest
    }
}

/// The lanes that are enabled, bit = lane.
fn enabled(parts: &Parts<'_>) -> u32 {
    let small = peek(parts);
    !ROW_MASKS.get(parts) & (!small.use_lane_flags_for_lane_enable | small.lane_flags)
}

/// Enables lanes: their flags are set if they are used, and their rows are not masked.
fn enable(parts: &mut Parts<'_>, lanes: u32) {
    let masked = ROW_MASKS.get(parts) & !lanes;
    ROW_MASKS.set(parts, masked);
    let small = small(parts);
    small.lane_flags |= small.use_lane_flags_for_lane_enable & lanes;
}

/// Disables lanes by their flags.
fn disable(parts: &mut Parts<'_>, lanes: u32) {
    let small = small(parts);
    small.use_lane_flags_for_lane_enable |= lanes;
    small.lane_flags &= !lanes;
}
