//! Names of fields, and what they are for one instruction.

use tandem_isa::visa::DataType;
use tandem_isa::{Facts, Field, FieldRole, Layout, MACHINES, WordSize};

use super::case::{Index, NONE, Number, Place, Section};
use super::condition::Instances;

/// What is wrong with a name, and what to do.
#[derive(Debug)]
pub(super) struct Problem {
    pub what: String,
    pub next: String,
}

type Named<T> = Result<T, Problem>;

/// The first variable that a case of vISA declares.
const FIRST_VARIABLE: u32 = 32;

/// The names that conditions of an instruction may use.
#[derive(Clone, Copy)]
pub(super) struct Names {
    pub instruction: &'static Facts,
    pub layout: &'static Layout,
}

impl Names {
    pub fn of(instruction: &'static Facts) -> Self {
        let isa =
            MACHINES.iter().find(|isa| isa.name == instruction.isa).expect("an instruction has an instruction set");
        Names { instruction, layout: isa.layout }
    }

    /// The problem that there is no field of this name, with the names that are most like it.
    fn unknown(&self, name: &str) -> Problem {
        let code = self.instruction.code_fields.iter().map(|field| format!("code.{}", field.name));
        let small = (self.layout.fields)().iter().map(|field| field.name.clone());
        let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        let wanted = last(name);
        let alike = |known: &String| {
            let known = last(known);
            known.contains(&wanted) || wanted.contains(&known)
        };
        let mut like: Vec<String> = code.chain(small).filter(alike).take(3).collect();
        like.dedup();
        let next = if like.is_empty() {
            format!(
                "`tandem describe {}` lists the fields, and `code.` begins those of the code word",
                self.instruction.isa
            )
        } else {
            format!("did you mean {}?", like.join(", "))
        };
        Problem { what: format!("{} has no field '{name}'", self.instruction.path()), next }
    }

    fn field(&self, name: &str) -> Option<Place> {
        self.layout.field_named(name).map(place)
    }

    /// A field of one instance.
    pub fn number(&self, name: &str) -> Named<Number> {
        if let Some(code) = name.strip_prefix("code.") {
            let field = self.instruction.code_field(code).ok_or_else(|| self.unknown(name))?;
            return Ok(Number::Code { word: field.word, shift: field.shift, mask: field.mask() >> field.shift });
        }
        if let Some(member) = name.strip_prefix("section.") {
            return self.section_member(member).ok_or_else(|| self.unknown(name));
        }
        if name.contains('*') {
            return Err(Problem {
                what: format!("'{name}' may be several fields"),
                next: "name one of them, with a number, [thread] or [state]".to_string(),
            });
        }
        let mut first = name.to_string();
        let mut indexed = None;
        for (text, index) in [("[thread]", Index::Thread), ("[state]", Index::State)] {
            if name.contains(text) {
                first = name.replace(text, "[0]");
                indexed = Some((name.replace(text, "[1]"), index));
            }
        }
        let mut place = self.field(&first).ok_or_else(|| self.unknown(name))?;
        if let Some((second, index)) = indexed {
            let second = self.field(&second).ok_or_else(|| self.unknown(name))?;
            *place.stride_mut(index) = second.byte - place.byte;
        }
        Ok(Number::Small(place))
    }

    /// A member of the section of AddrMod that is in force, for the current thread.
    fn section_member(&self, member: &str) -> Option<Number> {
        self.instruction.code_field("AddrMod")?;
        ["AB", "DST", "BIAS"].into_iter().find_map(|array| {
            let at = |thread: usize, section: usize| {
                self.field(&format!("ThreadConfig[{thread}].ADDR_MOD_{array}_SEC[{section}].{member}"))
            };
            let mut place = at(0, 0)?;
            *place.stride_mut(Index::Thread) = at(1, 0)?.byte - place.byte;
            *place.stride_mut(Index::Section) = at(0, 1)?.byte - place.byte;
            Some(Number::Small(place))
        })
    }

    /// What chooses thread, bank and section: of instruction sets that have threads.
    pub fn section(&self) -> Option<Section> {
        let small = |name: &str| match self.number(name) {
            Ok(Number::Small(place)) => Some(place),
            _ => None,
        };
        let addr_mod = self.instruction.code_field("AddrMod");
        let upper = ["RWCs[thread].ExtraAddrModBit", "ThreadConfig[thread].ADDR_MOD_SET_Base"];
        // A chip whose AddrMod has three bits names its section by it alone.
        let has_halves = addr_mod.is_some_and(|field| field.width == 2);
        Some(Section {
            thread: small("CurrentThread")?,
            state: small("ThreadConfig[thread].CFG_STATE_ID_StateID")?,
            addr_mod: addr_mod.map(|field| (field.shift, field.mask() >> field.shift)),
            upper: if has_halves { upper.into_iter().filter_map(small).collect() } else { Vec::new() },
        })
    }

