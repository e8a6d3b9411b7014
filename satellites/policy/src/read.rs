//! From the text of a policy to what is evaluated.

use std::ops::Range;

use tandem_isa::tensix::format;
use tandem_isa::visa::DataType;
use tandem_isa::{CLAIMS_BYTES, Facts, Format, MACHINES, REASON_BYTES};
use toml::Spanned;

use super::case::Number;
use super::condition::{Condition, DataTest, Test};
use super::names::{Names, Problem, place};
use super::rows::RowsRead;
use super::text::{ConditionText, DataKind, PolicyText, RuleText, ValueText};
use super::{Policy, PolicyError, Rule, Unit};

/// The layouts that data can be read by.
const LAYOUTS: [&Format; 10] = [
    &format::SRC_TF32,
    &format::SRC_BF16,
    &format::SRC_FP16,
    &format::SRC_INT8,
    &format::SRC_INT16,
    &format::DST_BF16,
    &format::DST_FP16,
    &format::DST_INT8,
    &format::DST_INT16,
    &format::FP32_DATUM,
];

/// Reads a policy.
pub(super) fn policy(file: &str, text: &str) -> Result<Policy, PolicyError> {
    let at = File { file, text };
    let read: PolicyText = toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(0, |span| at.line(span));
        at.error_at(line, error.message(), "write it as the documentation of `tandem_faults::policy` says")
    })?;
    let mut units: Vec<Unit> = Vec::new();
    for path in &read.implements {
        let Some(instruction) = instruction(path.get_ref()) else {
            return Err(at.error(path, unknown_instruction(path.get_ref())));
        };
        if units.iter().any(|unit| std::ptr::eq(unit.instruction, instruction)) {
            return Err(at.error(path, problem("it stands twice", "remove one")));
        }
        let section = Names::of(instruction).section();
        units.push(Unit { instruction, section, rules: Vec::new(), refusals: 0, lies: 0 });
    }
    for (rules, kind) in [(&read.refusal, 0), (&read.lie, 1), (&read.wrong, 2)] {
        for rule in rules {
            at.add_rule(rule, kind, &mut units)?;
        }
    }
    if let Some(claims) = read.claims.as_ref().filter(|claims| claims.get_ref().len() > CLAIMS_BYTES) {
        let what = format!("claims are at most {CLAIMS_BYTES} bytes long");
        return Err(at.error(claims, problem(what, "leave some out")));
    }
    let claims = read.claims.map(Spanned::into_inner);
    Ok(Policy { name: read.name, about: read.about, claims, units })
}

fn instruction(path: &str) -> Option<&'static Facts> {
    MACHINES.iter().flat_map(|isa| isa.instructions).copied().find(|instruction| instruction.path() == path)
}

fn unknown_instruction(path: &str) -> Problem {
    let known: Vec<_> =
        MACHINES.iter().flat_map(|isa| isa.instructions).map(|instruction| instruction.path()).collect();
    problem(format!("there is no instruction '{path}'"), format!("write one of {}", known.join(", ")))
}

fn problem(what: impl Into<String>, next: impl Into<String>) -> Problem {
    Problem { what: what.into(), next: next.into() }
}

/// A file, for errors.
struct File<'a> {
    file: &'a str,
    text: &'a str,
}

