//! The structures of `harness/include/tandem.h`, as Rust lays them out for C.
//!
//! Each mirror lists its own fields, so that a test can hold it against the header.

use std::ffi::c_char;

/// A field of a mirror.
#[derive(Clone, Copy, Debug)]
pub struct MirrorField {
    /// As the header spells it.
    pub name: &'static str,
    /// The type in C.
    pub c_type: &'static str,
    /// Where it lies, in bytes.
    pub offset: usize,
    /// Its size, in bytes.
    pub size: usize,
}

/// A structure of the header.
#[derive(Clone, Copy, Debug)]
pub struct Mirror {
    /// As the header spells it.
    pub name: &'static str,
    /// Its size, in bytes.
    pub size: usize,
    /// Its fields, in their order.
    pub fields: &'static [MirrorField],
}

macro_rules! mirror {
    ($rust:ident mirrors $c:ident { $($field:ident: $rust_type:ty = $c_type:literal,)* }) => {
        #[doc = concat!("`", stringify!($c), "` of the header, which says what its fields are.")]
        #[derive(Clone, Copy, Debug)]
        #[repr(C)]
        pub struct $rust {
            $(
                #[doc = concat!("`", stringify!($field), "`, see the header.")]
                pub $field: $rust_type,
            )*
        }

        impl $rust {
            /// The structure as it is laid out here.
            pub const MIRROR: Mirror = Mirror {
                name: stringify!($c),
                size: size_of::<$rust>(),
                fields: &[$(MirrorField {
                    name: stringify!($field),
                    c_type: $c_type,
                    offset: std::mem::offset_of!($rust, $field),
                    size: size_of::<$rust_type>(),
                },)*],
            };
        }
    };
}

mirror! {
    TandemBank mirrors tandem_bank {
        name: *const c_char = "const char *",
        offset: u64 = "uint64_t",
        rows: u32 = "uint32_t",
        columns: u32 = "uint32_t",
        word_bytes: u32 = "uint32_t",
        word_bits: u32 = "uint32_t",
        first_row: u32 = "uint32_t",
        row_bytes: u32 = "uint32_t",
    }
}

mirror! {
    TandemField mirrors tandem_field {
        name: *const c_char = "const char *",
        address_bank: *const c_char = "const char *",
        address: u32 = "uint32_t",
        byte: u32 = "uint32_t",
        word_bytes: u32 = "uint32_t",
        shift: u32 = "uint32_t",
        width: u32 = "uint32_t",
        maximum: u32 = "uint32_t",
        base: u32 = "uint32_t",
    }
}

mirror! {
    TandemCodeField mirrors tandem_code_field {
        name: *const c_char = "const char *",
        word: u32 = "uint32_t",
        shift: u32 = "uint32_t",
        width: u32 = "uint32_t",
    }
}

mirror! {
    TandemInstruction mirrors tandem_instruction {
        name: *const c_char = "const char *",
        base_code: *const u32 = "const uint32_t *",
        fields: *const TandemCodeField = "const tandem_code_field *",
        code_words: u32 = "uint32_t",
        num_fields: u32 = "uint32_t",
    }
}

mirror! {
    TandemIsa mirrors tandem_isa {
        name: *const c_char = "const char *",
        banks: *const TandemBank = "const tandem_bank *",
        fields: *const TandemField = "const tandem_field *",
        instructions: *const TandemInstruction = "const tandem_instruction *",
        arena_bytes: u64 = "uint64_t",
        small_bytes: u32 = "uint32_t",
        num_banks: u32 = "uint32_t",
        num_fields: u32 = "uint32_t",
        num_instructions: u32 = "uint32_t",
    }
}

mirror! {
    TandemBatch mirrors tandem_batch {
        code: *const u32 = "const uint32_t *",
        small_before: *const u8 = "const uint8_t *",
        overlay_end: *const u32 = "const uint32_t *",
        overlay_row: *const u32 = "const uint32_t *",
        overlay_data: *const u8 = "const uint8_t *",
        instruction: u32 = "uint32_t",
        edition: u32 = "uint32_t",
        cases: u32 = "uint32_t",
        steps: u32 = "uint32_t",
        then: *const u32 = "const uint32_t *",
    }
}

