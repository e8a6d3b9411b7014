//! The pages, pinned.

use crate::Page;

const REPOSITORY: &str = "intel/intel-graphics-compiler";
const COMMIT: &str = "98fff71643f1d26ba6cc25811e46c780bb022158";
const DATE: &str = "2026-08-21";
const LICENCE: &str = "MIT";

const fn page(id: &'static str, title: &'static str, path: &'static str, sha256: &'static str) -> Page {
    Page { id, title, repository: REPOSITORY, path, commit: COMMIT, sha256: Some(sha256), date: DATE, licence: LICENCE }
}

/// `MOV`. Its lines are those of the project's copy, which has the words of the file at this commit without its
/// indentation and most of its blank lines; the hash is that of the copy.
pub static MOV: Page = page(
    "visa-mov",
    "MOV",
    "documentation/visa/instructions/MOV.md",
    "978ce7796e3fd06ea7ee5eb22bf8b9bd16cad3471289294c283cd0d34c8898b2",
);

/// Data Types: types, conversion and saturation; what page MOV calls "Section X".
pub static DATA_TYPES: Page = page(
    "visa-data-types",
    "Data Types",
    "documentation/visa/2_datatypes.md",
    "cca39962ac4cfae0d6725aa51b87751191748f6bd212afff3115a6d715dab877",
);

/// Execution Model: execution sizes, GRF, execution mask.
pub static EXECUTION_MODEL: Page = page(
    "visa-execution-model",
    "Execution Model",
    "documentation/visa/3_execution_model.md",
    "9e1ed0abd36d5962b695a2de6859519642664c710af8f2f2007747582192d8d0",
);

/// Header: variables and the control register.
pub static HEADER: Page = page(
    "visa-header",
    "vISA header",
    "documentation/visa/4_visa_header.md",
    "60fd0fe6c4624298234a81172a9340d6cb75e5b0b30c6e8c9679fd8afc03ecf2",
);

/// Operands: regions, predication, encodings of operands.
pub static OPERANDS: Page = page(
    "visa-operands",
    "Operands",
    "documentation/visa/5_operands.md",
    "1dd4a5fce522d149c23d4742f6b95317f1564aeeed20653c0d058d13f24fb7b8",
);

/// Assembly syntax.
pub static SYNTAX: Page = page(
    "visa-syntax",
    "vISA Assembly Syntax",
    "documentation/visa/8_appendix_visa_assembly_syntax.md",
    "bbdaa1d7d27f56656669f75dd70000257926d0a06ab0f70453649af6dbd6f205",
);

/// `DPAS`, as it was until October 2024; later texts say the same in other words, but for the code of `tf32`.
pub static DPAS: Page = Page {
    id: "visa-dpas",
    title: "DPAS",
    repository: REPOSITORY,
    path: "documentation/visa/instructions/DPAS.md",
    commit: "535d40a879a078e1bc9703de096f407cd663d897",
    sha256: Some("090eb61dd6259cbc27e1982c3a39a8e43688ed4d83860b44541d72e76a747207"),
    date: "2022-12-24",
    licence: LICENCE,
};

/// All pages, in the order of reports.
pub(super) const ALL: &[&Page] = &[&MOV, &DATA_TYPES, &EXECUTION_MODEL, &HEADER, &OPERANDS, &SYNTAX, &DPAS];
