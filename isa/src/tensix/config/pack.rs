//! Fields of configuration that the Packers read, of both chips.
//!
//! *Source*: the vendor's register tables (addresses and bits); page BackendConfiguration of Wormhole, which of them are
//! `Config[i].Packers[packer]`; pages Packers, which they are.

use super::{CONFIG_WORDS, ConfigField, ThreadConfigField};
use crate::tensix::Chip;

/// A field of `Config[i].Packers[packer]`. Blackhole has one packer, and what the others have on Wormhole belongs to contexts
/// of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackerField {
    /// Its name for each packer.
    names: [&'static str; 4],
    /// Where it lies on each chip: words behind the first one of the packer, lowest bit and width; of no bits if the chip has
    /// none.
    places: [(usize, u32, u32); 2],
}

/// The first word of `Packers[0..4]`, by chip.
const PACKERS: [[usize; 4]; 2] = [[56, 84, 96, 124], [68, 96, 116, 144]];
/// `Pack_limit_address` of `Packers[0..4]`, by chip; `Pack_fifo_size` is in the word behind each.
const LIMITS: [[usize; 4]; 2] = [[88, 90, 128, 130], [100, 102, 148, 150]];

impl PackerField {
    /// The field of a chip and packer (`0..4`), if the chip has it.
    #[must_use]
    #[inline]
    pub const fn of(self, chip: Chip, packer: usize) -> Option<ConfigField> {
        let (word, shift, width) = self.places[chip as usize];
        let addr32 = PACKERS[chip as usize][packer] + word;
        if width == 0 { None } else { Some(ConfigField { name: self.names[packer], addr32, shift, width }) }
    }

    /// Reads the field of a packer (`0..4`) from one bank of `Config`; 0 if the chip has none.
    #[must_use]
    #[inline]
    pub const fn get(self, chip: Chip, packer: usize, bank: &[u32; CONFIG_WORDS]) -> u32 {
        match self.of(chip, packer) {
            Some(field) => field.get(bank),
            None => 0,
        }
    }

    /// Writes the field of a packer (`0..4`) in one bank of `Config`, if the chip has it.
    #[inline]
    pub const fn set(self, chip: Chip, packer: usize, bank: &mut [u32; CONFIG_WORDS], value: u32) {
        if let Some(field) = self.of(chip, packer) {
            field.set(bank, value);
        }
    }
}

/// A field of `Config[i]` that all packers share, or a word of an array, on each chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackField {
    name: &'static str,
    /// Index of the word, lowest bit and width.
    places: [(usize, u32, u32); 2],
}

impl PackField {
    /// The field of a chip.
    #[must_use]
    #[inline]
    pub const fn of(self, chip: Chip) -> ConfigField {
        let (addr32, shift, width) = self.places[chip as usize];
        ConfigField { name: self.name, addr32, shift, width }
    }

    /// Reads the field from one bank of `Config`.
    #[must_use]
    #[inline]
    pub const fn get(self, chip: Chip, bank: &[u32; CONFIG_WORDS]) -> u32 {
        self.of(chip).get(bank)
    }

    /// Writes the field in one bank of `Config`.
    #[inline]
    pub const fn set(self, chip: Chip, bank: &mut [u32; CONFIG_WORDS], value: u32) {
        self.of(chip).set(bank, value);
    }
}

macro_rules! packer_fields {
    ($($name:ident = $wormhole:expr, $blackhole:expr;)*) => {
        $(
            #[doc = concat!("`Packers[packer].", stringify!($name), "`.")]
            pub const $name: PackerField = PackerField {
                names: [
                    concat!("THCON_SEC0_REG1_", stringify!($name)),
                    concat!("THCON_SEC0_REG8_", stringify!($name)),
                    concat!("THCON_SEC1_REG1_", stringify!($name)),
                    concat!("THCON_SEC1_REG8_", stringify!($name)),
                ],
                places: [$wormhole, $blackhole],
            };
        )*
        /// All fields of a packer but its limits.
        pub const OF_PACKER: &[PackerField] = &[$($name),*];
    };
}

