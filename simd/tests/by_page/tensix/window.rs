//! What page Dst of Blackhole says of the window, a datum at a time, and values worked out by hand.

use tandem_isa::tensix::config::CONFIG_WORDS;
use tandem_isa::tensix::inst::window::{OFFSET, SIGN_EXTEND, SIZE, SIZES};
use tandem_isa::tensix::{BLACKHOLE, Mnemonic, Small, Tensix, bank};
use tandem_isa::{Answer, Edition, Noise, Step, Target};

use super::{Word, every_level_is_when};
use tandem_simd::Level;
use tandem_simd::tensix::TensixSimd;

/// The word of `RISC_DEST_ACCESS_CTRL_SEC0`, and where each core's bits begin in it.
const CTRL: usize = 3;
const FIRST_BIT: [u32; 3] = [14, 19, 24];
const _: () = assert!(CTRL < CONFIG_WORDS);

/// `no_swizzle`, `unsigned_int` and `fmt` of the core of the current thread.
fn settings(small: &Small) -> (bool, bool, u32) {
    let core = small.current_thread as usize;
    let word = small.config[small.thread_config[core][0] as usize & 1][CTRL] >> FIRST_BIT[core];
    (word & 1 != 0, word & 2 != 0, word >> 2 & 7)
}

/// Nearly all cases are of whole data, aligned, and in `Dst`.
fn mend(word: &mut Word, small: &mut Small, noise: &mut Noise) {
    if noise.below(8) == 0 {
        return;
    }
    let core = small.current_thread as usize;
    let fmt = noise.below(6) as u32;
    for bank in &mut small.config {
        bank[CTRL] = bank[CTRL] & !(7 << (FIRST_BIT[core] + 2)) | fmt << (FIRST_BIT[core] + 2);
    }
    let least = [2, 2, 1, 1, 1, 0][fmt as usize];
    let size = if core == 2 { least + noise.below(4 - least as usize) as u32 } else { least };
    SIZE.set(&mut word.code, size);
    let there = if fmt == 5 { 0x3fff } else { 0x7fff };
    let offset = OFFSET.get(&word.code) & there & !(SIZES[size as usize] - 1);
    OFFSET.set(&mut word.code, offset);
}

fn adj16(small: &Small, row: usize) -> usize {
    if small.dest_access_cfg & 2 != 0 { (row & 0x3c7) ^ ((row & 0x30) >> 1) ^ ((row & 8) << 2) } else { row }
}

fn adj32(small: &Small, row: usize) -> usize {
    let mut row = adj16(small, row);
    if small.dest_access_cfg & 1 != 0 {
        row = (row & 0x3f3) ^ ((row & 0x18) >> 1) ^ ((row & 4) << 1);
    }
    ((row & 0x1f8) << 1) | (row & 0x207)
}

/// How many bytes a datum has, if the access is of whole ones, by a core that can make it.
fn bytes_of_datum(word: &Word, small: &Small) -> Option<usize> {
    let (_, _, fmt) = settings(small);
    let bytes = *[4, 4, 2, 2, 2, 1].get(fmt as usize)?;
    let (size, offset) = (SIZES[word.get(SIZE) as usize] as usize, word.get(OFFSET) as usize);
    let is_there = bytes > 1 || offset < 1 << 14;
    let can = size == bytes || small.current_thread == 2 && size > bytes;
    (can && is_there && offset.is_multiple_of(size)).then_some(bytes)
}

fn load(small: &Small, dst: impl Fn(usize, usize) -> u16, index: usize) -> u32 {
    let (no_swizzle, unsigned_int, fmt) = settings(small);
    let (row, column) = (index / 16, index % 16);
    if fmt < 2 {
        let row = adj32(small, row);
        let mut value = u32::from(dst(row, column)) << 16 | u32::from(dst(row + 8, column));
        if !no_swizzle {
            value = (value & 0x8000_ffff) | ((value & 0x7f00_0000) >> 8) | ((value & 0x00ff_0000) << 7);
        }
        return if fmt == 0 || no_swizzle || value < 0x8000_0000 {
            value
        } else {
            (value & 0x7fff_ffff).wrapping_neg()
        };
    }
    let value = dst(adj16(small, row), column);
    u32::from(match fmt {
        2 if !no_swizzle => (value & 0x8000) | ((value & 0x7fe0) >> 5) | ((value & 0x001f) << 10),
        3 if !no_swizzle => (value & 0x8000) | ((value & 0x7f00) >> 8) | ((value & 0x00ff) << 7),
        2 | 3 => value,
        4 if no_swizzle || unsigned_int || value < 0x8000 => value,
        4 => (value & 0x7fff).wrapping_neg(),
        _ if no_swizzle || unsigned_int => (value >> 5) & 0xff,
        _ if value & 0x8000 != 0 => ((value >> 5) & 0x7f).wrapping_neg() & 0xff,
        _ => (value >> 5) & 0x7f,
    })
}

