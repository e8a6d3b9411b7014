//! Axes as data: a lens says where a number of a case lies, and a partition which of its values are one level.

#[cfg(test)]
mod tests;

use std::mem::{offset_of, size_of};

use tandem_isa::tensix::config::{self, ConfigField, ThreadConfigField, blackhole};
use tandem_isa::tensix::{Chip, Rwc, Small, bank};
use tandem_isa::{CodeField, Noise, Parts};

use super::parts::{get_config, get_thread_config, peek, rwc, set_config, set_thread_config, small, thread_of};

/// Where a number of a case lies.
#[derive(Clone, Copy)]
pub(super) enum Lens {
    /// A field of the code word.
    Code(CodeField),
    /// Some bits of the code word, side by side.
    CodeBits(u32),
    /// A field of the bank of `Config` in force.
    Config(ConfigField),
    /// A field of the current thread's `ThreadConfig`.
    Thread(ThreadConfigField),
    /// Fields of the section of AddrMod in force, side by side, the lowest first.
    Section(AddrMod, &'static [ThreadConfigField]),
    /// A format, of four bits, from wherever an instruction takes it.
    Format(FormatSource),
    /// The low bits of a word of the small state.
    Word(Word),
    /// A bit, and perhaps the bits above it, of the eight configurations of lanes: for each a pattern of eight, side by side.
    LaneConfig(u32, u32),
    /// Two bits of them, from this one on: a pattern of sixteen, in the order of lanes.
    LanePairs(u32),
}

/// A word of the small state.
#[derive(Clone, Copy)]
pub(super) struct Word {
    /// Where it is, in words.
    first: usize,
    /// How far it is to that of the next thread, in words; 0 if threads have no word each.
    stride: usize,
    width: u32,
}

impl Lens {
    /// A word by its offset, in bytes.
    pub(super) const fn word(offset: usize, width: u32) -> Self {
        Lens::Word(Word { first: offset / 4, stride: 0, width })
    }

    /// A counter of the current thread, by the offset of the member, in bytes.
    pub(super) const fn rwc(member: usize, width: u32) -> Self {
        let first = (offset_of!(Small, rwcs) + member) / 4;
        Lens::Word(Word { first, stride: size_of::<Rwc>() / 4, width })
    }

    /// The current thread's stack pointer.
    pub(super) const SP: Lens = Lens::Word(Word { first: offset_of!(Small, sp) / 4, stride: 1, width: 10 });

    /// Its width, in bits.
    pub(super) const fn width(self) -> u32 {
        match self {
            Lens::Code(field) => field.width,
            Lens::CodeBits(bits) => bits.count_ones(),
            Lens::Config(field) => field.width,
            Lens::Thread(field) => field.width,
            Lens::Section(_, fields) => {
                let (mut width, mut place) = (0, 0);
                while place < fields.len() {
                    width += fields[place].width;
                    place += 1;
                }
                width
            }
            Lens::Format(_) => 4,
            Lens::Word(word) => word.width,
            Lens::LaneConfig(_, bits) => 8 * bits,
            Lens::LanePairs(_) => 16,
        }
    }

    #[inline(always)]
    pub(super) fn get(self, parts: &Parts<'_>) -> u32 {
        match self {
            Lens::Code(field) => field.get(parts.code),
            Lens::CodeBits(mask) => {
                bits_of(mask).fold(0, |value, (place, bit)| value | ((parts.code[0] >> bit) & 1) << place)
            }
            Lens::Config(field) => get_config(parts, field),
            Lens::Thread(field) => get_thread_config(parts, field),
            Lens::Section(addr_mod, fields) => {
                let section = addr_mod.section(parts);
                fields.iter().rev().fold(0, |value, &field| {
                    value << field.width | get_thread_config(parts, addr_mod.member(field, section))
                })
            }
            Lens::Format(source) => source.get(parts),
            Lens::Word(word) => {
                let words: &[u32] = bytemuck::cast_slice(parts.small);
                words[word.first + word.stride * thread_of(peek(parts))] & ones(word.width)
            }
            Lens::LaneConfig(first, bits) => (0..8 * bits).fold(0, |value, place| {
                value | ((peek(parts).lane_config[place as usize % 8] >> (first + place / 8)) & 1) << place
            }),
            Lens::LanePairs(first) => {
                let words = peek(parts).lane_config.iter().enumerate();
                words.fold(0, |value, (lane, word)| value | ((word >> first) & 3) << (2 * lane))
            }
        }
    }