/// Of a chip that has no such field.
const NONE: (usize, u32, u32) = (0, 0, 0);

packer_fields! {
    Row_start_section_size = (0, 0, 16), (0, 0, 16);
    Exp_section_size = (0, 16, 16), (0, 16, 16);
    L1_Dest_addr = (1, 0, 32), (1, 0, 32);
    Disable_zero_compress = (2, 0, 1), (2, 0, 1);
    Add_l1_dest_addr_offset = (2, 1, 1), (2, 1, 1);
    Addr_cnt_context = (2, 2, 2), NONE;
    Out_data_format = (2, 4, 4), (2, 4, 4);
    In_data_format = (2, 8, 4), (2, 8, 4);
    Dis_shared_exp_assembler = (2, 12, 1), (2, 12, 1);
    Force_pack_per_max_xy_plane = (2, 13, 1), NONE;
    Sub_l1_tile_header_size = (2, 15, 1), (2, 15, 1);
    Source_interface_selection = (2, 16, 1), (2, 16, 1);
    L1_source_addr = (2, 24, 8), (2, 24, 8);
    Downsample_mask = (3, 0, 16), (3, 0, 16);
    Downsample_rate = (3, 16, 3), (3, 16, 3);
    Read_mode = (3, 19, 1), NONE;
    Exp_threshold_en = (3, 20, 1), (3, 20, 1);
    Pack_L1_Acc = (3, 21, 1), (3, 19, 1);
    Exp_threshold = (3, 24, 8), (3, 24, 8);
}

macro_rules! pack_fields {
    ($list:ident: $($name:ident = $wormhole:expr, $blackhole:expr;)*) => {
        $(
            #[doc = concat!("`", stringify!($name), "`.")]
            pub const $name: PackField = PackField { name: stringify!($name), places: [$wormhole, $blackhole] };
        )*
        /// All of these fields.
        pub const $list: &[PackField] = &[$($name),*];
    };
}