fn store(tensix: &mut Tensix<'_>, index: usize, mut value: u32) {
    let (no_swizzle, unsigned_int, fmt) = settings(tensix.small);
    let (row, column) = (index / 16, index % 16);
    if fmt < 2 {
        if fmt == 1 && !no_swizzle && value >= 0x8000_0000 {
            let clamped = if value == 0x8000_0000 { 0x7fff_ffff } else { value.wrapping_neg() };
            value = 0x8000_0000 | clamped;
        }
        if !no_swizzle {
            value = (value & 0x8000_ffff) | ((value & 0x7f80_0000) >> 7) | ((value & 0x007f_0000) << 8);
        }
        let row = adj32(tensix.small, row);
        tensix.set_dst_bits(row, column, (value >> 16) as u16);
        tensix.set_dst_bits(row + 8, column, value as u16);
        return;
    }
    let sixteen = value as u16;
    let datum = match fmt {
        2 if !no_swizzle => (sixteen & 0x8000) | ((sixteen & 0x7c00) >> 10) | ((sixteen & 0x03ff) << 5),
        3 if !no_swizzle => (sixteen & 0x8000) | ((sixteen & 0x7f80) >> 7) | ((sixteen & 0x007f) << 8),
        2 | 3 => sixteen,
        4 if no_swizzle || unsigned_int || sixteen < 0x8000 => sixteen,
        4 => 0x8000 | (sixteen + u16::from(sixteen == 0x8000)).wrapping_neg(),
        _ if no_swizzle || unsigned_int || sixteen < 0x80 => sixteen << 5 | if sixteen == 0 { 0 } else { 16 },
        _ => 0x8000 | ((0x180 - sixteen - u16::from(sixteen == 0x80)) & 0xff) << 5 | 16,
    };
    tensix.set_dst_bits(adj16(tensix.small, row), column, datum);
}

