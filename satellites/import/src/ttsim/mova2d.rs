//! Recordings of `MOVA2D`, of the other moves, of `ZEROACC`, and of what multiplies, adds and pools.

use tandem_isa::CodeField;
use tandem_isa::tensix::inst::matrix::{ADD_DST, ARG_MAX};

use super::form::Form;

pub(super) static FORM: Form = Form {
    before: &[
        "MatrixUnit.SrcABank",
        "MatrixUnit.SrcBBank",
        "Unpackers[0].SrcBank",
        "Unpackers[1].SrcBank",
        "SrcA.AllowedClient",
        "SrcB.AllowedClient",
        "dst16",
        "srca",
        "srcb",
        "dst_undef",
    ],
    after: &["rwc", "dst16", "dst_undef", "dst_defined"],
    note: "One instruction executed from a chosen state, on random and special inputs. LReg is left at its base \
           value here (the simulator had constants in LReg[11] to LReg[14]); the instruction touches none. \
           Configuration that the recording does not list was 0, Fp32_enabled and INT8_math_enabled among it, so \
           these tests say nothing about those fields. A test holds in the editions that reproduce it.",
    registers_read: |_| [None; 3],
    unnamed: &[],
    left_out: |_| None,
};

/// That of the others: a source is written as well.
pub(super) static MOVES: Form = Form {
    before: FORM.before,
    after: &["rwc", "dst16", "dst_undef", "dst_defined", "srca", "srcb"],
    note: "One instruction executed from a chosen state, on random and special inputs. Configuration that the recording \
           does not list was 0, so these tests say nothing about those fields. A test holds in the editions that \
           reproduce it.",
    registers_read: |_| [None; 3],
    unnamed: &[],
    left_out: |_| None,
};

/// That of what computes on both sources: banks may be flipped.
pub(super) static MATRIX: Form = Form {
    after: &[
        "rwc",
        "dst16",
        "dst_undef",
        "dst_defined",
        "MatrixUnit.SrcABank",
        "MatrixUnit.SrcBBank",
        "SrcA.AllowedClient",
        "SrcB.AllowedClient",
    ],
    // What the facts call `instr_mod19`; and what pages write as a constant where others have a field: the second argument of
    // ELWMUL is in the place of AddDst of page ELWADD, and the fourth of GAPOOL in that of ArgMax of page GMPOOL, bits 21 and 14
    // (Bits32.lua at 39304719). Of a word with another value there, nothing is promised (TX-40, TX-64).
    unnamed: &[CodeField { name: "Mod19", word: 0, shift: 19, width: 1 }, ADD_DST, ARG_MAX],
    ..MOVES
};
