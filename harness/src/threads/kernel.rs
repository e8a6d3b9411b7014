//! Kernels: files of JSON lines with the acts of each thread.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use tandem_isa::{Act, Code, Edition, Isa, Pushed, StandIn, State, StatePlace, Threads, Word};
use thiserror::Error;

/// Most acts of all threads together, once the front end has expanded them.
const MOST_ACTS: usize = 1 << 20;
/// The highest byte of a word that stands for an entry that is no word, on its way through the front end. No instruction has it.
const ENTRY: u32 = 0xff;

/// A program of threads.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// The instruction set.
    pub isa: &'static Isa,
    /// The edition.
    pub edition: Edition,
    /// What it is, in a sentence.
    pub says: String,
    /// Where it is from.
    pub sources: Vec<String>,
    /// The kinds of findings that all its orders together show, if the file says so.
    pub finds: Option<Vec<String>>,
    /// What differs from the base state where it begins.
    pub state: BTreeMap<StatePlace, u32>,
    /// The acts of each thread.
    pub threads: Vec<Vec<KernelLine>>,
    /// The order in which its lines are, by their threads, if the file says that it is one.
    pub order: Option<Vec<usize>>,
}

/// An instruction set, and how its threads go on.
pub type KernelIsa = (&'static Isa, Box<dyn Threads>);

/// An act, and where it comes from.
#[derive(Clone, Debug)]
pub struct KernelLine {
    /// The act.
    pub act: Act,
    /// Its line in the file, from 1.
    pub line: usize,
    /// What the file calls it.
    pub label: Option<String>,
    /// What stands where after it, in a trace.
    pub after: Vec<(StatePlace, u32)>,
}

/// Why a kernel cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line}: {what}")]
pub struct KernelError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what to do.
    pub what: String,
}

/// A line, or an entry of `steps`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Entry {
    kernel: Option<String>,
    isa: Option<String>,
    edition: Option<Edition>,
    says: Option<String>,
    sources: Vec<String>,
    finds: Option<Vec<String>>,
    order: Option<String>,
    state: Option<BTreeMap<String, Value>>,
    after: Option<BTreeMap<String, Value>>,
    thread: Option<usize>,
    label: Option<String>,
    step: Option<String>,
    core: Option<String>,
    word: Option<Value>,
    unpack: Option<String>,
    pack: Option<String>,
    first: usize,
    rows: Option<usize>,
    value: Option<Value>,
    flip: bool,
    store: Option<BTreeMap<String, Value>>,
    mop_cfg: Option<Vec<Value>>,
    repeat: Option<usize>,
    steps: Vec<Entry>,
}

/// A number, or a text such as `0x10`.
fn number(value: &Value) -> Result<u32, String> {
    let read = match value {
        Value::String(text) => match text.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        },
        other => other.as_u64().and_then(|number| u32::try_from(number).ok()),
    };
    read.ok_or_else(|| format!("{value} is no number of 32 bits; write 16 or \"0x10\""))
}

/// What a line has beside what it pushes.
type Beside = (usize, Option<String>, Vec<(StatePlace, u32)>);

/// What is read of a file so far.
struct Reading<'a> {
    kernel: Kernel,
    machine: &'a dyn Threads,
    /// What each thread's core pushes; entries that are no words stand in a list beside.
    pushed: Vec<Vec<(Pushed, Beside)>>,
    entries: Vec<Act>,
    /// Whether the order of its lines is the order in which they come.
    in_order: bool,
}