#[test]
fn a_load_is_what_the_page_says_of_each_datum() {
    every_level_is_when(Mnemonic::RiscLoad, 4096, mend, |word, tensix| {
        let bytes = bytes_of_datum(word, tensix.small)?;
        let (size, first) = (SIZES[word.get(SIZE) as usize] as usize, word.get(OFFSET) as usize / bytes);
        let mut loaded = Vec::new();
        for index in first..first + size / bytes {
            let small = *tensix.small;
            let cell = std::cell::RefCell::new(&mut *tensix);
            let datum = load(&small, |row, column| cell.borrow_mut().dst_bits(row, column), index);
            loaded.extend_from_slice(&datum.to_le_bytes()[..bytes]);
        }
        let top = if word.has(SIGN_EXTEND) && size < 4 && loaded[size - 1] >= 0x80 { 0xff } else { 0 };
        loaded.resize(size.max(4), top);
        for (word, bytes) in tensix.small.risc_data.iter_mut().zip(loaded.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        Some(Answer::Done)
    });
}

#[test]
fn a_store_is_what_the_page_says_of_each_datum() {
    every_level_is_when(Mnemonic::RiscStore, 4096, mend, |word, tensix| {
        let bytes = bytes_of_datum(word, tensix.small)?;
        let (size, first) = (SIZES[word.get(SIZE) as usize] as usize, word.get(OFFSET) as usize / bytes);
        let register: Vec<u8> = tensix.small.risc_data.iter().flat_map(|word| word.to_le_bytes()).collect();
        for (place, datum) in register[..size].chunks(bytes).enumerate() {
            let mut whole = [0; 4];
            whole[..bytes].copy_from_slice(datum);
            store(tensix, first + place, u32::from_le_bytes(whole));
        }
        Some(Answer::Done)
    });
}

/// `no_swizzle` and `unsigned_int` of T0.
const NO_SWIZZLE: u32 = 1;
const UNSIGNED_INT: u32 = 2;

/// A datum of row 1 and column 2, `fmt`, settings, and what T0 loads and extends the sign of.
const LOADED: [(u32, u32, u32, u32); 16] = [
    // 1.0 is 3f80 0000: an exponent of 7f, which lies lowest in the upper half.
    (0x007f_0000, 0, 0, 0x3f80_0000),
    // Minus two and a half.
    (0xa080_0000, 0, 0, 0xc020_0000),
    (0xa080_1234, 0, NO_SWIZZLE, 0xa080_1234),
    // An integer of magnitude 5 is five, and minus zero is zero.
    (0x0000_0005, 1, 0, 5),
    (0x8000_0005, 1, UNSIGNED_INT, 0xffff_fffb),
    (0x8000_0000, 1, 0, 0),
    (0x8000_0005, 1, NO_SWIZZLE, 0x8000_0005),
    // 1.0 of FP16 is 3c00, an exponent of 15.
    (0x000f, 2, 0, 0x3c00),
    (0xffe0, 2, 0, 0xffff_83ff),
    // 1.0 of BF16 is 3f80.
    (0x007f, 3, 0, 0x3f80),
    (0x8003, 4, 0, 0xffff_fffd),
    (0x8000, 4, 0, 0),
    (0x8003, 4, UNSIGNED_INT, 0xffff_8003),
    // A magnitude of 7f is minus 127, and one of ff too, as a number with sign.
    (0x8000 | 0x7f << 5 | 16, 5, 0, 0xffff_ff81),
    (0x8000 | 0xff << 5 | 16, 5, 0, 0xffff_ff81),
    (0x8000 | 0xff << 5 | 16, 5, UNSIGNED_INT, 0xffff_ffff),
];

/// What T0 stores, `fmt`, settings, and the datum.
const STORED: [(u32, u32, u32, u32); 15] = [
    (0x3f80_0000, 0, 0, 0x007f_0000),
    (0xc020_0000, 0, 0, 0xa080_0000),
    (5, 1, 0, 5),
    (0xffff_fffb, 1, 0, 0x8000_0005),
    // The lowest number is clamped to all ones.
    (0x8000_0000, 1, 0, 0xffff_ffff),
    (0x8000_0000, 1, NO_SWIZZLE, 0x8000_0000),
    (0x3c00, 2, 0, 0x000f),
    (0x3f80, 3, 0, 0x007f),
    (0xfffd, 4, 0, 0x8003),
    (0x8000, 4, 0, 0xffff),
    (0x8000, 4, UNSIGNED_INT, 0x8000),
    // Minus one has a magnitude of 81, and the lowest number one of ff.
    (0xff, 5, 0, 0x8000 | 0x81 << 5 | 16),
    (0x80, 5, 0, 0x8000 | 0xff << 5 | 16),
    (0xff, 5, UNSIGNED_INT, 0xff << 5 | 16),
    (0, 5, 0, 0),
];

fn run(level: Level, mnemonic: Mnemonic, fmt: u32, settings: u32, set: impl Fn(&mut Tensix<'_>)) -> tandem_isa::State {
    let size = [2, 2, 1, 1, 1, 0][fmt as usize];
    let instruction = mnemonic.on(tandem_isa::tensix::Chip::Blackhole);
    let mut word = [instruction.base_code[0]];
    SIZE.set(&mut word, size);
    OFFSET.set(&mut word, (16 + 2) * SIZES[size as usize]);
    if mnemonic == Mnemonic::RiscLoad {
        SIGN_EXTEND.set(&mut word, 1);
    }
    let mut state = BLACKHOLE.base_state();
    let mut tensix = Tensix::new(&mut state);
    tensix.small.config[0][CTRL] = (settings | fmt << 2) << FIRST_BIT[0];
    set(&mut tensix);
    let step = Step { instruction, edition: Edition::Newest, code: &word };
    assert_eq!(TensixSimd::new(level).execute(&step, &mut state), Answer::Done);
    state
}

#[test]
fn loads_worked_out_by_hand() {
    for level in Level::detect_all() {
        for (datum, fmt, settings, expected) in LOADED {
            let mut state = run(level, Mnemonic::RiscLoad, fmt, settings, |tensix| {
                let upper = if fmt < 2 { datum >> 16 } else { datum };
                tensix.set_dst_bits(1, 2, upper as u16);
                tensix.set_dst_bits(9, 2, datum as u16);
            });
            let got = Tensix::new(&mut state).small.risc_data;
            assert_eq!(got, [expected, 0, 0, 0], "{level}: {datum:08x} of format {fmt}, {settings}");
        }
    }
}

#[test]
fn stores_worked_out_by_hand() {
    for level in Level::detect_all() {
        for (value, fmt, settings, expected) in STORED {
            let state = run(level, Mnemonic::RiscStore, fmt, settings, |tensix| {
                tensix.small.risc_data = [value | if fmt < 2 { 0 } else { 0xa5a5_0000 }, !0, !0, !0];
            });
            let [upper, lower] = [1, 9].map(|row| state.word(bank::DST, row, 2));
            let got = if fmt < 2 { upper << 16 | lower } else { upper };
            assert_eq!(got, expected, "{level}: {value:08x} of format {fmt}, {settings}");
        }
    }
}
