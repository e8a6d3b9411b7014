//! The data of `SFPLOAD` and `SFPSTORE`: which values are interesting, and how to read words.

use tandem_isa::tensix::config::blackhole;
use tandem_isa::tensix::inst::sfpload::mod0;
use tandem_isa::tensix::{Chip, bank, format};
use tandem_isa::{ContestedDatum, Format, Noise, Parts};

use super::parts::{get_thread_config, no_int8};
use super::sfpu_modes::{Path, SfpuForm, source};
use super::value_class;

/// Mostly data of the mode's own kind, and now and then of another.
pub(super) fn choose_data<F: SfpuForm>(parts: &mut Parts<'_>, noise: &mut Noise) {
    use value_class::{
        DST, DST_BF16, DST_FP16, DST_INT8, DST_INT16, LREG_ANY, LREG_FP32, LREG_SIGN_MAGNITUDE, LREG_TWOS_COMPLEMENT,
    };
    let path = Path::of_parts::<F>(parts);
    let (dst, lreg) = match path.resolved() {
        mod0::FP16 => (DST_FP16, LREG_FP32),
        mod0::BF16 | mod0::FP32 => (DST_BF16, LREG_FP32),
        mod0::INT32 | mod0::INT32_ALL => (DST_BF16, LREG_SIGN_MAGNITUDE),
        mod0::INT32_SM => (DST_BF16, LREG_TWOS_COMPLEMENT),
        mod0::INT8 => (DST_INT8, LREG_SIGN_MAGNITUDE),
        mod0::INT8_COMP => (DST_INT8, LREG_TWOS_COMPLEMENT),
        mod0::INT16 => (DST_INT16, LREG_SIGN_MAGNITUDE),
        _ => (DST, LREG_ANY),
    };
    let is_own = noise.below(8) != 0;
    parts.salt.class[bank::DST] = if is_own { dst } else { DST };
    parts.salt.class[bank::LREG] = if F::LOADS || !is_own { LREG_ANY } else { lreg };
}

/// How to read words: 32-bit data lie in two words of `Dst`, which are bits.
pub(super) fn format_of<F: SfpuForm>(
    parts: &Parts<'_>,
    which: usize,
    place: Option<(usize, usize)>,
) -> Option<&'static Format> {
    let path = Path::of_parts::<F>(parts);
    let mode = path.resolved();
    let is_index = place.is_some_and(|(row, _)| F::LOADS && row != path.vd as usize);
    match which {
        bank::DST => Some(match mode {
            _ if path.is_wide::<F>() => &format::DST_BITS,
            mod0::FP16 => &format::DST_FP16,
            mod0::BF16 => &format::DST_BF16,
            mod0::INT8 | mod0::INT8_COMP => &format::DST_INT8,
            mod0::INT16 => &format::DST_INT16,
            _ => &format::DST_BITS,
        }),
        bank::LREG => Some(match mode {
            _ if is_index => &format::BITS32,
            mod0::FP16 | mod0::BF16 | mod0::FP32 => &format::FP32_DATUM,
            mod0::INT8 | mod0::INT16 => &format::SIGN_MAGNITUDE_DATUM,
            mod0::INT32_SM | mod0::INT8_COMP if F::CHIP == Chip::Wormhole => &format::TWOS_COMPLEMENT_DATUM,
            mod0::INT8_COMP => &format::SIGN_MAGNITUDE_DATUM,
            _ => &format::BITS32,
        }),
        _ => None,
    }
}

/// Registers whose contents no instruction can choose, and formats that may be implied instead.
pub(super) fn contested<F: SfpuForm>(parts: &Parts<'_>) -> Option<&'static str> {
    let path = Path::of_parts::<F>(parts);
    if !F::LOADS && path.vd == 15 {
        return Some(
            "page LReg (commit 39304719) calls LReg[15] a constant, twice the lane's number; here it is storage like the \
             others, and holds what the case says",
        );
    }
    let is_implied = F::CHIP == Chip::Blackhole
        && path.mod0 == mod0::SRCB
        && path.source < source::FP32_ENABLED
        && get_thread_config(parts, blackhole::DISABLE_IMPLIED_SRCB_FMT_Base) == 0;
    is_implied.then_some(
        "the Wormhole page of the same instruction remarks that how Blackhole's implied format of SrcB bears on \
         MOD0_FMT_SRCB is not fully known; Blackhole's own page does not speak of it",
    )
}

/// Words of `Dst` that are no integer "8", where a mode loads such.
pub(super) fn contested_row<F: SfpuForm>(
    parts: &Parts<'_>,
    which: usize,
    _: usize,
    words: &[u32],
) -> Option<ContestedDatum> {
    let path = Path::of_parts::<F>(parts);
    let is_int8 = matches!(path.resolved(), mod0::INT8 | mod0::INT8_COMP);
    let reads = F::LOADS && path.moves::<F>() && which == bank::DST && is_int8;
    reads.then(|| no_int8(words, |word| (word >> 5 & 0x3ff, word & 0x1f))).flatten()
}
