//! Configuration fields, spelled as the pages spell them, with their hardware addresses: those of Wormhole here, and
//! those of Blackhole, as far as they differ, in [`blackhole`].
//!
//! `Config[StateID]` is indexed by 32-bit word, `ThreadConfig[thread]` by the index that `SETC16` takes.
//! *Source*: page BackendConfiguration (what the spaces are), the vendor's register tables (addresses and bits).

#![expect(non_upper_case_globals, reason = "the fields are spelled as the pages spell them")]

pub mod blackhole;
pub mod pack;
pub mod unpack;

/// A field of `Config[StateID]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfigField {
    /// The page's name.
    pub name: &'static str,
    /// Index of the 32-bit word.
    pub addr32: usize,
    /// Lowest bit.
    pub shift: u32,
    /// Width, in bits.
    pub width: u32,
}

impl ConfigField {
    /// Reads the field from one bank of `Config`.
    #[must_use]
    #[inline]
    pub const fn get(self, bank: &[u32; CONFIG_WORDS]) -> u32 {
        (bank[self.addr32] >> self.shift) & (u32::MAX >> (32 - self.width))
    }

    /// Writes the field in one bank of `Config`.
    #[inline]
    pub const fn set(self, bank: &mut [u32; CONFIG_WORDS], value: u32) {
        let mask = (u32::MAX >> (32 - self.width)) << self.shift;
        bank[self.addr32] = (bank[self.addr32] & !mask) | ((value << self.shift) & mask);
    }

    /// Reads the field from the word that holds it.
    #[must_use]
    #[inline]
    pub const fn get_in(self, word: u32) -> u32 {
        (word >> self.shift) & ((1 << self.width) - 1)
    }
}

/// A field of `ThreadConfig[thread]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadConfigField {
    /// The page's name.
    pub name: &'static str,
    /// The index that `SETC16` takes.
    pub addr: usize,
    /// Lowest bit.
    pub shift: u32,
    /// Width, in bits.
    pub width: u32,
}

impl ThreadConfigField {
    /// Reads the field from one thread's `ThreadConfig`.
    #[must_use]
    #[inline]
    pub const fn get(self, thread: &[u16; THREAD_CONFIG_WORDS]) -> u32 {
        (thread[self.addr] as u32 >> self.shift) & ((1 << self.width) - 1)
    }

    /// Writes the field in one thread's `ThreadConfig`.
    #[inline]
    pub const fn set(self, thread: &mut [u16; THREAD_CONFIG_WORDS], value: u32) {
        let mask = ((1 << self.width) - 1) << self.shift;
        thread[self.addr] = ((thread[self.addr] as u32 & !mask) | ((value << self.shift) & mask)) as u16;
    }

    /// The same field of section `index` (`0..8`) of an array whose sections are `stride` words apart.
    #[must_use]
    #[inline]
    pub const fn section(self, index: usize, stride: usize) -> Self {
        ThreadConfigField { addr: self.addr + index * stride, ..self }
    }

    /// The same field of section `index` (`0..8`) of `array`.
    #[must_use]
    #[inline]
    pub const fn of_section(self, array: SectionArray, index: usize) -> Self {
        ThreadConfigField { addr: array.first + index * array.stride, ..self }
    }
}

/// Where an array of sections lies in `ThreadConfig`; the fields of a section are in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SectionArray {
    /// The word of section 0.
    pub first: usize,
    /// Words from one section to the next.
    pub stride: usize,
}

/// The arrays that an AddrMod selects a section of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddrModSections {
    /// `ADDR_MOD_AB_SEC`.
    pub ab: SectionArray,
    /// `ADDR_MOD_DST_SEC`.
    pub dst: SectionArray,
    /// `ADDR_MOD_BIAS_SEC`.
    pub bias: SectionArray,
    /// `ADDR_MOD_PACK_SEC`, of which an AddrMod of two bits selects one.
    pub pack: SectionArray,
}

/// The arrays of Wormhole. A field has the same bits in the sections of both chips.
pub const ADDR_MOD: AddrModSections = AddrModSections {
    ab: SectionArray { first: 7, stride: ADDR_MOD_AB_STRIDE },
    dst: SectionArray { first: 23, stride: ADDR_MOD_DST_STRIDE },
    bias: SectionArray { first: 48, stride: ADDR_MOD_BIAS_STRIDE },
    pack: SectionArray { first: 31, stride: 1 },
};

/// Words of one bank of `Config` that both banks have apart, on the chip that has more: the rest is shared.
pub const CONFIG_WORDS: usize = blackhole::GLOBAL_CFGREG_BASE;
/// Words of one thread's `ThreadConfig` on the chip that has more.
pub const THREAD_CONFIG_WORDS: usize = blackhole::THREAD_CONFIG_SIZE;
/// Words of one bank of `Config`, four times `CFG_STATE_SIZE`.
pub const CONFIG_SIZE: usize = 188;
/// Words of one thread's `ThreadConfig`, `THD_STATE_SIZE`.
pub const THREAD_CONFIG_SIZE: usize = 57;
/// `GLOBAL_CFGREG_BASE_ADDR32`: from this word on both banks of `Config` have one value.
pub const GLOBAL_CFGREG_BASE: usize = 152;
/// `STATE_RESET_EN_ADDR32`: the word of `Config` of which a write resets the bank, on both chips.
pub const STATE_RESET_EN: usize = 4;
/// `PRNG_SEED_Seed_Val_ADDR32`: the word of `Config` of which a write seeds the PRNGs.
pub const PRNG_SEED: usize = 164;
/// Sections of each `ADDR_MOD_…_SEC` array.
pub const ADDR_MOD_SECTIONS: usize = 8;
/// Words from one section of `ADDR_MOD_AB_SEC` to the next.
pub const ADDR_MOD_AB_STRIDE: usize = 2;
/// Words from one section of `ADDR_MOD_DST_SEC` to the next.
pub const ADDR_MOD_DST_STRIDE: usize = 1;
/// Words from one section of `ADDR_MOD_BIAS_SEC` to the next.
pub const ADDR_MOD_BIAS_STRIDE: usize = 1;