pack_fields! {
    SHARED:
    ALU_ROUNDING_MODE_Gasket_srnd_en = (1, 1, 1), (1, 1, 1);
    ALU_ROUNDING_MODE_Packer_srnd_en = (1, 2, 1), (1, 2, 1);
    ALU_ROUNDING_MODE_GS_LF = (1, 13, 1), (1, 13, 1);
    ALU_ROUNDING_MODE_Bfp8_HF = (1, 14, 1), (1, 14, 1);
    STACC_RELU_ApplyRelu = (2, 2, 4), (2, 2, 4);
    STACC_RELU_ReluThreshold = (2, 6, 16), (2, 6, 16);
    INT_DESCALE_Enable = (7, 0, 1), (8, 0, 1);
    INT_DESCALE_Mode = (7, 1, 1), (8, 1, 1);
    PCK0_ADDR_CTRL_XY_REG_0_Xstride = (8, 0, 12), (12, 0, 16);
    PCK0_ADDR_CTRL_XY_REG_0_Ystride = (8, 12, 12), (12, 16, 16);
    PCK0_ADDR_CTRL_ZW_REG_0_Zstride = (9, 0, 12), (13, 0, 16);
    PCK0_ADDR_CTRL_ZW_REG_0_Wstride = (9, 12, 16), (13, 16, 16);
    PCK0_ADDR_CTRL_XY_REG_1_Ystride = (10, 12, 12), (14, 16, 16);
    PCK0_ADDR_CTRL_ZW_REG_1_Zstride = (11, 0, 12), (15, 0, 16);
    PCK0_ADDR_CTRL_ZW_REG_1_Wstride = (11, 12, 16), (15, 16, 16);
    PCK0_ADDR_BASE_REG_0_Base = (12, 0, 16), (16, 0, 18);
    PCK0_ADDR_BASE_REG_1_Base = (13, 0, 16), (17, 0, 18);
    PCK_DEST_RD_CTRL_Read_32b_data = (14, 0, 1), (18, 0, 1);
    PCK_DEST_RD_CTRL_Read_unsigned = (14, 1, 1), (18, 1, 1);
    PCK_DEST_RD_CTRL_Read_int8 = (14, 2, 1), (18, 2, 1);
    PCK_DEST_RD_CTRL_Round_10b_mant = (14, 3, 1), (18, 3, 1);
    PCK_EDGE_TILE_FACE_SET_SELECT_select = (15, 0, 8), (19, 0, 8);
    PCK_EDGE_TILE_FACE_SET_SELECT_enable = (15, 8, 1), (19, 8, 1);
    PCK_EDGE_OFFSET_SEC0_mask = (20, 0, 16), (24, 0, 16);
    PCK_EDGE_OFFSET_SEC1_mask = (21, 0, 16), (25, 0, 16);
    PCK_EDGE_OFFSET_SEC2_mask = (22, 0, 16), (26, 0, 16);
    PCK_EDGE_OFFSET_SEC3_mask = (23, 0, 16), (27, 0, 16);
    PCK_EDGE_MODE_mode = (20, 16, 1), (24, 16, 1);
    PCK_EDGE_TILE_ROW_SET_SELECT_select = (20, 17, 8), (24, 17, 8);
    TILE_ROW_SET_MAPPING_0 = (16, 0, 32), (20, 0, 32);
    TILE_ROW_SET_MAPPING_1 = (17, 0, 32), (21, 0, 32);
    TILE_ROW_SET_MAPPING_2 = (18, 0, 32), (22, 0, 32);
    TILE_ROW_SET_MAPPING_3 = (19, 0, 32), (23, 0, 32);
    TILE_FACE_SET_MAPPING_0 = (32, 0, 32), (36, 0, 32);
    TILE_FACE_SET_MAPPING_1 = (33, 0, 32), (37, 0, 32);
    TILE_FACE_SET_MAPPING_2 = (34, 0, 32), (38, 0, 32);
    TILE_FACE_SET_MAPPING_3 = (35, 0, 32), (39, 0, 32);
    PACK_COUNTERS_SEC0_pack_reads_per_xy_plane = (24, 8, 8), (28, 8, 8);
    PACK_COUNTERS_SEC1_pack_reads_per_xy_plane = (25, 8, 8), (29, 8, 8);
    PACK_COUNTERS_SEC2_pack_reads_per_xy_plane = (26, 8, 8), (30, 8, 8);
    PACK_COUNTERS_SEC3_pack_reads_per_xy_plane = (27, 8, 8), (31, 8, 8);
    PACK_COUNTERS_SEC0_pack_yz_transposed = (24, 23, 1), (28, 23, 1);
    PACK_COUNTERS_SEC1_pack_yz_transposed = (25, 23, 1), (29, 23, 1);
    PACK_COUNTERS_SEC2_pack_yz_transposed = (26, 23, 1), (30, 23, 1);
    PACK_COUNTERS_SEC3_pack_yz_transposed = (27, 23, 1), (31, 23, 1);
    THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd = (58, 21, 1), (70, 21, 1);
}

/// `THCON_SEC0_REG1_All_pack_disable_zero_compress`, a bit a packer, which Wormhole alone has.
pub const THCON_SEC0_REG1_All_pack_disable_zero_compress: ConfigField =
    ConfigField { name: "THCON_SEC0_REG1_All_pack_disable_zero_compress", addr32: 58, shift: 17, width: 4 };