impl File<'_> {
    fn line(&self, span: Range<usize>) -> usize {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        before.matches('\n').count() + 1
    }

    fn error_at(&self, line: usize, what: impl Into<String>, next: impl Into<String>) -> PolicyError {
        PolicyError::new(self.file, line, what, next)
    }

    fn error<T>(&self, at: &Spanned<T>, Problem { what, next }: Problem) -> PolicyError {
        self.error_at(self.line(at.span()), what, next)
    }

    /// Adds a rule to the units that it is for.
    fn add_rule(&self, rule: &RuleText, kind: usize, units: &mut [Unit]) -> Result<(), PolicyError> {
        if rule.instructions.is_empty() {
            return Err(
                self.error(&rule.reason, problem("a rule is for no instruction", "name them in `instructions`"))
            );
        }
        if rule.reason.get_ref().is_empty() {
            return Err(self.error(&rule.reason, problem("a reason is empty", "say in a few words what is refused")));
        }
        if rule.reason.get_ref().len() > REASON_BYTES {
            let what = format!("a reason is at most {REASON_BYTES} bytes long");
            return Err(self.error(&rule.reason, problem(what, "say it in fewer words")));
        }
        if rule.when.get_ref().is_empty() {
            let next = "remove the instruction from `implements` if it is never answered";
            return Err(self.error(&rule.when, problem("a rule has no condition", next)));
        }
        for path in &rule.instructions {
            if instruction(path.get_ref()).is_none() {
                return Err(self.error(path, unknown_instruction(path.get_ref())));
            }
            let Some(unit) = units.iter_mut().find(|unit| unit.instruction.path() == *path.get_ref()) else {
                let what = format!("the target does not have '{}'", path.get_ref());
                return Err(self.error(path, problem(what, "name it in `implements`")));
            };
            let names = Names::of(unit.instruction);
            let conditions = rule.when.get_ref().iter().map(|text| self.condition(&names, text));
            let when = conditions.collect::<Result<Vec<_>, _>>()?;
            unit.rules.push(Rule { reason: rule.reason.get_ref().clone(), when });
            match kind {
                0 => unit.refusals += 1,
                1 => unit.lies += 1,
                _ => {}
            }
        }
        Ok(())
    }

    fn condition(&self, names: &Names, condition: &Spanned<ConditionText>) -> Result<Condition, PolicyError> {
        let text = condition.get_ref();
        let sources = [
            text.field.is_some(),
            text.sum.is_some(),
            text.format.is_some(),
            text.operand_type.is_some(),
            text.differ.is_some(),
            text.data.is_some(),
        ];
        if sources.into_iter().filter(|&is| is).count() != 1 {
            let what = "a condition looks at one thing";
            return Err(self.error(condition, problem(what, "write one of field, sum, format, type, differ, data")));
        }
        self.no_stray_key(condition)?;
        let except: Vec<&str> = text.except.iter().map(|name| name.get_ref().as_str()).collect();
        if let Some(differ) = &text.differ {
            self.no_test(condition)?;
            let groups = names.instances(differ.get_ref(), &except).map_err(|one| self.error(differ, one))?;
            return Ok(Condition::Differ(groups));
        }
        if let Some(bank) = &text.data {
            self.no_test(condition)?;
            let rows = RowsRead::of(names, bank.get_ref()).map_err(|one| self.error(bank, one))?;
            return Ok(Condition::Data(Box::new(rows), self.data_test(condition)?));
        }
        if let Some(field) = &text.field {
            let test = self.test(condition, None)?;
            return field_condition(names, field.get_ref(), &except, test).map_err(|one| self.error(field, one));
        }
        let (number, values): (_, Option<Values>) = if let Some(sum) = &text.sum {
            let mut terms = Vec::new();
            for term in sum {
                terms.push(names.number(term.get_ref()).map_err(|one| self.error(term, one))?);
            }
            (Number::Sum { terms, mask: self.modulus(text)? }, None)
        } else if let Some(source) = &text.format {
            (names.format(source.get_ref()).map_err(|one| self.error(source, one))?, Some(format_code))
        } else {
            let operand = text.operand_type.as_ref().expect("one of the sources is there");
            (names.operand_type(operand.get_ref()).map_err(|one| self.error(operand, one))?, Some(type_code))
        };
        Ok(Condition::Number(number, self.test(condition, values)?))
    }

    /// That no key stands beside a source that it does not belong to.
    fn no_stray_key(&self, condition: &Spanned<ConditionText>) -> Result<(), PolicyError> {
        let text = condition.get_ref();
        let stray = [
            (!text.except.is_empty() && text.field.is_none() && text.differ.is_none(), "except", "field or differ"),
            (text.modulus.is_some() && text.sum.is_none(), "modulus", "sum"),
            (text.layout.is_some() && text.data.is_none(), "as", "data"),
            (text.kind.is_some() && text.data.is_none(), "kind", "data"),
            (text.mask.is_some() && text.data.is_none(), "mask", "data"),
            (text.value.is_some() && text.data.is_none(), "value", "data"),
        ];
        match stray.into_iter().find(|&(is, _, _)| is) {
            Some((_, key, home)) => {
                Err(self.error(condition, problem(format!("'{key}' belongs to {home}"), "remove it, or add that")))
            }
            None => Ok(()),
        }
    }

    fn modulus(&self, text: &ConditionText) -> Result<u32, PolicyError> {
        let Some(modulus) = &text.modulus else {
            return Ok(u32::MAX);
        };
        if !modulus.get_ref().is_power_of_two() {
            return Err(self.error(modulus, problem("a modulus is a power of two", "write 64 or 1024, for example")));
        }
        Ok(modulus.get_ref() - 1)
    }

    fn num_tests(text: &ConditionText) -> usize {
        let tests = [
            text.is.is_some(),
            text.not.is_some(),
            text.among.is_some(),
            text.not_in.is_some(),
            text.any_bit.is_some(),
            text.at_least.is_some(),
            text.at_most.is_some(),
            text.not_multiple_of.is_some(),
        ];
        tests.into_iter().filter(|&is| is).count()
    }

    fn no_test(&self, condition: &Spanned<ConditionText>) -> Result<(), PolicyError> {
        if Self::num_tests(condition.get_ref()) == 0 {
            return Ok(());
        }
        let next = "remove `is`, `not`, `in` and the like; data are asked by `mask` and `value`, or `as` and `kind`";
        Err(self.error(condition, problem("there is no number to ask about", next)))
    }

    fn test(&self, condition: &Spanned<ConditionText>, values: Option<Values>) -> Result<Test, PolicyError> {
        let text = condition.get_ref();
        if Self::num_tests(text) != 1 {
            let next = "write one of is, not, in, not_in, any_bit, at_least, at_most, not_multiple_of";
            return Err(self.error(condition, problem("a condition asks one thing", next)));
        }
        let value = |one: &Spanned<ValueText>| match one.get_ref() {
            ValueText::Number(number) => Ok(*number),
            ValueText::Name(name) => values.and_then(|values| values(name)).ok_or_else(|| {
                let next = if values.is_some() { "write its number" } else { "write a number" };
                self.error(one, problem(format!("'{name}' is no name of a value here"), next))
            }),
        };
        let set = |list: &[Spanned<ValueText>]| {
            list.iter().try_fold(0u64, |set, one| match value(one)? {
                value @ 0..64 => Ok(set | 1 << value),
                _ => Err(self.error(one, problem("a value in a list is below 64", "use at_least or at_most"))),
            })
        };
        Ok(if let Some(one) = &text.is {
            Test::Is(value(one)?)
        } else if let Some(one) = &text.not {
            Test::Not(value(one)?)
        } else if let Some(list) = &text.among {
            Test::In(set(list)?)
        } else if let Some(list) = &text.not_in {
            Test::NotIn(set(list)?)
        } else if let Some(bits) = text.any_bit {
            Test::AnyBit(bits)
        } else if let Some(least) = text.at_least {
            Test::AtLeast(least)
        } else if let Some(most) = text.at_most {
            Test::AtMost(most)
        } else {
            let divisor = text.not_multiple_of.as_ref().expect("one of the tests is there");
            if *divisor.get_ref() < 2 {
                return Err(self.error(divisor, problem("every number is a multiple of that", "write 2 or more")));
            }
            Test::NotMultipleOf(*divisor.get_ref())
        })
    }

    fn data_test(&self, condition: &Spanned<ConditionText>) -> Result<DataTest, PolicyError> {
        let text = condition.get_ref();
        match (text.mask, text.value, &text.layout, &text.kind) {
            (Some(mask), Some(value), None, None) if value & !mask == 0 => Ok(DataTest { mask, value, some: 0 }),
            (Some(_), Some(_), None, None) => {
                let what = "a value has bits that the mask has not, so no datum matches";
                Err(self.error(condition, problem(what, "add the bits to the mask")))
            }
            (None, None, Some(layout), Some(kind)) => {
                let Some(format) = LAYOUTS.into_iter().find(|format| format.name == layout.get_ref()) else {
                    let known: Vec<_> = LAYOUTS.iter().map(|format| format.name).collect();
                    let next = format!("write one of {}", known.join(", "));
                    return Err(self.error(layout, problem(format!("there is no layout '{}'", layout.get_ref()), next)));
                };
                data_test(format, *kind.get_ref()).ok_or_else(|| {
                    let what = format!("a datum of '{}' has no part for this kind", format.name);
                    self.error(kind, problem(what, "use mask and value"))
                })
            }
            _ => {
                let what = "data are asked one thing";
                Err(self.error(condition, problem(what, "write `mask` and `value`, or `as` and `kind`")))
            }
        }
    }
}

