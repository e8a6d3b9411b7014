//! The text of `MOV`, both ways.
//!
//! *Source*: page MOV (line 66), page vISA Assembly Syntax (operands, lines 178-200), page Operands (multi-address
//! operands, lines 80-112).
//!
//! What the syntax cannot say (reserved codes, classes that `MOV` has not, fields that an operand's class lacks) is
//! printed as the list of code words behind a bar, and read back from it.

use super::mov::MOV;
use super::reader::{Reader, exec, general, number, parse as read, print as write, stride};
use crate::visa::DataType;
use crate::visa::operand::{
    self, DST, NULL, OperandFields, PRED, PredicateFields, SRC0, SRC0_CONST, SRC0_PREDICATE, class, combine, modifier,
};
use crate::{Code, SyntaxError};

// ------------------------------------------------------------------------------------------------ printing

/// The text of code words.
pub(super) fn print(code: &[u32]) -> String {
    write(&MOV, code, plain(code))
}

/// The text of the page's syntax, as far as it goes; nothing if a part has none.
fn plain(code: &[u32]) -> Option<String> {
    let predicate = match PRED.id.get(code) {
        0 => String::new(),
        _ => format!("({}) ", predicate(&PRED, code)?),
    };
    let sat = match DST.modifiers.get(code) {
        modifier::NONE => "",
        modifier::SAT => ".sat",
        _ => return None,
    };
    let dst = format!("{}<{}>", origin(&DST, code)?, stride(DST.horz_stride, code)?);
    let dst = typed(&DST, code, dst);
    Some(format!("{predicate}{}{sat} {} {dst} {}", MOV.name, exec(code)?, source(code)?))
}

fn predicate(fields: &PredicateFields, code: &[u32]) -> Option<String> {
    let not = if fields.inverse.get(code) != 0 { "!" } else { "" };
    let suffix = match fields.combine.get(code) {
        combine::SEQUENTIAL => "",
        combine::ANY => ".any",
        combine::ALL => ".all",
        _ => return None,
    };
    Some(format!("{not}P{}{suffix}", fields.id.get(code)))
}

/// Where a general or indirect operand begins.
fn origin(fields: &OperandFields, code: &[u32]) -> Option<String> {
    match fields.class.get(code) {
        class::GENERAL => Some(general(fields, code)),
        class::INDIRECT => {
            let (id, first) = (fields.id.get(code), fields.addr_offset.get(code));
            Some(format!("r[A{id}({first}),{}]", operand::indirect_offset(fields, code)))
        }
        _ => None,
    }
}

/// The operand with its type, if it is an indirect one.
fn typed(fields: &OperandFields, code: &[u32], text: String) -> String {
    match fields.class.get(code) {
        class::INDIRECT => format!("{text}:{}", DataType::of_code(fields.data_type.get(code)).text()),
        _ => text,
    }
}

fn source(code: &[u32]) -> Option<String> {
    let modifier = match SRC0.modifiers.get(code) {
        modifier::NONE => "",
        modifier::ABS => "(abs)",
        modifier::NEG => "(-)",
        modifier::NEG_ABS => "(-abs)",
        _ => return None,
    };
    let operand = match SRC0.class.get(code) {
        class::PREDICATE => predicate(&SRC0_PREDICATE, code)?,
        class::IMMEDIATE => {
            let data_type = DataType::of_code(SRC0_CONST.data_type.get(code));
            let value = u64::from(SRC0_CONST.high.get(code)) << 32 | u64::from(SRC0_CONST.low.get(code));
            format!("{value:#x}:{}", data_type.text())
        }
        _ => {
            let vert = match SRC0.vert_stride.get(code) {
                NULL => String::new(),
                _ => stride(SRC0.vert_stride, code)?.to_string(),
            };
            let (width, horz) = (stride(SRC0.width, code)?, stride(SRC0.horz_stride, code)?);
            typed(&SRC0, code, format!("{}<{vert};{width},{horz}>", origin(&SRC0, code)?))
        }
    };
    Some(format!("{modifier}{operand}"))
}

// ------------------------------------------------------------------------------------------------ reading

/// Reads text that [`print`] writes, and other spellings of the same: any letter case, spaces, decimal and hexadecimal
/// numbers, negative integer constants.
pub(super) fn parse(text: &str) -> Result<Code, SyntaxError> {
    read(&MOV, text, |reader| reader.instruction())
}

