//! A target in a shared library that defines the functions of `harness/include/tandem.h`.
//!
//! What the library writes is not believed: arrays are filled before the call with what is no answer, have guard bytes
//! behind them, and are read only as far as they are consistent. A library that writes elsewhere can still bring our
//! process down, or worse; `lib:` starts it in one of its own.

#![expect(unsafe_code, reason = "functions of a shared library are called")]

use std::collections::BTreeSet;
use std::ffi::{CString, c_char};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tandem_isa::{
    Answers, BORDER_VERSION, Batch, CLAIMS_BYTES, Call, Layout, Machine, Misbehaviour, MisbehaviourKind, REASON_BYTES,
};

use super::abi::{
    ClaimsFn, ExecuteFn, HashFn, LoadFn, MaxStepsFn, OpenFn, ResetFn, TandemAnswers, TandemBank, TandemBatch,
    TandemCodeField, TandemField, TandemInstruction, TandemIsa, VersionFn,
};
use super::check::{Form, UNSAID};
use super::instance::{Instance, Link};
use super::spec::StartError;
use super::talk::{Opened, check_cases, check_claims, check_flags, check_name, check_steps, malformed};
use super::watchdog::Watch;

/// Bytes behind each array that the library must leave alone.
const GUARD: usize = 64;
const GUARD_BYTE: u8 = 0xa5;
/// What numbers are before the library writes them: no outcome, and more rows than there are.
const UNWRITTEN: u32 = u32::MAX;
/// Dirty rows that a case may write on average before a batch has to be answered in parts.
const ROWS_PER_CASE: usize = 32;

/// The functions of a library.
#[derive(Clone, Copy)]
struct Functions {
    open: OpenFn,
    load: LoadFn,
    execute: ExecuteFn,
    hash: HashFn,
    reset: ResetFn,
    /// Whoever makes no claims need not define it.
    claims: Option<ClaimsFn>,
    /// Whoever takes one step at a time need not define it.
    max_steps: Option<MaxStepsFn>,
}

/// Paths of the libraries that are loaded in this process under their own name.
static LOADED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The name under which a library is loaded, which is free again when this is dropped.
struct OwnName(PathBuf);

impl OwnName {
    /// Nothing if another instance has it.
    fn taken(path: &Path) -> Option<Self> {
        let is_first = LOADED.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_path_buf());
        is_first.then(|| OwnName(path.to_path_buf()))
    }
}