/// What Blackhole alone has: how one packer ends a plane, where its interfaces begin, and a second format of eight bits.
pub const OF_BLACKHOLE: &[ConfigField] = &[
    THCON_SEC0_REG1_Auto_set_last_pacr_intf_sel,
    THCON_SEC0_REG1_pack_start_intf_pos,
    THCON_SEC0_REG1_pack_dis_y_pos_start_offset,
    THCON_SEC0_REG1_Pac_LF8_4b_exp,
];
/// `THCON_SEC0_REG1_Auto_set_last_pacr_intf_sel` of Blackhole.
pub const THCON_SEC0_REG1_Auto_set_last_pacr_intf_sel: ConfigField =
    ConfigField { name: "THCON_SEC0_REG1_Auto_set_last_pacr_intf_sel", addr32: 70, shift: 13, width: 1 };
/// `THCON_SEC0_REG1_pack_start_intf_pos` of Blackhole.
pub const THCON_SEC0_REG1_pack_start_intf_pos: ConfigField =
    ConfigField { name: "THCON_SEC0_REG1_pack_start_intf_pos", addr32: 70, shift: 17, width: 4 };
/// `THCON_SEC0_REG1_pack_dis_y_pos_start_offset` of Blackhole.
pub const THCON_SEC0_REG1_pack_dis_y_pos_start_offset: ConfigField =
    ConfigField { name: "THCON_SEC0_REG1_pack_dis_y_pos_start_offset", addr32: 70, shift: 23, width: 1 };
/// `THCON_SEC0_REG1_Pac_LF8_4b_exp` of Blackhole.
pub const THCON_SEC0_REG1_Pac_LF8_4b_exp: ConfigField =
    ConfigField { name: "THCON_SEC0_REG1_Pac_LF8_4b_exp", addr32: 71, shift: 23, width: 1 };

/// `PCK_EDGE_OFFSET_SEC[0..4].mask`.
pub const PCK_EDGE_OFFSET_SEC_mask: [PackField; 4] =
    [PCK_EDGE_OFFSET_SEC0_mask, PCK_EDGE_OFFSET_SEC1_mask, PCK_EDGE_OFFSET_SEC2_mask, PCK_EDGE_OFFSET_SEC3_mask];
/// `TILE_ROW_SET_MAPPING[0..4]`: `row_set_mapping[n]` in bits `2 * n` and the one above.
pub const TILE_ROW_SET_MAPPING: [PackField; 4] =
    [TILE_ROW_SET_MAPPING_0, TILE_ROW_SET_MAPPING_1, TILE_ROW_SET_MAPPING_2, TILE_ROW_SET_MAPPING_3];
/// `TILE_FACE_SET_MAPPING[0..4]`: `face_set_mapping[n]` likewise.
pub const TILE_FACE_SET_MAPPING: [PackField; 4] =
    [TILE_FACE_SET_MAPPING_0, TILE_FACE_SET_MAPPING_1, TILE_FACE_SET_MAPPING_2, TILE_FACE_SET_MAPPING_3];
/// `PACK_COUNTERS_SEC[0..4].pack_reads_per_xy_plane`.
pub const PACK_COUNTERS_SEC_pack_reads_per_xy_plane: [PackField; 4] = [
    PACK_COUNTERS_SEC0_pack_reads_per_xy_plane,
    PACK_COUNTERS_SEC1_pack_reads_per_xy_plane,
    PACK_COUNTERS_SEC2_pack_reads_per_xy_plane,
    PACK_COUNTERS_SEC3_pack_reads_per_xy_plane,
];
/// `PACK_COUNTERS_SEC[0..4].pack_yz_transposed`.
pub const PACK_COUNTERS_SEC_pack_yz_transposed: [PackField; 4] = [
    PACK_COUNTERS_SEC0_pack_yz_transposed,
    PACK_COUNTERS_SEC1_pack_yz_transposed,
    PACK_COUNTERS_SEC2_pack_yz_transposed,
    PACK_COUNTERS_SEC3_pack_yz_transposed,
];

