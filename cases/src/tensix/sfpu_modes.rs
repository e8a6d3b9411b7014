//! The data-path axes of `SFPLOAD` and `SFPSTORE`: conversions, registers and columns.
//!
//! The functions here name, impose and read modes for the harness: labels of paths, and what data are interesting. An axis that a case does not look at has
//! its first level there, and the fields behind it are drawn.

use std::marker::PhantomData;

use tandem_isa::tensix::config::{self, blackhole};
use tandem_isa::tensix::inst::sfpload::{IMM10, MOD0, VD, mod0};
use tandem_isa::tensix::{Chip, format};
use tandem_isa::{Axis, Levels, Parts};

use super::addr_mod_axes::AddrModField;
use super::lens::{Backwards, Lens, Partition, split};
use super::parts::{axis, get_config, get_thread_config, peek, rwc, set_config, set_thread_config, thread_of};
use super::sfpu_data::choose_data;
use super::sfpu_lanes::{any, bit, extent, pattern, set_pattern, some};

/// One of the two instructions on one of the chips.
pub(super) trait SfpuForm: AddrModField {
    /// Whether it is `SFPLOAD`.
    const LOADS: bool;
    /// The first and the last register of each level of `VD`.
    const REGISTERS: &'static [(u32, u32)];
}

/// The levels of where the format of `MOD0_FMT_SRCB` comes from.
pub(super) mod source {
    pub(in crate::tensix) const FP32_ENABLED: usize = 2;
    pub(in crate::tensix) const DEST_FMT: usize = 3;
}

/// What a case's modes select, for labels.
pub(super) struct Path {
    pub(super) mod0: u32,
    pub(super) vd: u32,
    /// Where no lane has `DISABLE_BACKDOOR_LOAD` clear.
    no_backdoor: bool,
    pub(super) source: usize,
    fmt: u32,
}

impl Path {
    pub(super) fn of_levels<F: SfpuForm>(levels: &Levels) -> Self {
        let level = |axis: usize| usize::from(levels[axis]);
        Path {
            mod0: level(0) as u32,
            vd: F::REGISTERS[level(1)].0,
            no_backdoor: level(2) == 0,
            source: level(3),
            fmt: level(4) as u32,
        }
    }

    pub(super) fn of_parts<F: SfpuForm>(parts: &Parts<'_>) -> Self {
        let source = if get_config(parts, config::ALU_ACC_CTRL_SFPU_Fp32_enabled) != 0 {
            source::FP32_ENABLED
        } else if F::CHIP == Chip::Blackhole && get_thread_config(parts, blackhole::SFPU_DEST_FMT_Enable) != 0 {
            source::DEST_FMT
        } else {
            get_config(parts, config::ALU_FORMAT_SPEC_REG_SrcB_override) as usize
        };
        let fmt = match source {
            source::FP32_ENABLED => 0,
            source::DEST_FMT => get_thread_config(parts, blackhole::SFPU_DEST_FMT_Base),
            1 => get_config(parts, config::ALU_FORMAT_SPEC_REG_SrcB_val),
            _ => get_config(parts, config::ALU_FORMAT_SPEC_REG1_SrcB),
        };
        Path {
            mod0: MOD0.get(parts.code),
            vd: VD.get(parts.code),
            no_backdoor: pattern(parts, bit::DISABLE_BACKDOOR_LOAD) == 0xff,
            source,
            fmt,
        }
    }

    /// Whether the instruction bits go to a template in some lane, which stores nothing then.
    pub(super) fn has_backdoor(&self) -> bool {
        self.vd >= 12 && !self.no_backdoor
    }

    /// Whether there are data to move, in all lanes that take part.
    pub(super) fn moves<F: SfpuForm>(&self) -> bool {
        if F::LOADS { self.vd < 8 } else { !self.has_backdoor() }
    }

    /// Whether the cell says where the format comes from.
    fn tells_source(&self) -> bool {
        self.mod0 == mod0::SRCB && self.vd < 8
    }

    fn tells_fmt(&self) -> bool {
        self.tells_source() && self.source != source::FP32_ENABLED
    }

    /// The mode that `MOD0_FMT_SRCB` stands for; of a cell that does not tell it, itself.
    pub(super) fn resolved(&self) -> u32 {
        use format::{BF16, BFP2, BFP4, BFP8, FP32, INT16, INT32, TF32};
        match self.mod0 {
            mod0::SRCB if self.source == source::FP32_ENABLED => mod0::FP32,
            mod0::SRCB => match self.fmt {
                FP32 | TF32 | BF16 | BFP8 | BFP4 | BFP2 | INT32 | INT16 => mod0::BF16,
                _ => mod0::FP16,
            },
            mode => mode,
        }
    }