impl Drop for OwnName {
    fn drop(&mut self) {
        LOADED.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

/// A library that is loaded. Its functions are valid as long as it is.
struct LoadedLibrary {
    functions: Functions,
    /// Held so that the functions stay.
    _library: libloading::Library,
    /// Dropped last: the name is free when the library is gone, and not before.
    _own_name: Option<OwnName>,
}

impl LoadedLibrary {
    /// Loads a library. A second instance in one process is a copy of the file, because a library that is loaded twice
    /// under one name has its variables only once.
    fn new(path: &Path) -> Result<LoadedLibrary, StartError> {
        let fails = |why: String| StartError::new(path.display().to_string(), why);
        let full = std::fs::canonicalize(path).map_err(|error| fails(error.to_string()))?;
        let own_name = OwnName::taken(&full);
        let copy = match own_name {
            Some(_) => None,
            None => Some(LibraryCopy::of(&full).map_err(|error| fails(error.to_string()))?),
        };
        let name = copy.as_ref().map_or(&full, |copy| &copy.0);
        // SAFETY: the library's initializers run. Whoever names a library on the command line has asked for that.
        let library = unsafe { libloading::Library::new(name) }.map_err(|error| fails(error.to_string()))?;
        let missing = |error: libloading::Error| {
            fails(format!("{error}; it must define the functions of tandem.h, as C does (extern \"C\")"))
        };
        // SAFETY: every version of the header has this function, and it takes nothing.
        let version = unsafe { library.get::<VersionFn>("tandem_version").map(|version| version()) };
        let version = version.map_err(missing)?;
        if version != BORDER_VERSION {
            return Err(fails(format!(
                "it was built with version {version} of tandem.h, and this tandem speaks version {BORDER_VERSION}; build \
                 it again with harness/include/tandem.h as it is now"
            )));
        }
        // SAFETY: the types are those of the header, which a test holds against ours; that the library was built with
        // the header is what its author promises, and its version says which one.
        let functions = unsafe { functions(&library) }.map_err(missing)?;
        Ok(LoadedLibrary { functions, _library: library, _own_name: own_name })
    }
}

/// A copy of a file, which is gone when this is dropped; a library stays loaded without it.
struct LibraryCopy(PathBuf);

impl LibraryCopy {
    fn of(path: &Path) -> std::io::Result<LibraryCopy> {
        static NUMBER: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let copy = LibraryCopy(std::env::temp_dir().join(format!("tandem-{}-{number}-{name}", std::process::id())));
        std::fs::copy(path, &copy.0)?;
        Ok(copy)
    }
}

impl Drop for LibraryCopy {
    fn drop(&mut self) {
        // A file that stays costs space, and nothing else.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// # Safety
/// The functions of the library must have the types of the header.
unsafe fn functions(library: &libloading::Library) -> Result<Functions, libloading::Error> {
    // SAFETY: as the caller promises.
    unsafe {
        Ok(Functions {
            open: *library.get::<OpenFn>("tandem_open")?,
            load: *library.get::<LoadFn>("tandem_load")?,
            execute: *library.get::<ExecuteFn>("tandem_execute")?,
            hash: *library.get::<HashFn>("tandem_arena_hash")?,
            reset: *library.get::<ResetFn>("tandem_reset")?,
            claims: library.get::<ClaimsFn>("tandem_claims").ok().map(|claims| *claims),
            max_steps: library.get::<MaxStepsFn>("tandem_max_steps").ok().map(|max_steps| *max_steps),
        })
    }
}

fn leak<T>(list: Vec<T>) -> *const T {
    Box::leak(list.into_boxed_slice()).as_ptr()
}

fn leak_name(name: &str) -> *const c_char {
    CString::new(name).expect("names have no zero").into_raw()
}

/// An address in memory that is never given back and never changes.
#[derive(Clone, Copy)]
struct StaticIsa(*const TandemIsa);

// SAFETY: what it points to is never written again, so that any thread may read it.
unsafe impl Send for StaticIsa {}

/// The description of an instruction set. It stays until the process ends, and is made once.
#[must_use]
pub fn describe(isa: &'static Machine) -> *const TandemIsa {
    static KNOWN: Mutex<Vec<(&'static str, StaticIsa)>> = Mutex::new(Vec::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, forever)) = known.iter().find(|(name, _)| *name == isa.name) {
        return forever.0;
    }
    let size = |value: usize| u32::try_from(value).expect("sizes and numbers of an instruction set are small");
    let (layout, fields) = (isa.layout, (isa.layout.fields)());
    let banks = layout.banks.iter().map(|bank| TandemBank {
        name: leak_name(bank.name),
        offset: bank.offset as u64,
        rows: size(bank.rows()),
        columns: size(bank.columns()),
        word_bytes: size(bank.word.bytes()),
        word_bits: bank.bits,
        first_row: size(bank.first_row),
        row_bytes: size(bank.row_bytes()),
    });
    let c_fields = fields.iter().map(|field| TandemField {
        name: leak_name(&field.name),
        address_bank: field.address.map_or(std::ptr::null(), |(bank, _)| leak_name(bank)),
        address: field.address.map_or(0, |(_, word)| word),
        byte: size(field.byte),
        word_bytes: size(field.word.bytes()),
        shift: field.shift,
        width: field.width,
        maximum: field.max,
        base: field.base,
    });
    let instructions = isa.instructions.iter().map(|instruction| {
        let fields = instruction.code_fields.iter().map(|field| TandemCodeField {
            name: leak_name(field.name),
            word: size(field.word),
            shift: field.shift,
            width: field.width,
        });
        TandemInstruction {
            name: leak_name(instruction.name),
            base_code: instruction.base_code.as_ptr(),
            fields: leak(fields.collect()),
            code_words: size(instruction.base_code.len()),
            num_fields: size(instruction.code_fields.len()),
        }
    });
    let whole = TandemIsa {
        name: leak_name(isa.name),
        banks: leak(banks.collect()),
        fields: leak(c_fields.collect()),
        instructions: leak(instructions.collect()),
        arena_bytes: layout.arena_bytes as u64,
        small_bytes: size(layout.small_bytes),
        num_banks: size(layout.banks.len()),
        num_fields: size(fields.len()),
        num_instructions: size(isa.instructions.len()),
    };
    let forever = StaticIsa(Box::leak(Box::new(whole)));
    known.push((isa.name, forever));
    forever.0
}

/// The way to a library in our own process that implements an instruction set.
struct LibraryLink {
    layout: &'static Layout,
    max_steps: usize,
    library: LoadedLibrary,
    watch: Watch,
    form: Form,
    scratch: Scratch,
}

/// Arrays that the library writes and that are not handed on whole.
#[derive(Default)]
struct Scratch {
    dirty_row: Vec<u32>,
    dirty_data: Vec<u8>,
    reason_case: Vec<u32>,
    reason_end: Vec<u32>,
    reason_text: Vec<u8>,
}

/// Loads a library and describes an instruction set to it; nothing if it does not know it. All calls are watched.
pub(super) fn start(path: &Path, isa: &'static Machine, watch: Watch) -> Result<Option<Instance>, StartError> {
    let begin = || {
        let library = LoadedLibrary::new(path)?;
        let opened = open(&library.functions, isa).map_err(|why| {
            let kind = MisbehaviourKind::Malformed;
            let why = format!("{} in {}: {why}", kind.name(), Call::Describe.name());
            StartError { kind: Some(kind), ..StartError::new(path.display().to_string(), why) }
        })?;
        Ok((library, opened))
    };
    let (library, opened) = watch.timed((Call::Describe, None), begin)?;
    Ok(opened.map(|(name, opened)| {
        let (layout, max_steps, watch) = (isa.layout, opened.max_steps as usize, watch.named(&name));
        let (form, scratch) = (Form::new(layout), Scratch::default());
        Instance { name, opened, link: Box::new(LibraryLink { layout, max_steps, library, watch, form, scratch }) }
    }))
}

/// Describes the instruction set, and gives the name, the implemented instructions and the claims.
fn open(functions: &Functions, isa: &'static Machine) -> Result<Option<(String, Opened)>, String> {
    let mut name = [GUARD_BYTE; 64 + GUARD];
    name[..64].fill(0);
    let mut implemented = vec![0; isa.instructions.len()];
    implemented.resize(isa.instructions.len() + GUARD, GUARD_BYTE);
    // SAFETY: the description stays until the process ends, and both arrays are as long as the header says, with bytes
    // behind them.
    let status = unsafe { (functions.open)(describe(isa), name.as_mut_ptr().cast(), implemented.as_mut_ptr()) };
    if status != 0 {
        return Ok(None);
    }
    let (flags, guard) = implemented.split_at(isa.instructions.len());
    if name[64..].iter().chain(guard).any(|&byte| byte != GUARD_BYTE) {
        return Err("tandem_open wrote behind an array".to_string());
    }
    let implemented = check_flags(flags)?;
    let end = name[..64].iter().position(|&byte| byte == 0).ok_or("its name has no zero at its end")?;
    let name = std::str::from_utf8(&name[..end]).map_err(|_| "its name is not UTF-8")?;
    let max_steps = max_steps(functions.max_steps)?;
    Ok(Some((check_name(name)?, Opened { implemented, claims: claims(functions.claims)?, max_steps })))
}

/// The most steps of a case that the library takes.
fn max_steps(function: Option<MaxStepsFn>) -> Result<u32, String> {
    // SAFETY: the function takes nothing.
    let said = function.map_or(1, |max_steps| unsafe { max_steps() });
    check_steps(said).map_err(|why| format!("tandem_max_steps returned {said}: {why}"))
}

/// The claims about the instruction set that was opened.
fn claims(function: Option<ClaimsFn>) -> Result<Option<String>, String> {
    let Some(claims) = function else { return Ok(None) };
    let mut text = vec![0; CLAIMS_BYTES];
    text.resize(CLAIMS_BYTES + GUARD, GUARD_BYTE);
    // SAFETY: there is as much room as the header says, with bytes behind it.
    let len = unsafe { claims(text.as_mut_ptr().cast()) } as usize;
    let (text, guard) = text.split_at(CLAIMS_BYTES);
    if guard.iter().any(|&byte| byte != GUARD_BYTE) {
        return Err("tandem_claims wrote behind its array".to_string());
    }
    let limit = || format!("tandem_claims returned {len} bytes, where at most {CLAIMS_BYTES} are allowed");
    check_claims(text.get(..len).ok_or_else(limit)?)
}

fn guard_bytes<T: bytemuck::Pod>(list: &mut Vec<T>, len: usize, fill: T) {
    list.clear();
    list.resize(len, fill);
    list.resize(len + GUARD / size_of::<T>(), bytemuck::pod_read_unaligned(&[GUARD_BYTE; 8][..size_of::<T>()]));
}

/// As [`guard_bytes`], but what is there stays.
fn keep_guarded<T: bytemuck::Pod>(list: &mut Vec<T>, len: usize) {
    let guard = GUARD / size_of::<T>();
    if list.len() < len + guard {
        list.resize(len + guard, T::zeroed());
    }
    let end = list.len();
    list[end - guard..].fill(bytemuck::pod_read_unaligned(&[GUARD_BYTE; 8][..size_of::<T>()]));
}

fn guarded<T: bytemuck::Pod>(list: &[T]) -> bool {
    let guard = &list[list.len() - GUARD / size_of::<T>()..];
    bytemuck::cast_slice::<T, u8>(guard).iter().all(|&byte| byte == GUARD_BYTE)
}

/// Executes a batch by `execute`, and takes its answers as far as they are consistent.
fn execute(
    execute: ExecuteFn,
    (layout, form): (&Layout, &Form),
    batch: &Batch,
    answers: &mut Answers,
    Scratch { dirty_row, dirty_data, reason_case, reason_end, reason_text }: &mut Scratch,
) -> Result<(), Misbehaviour> {
    let cases = batch.cases as usize;
    guard_bytes(&mut answers.outcome, cases, UNWRITTEN);
    guard_bytes(&mut answers.done, cases, UNSAID);
    guard_bytes(&mut answers.small, cases * layout.small_bytes, 0);
    guard_bytes(&mut answers.dirty_end, cases, UNWRITTEN);
    let all_rows: usize = layout.banks.iter().map(|bank| bank.rows()).sum();
    let longest = layout.banks.iter().map(|bank| bank.row_bytes()).max().unwrap_or(0);
    keep_guarded(dirty_row, all_rows.max(ROWS_PER_CASE * cases));
    keep_guarded(dirty_data, layout.arena_bytes.max(ROWS_PER_CASE * cases * longest));
    keep_guarded(reason_case, cases);
    keep_guarded(reason_end, cases);
    keep_guarded(reason_text, REASON_BYTES * cases);
    let rows_capacity = dirty_row.len() - GUARD / 4;
    let bytes_capacity = dirty_data.len() - GUARD;
    let c_batch = TandemBatch {
        code: batch.code.as_ptr(),
        small_before: batch.small.as_ptr(),
        overlay_end: batch.overlay_end.as_ptr(),
        overlay_row: batch.overlay_row.as_ptr(),
        overlay_data: batch.overlay_data.as_ptr(),
        instruction: batch.instruction,
        edition: batch.edition,
        cases: batch.cases,
        steps: u32::try_from(batch.steps()).expect("a case has few steps"),
        then: batch.then.as_ptr(),
    };
    let mut c_answers = TandemAnswers {
        outcome: answers.outcome.as_mut_ptr(),
        small_after: answers.small.as_mut_ptr(),
        dirty_end: answers.dirty_end.as_mut_ptr(),
        dirty_row: dirty_row.as_mut_ptr(),
        dirty_data: dirty_data.as_mut_ptr(),
        reason_case: reason_case.as_mut_ptr(),
        reason_end: reason_end.as_mut_ptr(),
        reason_text: reason_text.as_mut_ptr().cast(),
        dirty_bytes_capacity: bytes_capacity as u64,
        dirty_rows_capacity: u32::try_from(rows_capacity).unwrap_or(u32::MAX),
        cases: 0,
        reasons: 0,
        reserved: 0,
        done: answers.done.as_mut_ptr(),
    };
    // SAFETY: every pointer is to an array of the length that the header says, all of which live through the call. What
    // the library writes are numbers for which every value is valid.
    let status = unsafe { execute(&c_batch, &mut c_answers) };
    if !(guarded(&answers.outcome)
        && guarded(&answers.done)
        && guarded(&answers.small)
        && guarded(&answers.dirty_end)
        && guarded(dirty_row)
        && guarded(dirty_data)
        && guarded(reason_case)
        && guarded(reason_end)
        && guarded(reason_text))
    {
        return Err(malformed("tandem_execute wrote behind an array"));
    }
    if status != 0 {
        return Err(malformed(format!("tandem_execute returned {status}")));
    }
    answers.cases = check_cases(c_answers.cases as usize, batch).map_err(malformed)?;
    let answered = answers.cases as usize;
    answers.outcome.truncate(answered);
    answers.done.truncate(if batch.then.is_empty() { 0 } else { answered });
    answers.small.truncate(answered * layout.small_bytes);
    answers.dirty_end.truncate(answered);
    let rows = answers.dirty_end.last().map_or(0, |&end| end as usize);
    if rows > rows_capacity {
        return Err(malformed(format!("it has {rows} dirty rows, where there is room for {rows_capacity}")));
    }
    let mut bytes = 0;
    for &row in &dirty_row[..rows] {
        bytes += form
            .row_bytes(row as usize)
            .ok_or_else(|| malformed(format!("dirty row {row}, and there is no row of this number")))?;
    }
    let data = dirty_data[..bytes_capacity].get(..bytes);
    let data = data.ok_or_else(|| {
        malformed(format!("its dirty rows have {bytes} bytes, where there is room for {bytes_capacity}"))
    })?;
    answers.dirty_row.clear();
    answers.dirty_row.extend_from_slice(&dirty_row[..rows]);
    answers.dirty_data.clear();
    answers.dirty_data.extend_from_slice(data);
    let reasons = c_answers.reasons as usize;
    if reasons > cases {
        return Err(malformed(format!("it gives {reasons} reasons, where there is room for {cases}")));
    }
    answers.reasons.clear();
    if reasons > 0 {
        let (end, room) = (reason_end[reasons - 1] as usize, REASON_BYTES * cases);
        let text = reason_text[..room].get(..end);
        let text =
            text.ok_or_else(|| malformed(format!("its reasons have {end} bytes, where there is room for {room}")))?;
        answers.reasons.case.extend_from_slice(&reason_case[..reasons]);
        answers.reasons.end.extend_from_slice(&reason_end[..reasons]);
        answers.reasons.text.extend_from_slice(text);
    }
    Ok(())
}

impl Link for LibraryLink {
    fn load(&mut self, arena: &[u8]) -> Result<(), Misbehaviour> {
        if arena.len() != self.layout.arena_bytes {
            return Err(malformed("the background has another size"));
        }
        let load = self.library.functions.load;
        // SAFETY: the arena has the size that the description says.
        match self.watch.timed((Call::Load, None), || unsafe { load(arena.as_ptr()) }) {
            0 => Ok(()),
            status => Err(malformed(format!("tandem_load returned {status}"))),
        }
    }

    fn execute(&mut self, batch: &Batch, answers: &mut Answers) -> Result<(), Misbehaviour> {
        batch.check_steps(self.max_steps).map_err(malformed)?;
        let LibraryLink { layout, library, watch, form, scratch, .. } = self;
        let function = library.functions.execute;
        watch.timed((Call::Execute, Some(batch)), || execute(function, (layout, form), batch, answers, scratch))
    }

    fn hash(&mut self) -> Result<u32, Misbehaviour> {
        let hash = self.library.functions.hash;
        // SAFETY: the function takes nothing.
        Ok(self.watch.timed((Call::Hash, None), || unsafe { hash() }))
    }

    fn reset(&mut self) -> Result<(), Misbehaviour> {
        let reset = self.library.functions.reset;
        // SAFETY: the function takes nothing.
        self.watch.timed((Call::Reset, None), || unsafe { reset() });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use tandem_isa::{MACHINES, Noise};

    use super::super::check;
    use super::super::transport_tests::exchange;
    use super::*;

    /// What the library below answers, and how many bytes of each array.
    struct Canned {
        answers: Answers,
        cases: u32,
        status: i32,
        /// An array that is written behind its end.
        beyond: Option<usize>,
    }

    /// The cases of a batch that is answered wrongly.
    const CANNED_ROOM: usize = 3;

    thread_local! {
        static CANNED: RefCell<Option<Canned>> = const { RefCell::new(None) };
    }

    unsafe extern "C" fn canned(batch: *const TandemBatch, answers: *mut TandemAnswers) -> i32 {
        CANNED.with_borrow(|canned| {
            let Canned { answers: from, cases, status, beyond } = canned.as_ref().expect("it was set");
            // SAFETY: the arrays are as long as the batch says, and what is written fits; one number may go into the
            // guard behind an array.
            unsafe {
                let to = &mut *answers;
                let asked = (*batch).cases as usize;
                to.outcome.copy_from(from.outcome.as_ptr(), from.outcome.len());
                to.done.copy_from(from.done.as_ptr(), from.done.len());
                to.small_after.copy_from(from.small.as_ptr(), from.small.len());
                to.dirty_end.copy_from(from.dirty_end.as_ptr(), from.dirty_end.len());
                to.dirty_row.copy_from(from.dirty_row.as_ptr(), from.dirty_row.len());
                to.dirty_data.copy_from(from.dirty_data.as_ptr(), from.dirty_data.len());
                to.reason_case.copy_from(from.reasons.case.as_ptr(), from.reasons.case.len());
                to.reason_end.copy_from(from.reasons.end.as_ptr(), from.reasons.end.len());
                to.reason_text.copy_from(from.reasons.text.as_ptr().cast(), from.reasons.text.len());
                to.reasons = from.reasons.case.len() as u32;
                to.cases = *cases;
                match beyond {
                    Some(0) => to.outcome.add(asked).write(1),
                    Some(1) => to.dirty_end.add(asked).write(1),
                    Some(2) => to.dirty_row.add(to.dirty_rows_capacity as usize).write(1),
                    Some(3) => to.dirty_data.add(to.dirty_bytes_capacity as usize).write(1),
                    Some(4) => to.reason_case.add(CANNED_ROOM + GUARD / 4 - 1).write(1),
                    Some(5) => to.reason_end.add(CANNED_ROOM + GUARD / 4 - 1).write(1),
                    Some(6) => to.reason_text.add(CANNED_ROOM * REASON_BYTES + GUARD - 1).write(1),
                    Some(7) => to.done.add(asked).write(1),
                    Some(_) => to.small_after.add(from.small.len()).write(1),
                    None => {}
                }
            }
            *status
        })
    }

    #[test]
    fn a_hundred_thousand_malformed_answers_of_a_library_are_refused_or_differ() {
        let mut random = Noise::new(11);
        for isa in MACHINES {
            let (form, mut scratch) = (Form::new(isa.layout), Scratch::default());
            let honest: Vec<_> = (0..20).map(|_| exchange(isa, CANNED_ROOM, &mut random)).collect();
            for number in 0..50_000 {
                let (batch, answers) = &honest[number % 20];
                let mut wrong = Canned { answers: answers.clone(), cases: answers.cases, status: 0, beyond: None };
                let value = random.word() as u32;
                let value = if random.below(2) == 0 { value } else { value % 8 };
                let rows = wrong.answers.dirty_row.len();
                let reasons = &mut wrong.answers.reasons;
                match random.below(10) {
                    8 if !reasons.is_empty() => reasons.case[0] ^= value | 1,
                    9 if !reasons.is_empty() => *reasons.end.last_mut().expect("there is one") ^= value | 1,
                    0 => wrong.answers.outcome[random.below(3)] ^= value | 1,
                    1 => wrong.answers.dirty_end[random.below(3)] ^= value | 1,
                    2 if rows > 0 => wrong.answers.dirty_row[random.below(rows)] ^= value | 1,
                    3 if rows > 0 => {
                        let at = random.below(wrong.answers.dirty_data.len());
                        wrong.answers.dirty_data[at] ^= value as u8 | 1;
                    }
                    4 => wrong.cases ^= value | 1,
                    5 => wrong.status = value as i32 | 1,
                    6 => wrong.beyond = Some(random.below(9)),
                    _ => {
                        let at = random.below(wrong.answers.small.len());
                        wrong.answers.small[at] ^= value as u8 | 1;
                    }
                }
                CANNED.set(Some(wrong));
                let mut got = Answers::default();
                let result = execute(canned, (isa.layout, &form), batch, &mut got, &mut scratch);
                let result = result.and_then(|()| check::answers(batch, &got, isa.layout));
                assert!(result.is_err() || got != *answers);
            }
            CANNED.set(None);
            // Nothing grew with what was claimed.
            assert!(scratch.dirty_data.len() <= isa.layout.arena_bytes + 4096);
        }
    }

    #[test]
    fn honest_answers_of_a_library_are_taken_whole_or_in_part() {
        let mut random = Noise::new(12);
        for isa in MACHINES {
            let (batch, answers) = exchange(isa, 5, &mut random);
            let mut scratch = Scratch::default();
            let mut got = Answers::default();
            CANNED.set(Some(Canned { answers: answers.clone(), cases: 5, status: 0, beyond: None }));
            execute(canned, (isa.layout, &Form::new(isa.layout)), &batch, &mut got, &mut scratch)
                .expect("it is honest");
            assert_eq!(got, answers);
            let mut part = answers.clone();
            part.reasons.clear();
            answers
                .reasons
                .iter()
                .filter(|(case, _)| *case < 2)
                .for_each(|(case, reason)| part.reasons.push(case, reason));
            CANNED.set(Some(Canned { answers: part.clone(), cases: 2, status: 0, beyond: None }));
            execute(canned, (isa.layout, &Form::new(isa.layout)), &batch, &mut got, &mut scratch)
                .expect("it is honest");
            assert_eq!(got.cases, 2);
            assert_eq!(got.outcome, answers.outcome[..2]);
            assert_eq!(got.done[..], answers.done[..got.done.len()]);
            assert_eq!(got.reasons, part.reasons);
            assert_eq!(got.dirty_row, answers.dirty_row[..answers.dirty_end[1] as usize]);
            check::answers(&batch, &got, isa.layout).expect("a part is an answer");
        }
    }

    #[test]
    fn more_reasons_than_there_is_room_for_are_refused() {
        unsafe extern "C" fn talks(batch: *const TandemBatch, answers: *mut TandemAnswers) -> i32 {
            // SAFETY: both are valid.
            unsafe {
                (*answers).cases = (*batch).cases;
                (*answers).reasons = (*batch).cases + 1;
                (0..(*batch).cases as usize).for_each(|case| (*answers).dirty_end.add(case).write(0));
            }
            0
        }
        let isa = MACHINES[0];
        let (batch, _) = exchange(isa, 2, &mut Noise::new(13));
        let (form, mut scratch, mut got) = (Form::new(isa.layout), Scratch::default(), Answers::default());
        let error = execute(talks, (isa.layout, &form), &batch, &mut got, &mut scratch).expect_err("it has 3 of 2");
        assert!(error.message.contains("3 reasons, where there is room for 2"), "{error}");
    }

    #[test]
    fn a_library_says_how_many_steps_it_takes() {
        unsafe extern "C" fn sixteen() -> u32 {
            16
        }
        unsafe extern "C" fn too_many() -> u32 {
            17
        }
        let of = |function: MaxStepsFn| max_steps(Some(function));
        assert_eq!((max_steps(None), of(sixteen)), (Ok(1), Ok(16)));
        assert!(of(too_many).is_err_and(|why| why.contains("tandem_max_steps returned 17")));
    }

    #[test]
    fn claims_of_a_library_arrive_unchanged_or_are_refused() {
        const TEXT: &str = "# ä \"claims\"\nabsent = []\n";
        unsafe extern "C" fn some(text: *mut c_char) -> u32 {
            // SAFETY: there is room for more.
            unsafe { text.cast::<u8>().copy_from(TEXT.as_ptr(), TEXT.len()) };
            TEXT.len() as u32
        }
        unsafe extern "C" fn full(text: *mut c_char) -> u32 {
            // SAFETY: there is as much room.
            unsafe { text.write_bytes(b'x', CLAIMS_BYTES) };
            CLAIMS_BYTES as u32
        }
        unsafe extern "C" fn beyond(text: *mut c_char) -> u32 {
            // SAFETY: the guard is behind the array.
            unsafe { text.write_bytes(b'x', CLAIMS_BYTES + 1) };
            3
        }
        unsafe extern "C" fn long(_: *mut c_char) -> u32 {
            CLAIMS_BYTES as u32 + 1
        }
        unsafe extern "C" fn odd(text: *mut c_char) -> u32 {
            // SAFETY: there is room for more.
            unsafe { text.write_bytes(0xff, 2) };
            2
        }
        unsafe extern "C" fn none(_: *mut c_char) -> u32 {
            0
        }
        let of = |function: ClaimsFn| claims(Some(function));
        assert_eq!(of(some), Ok(Some(TEXT.to_string())));
        assert_eq!(of(full), Ok(Some("x".repeat(CLAIMS_BYTES))));
        assert_eq!((of(none), claims(None)), (Ok(None), Ok(None)));
        for (function, says) in [(beyond as ClaimsFn, "behind its array"), (long, "at most 65536"), (odd, "not UTF-8")]
        {
            assert!(of(function).is_err_and(|why| why.contains(says)), "{says}");
        }
    }

    #[test]
    fn a_library_is_told_what_the_instruction_set_is() {
        for isa in MACHINES {
            let described = describe(isa);
            assert_eq!(described, describe(isa), "it is made once");
            // SAFETY: descriptions stay until the process ends.
            let (described, name) = unsafe { (&*described, std::ffi::CStr::from_ptr((*described).name)) };
            assert_eq!(name.to_str(), Ok(isa.name));
            assert_eq!(described.num_banks as usize, isa.layout.banks.len());
            // SAFETY: there are as many fields as it says.
            let fields = unsafe { std::slice::from_raw_parts(described.fields, described.num_fields as usize) };
            for (field, ours) in fields.iter().zip((isa.layout.fields)()) {
                // SAFETY: a name ends with a zero.
                assert_eq!(unsafe { std::ffi::CStr::from_ptr(field.name) }.to_str(), Ok(&*ours.name));
                assert_eq!(field.address_bank.is_null(), ours.address.is_none());
                assert_eq!((field.byte as usize, field.shift, field.maximum), (ours.byte, ours.shift, ours.max));
            }
        }
    }
}