impl Reader<'_> {
    fn instruction(&mut self) -> Result<(), SyntaxError> {
        if self.eat("(") {
            self.predicate(&PRED)?;
            self.expect(")")?;
        }
        self.expect(MOV.name)?;
        if self.eat(".sat") {
            self.set(DST.modifiers, modifier::SAT);
        }
        self.exec()?;
        self.origin(&DST)?;
        self.expect("<")?;
        self.stride(DST.horz_stride)?;
        self.expect(">")?;
        self.type_of(&DST)?;
        self.source()
    }

    fn predicate(&mut self, fields: &PredicateFields) -> Result<(), SyntaxError> {
        if self.eat("!") {
            self.set(fields.inverse, 1);
        }
        self.expect("P")?;
        self.field(fields.id, "the predicate", 4095)?;
        if self.eat(".any") {
            self.set(fields.combine, combine::ANY);
        } else if self.eat(".all") {
            self.set(fields.combine, combine::ALL);
        }
        Ok(())
    }

    fn origin(&mut self, fields: &OperandFields) -> Result<(), SyntaxError> {
        if !self.eat("r[") {
            self.set(fields.class, class::GENERAL);
            return self.general(fields);
        }
        self.set(fields.class, class::INDIRECT);
        self.expect("A")?;
        self.field(fields.id, "the address variable", u32::MAX.into())?;
        self.expect("(")?;
        self.field(fields.addr_offset, "the address offset", 255)?;
        self.expect(")")?;
        self.expect(",")?;
        let is_negative = self.eat("-");
        let most = if is_negative { 0x8000 } else { 0x7fff };
        let offset = self.number("the indirect offset", most)?;
        self.set(fields.indirect_offset, if is_negative { offset.wrapping_neg() } else { offset });
        self.expect("]")
    }

    fn type_of(&mut self, fields: &OperandFields) -> Result<(), SyntaxError> {
        if fields.class.get(&self.code) == class::INDIRECT {
            let data_type = self.data_type()?;
            self.set(fields.data_type, data_type.code());
        }
        Ok(())
    }

    fn data_type(&mut self) -> Result<DataType, SyntaxError> {
        self.expect(":")?;
        let name = self.word();
        DataType::named(name).ok_or_else(|| SyntaxError(format!("'{name}' is no type")))
    }

    fn source(&mut self) -> Result<(), SyntaxError> {
        for (text, code) in [("(-abs)", modifier::NEG_ABS), ("(abs)", modifier::ABS), ("(-)", modifier::NEG)] {
            if self.eat(text) {
                self.set(SRC0.modifiers, code);
                break;
            }
        }
        let first = self.rest.chars().next().map(|c| c.to_ascii_uppercase());
        match first {
            Some('P' | '!') => {
                self.set(SRC0.class, class::PREDICATE);
                self.predicate(&SRC0_PREDICATE)
            }
            Some('V' | 'R') => {
                self.origin(&SRC0)?;
                self.region(&SRC0, true)?;
                self.type_of(&SRC0)
            }
            _ => self.immediate(),
        }
    }

    /// A constant by its bits; a negative number stands for its two's complement in the type's low word or words.
    fn immediate(&mut self) -> Result<(), SyntaxError> {
        self.set(SRC0.class, class::IMMEDIATE);
        let is_negative = self.eat("-");
        let word = self.word();
        let value = number(word).ok_or_else(|| SyntaxError(format!("'{word}' is no operand")))?;
        let data_type = self.data_type()?;
        let value = if is_negative { value.wrapping_neg() } else { value };
        let is_long = data_type.bits() == 64;
        let fits = is_long || value >> 32 == 0 || (is_negative && value >> 31 == 0x1_ffff_ffff);
        if !fits {
            return Err(SyntaxError(format!("the constant {word} has more bits than {} holds", data_type.name())));
        }
        self.set(SRC0_CONST.data_type, data_type.code());
        self.set(SRC0_CONST.low, (value & 0xffff_ffff) as u32);
        self.set(SRC0_CONST.high, if is_long { (value >> 32) as u32 } else { 0 });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Noise;

    #[test]
    fn any_code_words_round_trip_through_text() {
        let mut noise = Noise::new(2);
        for round in 0..20_000 {
            let mut code = Code::new(MOV.base_code);
            for field in operand::ALL_FIELDS {
                // Few fields at a time leave most texts plain.
                if noise.below(20) == 0 || round % 16 == 0 {
                    field.set(&mut code, noise.bits(field.width));
                }
            }
            let text = print(&code);
            assert_eq!(parse(&text).as_deref(), Ok(&code[..]), "{text}");
        }
    }

    #[test]
    fn the_pages_own_syntax_is_read() {
        let read = |text: &str| parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        for (text, canonical) in [
            ("mov (M1, 16) V32(0,0)<1> V33(0,0)<16;16,1>", "MOV (M1, 16) V32(0,0)<1> V33(0,0)<16;16,1>"),
            (
                "(!P1.all) MOV.sat (M3_NM,8) V32(1,2)<2> (-abs)V33(3, 4)<8; 8, 1>",
                "(!P1.all) MOV.sat (M3_NM, 8) V32(1,2)<2> (-abs)V33(3,4)<8;8,1>",
            ),
            (
                "MOV (M1, 8) r[A1(0),64]<1>:ud r[A0(3), -32]<8;8,1>:ud",
                "MOV (M1, 8) r[A1(0),64]<1>:ud r[A0(3),-32]<8;8,1>:ud",
            ),
            ("MOV (M1, 8) V32(0,0)<1> r[A0(0),0]<;1,0>:f", "MOV (M1, 8) V32(0,0)<1> r[A0(0),0]<;1,0>:f"),
            ("MOV (M1, 1) V32(0,0)<1> 0x100:uw", "MOV (M1, 1) V32(0,0)<1> 0x100:uw"),
            ("MOV (M1, 1) V32(0,0)<1> -1:q", "MOV (M1, 1) V32(0,0)<1> 0xffffffffffffffff:q"),
            ("MOV (M1, 1) V32(0,0)<1> P2", "MOV (M1, 1) V32(0,0)<1> P2"),
        ] {
            assert_eq!(print(&read(text)), canonical);
        }
        for (broken, why) in [
            ("MOV (M9, 1) V32(0,0)<1> P2", "no execution mask"),
            ("MOV (M1, 3) V32(0,0)<1> P2", "no execution size"),
            ("MOV (M1, 1) V32(0,256)<1> P2", "at most 255"),
            ("MOV (M1, 1) V32(0,0)<3> P2", "no stride"),
            ("MOV (M1, 1) V32(0,0)<1> 1:zz", "no type"),
            ("MOV (M1, 1) V32(0,0)<1> 0x100000000:d", "more bits"),
            ("MOV (M1, 1) V32(0,0)<1> P2 P3", "behind the last source"),
            ("MOVS (M1, 1) V32(0,0)<1> P2", "expected '('"),
            ("MOV | 1 2 3", "code words"),
        ] {
            let error = parse(broken).expect_err(broken).to_string();
            assert!(error.contains(why), "{broken}: {error}");
        }
    }
}