/// The code of a value's name.
type Values = fn(&str) -> Option<u32>;

fn format_code(name: &str) -> Option<u32> {
    format::CODE_NAMES.iter().position(|known| *known == name).and_then(|code| u32::try_from(code).ok())
}

fn type_code(name: &str) -> Option<u32> {
    DataType::named(name).map(DataType::code)
}

/// The condition that a field passes a test, or one of the fields that a pattern means.
fn field_condition(names: &Names, name: &str, except: &[&str], test: Test) -> Result<Condition, Problem> {
    if name == "code.unnamed" {
        let words = names.instruction.base_code.len();
        let bits = (0..words).map(|word| (word, names.instruction.unnamed_bits(word)));
        let bits: Vec<_> = bits.filter(|&(_, bits)| bits != 0).collect();
        return match test {
            Test::Not(0) if bits.is_empty() => Err(problem(
                format!("every bit of {} has a name", names.instruction.path()),
                "remove the instruction from the rule",
            )),
            Test::Not(0) => Ok(Condition::CodeBits(bits)),
            _ => Err(problem("unnamed bits are no number", "write `not = 0`")),
        };
    }
    let is_of_unnamed = name == "small.unnamed";
    if !name.contains('*') && !is_of_unnamed {
        if !except.is_empty() {
            return Err(problem("there is nothing to leave out of one field", "remove `except`"));
        }
        let number = names.number(name)?;
        return Ok(Condition::Number(number, test));
    }
    let fields = if is_of_unnamed { names.unnamed() } else { names.fields(name, except)? };
    if test != Test::Not(0) {
        return Ok(Condition::Any(fields.into_iter().map(|field| Number::Small(place(field))).collect(), test));
    }
    let mut words: Vec<(usize, u32)> = Vec::new();
    for field in fields {
        let (at, bits) = place(field).fixed().expect("a field of the layout has one instance");
        match words.iter_mut().find(|(known, _)| *known == at) {
            Some((_, known)) => *known |= bits,
            None => words.push((at, bits)),
        }
    }
    Ok(Condition::SmallBits(words))
}

fn data_test(format: &Format, kind: DataKind) -> Option<DataTest> {
    let bits = |piece: &tandem_isa::Piece| u32::try_from(piece.low_mask()).ok().map(|mask| mask << piece.shift);
    let mantissa = format.mantissa.iter().try_fold(0, |mask, piece| Some(mask | bits(piece)?))?;
    let exponent = format.exponent.as_ref().and_then(bits);
    Some(match kind {
        DataKind::Zero => DataTest { mask: exponent.unwrap_or(0) | mantissa, value: 0, some: 0 },
        DataKind::Denormal => DataTest { mask: exponent?, value: 0, some: mantissa },
        DataKind::Infinity => DataTest { mask: exponent? | mantissa, value: exponent?, some: 0 },
        DataKind::Nan => DataTest { mask: exponent?, value: exponent?, some: mantissa },
        DataKind::ExponentAllOnes => DataTest { mask: exponent?, value: exponent?, some: 0 },
        DataKind::Negative => {
            let sign = 1 << format.sign?;
            DataTest { mask: sign, value: sign, some: 0 }
        }
    })
}
