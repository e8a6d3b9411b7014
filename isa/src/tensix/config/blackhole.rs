//! Configuration fields of Blackhole.
//!
//! What lies at the same place as on Wormhole is used from there: all fields of `Config` in words 0 to 6, `StateID` and
//! `MATH_Offset`.
//! *Source*: the vendor's register tables (addresses and bits); pages SFPLOAD, SFPSTORE and Dst (what is read).

use super::{
    ADDR_MOD_SECTIONS, AddrModSections, CFG_STATE_ID_StateID, CONFIG_FIELDS as SHARED_FIELDS, CONFIG_WORDS,
    ConfigField, DEST_TARGET_REG_CFG_MATH_Offset, SectionArray, THREAD_CONFIG_WORDS, ThreadConfigField, config_fields,
};

/// Words of one bank of `Config`, four times `CFG_STATE_SIZE`.
pub const CONFIG_SIZE: usize = 224;
/// Words of one thread's `ThreadConfig`, `THD_STATE_SIZE`.
pub const THREAD_CONFIG_SIZE: usize = 68;
/// `GLOBAL_CFGREG_BASE_ADDR32`: from this word on both banks of `Config` have one value.
pub const GLOBAL_CFGREG_BASE: usize = 180;
/// `PRNG_SEED_Seed_Val_ADDR32`: the word of `Config` of which a write seeds the PRNGs.
pub const PRNG_SEED: usize = 186;

config_fields! { OWN_CONFIG_FIELDS, ConfigField, addr32:
    RISC_DEST_ACCESS_CTRL_SEC0_no_swizzle = 3, 14, 1;
    RISC_DEST_ACCESS_CTRL_SEC0_unsigned_int = 3, 15, 1;
    RISC_DEST_ACCESS_CTRL_SEC0_fmt = 3, 16, 3;
    RISC_DEST_ACCESS_CTRL_SEC1_no_swizzle = 3, 19, 1;
    RISC_DEST_ACCESS_CTRL_SEC1_unsigned_int = 3, 20, 1;
    RISC_DEST_ACCESS_CTRL_SEC1_fmt = 3, 21, 3;
    RISC_DEST_ACCESS_CTRL_SEC2_no_swizzle = 3, 24, 1;
    RISC_DEST_ACCESS_CTRL_SEC2_unsigned_int = 3, 25, 1;
    RISC_DEST_ACCESS_CTRL_SEC2_fmt = 3, 26, 3;
    DEST_SP_BASE_Base = 7, 0, 16;
}

// One word for both values of StateID, which `Small::dest_access_cfg` holds: read them with `ConfigField::get_in`.
config_fields! { GLOBAL_FIELDS, ConfigField, addr32:
    DEST_ACCESS_CFG_swizzle_32b = 220, 0, 1;
    DEST_ACCESS_CFG_remap_addrs = 220, 1, 1;
    DEST_ACCESS_CFG_disable_full_write_dest_q_bypass = 220, 2, 1;
    DEST_ACCESS_CFG_zeroacc_absolute_tile_mode = 220, 3, 1;
}

// Fields that the Unpackers read, and also UNPACR_NOP_SETDVALID.
config_fields! { OUT_DATA_FORMAT_FIELDS, ConfigField, addr32:
    THCON_SEC0_REG2_Out_data_format = 72, 0, 4;
    THCON_SEC1_REG2_Out_data_format = 120, 0, 4;
}

config_fields! { OWN_THREAD_CONFIG_FIELDS, ThreadConfigField, addr:
    DISABLE_IMPLIED_SRCA_FMT_Base = 2, 0, 1;
    DISABLE_IMPLIED_SRCB_FMT_Base = 3, 0, 1;
    SFPU_DEST_FMT_Enable = 4, 0, 1;
    SFPU_DEST_FMT_Base = 4, 1, 4;
    SRCA_SET_Base = 5, 0, 2;
    SRCA_SET_SetOvrdWithAddr = 5, 2, 1;
    SRCB_SET_Base = 6, 0, 2;
    CLR_DVALID_SrcA_Disable = 7, 0, 1;
    CLR_DVALID_SrcB_Disable = 7, 1, 1;
    FIDELITY_BASE_Phase = 11, 0, 2;
    SFPU_STACK_Incr = 36, 0, 10;
    FP16A_FORCE_Enable = 55, 0, 1;
}

