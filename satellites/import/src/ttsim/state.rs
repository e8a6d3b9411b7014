//! The states of a line: what the instruction finds, and what it leaves.

use serde_json::{Value, json};
use tandem_harness::vectors::{Sparse, field_named, rows_named};
use tandem_isa::tensix::{self, bank};
use tandem_isa::{Code, FieldRole, Isa};

use super::form::Form;
use super::sfpu::{IGNORED, constant};
use super::{Line, Members};
use crate::line::{NotRead, is_hex};

impl Line<'_> {
    /// The state before against the base state, and the rows of `Dst` that the line lists.
    pub(super) fn before(
        &self,
        line: &Members,
        isa: &Isa,
        form: &Form,
        code: &Code,
        is_refused: bool,
    ) -> Result<(Sparse, Vec<usize>), NotRead> {
        let (mut before, nothing) = (Sparse::default(), Members::new());
        let thread = self.thread(line)?;
        self.set_field(isa, &mut before, "CurrentThread", thread, "/thread")?;
        self.config(line, isa, thread, &mut before)?;
        // Instructions without counters list none.
        let counters = line.get("rwc").map_or(Ok(&nothing), |counters| self.object(Some(counters), "/rwc"))?;
        for (name, value) in counters {
            let at = format!("/rwc/{name}");
            let known = format!("RWCs[{thread}].{name}");
            self.set_field(isa, &mut before, &known, self.number(value, &at)?, &at)?;
        }
        // A refusal need not say what state it was refused in.
        let members = match line.get("in") {
            None if is_refused => &nothing,
            members => self.object(members, "/in")?,
        };
        self.only(members, "/in", form.before)?;
        for (name, value) in members {
            self.member(isa, name, value, &mut before)?;
        }
        for register in (form.registers_read)(code).into_iter().flatten() {
            if let Some(word) = constant(register) {
                let place = (bank::LREG, register as usize);
                before.rows.entry(place).or_insert_with(|| vec![word; isa.layout.banks[bank::LREG].columns()]);
            }
        }
        let dst_rows = before.rows.keys().filter(|&&(of, _)| of == bank::DST).map(|&(_, row)| row).collect();
        before.rows.retain(|&(of, row), words| !isa.layout.banks[of].is_base(row, words));
        Ok((before, dst_rows))
    }

    fn thread(&self, line: &Members) -> Result<u32, NotRead> {
        self.number(line.get("thread").unwrap_or(&Value::Null), "/thread")
    }

    fn config(&self, line: &Members, isa: &Isa, thread: u32, before: &mut Sparse) -> Result<(), NotRead> {
        let config = self.object(line.get("config"), "/config")?;
        let at = "/config/CFG_STATE_ID_StateID";
        let state_id = config.get("CFG_STATE_ID_StateID").map_or(Ok(0), |value| self.number(value, at))?;
        if state_id > 1 {
            return Err(self.wrong(at, format!("{state_id} is no bank of Config")));
        }
        for (name, value) in config {
            let at = format!("/config/{name}");
            let value = self.number(value, &at)?;
            if let Some(source) = name.strip_suffix("Bank].ImpliedFmt") {
                // `SrcA[MatrixUnit.SrcABank].ImpliedFmt`: of the bank that `in` says, or else of bank 0.
                let (source, in_use) = source.split_once('[').unwrap_or((source, ""));
                let bank = line.get("in").and_then(|members| members.get(format!("{in_use}Bank")));
                let bank = bank.map_or(Ok(0), |bank| self.number(bank, &at))?;
                self.set_field(isa, before, &format!("Implied{source}Fmt[{bank}]"), value, &at)?;
                continue;
            }
            if name == "LaneConfig" {
                self.lane_config(isa, value, &at, before)?;
                continue;
            }
            // The page's spaces have no name in common. The last is the one word for both banks.
            let spaces = [
                format!("Config[{state_id}].{name}"),
                format!("ThreadConfig[{thread}].{name}"),
                format!("Config.{name}"),
            ];
            let known = spaces.iter().find(|name| field_named(isa.layout, name).is_some());
            let known = known.ok_or_else(|| self.unknown(at.as_str()))?;
            self.set_field(isa, before, known, value, &at)?;
        }
        Ok(())
    }

    /// Fields of the configuration of which the line says nothing, for any thread and bank. What the simulator ignores is none
    /// of them: it explains nothing that it did. Nor is the number of the bank: what a line lists is of the bank in use.
    pub(super) fn unlisted(&self, line: &Members, isa: &Isa) -> Vec<usize> {
        let listed = |key: &str| line.get("config").is_some_and(|config| config.get(key).is_some());
        let is_unlisted = |name: &str| {
            let (space, key) = name.split_once('.').unwrap_or((name, ""));
            let is_lane = space.starts_with("LaneConfig[") && listed("LaneConfig");
            !is_lane && !listed(key) && !IGNORED.contains(&key) && key != "CFG_STATE_ID_StateID"
        };
        let fields = (isa.layout.fields)().iter().enumerate();
        let config = fields.filter(|(_, field)| field.role == FieldRole::Config && is_unlisted(&field.name));
        config.map(|(place, _)| place).collect()
    }

    /// One value of `LaneConfig` for all lanes, by fields.
    fn lane_config(&self, isa: &Isa, value: u32, at: &str, before: &mut Sparse) -> Result<(), NotRead> {
        let mut named = 0;
        for (index, field) in (isa.layout.fields)().iter().enumerate() {
            if field.name.starts_with("LaneConfig[") {
                let bits = (value >> field.shift) & field.max;
                named |= bits << field.shift;
                before.put_field(index, bits, field.base);
            }
        }
        if named == value { Ok(()) } else { Err(self.unknown(format!("{at}, bits {:#x}", value & !named))) }
    }

    /// A member of `in`.
    fn member(&self, isa: &Isa, name: &str, value: &Value, before: &mut Sparse) -> Result<(), NotRead> {
        let at = format!("/in/{name}");
        if let Some(fields) = self.control(name, value, &at)? {
            return fields.iter().try_for_each(|(field, value)| self.set_field(isa, before, field, *value, &at));
        }
        match name {
            "LaneFlags" => self.set_field(isa, before, name, self.hex(Some(value), &at)?, &at)?,
            "UseLaneFlagsForLaneEnable" => {
                let lanes = all_or_none(self.number(value, &at)?.into());
                let lanes = lanes.ok_or_else(|| self.wrong(at.as_str(), "is neither 0 nor 1"))?;
                self.set_field(isa, before, name, lanes, &at)?;
            }
            "PRNG" => self.rows(isa, &json!([[0, value]]), &at, name, 1, before)?,
            "dst16" => self.rows(isa, value, &at, "DstBits", 1, before)?,
            "srca" => self.rows(isa, value, &at, "SrcA", 2, before)?,
            "srcb" => self.rows(isa, value, &at, "SrcB", 2, before)?,
            "lreg" => self.rows(isa, value, &at, "LReg", 1, before)?,
            "dst_undef" => self.marks(isa, value, &at, 0, before)?,
            _ => return Err(self.unknown(at)),
        }
        Ok(())
    }

    /// Of a member that says which banks are in use, whose they are, or what semaphores hold: the fields, with their values.
    fn control(&self, name: &str, value: &Value, at: &str) -> Result<Option<Vec<(String, u32)>>, NotRead> {
        let list = |of: usize, what: &str| {
            let list = value.as_array().filter(|list| list.len() == of);
            list.ok_or_else(|| self.wrong(at, format!("is not a list of {of} {what}")))
        };
        let fields = match name {
            "MatrixUnit.SrcABank" | "MatrixUnit.SrcBBank" | "Unpackers[0].SrcBank" | "Unpackers[1].SrcBank" => {
                vec![(name.to_string(), self.number(value, at)?)]
            }
            "SrcA.AllowedClient" | "SrcB.AllowedClient" => {
                let owner = |(which, owner): (usize, &Value)| match owner.as_str() {
                    Some("MatrixUnit") => Ok((format!("{}[{which}].AllowedClient", &name[..4]), tensix::MATRIX_UNIT)),
                    Some("Unpackers") => Ok((format!("{}[{which}].AllowedClient", &name[..4]), tensix::UNPACKERS)),
                    _ => Err(self.wrong(at, "names an owner that is not known")),
                };
                list(2, "owners")?.iter().enumerate().map(owner).collect::<Result<_, _>>()?
            }
            "Semaphores" => {
                let mut fields = Vec::new();
                for (which, semaphore) in list(8, "semaphores")?.iter().enumerate() {
                    let pair = semaphore.as_array().filter(|pair| pair.len() == 2);
                    let pair = pair.ok_or_else(|| self.wrong(at, format!("{which} is not a value and a maximum")))?;
                    for (member, value) in ["Value", "Max"].iter().zip(pair) {
                        fields.push((format!("Semaphores[{which}].{member}"), self.number(value, at)?));
                    }
                }
                fields
            }
            // The same depth in all lanes: a mask for each entry, and whether all lanes heed it.
            "FlagStack" => {
                let entries = value.as_array().filter(|entries| entries.len() <= 8);
                let entries = entries.ok_or_else(|| self.wrong(at, "is not a list of up to eight entries"))?;
                let mut fields = Vec::new();
                for entry in 0..8 {
                    let pair = entries.get(entry).map(|pair| (&pair[0], pair[1].as_u64().and_then(all_or_none)));
                    let [reach, flags, uses] = match pair {
                        None => [0; 3],
                        Some((flags, Some(uses))) => [u32::MAX, self.hex(Some(flags), at)?, uses],
                        Some(_) => return Err(self.wrong(at, format!("{entry} is not a mask and 0 or 1"))),
                    };
                    let members = [("Occupied", reach), ("LaneFlags", flags), ("UseLaneFlagsForLaneEnable", uses)];
                    fields.extend(members.map(|(member, value)| (format!("FlagStack[{entry}].{member}"), value)));
                }
                fields
            }
            _ => return Ok(None),
        };
        Ok(Some(fields))
    }

    /// The state after against the state before.
    pub(super) fn after(&self, line: &Members, isa: &Isa, form: &Form, before: &Sparse) -> Result<Sparse, NotRead> {
        let fields = (isa.layout.fields)();
        let mut after = Sparse::default();
        let thread = self.thread(line)?;
        let members = self.object(line.get("out"), "/out")?;
        self.only(members, "/out", form.after)?;
        for (name, value) in members {
            let at = format!("/out/{name}");
            let mut put = |name: &str, value: u32, at: &str| {
                let field = field_named(isa.layout, name).ok_or_else(|| self.unknown(at))?;
                if value > fields[field].max {
                    return Err(self.wrong(at, format!("{value} is more than {name} holds")));
                }
                after.put_field(field, value, *before.fields.get(&field).unwrap_or(&fields[field].base));
                Ok(())
            };
            if let Some(fields) = self.control(name, value, &at)? {
                fields.iter().try_for_each(|(field, value)| put(field, *value, &at))?;
                continue;
            }
            match name.as_str() {
                "rwc" => {
                    for (name, value) in self.object(Some(value), &at)? {
                        let at = format!("{at}/{name}");
                        put(&format!("RWCs[{thread}].{name}"), self.number(value, &at)?, &at)?;
                    }
                }
                "LaneFlags" | "UseLaneFlagsForLaneEnable" => {
                    let lanes = match name.as_str() {
                        "LaneFlags" => self.hex(Some(value), &at)?,
                        _ => {
                            let lanes = value.as_u64().and_then(all_or_none);
                            lanes.ok_or_else(|| self.wrong(at.as_str(), "is neither 0 nor 1"))?
                        }
                    };
                    put(name, lanes, &at)?;
                }
                "PRNG" => self.rows(isa, &json!([[0, value]]), &at, name, 1, &mut after)?,
                // Of a lane whose back door is open, of which nothing is promised.
                "LoadMacroConfig.InstructionTemplate" => {}
                "dst16" => self.rows(isa, value, &at, "DstBits", 1, &mut after)?,
                "srca" => self.rows(isa, value, &at, "SrcA", 2, &mut after)?,
                "srcb" => self.rows(isa, value, &at, "SrcB", 2, &mut after)?,
                "lreg" => self.rows(isa, value, &at, "LReg", 1, &mut after)?,
                "dst_undef" => self.marks(isa, value, &at, 0, &mut after)?,
                "dst_defined" => self.marks(isa, value, &at, 1, &mut after)?,
                _ => return Err(self.unknown(at)),
            }
        }
        let banks = isa.layout.banks;
        after.rows.retain(|key, words| match before.rows.get(key) {
            Some(before) => before != words,
            None => !banks[key.0].is_base(key.1, words),
        });
        Ok(after)
    }

    fn row(&self, isa: &Isa, name: &str, at: &str) -> Result<(usize, usize), NotRead> {
        let named = rows_named(isa.layout, name).map(|(bank, rows)| (bank, rows.start));
        named.ok_or_else(|| self.wrong(at, format!("no row {name}")))
    }

    fn put(&self, sparse: &mut Sparse, key: (usize, usize), words: Vec<u32>, at: &str) -> Result<(), NotRead> {
        match sparse.rows.insert(key, words) {
            Some(_) => Err(self.wrong(at, "names a row that was named before")),
            None => Ok(()),
        }
    }

    /// `[[index…, "hex digits"]…]`: rows of a bank with so many indices.
    fn rows(
        &self,
        isa: &Isa,
        value: &Value,
        at: &str,
        bank: &str,
        indices: usize,
        sparse: &mut Sparse,
    ) -> Result<(), NotRead> {
        let list = value.as_array().ok_or_else(|| self.wrong(at, "is not a list"))?;
        for (index, entry) in list.iter().enumerate() {
            let at = format!("{at}/{index}");
            let form = || self.wrong(at.as_str(), format!("is not {indices} numbers and a row of {bank} in hex"));
            let entry = entry.as_array().filter(|entry| entry.len() == indices + 1).ok_or_else(form)?;
            let mut name = bank.to_string();
            for index in &entry[..indices] {
                name.push_str(&format!("[{}]", index.as_u64().ok_or_else(form)?));
            }
            let key = self.row(isa, &name, &at)?;
            let spec = &isa.layout.banks[key.0];
            let digits = entry[indices].as_str().filter(|digits| is_hex(digits)).ok_or_else(form)?;
            let width = spec.bits.div_ceil(4) as usize;
            if digits.len() != width * spec.columns() {
                return Err(form());
            }
            let word = |column: usize| u32::from_str_radix(&digits[column * width..(column + 1) * width], 16).ok();
            let words = (0..spec.columns()).map(|column| word(column).filter(|&word| word <= spec.word_mask()));
            self.put(sparse, key, words.collect::<Option<Vec<u32>>>().ok_or_else(form)?, &at)?;
        }
        Ok(())
    }

    /// `[[first row, count]…]`: rows whose mark is `mark`.
    fn marks(&self, isa: &Isa, value: &Value, at: &str, mark: u32, sparse: &mut Sparse) -> Result<(), NotRead> {
        let list = value.as_array().ok_or_else(|| self.wrong(at, "is not a list"))?;
        let rows = u64::try_from(isa.layout.banks[bank::DST_ROW_VALID].rows()).expect("a few rows");
        for (index, entry) in list.iter().enumerate() {
            let at = format!("{at}/{index}");
            let pair = entry.as_array().filter(|pair| pair.len() == 2);
            let pair = pair.ok_or_else(|| self.wrong(at.as_str(), "is not a row and a count"))?;
            let (first, count) = (self.number(&pair[0], &at)?, self.number(&pair[1], &at)?);
            let end = u64::from(first) + u64::from(count);
            if end > rows {
                return Err(self.wrong(at, format!("there are {rows} rows")));
            }
            for row in u64::from(first)..end {
                let key = self.row(isa, &format!("DstRowValid[{row}]"), &at)?;
                self.put(sparse, key, vec![mark], &at)?;
            }
        }
        Ok(())
    }
}

/// The lanes that 0 or 1 for all of them stands for.
fn all_or_none(value: u64) -> Option<u32> {
    match value {
        0 => Some(0),
        1 => Some(u32::MAX),
        _ => None,
    }
}