impl Kernel {
    /// Reads a file.
    ///
    /// # Errors
    /// The line that cannot be read, and why.
    pub fn read(
        text: &str,
        isa_of: &dyn Fn(&str) -> Option<KernelIsa>,
    ) -> Result<(Self, Box<dyn Threads>), KernelError> {
        let lines = text.lines().enumerate().map(|(place, line)| (place + 1, line.trim()));
        let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let fail = |line: usize, what: String| KernelError { line, what };
        let entry = |(line, text): (usize, &str)| -> Result<(usize, Entry), KernelError> {
            let read = serde_json::from_str(text).map_err(|error| fail(line, error.to_string()))?;
            Ok((line, read))
        };
        let Some(first) = lines.next() else { return Err(fail(1, "the file is empty".to_string())) };
        let (line, head) = entry(first)?;
        let (Some(name), Some(isa)) = (head.kernel, head.isa) else {
            return Err(fail(
                line,
                "the first line has to have `kernel`, a name, and `isa`, an instruction set".to_string(),
            ));
        };
        let (isa, machine) = isa_of(&isa)
            .ok_or_else(|| fail(line, format!("there is no instruction set '{isa}' whose threads have a model")))?;
        let kernel = Kernel {
            name,
            isa,
            edition: head.edition.unwrap_or(Edition::Newest),
            says: head.says.unwrap_or_default(),
            sources: head.sources,
            finds: head.finds,
            state: BTreeMap::new(),
            threads: Vec::new(),
            order: None,
        };
        let count = machine.names().len();
        let in_order = match head.order.as_deref() {
            None => false,
            Some("lines") => true,
            Some(_) => return Err(fail(line, "`order` is \"lines\" or left out".to_string())),
        };
        let pushed = vec![Vec::new(); count];
        let mut reading = Reading { kernel, machine: &*machine, pushed, entries: Vec::new(), in_order };
        for one in lines {
            let (line, entry) = entry(one)?;
            reading.take(line, entry, None).map_err(|what| fail(line, what))?;
        }
        let kernel = reading.expanded()?;
        Ok((kernel, machine))
    }

    /// The state that it begins in.
    #[must_use]
    pub fn state(&self) -> State {
        let mut state = self.isa.base_state();
        self.state.iter().for_each(|(place, &value)| place.set(&mut state, value));
        // What is there from the start was written by no act.
        state.tracker.clear();
        state
    }