    /// The fields that a pattern with `[*]` or `.*` means, but for those whose last name is in `except`.
    pub fn fields(&self, pattern: &str, except: &[&str]) -> Named<Vec<&'static Field>> {
        let last = |field: &Field| field.name.rsplit('.').next().unwrap_or_default().to_string();
        let meant: Vec<_> = (self.layout.fields)().iter().filter(|field| matches(pattern, &field.name)).collect();
        if meant.is_empty() {
            return Err(self.unknown(pattern));
        }
        if let Some(name) = except.iter().find(|name| !meant.iter().any(|field| last(field) == **name)) {
            return Err(Problem {
                what: format!("'{pattern}' has no '{name}' to leave out"),
                next: "remove the name from `except`".to_string(),
            });
        }
        Ok(meant.into_iter().filter(|field| !except.contains(&last(field).as_str())).collect())
    }

    /// The fields of the small state for bits that have no name.
    pub fn unnamed(&self) -> Vec<&'static Field> {
        (self.layout.fields)().iter().filter(|field| field.role == FieldRole::Unnamed).collect()
    }

    /// The words that hold the instances of the fields that a pattern means.
    pub fn instances(&self, pattern: &str, except: &[&str]) -> Named<Vec<Instances>> {
        if !pattern.contains("[*]") {
            return Err(Problem {
                what: format!("'{pattern}' has one instance"),
                next: "write [*] where the instances are counted".to_string(),
            });
        }
        let mut groups: Vec<(String, Instances)> = Vec::new();
        for field in self.fields(pattern, except)? {
            let name = field.name.rsplit('.').next().unwrap_or_default();
            let (byte, mask) = place(field).fixed().expect("a field of the layout has one instance");
            match groups.iter_mut().find(|(known, _)| known == name) {
                Some((_, group)) => group.bytes.push(byte),
                None => groups.push((name.to_string(), Instances { bytes: vec![byte], mask })),
            }
        }
        let mut merged: Vec<Instances> = Vec::new();
        for (_, group) in groups {
            match merged.iter_mut().find(|known| known.bytes == group.bytes) {
                Some(known) => known.mask |= group.mask,
                None => merged.push(group),
            }
        }
        Ok(merged)
    }

    /// The format in force of `SrcA` or `SrcB`.
    pub fn format(&self, source: &str) -> Named<Number> {
        let register = match source {
            "SrcA" => "0_SrcA",
            "SrcB" => "1_SrcB",
            _ => {
                return Err(Problem {
                    what: format!("'{source}' has no format"),
                    next: "write SrcA or SrcB".to_string(),
                });
            }
        };
        let config = |name: String| self.number(&format!("Config[state].ALU_FORMAT_SPEC_REG{name}"));
        let overridden = (config(format!("_{source}_override"))?, config(format!("_{source}_val"))?);
        let mut ways = vec![overridden];
        // What the vector unit takes in place of SrcB's format, where there is such a thing.
        let dest = |name: &str| self.number(&format!("ThreadConfig[thread].SFPU_DEST_FMT_{name}"));
        if let ("SrcB", Ok(enable), Ok(base)) = (source, dest("Enable"), dest("Base")) {
            ways.insert(0, (enable, base));
        }
        Ok(Number::Choice { ways, last: Box::new(config(register.to_string())?) })
    }

    /// The type of an operand of vISA, by its code; none where it has none.
    pub fn operand_type(&self, operand: &str) -> Named<Number> {
        let code = |name: &str| self.number(&format!("code.{operand}.{name}"));
        let declared = (0..4).map(|index| self.number(&format!("V{}.type", FIRST_VARIABLE + index)));
        let declared = declared.collect::<Named<Vec<_>>>()?;
        let general = Number::Among { by: Box::new(code("id")?), first: FIRST_VARIABLE, numbers: declared };
        let Ok(class) = code("operand_class") else {
            return Ok(general);
        };
        let none = || Number::Always(NONE);
        let always = |data_type: DataType| Number::Always(data_type.code());
        let immediate = code("type").unwrap_or_else(|_| none());
        // In the order of the operand classes: general, address, predicate, indirect, reserved, immediate, state.
        let numbers = vec![
            general,
            always(DataType::Uw),
            always(DataType::Bool),
            code("bit_properties.type")?,
            none(),
            immediate,
        ];
        Ok(Number::Among { by: Box::new(class), first: 0, numbers })
    }
}

/// Where a field lies.
pub(super) fn place(field: &Field) -> Place {
    let mask = if field.width >= 32 { u32::MAX } else { (1 << field.width) - 1 };
    let is_short = field.word != WordSize::U32;
    Place { byte: field.byte, is_short, shift: field.shift, mask, strides: [0; 3] }
}

/// Whether a name is one that a pattern means: `[*]` stands for any number, `*` at the end for any name.
fn matches(pattern: &str, name: &str) -> bool {
    let Some(star) = pattern.find('*') else {
        return pattern == name;
    };
    let (before, after) = (&pattern[..star], &pattern[star + 1..]);
    let Some(rest) = name.strip_prefix(before) else {
        return false;
    };
    let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(rest.len());
    end > 0 && matches(after, &rest[end..])
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stands_for_a_number_or_a_name() {
        assert!(matches("LaneConfig[*].ROW_MASK", "LaneConfig[7].ROW_MASK"));
        assert!(matches("LaneConfig[*].*", "LaneConfig[0].BLOCK_DEST_MOV"));
        assert!(!matches("LaneConfig[*].*", "LaneConfig[0]"));
        assert!(!matches("ThreadConfig[*].*", "ThreadConfig[0].ADDR_MOD_AB_SEC[1].SrcACR"));
        assert!(!matches("RWCs[*].Dst", "RWCs[0].Dst_Cr"));
    }
}
