//! What RISCV T0, T1 or T2 does that its Tensix thread sees, read off the ELF of its program.
//!
//! The core runs over values that are known (what the ELF initializes, what the program wrote to memory, what follows from
//! them) or data (loaded from elsewhere). A program whose way hangs on data is refused. Steps are in the order of the
//! program: that a core may reorder stores to different regions is not looked at.
//!
//! Sources, of tt-isa-documentation: `BabyRISCV/README.md` (instruction sets, memory map; Wormhole 04fca466, Blackhole
//! 2c2c43b3), `PushTensixInstruction.md` (Blackhole 6e087b06), `TTSync.md`, `Mailboxes.md`, `MOPExpander.md` and
//! `ScalarUnit.md` (Wormhole 39304719), `SyncUnit.md` (Blackhole f7fda211), `BackendConfiguration.md` (Blackhole 16705cfa).
//! There are no compressed instructions. Blackhole has Zicsr, Zba and Zbb, of which counts and bytes are not run.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use object::elf::{EM_RISCV, PF_X, PT_LOAD};
use object::read::elf::{ElfFile32, FileHeader, ProgramHeader};
use object::{LittleEndian as LE, Object, ObjectSymbol, SymbolKind};
use serde_json::{Map, Value as Json, json};
use tandem_isa::Machine;
use tandem_isa::tensix::Chip;

use crate::nearest;

#[cfg(test)]
mod tests;

const BUDGET: usize = 1_000_000;
/// Where the program returns to in the end, which is mapped to nothing.
const END: u32 = 0xffff_fffc;
const INSTRN_BUF_BASE: u32 = 0xffe4_0000;
/// Bytes of L1 on Blackhole, which has more of it.
const L1_SIZE: u32 = 0x0018_0000;