macro_rules! config_fields {
    ($list:ident, $type:ident, $addr:ident: $($name:ident = $at:literal, $shift:literal, $width:literal;)*) => {
        $(
            #[doc = concat!("`", stringify!($name), "`: word ", $at, ", from bit ", $shift, ", ", $width, " bits.")]
            pub const $name: $type = $type { name: stringify!($name), $addr: $at, shift: $shift, width: $width };
        )*
        #[doc = concat!("All fields of type [`", stringify!($type), "`] outside sections.")]
        pub const $list: &[$type] = &[$($name),*];
    };
}

use config_fields;

// What the mover reads.
config_fields! { MOVER_FIELDS, ConfigField, addr32:
    THCON_SEC0_REG6_Source_address = 76, 0, 32;
    THCON_SEC0_REG6_Destination_address = 77, 0, 32;
    THCON_SEC0_REG6_Buffer_size = 78, 0, 30;
    THCON_SEC0_REG6_Transfer_direction = 78, 30, 2;
}

config_fields! { CONFIG_FIELDS, ConfigField, addr32:
    ALU_FORMAT_SPEC_REG_SrcA_val = 0, 0, 4;
    ALU_FORMAT_SPEC_REG_SrcA_override = 0, 4, 1;
    ALU_FORMAT_SPEC_REG_SrcB_val = 0, 5, 4;
    ALU_FORMAT_SPEC_REG_SrcB_override = 0, 9, 1;
    ALU_FORMAT_SPEC_REG_Dstacc_val = 0, 10, 4;
    ALU_FORMAT_SPEC_REG_Dstacc_override = 0, 14, 1;
    ALU_FORMAT_SPEC_REG0_SrcAUnsigned = 1, 15, 1;
    ALU_FORMAT_SPEC_REG0_SrcBUnsigned = 1, 16, 1;
    ALU_FORMAT_SPEC_REG0_SrcA = 1, 17, 4;
    ALU_FORMAT_SPEC_REG1_SrcB = 1, 21, 4;
    ALU_FORMAT_SPEC_REG2_Dstacc = 1, 25, 4;
    ALU_ACC_CTRL_Fp32_enabled = 1, 29, 1;
    ALU_ACC_CTRL_SFPU_Fp32_enabled = 1, 30, 1;
    ALU_ACC_CTRL_INT8_math_enabled = 1, 31, 1;
    ALU_ACC_CTRL_Zero_Flag_disabled_src = 2, 0, 1;
    ALU_ACC_CTRL_Zero_Flag_disabled_dst = 2, 1, 1;
    DEST_REGW_BASE_Base = 6, 0, 16;
}

config_fields! { THREAD_CONFIG_FIELDS, ThreadConfigField, addr:
    CFG_STATE_ID_StateID = 0, 0, 1;
    DEST_TARGET_REG_CFG_MATH_Offset = 1, 0, 12;
    ADDR_MOD_SET_Base = 2, 0, 1;
    SRCA_SET_Base = 3, 0, 2;
    SRCA_SET_SetOvrdWithAddr = 3, 2, 1;
    SRCB_SET_Base = 4, 0, 2;
    CLR_DVALID_SrcA_Disable = 5, 0, 1;
    CLR_DVALID_SrcB_Disable = 5, 1, 1;
    FIDELITY_BASE_Phase = 6, 0, 2;
    FP16A_FORCE_Enable = 56, 0, 1;
}

config_fields! { UNPACK_THREAD_FIELDS, ThreadConfigField, addr:
    UNPACK_MISC_CFG_CfgContextOffset_0 = 39, 0, 4;
    UNPACK_MISC_CFG_CfgContextOffset_1 = 39, 8, 4;
}

config_fields! { ADDR_MOD_AB_FIELDS, ThreadConfigField, addr:
    SrcAIncr = 7, 0, 6;
    SrcACR = 7, 6, 1;
    SrcAClear = 7, 7, 1;
    SrcBIncr = 7, 8, 6;
    SrcBCR = 7, 14, 1;
    SrcBClear = 7, 15, 1;
}

config_fields! { ADDR_MOD_DST_FIELDS, ThreadConfigField, addr:
    DestIncr = 23, 0, 10;
    DestCR = 23, 10, 1;
    DestClear = 23, 11, 1;
    DestCToCR = 23, 12, 1;
    FidelityIncr = 23, 13, 2;
    FidelityClear = 23, 15, 1;
}

config_fields! { ADDR_MOD_BIAS_FIELDS, ThreadConfigField, addr:
    BiasIncr = 48, 0, 4;
    BiasClear = 48, 4, 1;
}