mirror! {
    TandemAnswers mirrors tandem_answers {
        outcome: *mut u32 = "uint32_t *",
        small_after: *mut u8 = "uint8_t *",
        dirty_end: *mut u32 = "uint32_t *",
        dirty_row: *mut u32 = "uint32_t *",
        dirty_data: *mut u8 = "uint8_t *",
        reason_case: *mut u32 = "uint32_t *",
        reason_end: *mut u32 = "uint32_t *",
        reason_text: *mut c_char = "char *",
        dirty_bytes_capacity: u64 = "uint64_t",
        dirty_rows_capacity: u32 = "uint32_t",
        cases: u32 = "uint32_t",
        reasons: u32 = "uint32_t",
        reserved: u32 = "uint32_t",
        done: *mut u32 = "uint32_t *",
    }
}

/// Every structure of the header, in its order.
pub const MIRRORS: &[Mirror] = &[
    TandemBank::MIRROR,
    TandemField::MIRROR,
    TandemCodeField::MIRROR,
    TandemInstruction::MIRROR,
    TandemIsa::MIRROR,
    TandemBatch::MIRROR,
    TandemAnswers::MIRROR,
];

/// The constants of the header, in its order.
pub const CONSTANTS: &[(&str, u32)] = &[
    ("TANDEM_VERSION", tandem_isa::BORDER_VERSION),
    ("TANDEM_REASON_BYTES", tandem_isa::REASON_BYTES as u32),
    ("TANDEM_CLAIMS_BYTES", tandem_isa::CLAIMS_BYTES as u32),
    ("TANDEM_MAX_STEPS", tandem_isa::MAX_STEPS as u32),
    ("TANDEM_DONE", 0),
    ("TANDEM_BLOCKED", 1),
    ("TANDEM_UNSUPPORTED", 2),
    ("TANDEM_EDITION_SPEC", 0),
    ("TANDEM_EDITION_NEWEST", 1),
];

/// The functions that a library defines, the last two if it likes: name, result and parameters in C.
pub const FUNCTIONS: &[(&str, &str)] = &[
    ("tandem_version", "uint32_t tandem_version(void)"),
    ("tandem_open", "int32_t tandem_open(const tandem_isa *isa, char name[64], uint8_t *implemented)"),
    ("tandem_load", "int32_t tandem_load(const uint8_t *arena)"),
    ("tandem_execute", "int32_t tandem_execute(const tandem_batch *batch, tandem_answers *answers)"),
    ("tandem_arena_hash", "uint32_t tandem_arena_hash(void)"),
    ("tandem_reset", "void tandem_reset(void)"),
    ("tandem_claims", "uint32_t tandem_claims(char *text)"),
    ("tandem_max_steps", "uint32_t tandem_max_steps(void)"),
];

/// `uint32_t tandem_version(void)`.
pub type VersionFn = unsafe extern "C" fn() -> u32;
/// `int32_t tandem_open(const tandem_isa *isa, char name[64], uint8_t *implemented)`.
pub type OpenFn = unsafe extern "C" fn(*const TandemIsa, *mut c_char, *mut u8) -> i32;
/// `int32_t tandem_load(const uint8_t *arena)`.
pub type LoadFn = unsafe extern "C" fn(*const u8) -> i32;
/// `int32_t tandem_execute(const tandem_batch *batch, tandem_answers *answers)`.
pub type ExecuteFn = unsafe extern "C" fn(*const TandemBatch, *mut TandemAnswers) -> i32;
/// `uint32_t tandem_arena_hash(void)`.
pub type HashFn = unsafe extern "C" fn() -> u32;
/// `void tandem_reset(void)`.
pub type ResetFn = unsafe extern "C" fn();
/// `uint32_t tandem_claims(char *text)`.
pub type ClaimsFn = unsafe extern "C" fn(*mut c_char) -> u32;
/// `uint32_t tandem_max_steps(void)`.
pub type MaxStepsFn = unsafe extern "C" fn() -> u32;
