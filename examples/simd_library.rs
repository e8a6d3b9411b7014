//! A shared library behind `harness/include/tandem.h`: the SIMD implementation, at the best level of this CPU.
//!
//! It is what the way to a library is measured and tested with:
//!
//! ```sh
//! tandem fuzz --target lib-inproc:target/release/examples/libsimd_library.so
//! ```
//!
//! `TANDEM_LIBRARY=prints`, `version`, `nothing`, `unnamed`, `crashes`, `hangs`, `long` and `boasts` make it misbehave, for
//! tests. With `refuses` it does not do a part of the cases, says why, and makes claims.

#![expect(unsafe_code, reason = "the functions are called from C")]

mod choosy;

use std::ffi::{CStr, c_char};
use std::slice::{from_raw_parts, from_raw_parts_mut};
use std::sync::{Mutex, MutexGuard, PoisonError};

use choosy::{CLAIMS, Choosy};
use tandem_harness::foreign::abi::{TandemAnswers, TandemBatch, TandemIsa};
use tandem_harness::foreign::serve::{Cases, Room, Seat};
use tandem_isa::{BORDER_VERSION, CLAIMS_BYTES, Isa, MAX_STEPS, Reasons};

/// What is kept between calls.
struct Seated {
    isa: &'static Isa,
    seat: Seat,
}

// The target in the seat is `Send`, and the lock lets one thread in at a time.
static SEATED: Mutex<Option<Seated>> = Mutex::new(None);

fn seated() -> MutexGuard<'static, Option<Seated>> {
    SEATED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn asked(how: &str) -> bool {
    std::env::var("TANDEM_LIBRARY").is_ok_and(|value| value == how)
}

/// See `tandem.h`.
#[unsafe(no_mangle)]
pub extern "C" fn tandem_version() -> u32 {
    if asked("version") { BORDER_VERSION - 1 } else { BORDER_VERSION }
}

/// See `tandem.h`.
///
/// # Safety
/// The arguments are as the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tandem_open(isa: *const TandemIsa, name: *mut c_char, implemented: *mut u8) -> i32 {
    // SAFETY: the name ends with a zero.
    let wanted = unsafe { CStr::from_ptr((*isa).name) };
    let suite = tandem::wiring::suite();
    let suite = wanted.to_str().ok().and_then(|wanted| suite.isa(wanted).cloned());
    let Some(suite) = suite.filter(|_| !asked("nothing")) else { return 1 };
    let Some(factory) = suite.targets.last() else { return 1 };
    let target = factory.make();
    let target = if asked("refuses") { Box::new(Choosy::new(target)) } else { target };
    let own_name: &[u8] = if asked("unnamed") { b"" } else { b"simd-library" };
    // SAFETY: there is room for 64 bytes, and for one byte each instruction.
    let (name, flags) = unsafe {
        (from_raw_parts_mut(name.cast::<u8>(), 64), from_raw_parts_mut(implemented, suite.isa.instructions.len()))
    };
    name[..own_name.len()].copy_from_slice(own_name);
    for (flag, instruction) in flags.iter_mut().zip(suite.isa.instructions) {
        *flag = u8::from(target.implements(instruction));
    }
    *seated() = Some(Seated { isa: suite.isa, seat: Seat::new(suite.isa, target) });
    0
}

/// See `tandem.h`.
///
/// # Safety
/// The arguments are as the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tandem_load(arena: *const u8) -> i32 {
    let mut seated = seated();
    let Some(Seated { isa, seat }) = &mut *seated else { return 1 };
    // SAFETY: the arena has the size that the instruction set says.
    seat.background(unsafe { from_raw_parts(arena, isa.layout.arena_bytes) });
    0
}