    /// The text of an act.
    #[must_use]
    pub fn text(&self, machine: &dyn Threads, act: &Act) -> String {
        match act {
            Act::Instruction(word) => word.facts.print(&word.code),
            Act::Core(word) => format!("by the core: {}", word.facts.print(&word.code)),
            Act::Nop(name) => (*name).to_string(),
            Act::Unmodelled(word) => match machine.unmodelled(*word) {
                Some(name) => format!("{name} ({word:#010x})"),
                None => format!("{word:#010x}"),
            },
            Act::StandIn(StandIn { path, first, rows, flip, .. }) => {
                let flip = if *flip { ", and give the bank away" } else { "" };
                format!("{}, rows {first} to {}{flip}", machine.paths()[*path], (first + rows).saturating_sub(1))
            }
            Act::Store(stores) => {
                let layout = self.isa.layout;
                let each = stores.iter().map(|&(place, value)| format!("{} = {value:#x}", place.name(layout)));
                format!("store {}", each.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

impl Reading<'_> {
    /// Takes an entry of a line.
    fn take(&mut self, line: usize, entry: Entry, outer: Option<usize>) -> Result<(), String> {
        if entry.kernel.is_some() || entry.isa.is_some() {
            return Err("`kernel` and `isa` stand in the first line alone".to_string());
        }
        if let Some(state) = &entry.state {
            let places = self.places(state)?;
            self.kernel.state.extend(places);
            return Ok(());
        }
        let count = self.pushed.len();
        let thread = entry.thread.or(outer).ok_or_else(|| "the line has no `thread`, and is no `state`".to_string())?;
        if thread >= count {
            return Err(format!("there is no thread {thread}; there are 0 to {}", count - 1));
        }
        if let Some(times) = entry.repeat {
            for _ in 0..times {
                entry.steps.iter().try_for_each(|step| self.take(line, step.clone(), Some(thread)))?;
            }
            return self.is_small_enough();
        }
        let after = entry.after.as_ref().map_or_else(|| Ok(Vec::new()), |after| self.places(after))?;
        let beside = (line, entry.label.clone(), after);
        let pushed = match (&entry.word, &entry.mop_cfg) {
            (Some(word), None) => Pushed::Word(number(word)?),
            (None, Some(words)) => {
                let words: Result<Vec<u32>, String> = words.iter().map(number).collect();
                let words = <[u32; 9]>::try_from(words?).map_err(|_| "`mop_cfg` has nine words".to_string())?;
                Pushed::MopCfg(words)
            }
            (None, None) => {
                let act = self.act(&entry)?;
                self.entries.push(act);
                Pushed::Word(ENTRY << 24 | (self.entries.len() - 1) as u32)
            }
            _ => return Err("a line has one of `word` and `mop_cfg`".to_string()),
        };
        self.pushed[thread].push((pushed, beside));
        self.is_small_enough()
    }

    fn is_small_enough(&self) -> Result<(), String> {
        let pushed: usize = self.pushed.iter().map(Vec::len).sum();
        if pushed > MOST_ACTS { Err(format!("it has more than {MOST_ACTS} steps")) } else { Ok(()) }
    }

    /// The act of an entry that is no word.
    fn act(&self, entry: &Entry) -> Result<Act, String> {
        if let Some(text) = &entry.step {
            return self.instruction(text);
        }
        if let Some(text) = &entry.core {
            return match self.instruction(text)? {
                Act::Instruction(word) => Ok(Act::Core(word)),
                _ => Err("a core does SEMPOST or SEMGET by a store".to_string()),
            };
        }
        if let Some(stores) = &entry.store {
            return Ok(Act::Store(self.places(stores)?));
        }
        let named = entry
            .unpack
            .iter()
            .map(|to| format!("unpack {to}"))
            .chain(entry.pack.iter().map(|of| format!("pack {of}")));
        let Some(name) = named.into_iter().next() else {
            let keys = "`step`, `core`, `word`, `unpack`, `pack`, `store`, `mop_cfg`, or `repeat` with `steps`";
            return Err(format!("the line says nothing to do: it needs one of {keys}"));
        };
        let paths = self.machine.paths();
        let path = paths.iter().position(|path| *path == name);
        let path = path.ok_or_else(|| format!("nothing stands in for '{name}'; there are {}", paths.join(", ")))?;
        let rows = entry.rows.ok_or_else(|| "`rows` is missing, a number of rows".to_string())?;
        let value = entry.value.as_ref().map_or(Ok(0), number)?;
        Ok(Act::StandIn(StandIn { path, first: entry.first, rows, value, flip: entry.flip }))
    }

    /// `NAME Field=value …`; what is not named is as in the base word.
    fn instruction(&self, text: &str) -> Result<Act, String> {
        let machine = self.kernel.isa.machine;
        let mut parts = text.split_whitespace();
        let name = parts.next().unwrap_or_default();
        if let Some(nop) = machine.rules.words.iter().find(|word| word.name == name) {
            return Ok(Act::Nop(nop.name));
        }
        let facts = machine.instruction(name).ok_or_else(|| format!("{} has no instruction '{name}'", machine.name))?;
        let mut code = Code::new(facts.base_code);
        for part in parts {
            let (field, value) = part.split_once('=').ok_or_else(|| format!("'{part}' is not `Field=value`"))?;
            let fields: Vec<&str> = facts.code_fields.iter().map(|field| field.name).collect();
            let of = facts
                .code_field(field)
                .ok_or_else(|| format!("{name} has no field '{field}'; it has {}", fields.join(", ")))?;
            let value = number(&Value::String(value.to_string()))?;
            if u64::from(value) >> of.width != 0 {
                return Err(format!("{field} of {name} has {} bits; {value} does not fit", of.width));
            }
            of.set(&mut code, value);
        }
        Ok(Act::Instruction(Word { facts, code }))
    }

    fn field(&self, name: &str) -> Result<usize, String> {
        let fields = (self.kernel.isa.layout.fields)();
        let place = fields.iter().position(|field| field.name == name);
        place.ok_or_else(|| format!("{} has no field '{name}'", self.kernel.isa.name))
    }

    fn places(&self, named: &BTreeMap<String, Value>) -> Result<Vec<(StatePlace, u32)>, String> {
        let lists: Result<Vec<_>, String> = named.iter().map(|(name, value)| self.place(name, value)).collect();
        Ok(lists?.concat())
    }

    /// `Field`, or `Bank[i][j]` of a row or of a word, with what stands there.
    fn place(&self, name: &str, value: &Value) -> Result<Vec<(StatePlace, u32)>, String> {
        let layout = self.kernel.isa.layout;
        let (bank, indices) = name.split_once('[').unwrap_or((name, ""));
        let field = (layout.fields)().iter().position(|field| field.name == name);
        let Some(bank) = layout.banks.iter().position(|one| one.name == bank).filter(|_| field.is_none()) else {
            let (field, value) = (self.field(name)?, number(value)?);
            let most = (layout.fields)()[field].max;
            if value > most {
                return Err(format!("{name} is at most {most:#x}"));
            }
            return Ok(vec![(StatePlace::Field(field), value)]);
        };
        let spec = &layout.banks[bank];
        let read: Result<Vec<usize>, _> = indices.trim_end_matches(']').split("][").map(str::parse).collect();
        let read = read.map_err(|_| format!("'{name}' is not {}[number]…", spec.name))?;
        let dims = spec.dims.len();
        if !(dims - 1..=dims).contains(&read.len()) || read.iter().zip(spec.dims).any(|(index, size)| index >= size) {
            let sizes = spec.dim_names.iter().zip(spec.dims).map(|(name, size)| format!("{size} of {name}"));
            let sizes = sizes.collect::<Vec<_>>().join(", ");
            return Err(format!("'{name}' is no row and no word of {}, which has {sizes}", spec.name));
        }
        let row = read[..dims - 1].iter().zip(spec.dims).fold(0, |row, (index, size)| row * size + index);
        let columns = match read.get(dims - 1) {
            Some(&column) => column..column + 1,
            None => 0..spec.columns(),
        };
        let values = match value {
            Value::Array(list) if list.len() == columns.len() => {
                list.iter().map(number).collect::<Result<Vec<_>, _>>()?
            }
            Value::Array(list) => return Err(format!("{name} has {} words, not {}", columns.len(), list.len())),
            one => vec![number(one)?; columns.len()],
        };
        Ok(columns.map(|column| StatePlace::Word(bank, row, column)).zip(values).collect())
    }

    /// The kernel, with the acts that come to the gates.
    fn expanded(self) -> Result<Kernel, KernelError> {
        let Reading { mut kernel, machine, pushed, entries, in_order } = self;
        for list in pushed {
            let (words, lines): (Vec<Pushed>, Vec<Beside>) = list.into_iter().unzip();
            let line_of = |place: usize| lines.get(place).map_or(0, |(line, ..)| *line);
            let fail = |place: usize, what: String| KernelError { line: line_of(place), what };
            let came = machine.expand(&words).map_err(|error| fail(error.place, error.what))?;
            let act = |&(place, word): &(usize, u32)| {
                let machine = kernel.isa.machine;
                let entry = entries.get((word & 0xff_ffff) as usize).filter(|_| word >> 24 == ENTRY);
                let act = if let Some(entry) = entry {
                    entry.clone()
                } else if let Some(facts) = machine.instructions.iter().copied().find(|facts| facts.matches(&[word])) {
                    Act::Instruction(Word { facts, code: Code::new(&[word]) })
                } else if let Some(nop) = machine.rules.words.iter().find(|nop| u32::from(nop.opcode) == word >> 24) {
                    Act::Nop(nop.name)
                } else {
                    Act::Unmodelled(word)
                };
                let (line, label, after) = lines[place].clone();
                Ok(KernelLine { act, line, label, after })
            };
            if came.len() > MOST_ACTS {
                return Err(fail(0, format!("the front end makes more than {MOST_ACTS} instructions of it")));
            }
            let acts: Result<Vec<KernelLine>, KernelError> = came.iter().map(act).collect();
            kernel.threads.push(acts?);
        }
        if in_order {
            let all = kernel.threads.iter().enumerate();
            let mut turns: Vec<(usize, usize)> =
                all.flat_map(|(thread, lines)| lines.iter().map(move |line| (line.line, thread))).collect();
            turns.sort_unstable();
            kernel.order = Some(turns.into_iter().map(|(_, thread)| thread).collect());
        }
        Ok(kernel)
    }
}