    #[inline(always)]
    pub(super) fn set(self, parts: &mut Parts<'_>, value: u32) {
        match self {
            Lens::Code(field) => field.set(parts.code, value),
            Lens::CodeBits(mask) => {
                parts.code[0] &= !mask;
                parts.code[0] |= bits_of(mask).fold(0, |word, (place, bit)| word | ((value >> place) & 1) << bit);
            }
            Lens::Config(field) => set_config(parts, field, value),
            Lens::Thread(field) => set_thread_config(parts, field, value),
            Lens::Section(addr_mod, fields) => {
                let section = addr_mod.section(parts);
                fields.iter().fold(value, |value, &field| {
                    set_thread_config(parts, addr_mod.member(field, section), value & ones(field.width));
                    value >> field.width
                });
            }
            Lens::Format(source) => source.set(parts, value),
            Lens::Word(Word { first, stride, width }) => {
                let thread = thread_of(peek(parts));
                let words: &mut [u32] = bytemuck::cast_slice_mut(parts.small);
                let word = &mut words[first + stride * thread];
                *word = (*word & !ones(width)) | value & ones(width);
            }
            Lens::LaneConfig(first, bits) => {
                for (lane, word) in small(parts).lane_config.iter_mut().enumerate() {
                    let mask = ones(bits) << first;
                    let spread =
                        (0..bits).fold(0, |all, bit| all | ((value >> (8 * bit) >> lane) & 1) << (first + bit));
                    *word = (*word & !mask) | spread;
                }
            }
            Lens::LanePairs(first) => {
                for (lane, word) in small(parts).lane_config.iter_mut().enumerate() {
                    *word = (*word & !(3 << first)) | ((value >> (2 * lane)) & 3) << first;
                }
            }
        }
    }
}

/// Where an instruction of the Matrix Unit takes a format from: the configuration, which has two registers, or on Blackhole
/// the bank that is in use, unless that is disabled.
#[derive(Clone, Copy)]
pub(super) struct FormatSource {
    /// Which of the two registers is in force, and both.
    configured: [ConfigField; 3],
    /// On Blackhole: what disables the implied format.
    disabled: Option<ThreadConfigField>,
    /// Whether the bank is one of `SrcB`.
    of_srcb: bool,
}

impl FormatSource {
    /// `SrcAFmt` of an instruction that takes the implied format of a bank of `which`.
    pub(super) const fn srca(chip: Chip, which: usize) -> Self {
        FormatSource {
            configured: [
                config::ALU_FORMAT_SPEC_REG_SrcA_override,
                config::ALU_FORMAT_SPEC_REG0_SrcA,
                config::ALU_FORMAT_SPEC_REG_SrcA_val,
            ],
            disabled: chip.pick(None, Some(blackhole::DISABLE_IMPLIED_SRCA_FMT_Base)),
            of_srcb: which == bank::SRCB,
        }
    }

    /// `SrcBFmt`.
    pub(super) const fn srcb(chip: Chip) -> Self {
        FormatSource {
            configured: [
                config::ALU_FORMAT_SPEC_REG_SrcB_override,
                config::ALU_FORMAT_SPEC_REG1_SrcB,
                config::ALU_FORMAT_SPEC_REG_SrcB_val,
            ],
            disabled: chip.pick(None, Some(blackhole::DISABLE_IMPLIED_SRCB_FMT_Base)),
            of_srcb: true,
        }
    }

    fn is_implied(self, parts: &Parts<'_>) -> bool {
        self.disabled.is_some_and(|field| get_thread_config(parts, field) == 0)
    }

    /// The register of the configuration that is in force.
    fn register(self, parts: &Parts<'_>) -> ConfigField {
        let [by, first, second] = self.configured;
        if get_config(parts, by) == 0 { first } else { second }
    }

    /// The format.
    pub(super) fn get(self, parts: &Parts<'_>) -> u32 {
        let small = peek(parts);
        match (self.is_implied(parts), self.of_srcb) {
            (true, true) => small.implied_srcb_fmt[small.matrix_unit_srcb_bank as usize & 1],
            (true, false) => small.implied_srca_fmt[small.matrix_unit_srca_bank as usize & 1],
            (false, _) => get_config(parts, self.register(parts)),
        }
    }