    fn tells_infinity<F: SfpuForm>(&self) -> bool {
        F::LOADS && self.moves::<F>() && self.resolved() == mod0::FP16
    }

    fn tells_capture<F: SfpuForm>(&self) -> bool {
        F::LOADS && self.vd < 4
    }

    /// Whether a datum is 32 bits of `Dst`.
    pub(super) fn is_wide<F: SfpuForm>(&self) -> bool {
        match self.resolved() {
            mod0::FP32 | mod0::INT32 | mod0::INT32_ALL | mod0::INT32_SM => true,
            mod0::LO16 | mod0::HI16 => !F::LOADS,
            _ => false,
        }
    }

    /// Whether levels that a case does not look at are the first ones.
    pub(super) fn is_cell<F: SfpuForm>(levels: &Levels) -> bool {
        let path = Self::of_levels::<F>(levels);
        let [_, _, backdoor, source, fmt] = *levels.first_chunk().expect("there are more axes");
        let rest = if F::LOADS {
            (levels[5] == 0 || path.tells_infinity::<F>()) && (levels[6] == 0 || path.tells_capture::<F>())
        } else {
            true
        };
        let columns = if F::LOADS { levels[7] } else { levels[5] };
        rest && (backdoor == 0 || path.vd >= 12)
            && (source == 0 || path.tells_source())
            && (fmt == 0 || path.tells_fmt())
            && (columns == 0 || path.moves::<F>())
    }

    /// The class of a cell: a place in [`CELL_CLASSES`].
    pub(super) fn class<F: SfpuForm>(&self) -> usize {
        if self.has_backdoor() {
            17
        } else if !self.moves::<F>() {
            16
        } else if self.mod0 == mod0::SRCB && !self.tells_source() {
            0
        } else {
            self.resolved() as usize
        }
    }
}

pub(super) use tandem_isa::tensix::MOD0_NAMES;

/// The names of the modes, and of cells without one.
pub(super) const CELL_CLASSES: [&str; 18] = {
    let mut classes = [""; 18];
    let mut code = 0;
    while code < MOD0_NAMES.len() {
        classes[code] = MOD0_NAMES[code];
        code += 1;
    }
    classes[0] = "by SrcB's format";
    [classes[16], classes[17]] = ["a register that is not loaded", "backdoor load"];
    classes
};

/// All lanes, none, or some have a bit, where it is told; where not, they have it or not.
macro_rules! told {
    ($name:literal, $levels:expr, $lens:expr, $told:expr) => {
        axis!(
            $name,
            $levels,
            &[],
            |parts, level, noise| {
                let value = if $told(parts) { Partition::Extent.draw(level, 8, noise) } else { any(noise) };
                $lens.set(parts, value);
            },
            |parts| if $told(parts) { extent($lens.get(parts)) } else { 0 }
        )
    };
}

/// The axes of `F`.
pub(super) struct Modes<F>(PhantomData<F>);

impl<F: SfpuForm> Modes<F> {
    pub(super) const MOD0: Axis = split!("Mod0", &MOD0_NAMES, &[], Lens::Code(MOD0), Partition::Each);

    pub(super) const VD: Axis = split!(
        "VD",
        if F::LOADS { &["0-3", "4-7", "8-11", "12-15"] } else { &["0-7", "8-10", "11", "12-14", "15"] },
        &[],
        Lens::Code(VD),
        Partition::Ranges(F::REGISTERS)
    );

    pub(super) const BACKDOOR: Axis = told!(
        "backdoor_load",
        &["disabled", "enabled", "enabled in some lanes"],
        Backwards(Lens::LaneConfig(bit::DISABLE_BACKDOOR_LOAD, 1)),
        |parts: &Parts<'_>| VD.get(parts.code) >= 12
    );

    pub(super) const SOURCE: Axis = axis!(
        "SrcBFmt_from",
        match F::CHIP {
            Chip::Wormhole => &["REG1_SrcB", "SrcB_val", "SFPU_Fp32_enabled"],
            Chip::Blackhole => &["REG1_SrcB", "SrcB_val", "SFPU_Fp32_enabled", "SFPU_DEST_FMT"],
        },
        &[],
        |parts, level, noise| {
            let told = Path::of_parts::<F>(parts).tells_source();
            let level = if told { level } else { noise.below(if F::CHIP == Chip::Blackhole { 4 } else { 3 }) };
            let (first, second) = (noise.bits(1), noise.bits(1));
            set_config(parts, config::ALU_ACC_CTRL_SFPU_Fp32_enabled, u32::from(level == source::FP32_ENABLED));
            set_config(parts, config::ALU_FORMAT_SPEC_REG_SrcB_override, [0, 1, first, first][level]);
            if F::CHIP == Chip::Blackhole {
                set_thread_config(parts, blackhole::SFPU_DEST_FMT_Enable, [0, 0, second, 1][level]);
            }
        },
        |parts| {
            let path = Path::of_parts::<F>(parts);
            if path.tells_source() { path.source } else { 0 }
        }
    );

