//! What the SSE unit is set to: rounding, denormals, traps.

/// The settings that the language takes for granted: to nearest, denormals kept, no traps.
static DEFAULT: u32 = 0x1f80;
/// The bits that say what has happened.
const HAPPENED: u32 = 0x3f;

/// Runs `work` under the default settings of the SSE unit.
#[inline(always)]
pub(super) fn with_default_settings<T>(work: impl FnOnce() -> T) -> T {
    let mut before = 0u32;
    // SAFETY: the register is read to a variable.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut before, options(nostack, preserves_flags)) };
    let is_default = before & !HAPPENED == DEFAULT;
    if !is_default {
        // SAFETY: the settings are those that code is compiled for.
        unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const DEFAULT, options(nostack, preserves_flags)) };
    }
    let result = work();
    if !is_default {
        // SAFETY: the settings are those that the caller had.
        unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const before, options(nostack, preserves_flags)) };
    }
    result
}