/// See `tandem.h`.
///
/// # Safety
/// The arguments are as the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tandem_execute(batch: *const TandemBatch, answers: *mut TandemAnswers) -> i32 {
    let mut seated = seated();
    let Some(Seated { isa, seat }) = &mut *seated else { return 1 };
    if asked("prints") {
        println!("TDM1 a library that prints");
    }
    if asked("hangs") {
        loop {
            std::thread::park();
        }
    }
    if asked("crashes") {
        std::process::abort();
    }
    // SAFETY: both are valid, and nothing else uses them during the call.
    let (batch, answers) = unsafe { (&*batch, &mut *answers) };
    let mut reasons = Reasons::default();
    let num_cases = batch.cases as usize;
    let small_bytes = num_cases * isa.layout.small_bytes;
    // SAFETY: the arrays have the lengths that the header says.
    let (cases, room) = unsafe {
        let then = if batch.steps == 1 { &[] } else { from_raw_parts(batch.then, batch.steps as usize - 1) };
        let numbers = std::iter::once(&batch.instruction).chain(then);
        let words: usize = numbers.map(|&number| isa.instructions[number as usize].base_code.len()).sum();
        let overlay_end = from_raw_parts(batch.overlay_end, num_cases);
        let rows = overlay_end.last().map_or(0, |&end| end as usize);
        let overlay_row = from_raw_parts(batch.overlay_row, rows);
        let bytes = seat.bytes_of(overlay_row);
        let cases = Cases {
            instruction: batch.instruction,
            then,
            edition: batch.edition,
            code: from_raw_parts(batch.code, num_cases * words),
            small: from_raw_parts(batch.small_before, small_bytes),
            overlay_end,
            overlay_row,
            overlay_data: from_raw_parts(batch.overlay_data, bytes),
        };
        let bytes = usize::try_from(answers.dirty_bytes_capacity).unwrap_or(usize::MAX);
        let room = Room {
            outcome: from_raw_parts_mut(answers.outcome, num_cases),
            done: (batch.steps > 1).then(|| from_raw_parts_mut(answers.done, num_cases)),
            small: from_raw_parts_mut(answers.small_after, small_bytes),
            dirty_end: from_raw_parts_mut(answers.dirty_end, num_cases),
            dirty_row: from_raw_parts_mut(answers.dirty_row, answers.dirty_rows_capacity as usize),
            dirty_data: from_raw_parts_mut(answers.dirty_data, bytes),
            reasons: &mut reasons,
        };
        (cases, room)
    };
    answers.cases = seat.run(cases, room) as u32;
    answers.reasons = reasons.case.len() as u32;
    // SAFETY: there is room for a reason for each case, none of which is longer than the header allows.
    unsafe {
        answers.reason_case.copy_from(reasons.case.as_ptr(), reasons.case.len());
        answers.reason_end.copy_from(reasons.end.as_ptr(), reasons.end.len());
        answers.reason_text.cast::<u8>().copy_from(reasons.text.as_ptr(), reasons.text.len());
    }
    if asked("long") {
        // SAFETY: none: this writes behind the array, which is the misbehaviour that is asked for. The suite keeps
        // bytes there to notice it.
        unsafe { answers.outcome.add(num_cases).write(0) };
    }
    0
}

/// See `tandem.h`.
#[unsafe(no_mangle)]
pub extern "C" fn tandem_arena_hash() -> u32 {
    seated().as_ref().map_or(0, |seated| seated.seat.hash())
}

/// See `tandem.h`.
#[unsafe(no_mangle)]
pub extern "C" fn tandem_reset() {
    if let Some(Seated { seat, .. }) = &mut *seated() {
        seat.forget();
    }
}

/// See `tandem.h`.
///
/// # Safety
/// The argument is as the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tandem_claims(text: *mut c_char) -> u32 {
    if asked("boasts") {
        return CLAIMS_BYTES as u32 + 1;
    }
    if !asked("refuses") {
        return 0;
    }
    // SAFETY: there is room for more.
    unsafe { text.cast::<u8>().copy_from(CLAIMS.as_ptr(), CLAIMS.len()) };
    CLAIMS.len() as u32
}

/// See `tandem.h`.
#[unsafe(no_mangle)]
pub extern "C" fn tandem_max_steps() -> u32 {
    MAX_STEPS as u32
}
