//! The text of `DPAS`, both ways.
//!
//! *Source*: page DPAS (lines 313 and 331-335), page Operands (raw operands, lines 501-503), page vISA Assembly Syntax (general
//! operands, lines 178-200). A null operand is written `%null`. A region of `Src2` is written only where one is
//! encoded. What the syntax cannot say is printed as the list of code words behind a bar, and read back from it.

use super::dpas::DPAS;
use super::reader::{Reader, exec, general, parse as read, print as write, stride};
use crate::visa::operand::SRC2;
use crate::visa::operand::dpas::{A, DST, NULL_VARIABLE, RC, RawFields, SD, SRC0, SRC1, W};
use crate::visa::precision::Precision;
use crate::{Code, SyntaxError};

/// The text of code words.
pub(super) fn print(code: &[u32]) -> String {
    write(&DPAS, code, plain(code))
}

fn plain(code: &[u32]) -> Option<String> {
    let [w, a] = [W, A].map(|field| Precision::of_code(field.get(code)).map(Precision::text));
    let region = match [SRC2.vert_stride, SRC2.width, SRC2.horz_stride] {
        fields if fields.iter().all(|field| field.get(code) == 0) => String::new(),
        fields => {
            let [vert, width, horz] = fields.map(|field| stride(field, code));
            format!("<{};{},{}>", vert?, width?, horz?)
        }
    };
    Some(format!(
        "{}.{}.{}.{}.{} {} {} {} {} {}{region}",
        DPAS.name,
        w?,
        a?,
        SD.get(code),
        RC.get(code),
        exec(code)?,
        raw(&DST, code),
        raw(&SRC0, code),
        raw(&SRC1, code),
        general(&SRC2, code),
    ))
}

fn raw(operand: &RawFields, code: &[u32]) -> String {
    let offset = operand.offset.get(code);
    match operand.id.get(code) {
        NULL_VARIABLE => format!("%null.{offset}"),
        id => format!("V{id}.{offset}"),
    }
}

/// Reads text that [`print`] writes, and other spellings of the same: any letter case, spaces, decimal and hexadecimal
/// numbers, `V0` for `%null`.
pub(super) fn parse(text: &str) -> Result<Code, SyntaxError> {
    read(&DPAS, text, |reader| reader.dpas())
}

impl Reader<'_> {
    fn dpas(&mut self) -> Result<(), SyntaxError> {
        self.expect(DPAS.name)?;
        for field in [W, A] {
            self.expect(".")?;
            let name = self.word();
            let precision = Precision::named(name).ok_or_else(|| SyntaxError(format!("'{name}' is no precision")))?;
            self.set(field, precision.code());
        }
        for (field, what) in [(SD, "the systolic depth"), (RC, "the repeat count")] {
            self.expect(".")?;
            self.field(field, what, 255)?;
        }
        self.exec()?;
        for operand in [DST, SRC0, SRC1] {
            self.raw(&operand)?;
        }
        self.general(&SRC2)?;
        if self.rest.starts_with('<') { self.region(&SRC2, false) } else { Ok(()) }
    }

    fn raw(&mut self, operand: &RawFields) -> Result<(), SyntaxError> {
        if !self.eat("%null") {
            self.expect("V")?;
            self.field(operand.id, "the variable", u32::MAX.into())?;
        }
        self.expect(".")?;
        self.field(operand.offset, "the offset", 0xffff)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Noise;
    use crate::visa::operand::dpas::ALL_FIELDS;

    #[test]
    fn any_code_words_round_trip_through_text() {
        let mut noise = Noise::new(2);
        for round in 0..5_000 {
            let mut code = Code::new(DPAS.base_code);
            for field in ALL_FIELDS {
                // Few fields at a time leave most texts plain.
                if noise.below(16) == 0 || round % 16 == 0 {
                    field.set(&mut code, noise.bits(field.width));
                }
            }
            let text = print(&code);
            assert_eq!(parse(&text).as_deref(), Ok(&code[..]), "{text}");
        }
    }

    #[test]
    fn the_pages_own_syntax_is_read() {
        for (text, canonical) in [
            (
                "DPAS.u4.s8.8.8 (M1_NM, 16) V32.0 V33.0 V34.0 V35(0,0)",
                "DPAS.u4.s8.8.8 (M1_NM, 16) V32.0 V33.0 V34.0 V35(0,0)",
            ),
            (
                "dpas.bf.BF.8.8 (M1_NM,8) V32.64 %null.0 V34.0 V35(1,4)",
                "DPAS.bf.bf.8.8 (M1_NM, 8) V32.64 %null.0 V34.0 V35(1,4)",
            ),
            (
                "DPAS.hf.hf.0x8.1 (M1, 8) V0.0 V0.0 V34.0 V35(0,0)<1;1,0>",
                "DPAS.hf.hf.8.1 (M1, 8) %null.0 %null.0 V34.0 V35(0,0)<1;1,0>",
            ),
        ] {
            let code = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(print(&code), canonical);
        }
        for (broken, why) in [
            ("DPAS.u3.s8.8.8 (M1_NM, 16) V32.0 V33.0 V34.0 V35(0,0)", "no precision"),
            ("DPAS.u4.s8.8 (M1_NM, 16) V32.0 V33.0 V34.0 V35(0,0)", "expected '.'"),
            ("DPAS.u4.s8.8.256 (M1_NM, 16) V32.0 V33.0 V34.0 V35(0,0)", "at most 255"),
            ("DPAS.u4.s8.8.8 (M1_NM, 7) V32.0 V33.0 V34.0 V35(0,0)", "no execution size"),
            ("DPAS.u4.s8.8.8 (M1_NM, 8) V32.0 V33.0 V34.65536 V35(0,0)", "at most 65535"),
            ("DPAS.u4.s8.8.8 (M1_NM, 8) V32.0 V33.0 V34.0 V35", "expected '('"),
            ("DPAS.u4.s8.8.8 (M1_NM, 8) V32.0 V33.0 V34.0 V35(0,0) V36.0", "behind the last source"),
            ("DPAS | 1 2", "code words"),
        ] {
            let error = parse(broken).expect_err(broken).to_string();
            assert!(error.contains(why), "{broken}: {error}");
        }
    }
}