// Fields of the Unpackers that Wormhole lacks.
config_fields! { UNPACK_FIELDS, ConfigField, addr32:
    THCON_SEC0_REG1_ovrd_default_throttle_mode = 70, 3, 1;
    THCON_SEC0_REG1_Unp_LF8_4b_exp = 71, 22, 1;
    THCON_SEC1_REG1_ovrd_default_throttle_mode = 118, 3, 1;
    THCON_SEC1_REG1_Unp_LF8_4b_exp = 119, 22, 1;
}

// What the mover reads.
config_fields! { MOVER_FIELDS, ConfigField, addr32:
    THCON_SEC0_REG6_Source_address = 88, 0, 32;
    THCON_SEC0_REG6_Destination_address = 89, 0, 32;
    THCON_SEC0_REG6_Buffer_size = 90, 0, 30;
    THCON_SEC0_REG6_Transfer_direction = 90, 30, 2;
}

// Words that `CFGSHIFTMASK` reads, one for both values of StateID, which `Small::scratch_sec` holds.
config_fields! { SCRATCH_FIELDS, ConfigField, addr32:
    SCRATCH_SEC0_val = 209, 0, 32;
    SCRATCH_SEC1_val = 210, 0, 32;
    SCRATCH_SEC2_val = 211, 0, 32;
}

config_fields! { UNPACK_THREAD_FIELDS, ThreadConfigField, addr:
    UNPACK_MISC_CFG_CfgContextOffset_0 = 41, 0, 4;
    UNPACK_MISC_CFG_CfgContextOffset_1 = 41, 8, 4;
}

// What `STREAMWAIT` and the Wait Gate read of the thread: see `STREAM_ID_SYNC_SECTIONS`. In the state these words have no
// named fields, only runs of bits.
config_fields! { STREAM_FIELDS, ThreadConfigField, addr:
    STREAMWAIT_PHASE_HI_Val = 57, 0, 10;
    STREAMWAIT_NUM_MSGS_HI_Val = 58, 0, 7;
    STREAM_ID_SYNC_SEC0_BankSel = 59, 0, 6;
}

/// Sections of `STREAM_ID_SYNC_SEC`, a word each, from that of [`STREAM_ID_SYNC_SEC0_BankSel`] on.
pub const STREAM_ID_SYNC_SECTIONS: usize = 4;

/// `STREAM_ID_SYNC_SEC[section].BankSel`, of section `0..4`.
#[must_use]
#[inline]
pub const fn stream_id_sync_bank_sel(section: usize) -> ThreadConfigField {
    STREAM_ID_SYNC_SEC0_BankSel.section(section, 1)
}

/// The word of `DEST_ACCESS_CFG`, one for both banks.
pub const DEST_ACCESS_CFG: usize = DEST_ACCESS_CFG_remap_addrs.addr32;

/// All fields of one bank of `Config`.
pub static CONFIG_FIELDS: [ConfigField; SHARED_FIELDS.len() + OWN_CONFIG_FIELDS.len()] = {
    let mut fields = [DEST_SP_BASE_Base; SHARED_FIELDS.len() + OWN_CONFIG_FIELDS.len()];
    let mut index = 0;
    while index < fields.len() {
        fields[index] = if index < SHARED_FIELDS.len() {
            SHARED_FIELDS[index]
        } else {
            OWN_CONFIG_FIELDS[index - SHARED_FIELDS.len()]
        };
        index += 1;
    }
    fields
};

/// All fields of one thread's `ThreadConfig` outside sections.
pub static THREAD_CONFIG_FIELDS: [ThreadConfigField; 2 + OWN_THREAD_CONFIG_FIELDS.len()] = {
    let mut fields = [CFG_STATE_ID_StateID; 2 + OWN_THREAD_CONFIG_FIELDS.len()];
    fields[1] = DEST_TARGET_REG_CFG_MATH_Offset;
    let mut index = 0;
    while index < OWN_THREAD_CONFIG_FIELDS.len() {
        fields[2 + index] = OWN_THREAD_CONFIG_FIELDS[index];
        index += 1;
    }
    fields
};

/// The arrays that an AddrMod, of three bits, selects a section of.
pub const ADDR_MOD: AddrModSections = AddrModSections {
    ab: SectionArray { first: 12, stride: 1 },
    dst: SectionArray { first: 28, stride: 1 },
    bias: SectionArray { first: 47, stride: 1 },
    pack: SectionArray { first: 37, stride: 1 },
};

const _: () =
    assert!(ADDR_MOD.bias.first + ADDR_MOD_SECTIONS <= THREAD_CONFIG_WORDS && DEST_SP_BASE_Base.addr32 < CONFIG_WORDS);
