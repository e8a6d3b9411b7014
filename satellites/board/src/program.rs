//! What a board is asked to do for a test.

use std::collections::BTreeSet;

use tandem_isa::tensix::inst::window::{SIZES, WINDOW_BASE};
use tandem_isa::tensix::{Chip, Mnemonic};

use super::words::word;

/// A part of a program. Each begins when everything before it has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// Instructions that are pushed to a thread.
    Push {
        /// The thread.
        thread: usize,
        /// The words, in order.
        words: Vec<u32>,
    },
    /// A core accesses memory by itself.
    Access(Access),
    /// A mark between segments of one thread, in a program that is not finished.
    End,
}

/// What a core stores or loads by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The thread whose core it is.
    pub thread: usize,
    /// The address.
    pub address: u32,
    /// How many bytes: 1, 2, 4 or 16.
    pub bytes: u32,
    /// What is stored, the lowest word first, or nothing if it is a load.
    pub store: Option<[u32; 4]>,
    /// Whether a load of less than a register copies the highest bit.
    pub sign_extend: bool,
    /// The word of the suite for it.
    pub code: u32,
}

impl Access {
    /// A store of `2^size` bytes (16 of size 3) to the window, so far from where it begins.
    pub(super) fn store(thread: usize, offset: u32, size: u32, data: [u32; 4]) -> Self {
        let code = word(Chip::Blackhole, Mnemonic::RiscStore, &[("Offset", offset), ("Size", size)]);
        let (address, bytes) = (WINDOW_BASE + offset, SIZES[size as usize]);
        Access { thread, address, bytes, store: Some(data), sign_extend: false, code }
    }

    /// A load of as many bytes from there.
    pub(super) fn load(thread: usize, offset: u32, size: u32, sign_extend: bool) -> Self {
        let fields = [("Offset", offset), ("Size", size), ("SignExtend", u32::from(sign_extend))];
        let code = word(Chip::Blackhole, Mnemonic::RiscLoad, &fields);
        let (address, bytes) = (WINDOW_BASE + offset, SIZES[size as usize]);
        Access { thread, address, bytes, store: None, sign_extend, code }
    }
}

tandem_isa::worded! {
    /// Where a value is read.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Space {
        /// A row of `DstBits`: 16 words of 16 bits.
        Dst "Dst",
        /// The same row by Blackhole's window: loads of 16 bits at consecutive addresses.
        Window "DstWindow",
        /// A GPR of a thread.
        Gprs "GPRs",
        /// A word of a bank of `Config`.
        Config "Config",
        /// A word of a thread's `ThreadConfig`.
        ThreadConfig "ThreadConfig",
        /// The `Value` of a semaphore.
        Semaphore "Semaphores",
        /// What the access under test loaded.
        Loaded "Loaded",
    }
    /// Its name in a line.
    fn name;
}

/// What a value that is read shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shows {
    /// Words of a row of a bank, or parts of them.
    Row {
        /// The bank.
        bank: usize,
        /// The row.
        row: usize,
        /// Which column each word of the value belongs to.
        columns: Vec<Option<usize>>,
        /// Bits of a word, and how far to the left they go in the column's word; to the right if that is negative.
        parts: Vec<(u32, i32)>,
    },
    /// Fields of the small state: the place of each in the layout, and its bits of the one word.
    Fields(Vec<(usize, u32)>),
    /// A field of 32 flags: the flag of each word, which is set if the word is not 0.
    Flags {
        /// The place of the field.
        field: usize,
        /// Which flag each word is.
        flags: Vec<Option<usize>>,
    },
    /// Fields that are right if the value is as expected, and of which it says no more if it is not.
    Agreement(Vec<usize>),
    /// Whether a row of `DstBits` is valid: the value is 0 if it is not.
    Validity(usize),
}

/// One value that is read after the test, and what it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// What is done before it is read, behind what earlier reads did.
    pub segments: Vec<Segment>,
    /// Where it is read.
    pub space: Space,
    /// Which: a row of `Dst`, a bank of `Config`, a thread, or a semaphore.
    pub index: usize,
    /// The register or word of that bank or thread; of the window the thread whose core reads; else 0.
    pub word: usize,
    /// What it shows.
    pub shows: Shows,
    /// What must be read, as many words as the space gives.
    pub expected: Vec<u32>,
    /// Which bits of it are promised.
    pub mask: Vec<u32>,
}

/// A test as a program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Stores to the window before anything is pushed: address and 32 bits.
    pub writes: Vec<(u32, u32)>,
    /// From the base state to the state before the test.
    pub load: Vec<Segment>,
    /// The instruction, or the instructions, under test.
    pub test: Vec<Segment>,
    /// Reads, in order.
    pub reads: Vec<Read>,
    /// Fields that change and that no read shows, by the name of each, and rows of marks; each with the reason.
    pub unread: Vec<(String, &'static str)>,
    /// The instructions that loader and reads use.
    pub trusts: BTreeSet<&'static str>,
    /// Which way it was loaded.
    pub route: u32,
}