    /// Puts the format where it is taken from.
    pub(super) fn set(self, parts: &mut Parts<'_>, value: u32) {
        if self.is_implied(parts) {
            let small = small(parts);
            if self.of_srcb {
                small.implied_srcb_fmt[small.matrix_unit_srcb_bank as usize & 1] = value & 0xf;
            } else {
                small.implied_srca_fmt[small.matrix_unit_srca_bank as usize & 1] = value & 0xf;
            }
        } else {
            let register = self.register(parts);
            set_config(parts, register, value);
        }
    }
}

/// A number with all bits inverted, so that a mask begins with all bits set.
#[derive(Clone, Copy)]
pub(super) struct Backwards(pub Lens);

impl Backwards {
    pub(super) const fn width(self) -> u32 {
        self.0.width()
    }

    #[inline(always)]
    pub(super) fn get(self, parts: &Parts<'_>) -> u32 {
        self.0.get(parts) ^ ones(self.width())
    }

    #[inline(always)]
    pub(super) fn set(self, parts: &mut Parts<'_>, value: u32) {
        self.0.set(parts, value ^ ones(self.width()));
    }
}

const fn ones(width: u32) -> u32 {
    u32::MAX >> (32 - width)
}

/// The bits of a mask with their places among them.
#[inline(always)]
fn bits_of(mask: u32) -> impl Iterator<Item = (usize, u32)> {
    (0..32).filter(move |bit| mask >> bit & 1 != 0).enumerate()
}

/// Where an instruction has its AddrMod.
#[derive(Clone, Copy)]
pub(super) struct AddrMod {
    /// The field of the code word.
    pub field: CodeField,
    /// The chip, which decides where the sections lie.
    pub chip: Chip,
}

impl AddrMod {
    /// The section that the case's AddrMod bits select.
    #[inline(always)]
    pub(super) fn section(self, parts: &Parts<'_>) -> usize {
        let is_extra = self.chip == Chip::Wormhole
            && (rwc(parts).extra_addr_mod_bit != 0 || get_thread_config(parts, config::ADDR_MOD_SET_Base) != 0);
        self.field.get(parts.code) as usize + if is_extra { 4 } else { 0 }
    }

    /// A member of a section, of whichever array has it.
    #[inline(always)]
    pub(super) fn member(self, field: ThreadConfigField, section: usize) -> ThreadConfigField {
        let (arrays, own) = (self.chip.addr_mod_sections(), config::ADDR_MOD);
        let array = if field.addr == own.ab.first {
            arrays.ab
        } else if field.addr == own.dst.first {
            arrays.dst
        } else {
            arrays.bias
        };
        field.of_section(array, section)
    }
}

/// Which values of a number are one level.
#[derive(Clone, Copy)]
pub(super) enum Partition {
    /// Each value is a level.
    Each,
    /// For each level, its first and last value; together they are all values.
    Ranges(&'static [(u32, u32)]),
    /// For each level, its values; what is in none is of the last level, and stands there as well.
    Sets(&'static [&'static [u32]]),
    /// Each of these, and any other.
    Points(&'static [u32]),
    /// The levels [`ROWS`], and each of these.
    Rows(&'static [u32]),
    /// The levels [`MASKS`], before the last of them these sets.
    Mask(&'static [&'static [u32]]),
    /// No bit, all bits, some.
    Extent,
    /// No bit, or some: [`NONE_OR_SOME`].
    Some,
}

/// The levels of [`Partition::Rows`]: a row number at the ends, aligned, misaligned, or anything.
pub(super) const ROWS: &[&str] = &["0", "last", "aligned", "misaligned", "small", "any"];
/// The levels of [`Partition::Mask`].
pub(super) const MASKS: &[&str] = &["none", "all", "one", "all but one", "any"];
/// The levels of [`Partition::Some`].
pub(super) const NONE_OR_SOME: &[&str] = &["zero", "non-zero"];
/// The levels of one bit.
pub(super) const OFF_ON: &[&str] = &["0", "1"];

impl Partition {
    /// The level of a value of a number of `width` bits.
    #[inline(always)]
    pub(super) fn level(self, value: u32, width: u32) -> usize {
        let place = |sets: &[&[u32]]| sets.iter().position(|set| set.contains(&value));
        match self {
            Partition::Each => value as usize,
            Partition::Ranges(ranges) => {
                ranges.iter().position(|&(first, last)| (first..=last).contains(&value)).expect("ranges are all values")
            }
            Partition::Sets(sets) => place(sets).unwrap_or(sets.len() - 1),
            Partition::Points(points) => points.iter().position(|&one| one == value).unwrap_or(points.len()),
            Partition::Rows(points) => match points.iter().position(|&one| one == value) {
                Some(point) => ROWS.len() + point,
                None if value == 0 => 0,
                None if value == ones(width) => 1,
                None if value.is_multiple_of(8) => 2,
                None if value < 8 => 4,
                None => 3,
            },
            Partition::Mask(sets) => match (place(sets), value.count_ones()) {
                (Some(set), _) => 4 + set,
                (_, 0) => 0,
                (_, ones) if ones == width => 1,
                (_, 1) => 2,
                (_, ones) if ones == width - 1 => 3,
                _ => 4 + sets.len(),
            },
            Partition::Extent => [2, usize::from(value != 0)][usize::from(value == 0 || value == ones(width))],
            Partition::Some => usize::from(value != 0),
        }
    }