/// `Pack_limit_address` of a packer (`0..4`).
#[must_use]
pub const fn pack_limit_address(chip: Chip, packer: usize) -> ConfigField {
    const NAMES: [&str; 4] = [
        "THCON_SEC0_REG9_Pack_0_2_limit_address",
        "THCON_SEC0_REG9_Pack_1_3_limit_address",
        "THCON_SEC1_REG9_Pack_0_2_limit_address",
        "THCON_SEC1_REG9_Pack_1_3_limit_address",
    ];
    ConfigField { name: NAMES[packer], addr32: LIMITS[chip as usize][packer], shift: 0, width: 17 }
}

/// `Pack_fifo_size` of a packer (`0..4`).
#[must_use]
pub const fn pack_fifo_size(chip: Chip, packer: usize) -> ConfigField {
    const NAMES: [&str; 4] = [
        "THCON_SEC0_REG9_Pack_0_2_fifo_size",
        "THCON_SEC0_REG9_Pack_1_3_fifo_size",
        "THCON_SEC1_REG9_Pack_0_2_fifo_size",
        "THCON_SEC1_REG9_Pack_1_3_fifo_size",
    ];
    ConfigField { name: NAMES[packer], addr32: LIMITS[chip as usize][packer] + 1, shift: 0, width: 17 }
}

/// The first of the words `DEST_TARGET_REG_CFG_PACK_SEC[0..4]`, of which both banks have one: `Offset` in bits 0 to 11, and
/// `ZOffset` in bits 12 to 17.
#[must_use]
pub const fn dest_target_reg_cfg_pack_sec(chip: Chip) -> usize {
    chip.pick(152, 180)
}

/// The first of the words `INT_DESCALE_VALUES_SEC[0..16].Value`, of which both banks have one.
#[must_use]
pub const fn int_descale_values_sec(chip: Chip) -> usize {
    chip.pick(165, 187)
}

macro_rules! global_words {
    ($chip:ident, $dest:literal, $values:literal, [$($number:literal)*], [$($value:literal)*]) => {
        /// The fields of these words.
        pub const $chip: &[ConfigField] = &[
            $(
                ConfigField {
                    name: concat!("DEST_TARGET_REG_CFG_PACK_SEC", $number, "_Offset"),
                    addr32: $dest + $number,
                    shift: 0,
                    width: 12,
                },
                ConfigField {
                    name: concat!("DEST_TARGET_REG_CFG_PACK_SEC", $number, "_ZOffset"),
                    addr32: $dest + $number,
                    shift: 12,
                    width: 6,
                },
            )*
            $(
                ConfigField {
                    name: concat!("INT_DESCALE_VALUES_SEC", $value, "_Value"),
                    addr32: $values + $value,
                    shift: 0,
                    width: 32,
                },
            )*
        ];
    };
}
global_words!(GLOBAL_WORMHOLE, 152, 165, [0 1 2 3], [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15]);
global_words!(GLOBAL_BLACKHOLE, 180, 187, [0 1 2 3], [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15]);

/// How many sections `ADDR_MOD_PACK_SEC` has: those that the two bits of an instruction select.
pub const ADDR_MOD_PACK_SECTIONS: usize = 4;

super::config_fields! { ADDR_MOD_PACK_FIELDS, ThreadConfigField, addr:
    YsrcIncr = 31, 0, 4;
    YsrcCR = 31, 4, 1;
    YsrcClear = 31, 5, 1;
    YdstIncr = 31, 6, 4;
    YdstCR = 31, 10, 1;
    YdstClear = 31, 11, 1;
    ZsrcIncr = 31, 12, 1;
    ZsrcClear = 31, 13, 1;
    ZdstIncr = 31, 14, 1;
    ZdstClear = 31, 15, 1;
}

/// `ENABLE_ACC_STATS_Enable`.
#[must_use]
pub const fn enable_acc_stats(chip: Chip) -> ThreadConfigField {
    ThreadConfigField { name: "ENABLE_ACC_STATS_Enable", addr: chip.pick(46, 45), shift: 0, width: 1 }
}