    pub(super) const FMT: Axis = axis!(
        "SrcBFmt",
        &format::CODE_NAMES,
        &[],
        |parts, level, noise| {
            let path = Path::of_parts::<F>(parts);
            let code = if path.tells_fmt() { level as u32 } else { noise.bits(4) };
            // The registers that are not selected hold other codes, or now and then the same one.
            let mut other = || if noise.below(4) == 0 { code } else { noise.bits(4) };
            let (val, reg, base) = (other(), other(), other());
            set_config(parts, config::ALU_FORMAT_SPEC_REG_SrcB_val, if path.source == 1 { code } else { val });
            set_config(parts, config::ALU_FORMAT_SPEC_REG1_SrcB, if path.source == 0 { code } else { reg });
            if F::CHIP == Chip::Blackhole {
                let base = if path.source == source::DEST_FMT { code } else { base };
                set_thread_config(parts, blackhole::SFPU_DEST_FMT_Base, base);
            }
        },
        |parts| {
            let path = Path::of_parts::<F>(parts);
            if path.tells_fmt() { path.fmt as usize } else { 0 }
        }
    );

    pub(super) const INFINITY: Axis = told!(
        "ENABLE_FP16A_INF",
        &["0", "1", "in some lanes"],
        Lens::LaneConfig(bit::ENABLE_FP16A_INF, 1),
        |parts: &Parts<'_>| Path::of_parts::<F>(parts).tells_infinity::<F>()
    );

    pub(super) const CAPTURE: Axis = axis!(
        "index_capture",
        &["none", "all lanes", "some lanes"],
        &[],
        |parts, level, noise| {
            let told = Path::of_parts::<F>(parts).tells_capture::<F>();
            let both = if told { [0, 0xff, some(noise)][level] } else { any(noise) };
            // Where not both are set, one of them, the other, or none.
            let (one, other) = (noise.bits(8), noise.bits(8));
            set_pattern(parts, bit::ENABLE_DEST_INDEX, both | one);
            set_pattern(parts, bit::CAPTURE_DEFAULT_DEST_INDEX, both | (other & !one));
        },
        |parts| {
            let both = pattern(parts, bit::ENABLE_DEST_INDEX) & pattern(parts, bit::CAPTURE_DEFAULT_DEST_INDEX);
            if Path::of_parts::<F>(parts).tells_capture::<F>() { extent(both) } else { 0 }
        }
    );

    const EXCHANGE: u32 = if F::LOADS { bit::DEST_RD_COL_EXCHANGE } else { bit::DEST_WR_COL_EXCHANGE };

    /// Which columns; set last, because it may change a bit of `Imm10`, and then data are chosen.
    pub(super) const COLUMNS: Axis = axis!(
        "columns",
        &["even", "odd by address", "odd by exchange", "exchanged in some lanes"],
        &[],
        |parts, level, noise| {
            let told = Path::of_parts::<F>(parts).moves::<F>();
            let level = if told { level } else { noise.below(4) };
            let (some, any) = (some(noise), any(noise));
            set_pattern(parts, Self::EXCHANGE, [0, any, 0xff, some][level]);
            if address_says_odd::<F>(parts) != (level == 1) {
                let imm10 = IMM10.get(parts.code);
                IMM10.set(parts.code, imm10 ^ 2);
            }
            choose_data::<F>(parts, noise);
        },
        |parts| {
            if !Path::of_parts::<F>(parts).moves::<F>() {
                0
            } else if address_says_odd::<F>(parts) {
                1
            } else {
                [0, 2, 3][extent(pattern(parts, Self::EXCHANGE))]
            }
        }
    );
}

/// Whether bit 1 of the address is set, which makes columns odd: for the label of the case alone.
fn address_says_odd<F: SfpuForm>(parts: &Parts<'_>) -> bool {
    let small = peek(parts);
    let config = |field| get_config(parts, field);
    let thread_config = |field| get_thread_config(parts, field);
    let mut terms = IMM10.get(parts.code)
        + thread_config(config::DEST_TARGET_REG_CFG_MATH_Offset)
        + rwc(parts).dst
        + config(config::DEST_REGW_BASE_Base);
    if F::CHIP == Chip::Blackhole {
        let mut sp = small.sp[thread_of(small)];
        if F::LOADS && sp != 0 && MOD0.get(parts.code) == mod0::INT32_ALL {
            sp = sp.wrapping_sub(thread_config(blackhole::SFPU_STACK_Incr));
        }
        terms = terms.wrapping_add(sp).wrapping_add(config(blackhole::DEST_SP_BASE_Base));
    }
    terms & 2 != 0
}