    /// A value of a level.
    #[inline(always)]
    pub(super) fn draw(self, level: usize, width: u32, noise: &mut Noise) -> u32 {
        let last = ones(width);
        match self {
            Partition::Each => level as u32,
            Partition::Ranges(ranges) => {
                let (first, last) = ranges[level];
                first + noise.below((last - first + 1) as usize) as u32
            }
            Partition::Sets(sets) => sets[level][noise.below(sets[level].len())],
            Partition::Points(points) => points.get(level).copied().unwrap_or_else(|| noise.bits(width)),
            Partition::Rows(points) => {
                // Drawn without branches: a run of the harness draws millions of them.
                let point = if level < ROWS.len() { 0 } else { points[level - ROWS.len()] };
                let keep = [0, 0, last & !7, last, 7, last, 0][level.min(ROWS.len())];
                let set = [0, last, 0, 1 << noise.below(3), 1, 0, point][level.min(ROWS.len())];
                (noise.bits(width) & keep) | set
            }
            Partition::Mask(sets) => {
                let (one, any) = (1 << noise.below(width as usize), noise.bits(width));
                match level {
                    0..4 => [0, last, one, last ^ one][level],
                    level if level - 4 < sets.len() => sets[level - 4][noise.below(sets[level - 4].len())],
                    _ => any,
                }
            }
            Partition::Extent => [0, last, 1 + noise.below(last as usize - 1) as u32][level],
            Partition::Some => {
                let (one, any) = (1 << noise.below(width as usize), noise.bits(width));
                [0, one | any][level]
            }
        }
    }
}

/// An axis of a lens and a partition, which are constants.
macro_rules! split {
    ($name:expr, $levels:expr, $weights:expr, $lens:expr, $by:expr) => {
        tandem_isa::Axis {
            name: $name,
            levels: $levels,
            weights: $weights,
            set: |parts, level, noise| {
                let value = $by.draw(level, $lens.width(), noise);
                $lens.set(parts, value);
            },
            get: |parts| $by.level($lens.get(parts), $lens.width()),
        }
    };
}
pub(super) use split;

/// An axis of one bit.
macro_rules! flag {
    ($name:expr, $lens:expr) => {
        super::lens::split!($name, super::lens::OFF_ON, &[], $lens, super::lens::Partition::Each)
    };
}
pub(super) use flag;

/// An axis of row numbers.
macro_rules! rows {
    ($name:expr, $weights:expr, $lens:expr) => {
        super::lens::split!($name, super::lens::ROWS, $weights, $lens, super::lens::Partition::Rows(&[]))
    };
}
pub(super) use rows;

/// A quantity that a lens sees.
macro_rules! number {
    ($name:expr, $lens:expr) => {
        tandem_isa::Quantity::new(
            $name,
            $lens.width(),
            |parts| $lens.get(parts),
            |parts, value| $lens.set(parts, value),
        )
    };
}
pub(super) use number;
