//! Recordings of `MOVA2D`.

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
    registers_read: |_| [None, None],
    unnamed: &[],
    left_out: |_| None,
};
