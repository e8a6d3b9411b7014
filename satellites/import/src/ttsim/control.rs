//! Recordings of the instructions that change counters, owners of banks, semaphores, `SrcA` and `SrcB`, on both chips.

use super::form::Form;

pub(super) static FORM: Form = Form {
    before: &[
        "MatrixUnit.SrcABank",
        "MatrixUnit.SrcBBank",
        "Unpackers[0].SrcBank",
        "Unpackers[1].SrcBank",
        "SrcA.AllowedClient",
        "SrcB.AllowedClient",
        "Semaphores",
        "srca",
        "srcb",
    ],
    after: &[
        "rwc",
        "MatrixUnit.SrcABank",
        "MatrixUnit.SrcBBank",
        "Unpackers[0].SrcBank",
        "Unpackers[1].SrcBank",
        "SrcA.AllowedClient",
        "SrcB.AllowedClient",
        "Semaphores",
        "srca",
        "srcb",
    ],
    note: "One instruction executed from a chosen state, on random and special inputs. Configuration and counters that the \
           recording does not list were 0. A test holds in the editions that reproduce it.",
    registers_read: |_| [None; 3],
    unnamed: &[],
    left_out: |_| None,
};