/// What a core does that its Tensix thread or the state sees; `pc` is the address of its RISC-V instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CoreStep {
    /// Pushes an instruction to its thread, before the MOP Expander.
    Push { pc: u32, word: u32 },
    /// Writes `MopCfg[index]` of its thread.
    MopCfg { pc: u32, index: usize, word: u32 },
    /// Decrements (`get`) or increments `Semaphores[index]`.
    Semaphore { pc: u32, index: usize, get: bool },
    /// Writes `Config[bank][index]`, or both banks at once. `word` is none where it is data.
    Config { pc: u32, bank: Option<usize>, index: usize, word: Option<u32> },
    /// Writes `GPRs[thread][index]`. `word` is none where it is data.
    Gpr { pc: u32, index: usize, word: Option<u32> },
    /// Loads from what answers when it is ready: TTSync, the PCBuf, a mailbox.
    Wait { pc: u32, address: u32, on: &'static str },
    /// Stores to what no instruction with a model sees: a mailbox, TTSync, TDMA-RISC, a NoC.
    Elsewhere { pc: u32, address: u32, device: &'static str },
}

impl CoreStep {
    /// The address of its instruction.
    fn pc(self) -> u32 {
        match self {
            CoreStep::Push { pc, .. }
            | CoreStep::MopCfg { pc, .. }
            | CoreStep::Semaphore { pc, .. }
            | CoreStep::Config { pc, .. }
            | CoreStep::Gpr { pc, .. }
            | CoreStep::Wait { pc, .. }
            | CoreStep::Elsewhere { pc, .. } => pc,
        }
    }
}

/// Why an ELF gives no steps.
#[derive(Debug, thiserror::Error)]
pub(super) enum ElfError {
    #[error("this is no ELF that is read: {0}; give the one that the linker wrote for RISCV T0, T1 or T2")]
    File(String),
    #[error("the ELF has {count} symbols '{name}', and not one{meant}")]
    Symbol { count: usize, name: String, meant: String },
    #[error("RISCV T{thread} {does} at {at}: {why}; leave it out of the build, make it a constant, or read behind it")]
    Core { thread: usize, does: &'static str, at: String, why: String },
}

/// The steps of a core, in order, from the symbol `from` (without one, the entry) until it returns, until `ebreak` or `ecall`,
/// or until it jumps to itself. It begins with its stack at the end of its local RAM, and with `gp` as the linker has it.
pub(super) fn read(bytes: &[u8], chip: Chip, thread: usize, from: Option<&str>) -> Result<Vec<CoreStep>, ElfError> {
    let mut core = Core::new(bytes, chip, thread)?;
    core.pc = from.map_or(Ok(core.pc), |name| core.symbol(name))?;
    core.before = core.pc;
    core.registers = [Err(Source(core.pc, "a register as it begins", None)); 32];
    let gp = core.symbol("__global_pointer$").or(core.registers[3]);
    core.registers[..4].copy_from_slice(&[Ok(0), Ok(END), Ok(chip.pick(0xffb0_0800, 0xffb0_1000)), gp]);
    core.run()
}

/// A kernel of what cores do: a program for each of some threads.
///
/// # Errors
/// See [`ElfError`]; also if a core stores data to what instructions go by.
pub(super) fn kernel(
    machine: &Machine,
    chip: Chip,
    files: &[(usize, Vec<u8>)],
    from: Option<&str>,
) -> Result<String, ElfError> {
    let mut lines = vec![json!({ "kernel": "elf", "isa": machine.name })];
    for (thread, bytes) in files {
        let mut mop_cfg = [0_u32; 9];
        for step in read(bytes, chip, *thread, from)? {
            let of_data = |pc: u32, what: String| ElfError::Core {
                thread: *thread,
                does: "stores data",
                at: format!("{pc:#x}"),
                why: format!("{what} becomes what is loaded from elsewhere"),
            };
            let made = match step {
                CoreStep::Push { word, .. } => vec![json!({ "word": word })],
                CoreStep::MopCfg { index, word, .. } => {
                    mop_cfg[index] = word;
                    vec![json!({ "mop_cfg": mop_cfg })]
                }
                CoreStep::Semaphore { index, get, .. } => {
                    let name = if get { "SEMGET" } else { "SEMPOST" };
                    vec![json!({ "core": format!("{name} SemaphoreMask={}", 1 << index) })]
                }
                CoreStep::Config { pc, bank, index, word } => {
                    let word = word.ok_or_else(|| of_data(pc, format!("Config[{index}]")))?;
                    let fields = (machine.layout.fields)().iter().filter(|field| {
                        let is_of = |bank: usize| {
                            field.name.starts_with(&format!("Config[{bank}].")) || field.name.starts_with("Config.")
                        };
                        field.address == Some(("Config", index as u32)) && bank.map_or(is_of(0) || is_of(1), is_of)
                    });
                    let value = |shift: u32, width: u32| word >> shift & (u32::MAX >> (32 - width));
                    let stores: Map<String, Json> =
                        fields.map(|field| (field.name.clone(), json!(value(field.shift, field.width)))).collect();
                    if stores.is_empty() {
                        continue;
                    }
                    vec![json!({ "store": stores })]
                }
                CoreStep::Gpr { pc, index, word } => {
                    let word = word.ok_or_else(|| of_data(pc, format!("GPR {index}")))?;
                    vec![json!({ "store": { format!("GPRs[{thread}][{}][{}]", index / 4, index % 4): word } })]
                }
                // What a core waits for, or tells others, is no act of its thread.
                CoreStep::Wait { .. } | CoreStep::Elsewhere { .. } => continue,
            };
            for mut line in made {
                line["thread"] = json!(thread);
                line["label"] = json!(format!("{:#x}", step.pc()));
                lines.push(line);
            }
        }
    }
    Ok(lines.iter().map(|line| format!("{line}\n")).collect())
}

/// What a register has, or where it comes from if that is data.
type Value = Result<u32, Source>;

/// The address of the instruction, what it loads, and from where if that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Source(u32, &'static str, Option<u32>);

enum Device {
    Memory,
    InstrnBuf,
    MopCfg,
    Semaphore,
    Config,
    Gpr,
    Waits,
    Elsewhere,
    /// What is stored may change what the thread sees, without a model for it.
    Refused,
    Nothing,
}

/// What is mapped to an address of RISCV T0, T1 and T2 for an access of `size` bytes, and how it is called.
fn device(chip: Chip, address: u32, size: u32) -> (Device, &'static str) {
    let (blackhole, word) = (chip == Chip::Blackhole, (address & 0xffff) as usize / 4);
    match address {
        _ if !address.is_multiple_of(size) => (Device::Nothing, "not aligned"),
        0..=0x0016_ffff | 0xffb0_0000..=0xffb0_07ff => (Device::Memory, "memory"),
        0x0017_0000..L1_SIZE | 0xffb0_0800..=0xffb0_0fff if blackhole => (Device::Memory, "memory"),
        0xffb1_1000..=0xffb1_1fff => (Device::Elsewhere, "TDMA-RISC"),
        0xffb1_2000..=0xffb1_2fff => (Device::Refused, "a register of tile control or debug"),
        0xffb1_4000..=0xffb1_dfff if blackhole => (Device::Refused, "the local RAM of a core, by its slow path"),
        0xffb1_3000..=0xffb1_3fff | 0xffb2_0000..=0xffb7_ffff => (Device::Elsewhere, "the PIC or a NoC"),
        0xffb8_0000..=0xffb8_0023 => (Device::MopCfg, "the MOP Expander"),
        0xffbd_8000..=0xffbd_ffff if blackhole => (Device::Refused, "Dst"),
        0xffe0_0000..=0xffe0_00ff => (Device::Gpr, "a GPR"),
        INSTRN_BUF_BASE..=0xffe4_ffff => (Device::InstrnBuf, "the instruction buffer"),
        0xffe8_0000..=0xffe8_0003 => (Device::Waits, "the PCBuf"),
        0xffe8_0004..=0xffe8_0007 => (Device::Waits, "CoprocessorDoneCheck"),
        0xffe8_0008..=0xffe8_000b => (Device::Waits, "MOPExpanderDoneCheck"),
        0xffe8_0020..=0xffe8_003f => (Device::Semaphore, "a semaphore"),
        // Every second word says whether there is something to load.
        0xffec_0000..=0xffec_3fff if address & 4 == 0 => (Device::Waits, "a mailbox"),
        0xffec_0000..=0xffec_3fff => (Device::Elsewhere, "a mailbox"),
        // Two banks, on Blackhole `ConfigDualWrite` too, then `ThreadConfig`.
        0xffef_0000..=0xffef_ffff if word / chip.config_size() < chip.pick(2, 3) => (Device::Config, "Config"),
        0xffef_0000..=0xffef_ffff => (Device::Refused, "ThreadConfig, or behind it"),
        _ => (Device::Nothing, "mapped to nothing that the pages describe"),
    }
}

struct Core<'a> {
    chip: Chip,
    thread: usize,
    code: Vec<Range<u32>>,
    /// What the file initializes, and then what the program writes.
    memory: BTreeMap<u32, Result<u8, Source>>,
    /// By address.
    symbols: BTreeSet<(u32, &'a str)>,
    registers: [Value; 32],
    pc: u32,
    /// The instruction that was run before.
    before: u32,
    steps: Vec<CoreStep>,
}

impl<'a> Core<'a> {
    fn new(bytes: &'a [u8], chip: Chip, thread: usize) -> Result<Self, ElfError> {
        let refused = |what: &str| ElfError::File(what.into());
        if !bytes.starts_with(b"\x7fELF\x01\x01") {
            return Err(refused("it does not begin as one of 32 bits that is little-endian"));
        }
        let file = ElfFile32::<LE>::parse(bytes).map_err(|error| ElfError::File(error.to_string()))?;
        if file.elf_header().e_machine(LE) != EM_RISCV {
            return Err(refused("it is not for RISC-V"));
        }
        let (mut code, mut memory, mut room) = (Vec::new(), BTreeMap::new(), L1_SIZE);
        for part in file.elf_program_headers().iter().filter(|part| part.p_type(LE) == PT_LOAD) {
            let bytes = part.data(LE, bytes).map_err(|()| refused("a segment is cut off"))?;
            let [here, from] =
                [part.p_vaddr(LE), part.p_paddr(LE)].map(|base| base..base.saturating_add(part.p_memsz(LE)));
            room = room.checked_sub(part.p_memsz(LE)).ok_or_else(|| refused("it has more to load than L1 holds"))?;
            memory.extend(here.clone().zip(bytes.iter().copied().chain(std::iter::repeat(0)).map(Ok)));
            // Where the code at the start copies it from.
            from.zip(bytes).for_each(|(address, byte)| _ = memory.entry(address).or_insert(Ok(*byte)));
            code.extend(part.p_flags(LE).contains(PF_X).then_some(here));
        }
        if code.is_empty() {
            return Err(refused("it has no code to load"));
        }
        let named = file.symbols().filter(|one| !one.is_undefined() && one.kind() != SymbolKind::File);
        let named = named.filter_map(|one| Some((u32::try_from(one.address()).ok()?, one.name().ok()?)));
        let symbols = named.filter(|symbol| !symbol.1.is_empty()).collect();
        let (pc, registers, steps) = (file.elf_header().e_entry(LE), [Ok(0); 32], Vec::new());
        Ok(Self { chip, thread, code, memory, symbols, registers, pc, before: pc, steps })
    }

    fn symbol(&self, name: &str) -> Result<u32, ElfError> {
        let all: Vec<u32> = self.symbols.iter().filter(|symbol| symbol.1 == name).map(|symbol| symbol.0).collect();
        if let [address] = all[..] {
            return Ok(address);
        }
        let names: Vec<&str> = self.functions().map(|symbol| symbol.1).filter(|other| *other != name).collect();
        Err(ElfError::Symbol { count: all.len(), name: name.into(), meant: nearest::or_all(name, &names) })
    }

    /// Symbols of the code, by address.
    fn functions(&self) -> impl Iterator<Item = (u32, &'a str)> {
        self.symbols.iter().copied().filter(|symbol| self.is_code(symbol.0))
    }

    fn is_code(&self, address: u32) -> bool {
        self.code.iter().any(|range| range.contains(&address))
    }

    fn bytes(&self, address: u32, size: u32, absent: Source) -> Value {
        (0..size).try_fold(0, |value, index| {
            let byte = *self.memory.get(&address.wrapping_add(index)).unwrap_or(&Err(absent));
            Ok(value | u32::from(byte?) << (8 * index))
        })
    }

    fn place(&self, address: u32) -> String {
        let known = self.functions().take_while(|symbol| symbol.0 <= address && self.is_code(address)).last();
        let of = known.map(|(base, name)| format!(" ({name}+{:#x})", address - base)).unwrap_or_default();
        format!("{address:#010x}{of}")
    }

    fn run(mut self) -> Result<Vec<CoreStep>, ElfError> {
        for _ in 0..BUDGET {
            let next = self.step()?;
            if next == END || next == self.pc {
                return Ok(self.steps);
            }
            (self.before, self.pc) = (self.pc, next);
        }
        Err(self.stuck("does not end", format!("{BUDGET} instructions were run")))
    }

    /// Runs an instruction, and gives the address of the next one.
    fn step(&mut self) -> Result<u32, ElfError> {
        let (pc, mut next) = (self.pc, self.pc.wrapping_add(4));
        let word = self.bytes(pc, 4, Source(pc, "code", None)).ok().filter(|_| pc % 4 == 0 && self.is_code(pc));
        let why = || format!("the file has no code there, where {} goes", self.place(self.before));
        let word = word.ok_or_else(|| self.stuck("stops", why()))?;
        // `.ttinsn`: exactly a store to the instruction buffer.
        if word & 3 != 3 {
            return self.store(Ok(INSTRN_BUF_BASE), 4, Ok(word.rotate_right(2))).map(|()| next);
        }
        let field = |low: u32| (word >> low & 31) as usize;
        let (funct3, funct7, signed) = (word >> 12 & 7, word >> 25, word.cast_signed());
        let (a, b) = (self.registers[field(15)], self.registers[field(20)]);
        let immediate = (signed >> 20).cast_unsigned();
        let plus = |value: Value, offset: u32| value.map(|value| value.wrapping_add(offset));
        let blackhole = self.chip == Chip::Blackhole;
        let result = match (word & 0x7f, funct3) {
            (0x37, _) => Some(Ok(word & !0xfff)),
            (0x17, _) => Some(Ok(pc.wrapping_add(word & !0xfff))),
            (0x6f, _) => {
                let far = (signed >> 11).cast_unsigned() & !0xf_ffff | word & 0xf_f000;
                next = pc.wrapping_add(far | word >> 9 & 0x800 | word >> 20 & 0x7fe);
                Some(Ok(pc.wrapping_add(4)))
            }
            (0x67, 0) => {
                next = plus(a, immediate).map_err(|source| self.data("jumps to data", source))? & !1;
                Some(Ok(pc.wrapping_add(4)))
            }
            (0x63, 0 | 1 | 4..=7) => {
                let far = (signed >> 19).cast_unsigned() & !0xfff | word << 4 & 0x800;
                let target = pc.wrapping_add(far | word >> 20 & 0x7e0 | word >> 7 & 0x1e);
                let (x, y) = a.and_then(|x| b.map(|y| (x, y))).map_err(|source| {
                    self.data(if (target..pc).contains(&source.0) { "polls" } else { "branches on data" }, source)
                })?;
                let less = if funct3 & 2 == 0 { x.cast_signed() < y.cast_signed() } else { x < y };
                let holds = if funct3 < 4 { x == y } else { less };
                next = if holds == (funct3 & 1 == 0) { target } else { next };
                None
            }
            (0x03, 0 | 1 | 2 | 4 | 5) => {
                let (size, unsigned) = (1 << (funct3 & 3), funct3 & 4 != 0);
                let extend = |value| if unsigned { value } else { sign_extend(value, 8 * size) };
                Some(self.load(plus(a, immediate), size)?.map(extend))
            }
            (0x23, 0..=2) => self.store(plus(a, immediate & !31 | word >> 7 & 31), 1 << funct3, b).map(|()| None)?,
            (0x13 | 0x33, _) => {
                let register = word & 0x20 != 0;
                // Only shifts and what is like them have a function beside their immediate.
                let function = if register || matches!(funct3, 1 | 5) { (funct7, funct3) } else { (0, funct3) };
                let b = if register { b } else { Ok(immediate) };
                let value = arithmetic(blackhole, register, function, a.unwrap_or(0), b.unwrap_or(0));
                let value = value.ok_or_else(|| self.unknown(word))?;
                // Nothing is left of data that is and-ed with zero, as behind a load that waits.
                let nothing = function == (0, 7) && (a == Ok(0) || b == Ok(0));
                Some(if nothing { Ok(0) } else { a.and(b).map(|_| value) })
            }
            (0x0f, 0 | 1) => None,
            (0x73, 0) if matches!(word, 0x0000_0073 | 0x0010_0073) => return Ok(END),
            (0x73, 1..=3 | 5..=7) if blackhole => Some(Err(Source(pc, "a CSR", None))),
            _ => return Err(self.unknown(word)),
        };
        if let (Some(value), 1..) = (result, field(7)) {
            self.registers[field(7)] = value;
        }
        Ok(next)
    }

    fn load(&mut self, address: Value, size: u32) -> Result<Value, ElfError> {
        let pc = self.pc;
        let Ok(address) = address else { return Ok(Err(Source(pc, "an address that is data", None))) };
        let (device, what) = device(self.chip, address, size);
        match device {
            Device::Memory => return Ok(self.bytes(address, size, Source(pc, what, Some(address)))),
            Device::Waits => self.steps.push(CoreStep::Wait { pc, address, on: what }),
            Device::Nothing => return Err(self.stuck("loads", format!("{address:#010x} is {what}"))),
            _ => {}
        }
        Ok(Err(Source(pc, what, Some(address))))
    }

    fn store(&mut self, address: Value, size: u32, value: Value) -> Result<(), ElfError> {
        let pc = self.pc;
        let address = address.map_err(|source| self.data("stores to an address that is data", source))?;
        let known = |does| value.map_err(|source| self.data(does, source));
        let (word, index, bank_size) = (value.ok(), (address & 0xffff) as usize / 4, self.chip.config_size());
        let bank = Some(index / bank_size).filter(|bank| *bank < 2);
        self.steps.push(match device(self.chip, address, size) {
            (Device::Memory, _) => {
                let bytes = |index: u32| value.map(|value| value.to_le_bytes()[index as usize]);
                self.memory.extend((0..size).map(|index| (address + index, bytes(index))));
                return Ok(());
            }
            (Device::Elsewhere | Device::Waits, device) => CoreStep::Elsewhere { pc, address, device },
            (Device::Refused | Device::Nothing, what) => {
                return Err(self.stuck("stores", format!("{address:#010x} is {what}")));
            }
            _ if size < 4 => return Err(self.stuck("stores", format!("{address:#010x} takes whole words"))),
            (Device::InstrnBuf, _) => CoreStep::Push { pc, word: known("pushes data")? },
            (Device::MopCfg, _) => CoreStep::MopCfg { pc, index, word: known("has data for the MOP Expander")? },
            (Device::Semaphore, _) => CoreStep::Semaphore { pc, index: index - 8, get: known("posts data")? & 1 != 0 },
            (Device::Config, _) => CoreStep::Config { pc, bank, index: index % bank_size, word },
            (Device::Gpr, _) => CoreStep::Gpr { pc, index, word },
        });
        Ok(())
    }

    fn unknown(&self, word: u32) -> ElfError {
        let sets = self.chip.pick("RV32IM", "RV32IM, Zicsr, Zba, and Zbb without counts and bytes");
        self.stuck("has an instruction that is not run", format!("{word:#010x} is not of .ttinsn, {sets}"))
    }

    fn data(&self, does: &'static str, Source(pc, what, address): Source) -> ElfError {
        let address = address.map(|address| format!("{address:#010x}, ")).unwrap_or_default();
        self.stuck(does, format!("load at {} of {address}{what}", self.place(pc)))
    }

    fn stuck(&self, does: &'static str, why: String) -> ElfError {
        ElfError::Core { thread: self.thread, does, at: self.place(self.pc), why }
    }
}

fn sign_extend(value: u32, bits: u32) -> u32 {
    (value.cast_signed() << (32 - bits) >> (32 - bits)).cast_unsigned()
}

/// Arithmetic by funct7 and funct3, of two registers, or of one and an immediate.
fn arithmetic(blackhole: bool, register: bool, function: (u32, u32), a: u32, b: u32) -> Option<u32> {
    let (x, y, third) = (a.cast_signed(), b.cast_signed(), function.1 as usize % 4);
    let high = |product: i64| (product >> 32).cast_unsigned() as u32;
    Some(match function {
        (0, 0..=3) => [a.wrapping_add(b), a << (b & 31), u32::from(x < y), u32::from(a < b)][third],
        (0, _) => [a ^ b, a >> (b & 31), a | b, a & b][third],
        (0x20, 0) if register => a.wrapping_sub(b),
        (0x20, 5) => (x >> (b & 31)).cast_unsigned(),
        // M.
        (1, 0) if register => a.wrapping_mul(b),
        (1, 1) if register => high(i64::from(x) * i64::from(y)),
        (1, 2) if register => high(i64::from(x) * i64::from(b)),
        (1, 3) if register => ((u64::from(a) * u64::from(b)) >> 32) as u32,
        (1, 4) if register => x.checked_div(y).unwrap_or(if y == 0 { -1 } else { x }).cast_unsigned(),
        (1, 5) if register => a.checked_div(b).unwrap_or(u32::MAX),
        (1, 6) if register => x.checked_rem(y).unwrap_or(if y == 0 { x } else { 0 }).cast_unsigned(),
        (1, 7) if register => a.checked_rem(b).unwrap_or(a),
        _ if !blackhole => return None,
        // Zba and Zbb, where `zext.h` is `pack` with nothing.
        (0x10, 2 | 4 | 6) if register => (a << (function.1 / 2)).wrapping_add(b),
        (0x20, 4) if register => !(a ^ b),
        (0x20, 6) if register => a | !b,
        (0x20, 7) if register => a & !b,
        (5, 4..=7) if register => [x.min(y).cast_unsigned(), a.min(b), x.max(y).cast_unsigned(), a.max(b)][third],
        (0x30, 1) if register => a.rotate_left(b & 31),
        (0x30, 5) => a.rotate_right(b & 31),
        (4, 4) if register => a & 0xffff | b << 16,
        (0x30, 1) if b & 31 == 4 => sign_extend(a, 8),
        (0x30, 1) if b & 31 == 5 => sign_extend(a, 16),
        _ => return None,
    })
}
