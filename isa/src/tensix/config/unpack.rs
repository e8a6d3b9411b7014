//! Fields of configuration that the Unpackers read, of both chips.
//!
//! The fields of a section `THCON_SEC` lie in it alike on both chips, and the sections begin at other words.
//! *Source*: the vendor's register tables (addresses and bits); page UNPACR_Regular, section Configuration (what the tile
//! descriptor has).

use super::{CONFIG_WORDS, ConfigField};
use crate::tensix::Chip;

/// A field of `THCON_SEC[unpacker]` or of `UNP[unpacker]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnpackField {
    /// Its name for each Unpacker.
    names: [&'static str; 2],
    /// Where it lies on each chip, for each Unpacker: index of the 32-bit word, lowest bit and width.
    places: [[(usize, u32, u32); 2]; 2],
}

impl UnpackField {
    /// The field of a chip and Unpacker (`0..2`).
    #[must_use]
    #[inline]
    pub const fn of(self, chip: Chip, unpacker: usize) -> ConfigField {
        let (addr32, shift, width) = self.places[chip as usize][unpacker];
        ConfigField { name: self.names[unpacker], addr32, shift, width }
    }

    /// Reads the field of an Unpacker (`0..2`) from one bank of `Config`.
    #[must_use]
    #[inline]
    pub const fn get(self, chip: Chip, unpacker: usize, bank: &[u32; CONFIG_WORDS]) -> u32 {
        self.of(chip, unpacker).get(bank)
    }

    /// Writes the field of an Unpacker (`0..2`) in one bank of `Config`.
    #[inline]
    pub const fn set(self, chip: Chip, unpacker: usize, bank: &mut [u32; CONFIG_WORDS], value: u32) {
        self.of(chip, unpacker).set(bank, value);
    }
}

/// The first word of `THCON_SEC[0..2]`, by chip.
const SECTIONS: [[usize; 2]; 2] = [[52, 92], [64, 112]];

macro_rules! fields {
    ($($name:ident = $word:literal, $shift:literal, $width:literal;)* ---
        $($own:ident = [$($places:tt)*];)*) => {
        $(
            #[doc = concat!("`THCON_SEC[unpacker].", stringify!($name), "`, ", $width, " bits.")]
            pub const $name: UnpackField = {
                let [[wh0, wh1], [bh0, bh1]] = SECTIONS;
                UnpackField {
                    names: [concat!("THCON_SEC0_", stringify!($name)), concat!("THCON_SEC1_", stringify!($name))],
                    places: [
                        [(wh0 + $word, $shift, $width), (wh1 + $word, $shift, $width)],
                        [(bh0 + $word, $shift, $width), (bh1 + $word, $shift, $width)],
                    ],
                }
            };
        )*
        $(
            #[doc = concat!("`UNP[unpacker].", stringify!($own), "`.")]
            pub const $own: UnpackField = UnpackField {
                names: [concat!("UNP0_", stringify!($own)), concat!("UNP1_", stringify!($own))],
                places: [$($places)*],
            };
        )*
        /// All of them but `UNP0_BLOBS_Y_START_CNTX`.
        pub const ALL: &[UnpackField] = &[$($name,)* $($own),*];
    };
}

fields! {
    REG0_TileDescriptor_InDataFormat = 0, 0, 4;
    REG0_TileDescriptor_IsUncompressed = 0, 4, 1;
    REG0_TileDescriptor_NoBFPExpSection = 0, 5, 1;
    REG0_TileDescriptor_BlobsPerXYPlane = 0, 8, 3;
    REG0_TileDescriptor_XDim = 0, 16, 16;
    REG0_TileDescriptor_YDim = 1, 0, 8;
    REG0_TileDescriptor_ZDim = 1, 16, 8;
    REG0_TileDescriptor_WDim = 2, 0, 8;
    REG0_TileDescriptor_BlobsYStart_Lo = 2, 16, 16;
    REG0_TileDescriptor_BlobsYStart_Hi = 3, 0, 16;
    REG0_TileDescriptor_DigestSize = 3, 24, 8;
    REG2_Out_data_format = 8, 0, 4;
    REG2_Throttle_mode = 8, 4, 2;
    REG2_Context_count = 8, 6, 2;
    REG2_Haloize_mode = 8, 8, 1;
    REG2_Tileize_mode = 8, 9, 1;
    REG2_Unpack_Src_Reg_Set_Upd = 8, 10, 1;
    REG2_Unpack_If_Sel = 8, 11, 1;
    REG2_Upsample_rate = 8, 12, 2;
    REG2_Ovrd_data_format = 8, 14, 1;
    REG2_Upsample_and_interleave = 8, 15, 1;
    REG2_Shift_amount_cntx0 = 8, 16, 4;
    REG2_Shift_amount_cntx1 = 8, 20, 4;
    REG2_Shift_amount_cntx2 = 8, 24, 4;
    REG2_Shift_amount_cntx3 = 8, 28, 4;
    REG2_Disable_zero_compress_cntx0 = 9, 0, 1;
    REG2_Disable_zero_compress_cntx1 = 9, 1, 1;
    REG2_Disable_zero_compress_cntx2 = 9, 2, 1;
    REG2_Disable_zero_compress_cntx3 = 9, 3, 1;
    REG2_Unpack_if_sel_cntx0 = 9, 4, 1;
    REG2_Unpack_if_sel_cntx1 = 9, 5, 1;
    REG2_Unpack_if_sel_cntx2 = 9, 6, 1;
    REG2_Unpack_if_sel_cntx3 = 9, 7, 1;
    REG2_Force_shared_exp = 9, 8, 1;
    REG2_Disable_zero_compress_cntx4 = 9, 16, 1;
    REG2_Disable_zero_compress_cntx5 = 9, 17, 1;
    REG2_Disable_zero_compress_cntx6 = 9, 18, 1;
    REG2_Disable_zero_compress_cntx7 = 9, 19, 1;
    REG2_Unpack_if_sel_cntx4 = 9, 20, 1;
    REG2_Unpack_if_sel_cntx5 = 9, 21, 1;
    REG2_Unpack_if_sel_cntx6 = 9, 22, 1;
    REG2_Unpack_if_sel_cntx7 = 9, 23, 1;
    REG2_Unpack_limit_address = 10, 0, 17;
    REG2_Unpack_fifo_size = 11, 0, 17;
    REG3_Base_address = 12, 0, 32;
    REG3_Base_cntx1_address = 13, 0, 32;
    REG3_Base_cntx2_address = 14, 0, 32;
    REG3_Base_cntx3_address = 15, 0, 32;
    REG4_Base_cntx4_address = 16, 0, 32;
    REG4_Base_cntx5_address = 17, 0, 32;
    REG4_Base_cntx6_address = 18, 0, 32;
    REG4_Base_cntx7_address = 19, 0, 32;
    REG5_Dest_cntx0_address = 20, 0, 16;
    REG5_Dest_cntx1_address = 20, 16, 16;
    REG5_Dest_cntx2_address = 21, 0, 16;
    REG5_Dest_cntx3_address = 21, 16, 16;
    REG5_Tile_x_dim_cntx0 = 22, 0, 16;
    REG5_Tile_x_dim_cntx1 = 22, 16, 16;
    REG5_Tile_x_dim_cntx2 = 23, 0, 16;
    REG5_Tile_x_dim_cntx3 = 23, 16, 16;
    REG7_Offset_address = 28, 0, 16;
    REG7_Unpack_data_format_cntx0 = 28, 16, 4;
    REG7_Unpack_out_data_format_cntx0 = 28, 20, 4;
    REG7_Unpack_data_format_cntx4 = 28, 24, 4;
    REG7_Unpack_out_data_format_cntx4 = 28, 28, 4;
    REG7_Offset_cntx1_address = 29, 0, 16;
    REG7_Unpack_data_format_cntx1 = 29, 16, 4;
    REG7_Unpack_out_data_format_cntx1 = 29, 20, 4;
    REG7_Unpack_data_format_cntx5 = 29, 24, 4;
    REG7_Unpack_out_data_format_cntx5 = 29, 28, 4;
    REG7_Offset_cntx2_address = 30, 0, 16;
    REG7_Unpack_data_format_cntx2 = 30, 16, 4;
    REG7_Unpack_out_data_format_cntx2 = 30, 20, 4;
    REG7_Unpack_data_format_cntx6 = 30, 24, 4;
    REG7_Unpack_out_data_format_cntx6 = 30, 28, 4;
    REG7_Offset_cntx3_address = 31, 0, 16;
    REG7_Unpack_data_format_cntx3 = 31, 16, 4;
    REG7_Unpack_out_data_format_cntx3 = 31, 20, 4;
    REG7_Unpack_data_format_cntx7 = 31, 24, 4;
    REG7_Unpack_out_data_format_cntx7 = 31, 28, 4;
    ---
    ADDR_CTRL_XY_REG_0_Xstride = [[(36, 0, 12), (38, 0, 12)], [(44, 0, 16), (46, 0, 16)]];
    ADDR_CTRL_XY_REG_0_Ystride = [[(36, 12, 12), (38, 12, 12)], [(44, 16, 16), (46, 16, 16)]];
    ADDR_CTRL_ZW_REG_0_Zstride = [[(37, 0, 12), (39, 0, 12)], [(45, 0, 16), (47, 0, 16)]];
    ADDR_CTRL_ZW_REG_0_Wstride = [[(37, 12, 16), (39, 12, 16)], [(45, 16, 16), (47, 16, 16)]];
    ADDR_BASE_REG_0_Base = [[(40, 0, 16), (48, 0, 16)], [(48, 0, 18), (60, 0, 18)]];
    ADDR_BASE_REG_1_Base = [[(40, 16, 16), (48, 16, 16)], [(49, 0, 18), (61, 0, 18)]];
    FORCED_SHARED_EXP_shared_exp = [[(41, 0, 8), (49, 0, 8)], [(50, 0, 8), (62, 0, 8)]];
    ADD_DEST_ADDR_CNTR_add_dest_addr_cntr = [[(41, 8, 1), (49, 8, 1)], [(50, 8, 1), (62, 8, 1)]];
    ADDR_CTRL_XY_REG_1_Xstride = [[(44, 0, 12), (46, 0, 12)], [(56, 0, 16), (58, 0, 16)]];
    ADDR_CTRL_XY_REG_1_Ystride = [[(44, 12, 12), (46, 12, 12)], [(56, 16, 16), (58, 16, 16)]];
    ADDR_CTRL_ZW_REG_1_Zstride = [[(45, 0, 12), (47, 0, 12)], [(57, 0, 16), (59, 0, 16)]];
    ADDR_CTRL_ZW_REG_1_Wstride = [[(45, 12, 16), (47, 12, 16)], [(57, 16, 16), (59, 16, 16)]];
}

/// `REG2_Disable_zero_compress_cntx[0..8]`.
pub const REG2_Disable_zero_compress_cntx: [UnpackField; 8] = [
    REG2_Disable_zero_compress_cntx0,
    REG2_Disable_zero_compress_cntx1,
    REG2_Disable_zero_compress_cntx2,
    REG2_Disable_zero_compress_cntx3,
    REG2_Disable_zero_compress_cntx4,
    REG2_Disable_zero_compress_cntx5,
    REG2_Disable_zero_compress_cntx6,
    REG2_Disable_zero_compress_cntx7,
];
/// `REG2_Unpack_if_sel_cntx[0..8]`.
pub const REG2_Unpack_if_sel_cntx: [UnpackField; 8] = [
    REG2_Unpack_if_sel_cntx0,
    REG2_Unpack_if_sel_cntx1,
    REG2_Unpack_if_sel_cntx2,
    REG2_Unpack_if_sel_cntx3,
    REG2_Unpack_if_sel_cntx4,
    REG2_Unpack_if_sel_cntx5,
    REG2_Unpack_if_sel_cntx6,
    REG2_Unpack_if_sel_cntx7,
];
/// `REG2_Shift_amount_cntx[0..4]`.
pub const REG2_Shift_amount_cntx: [UnpackField; 4] =
    [REG2_Shift_amount_cntx0, REG2_Shift_amount_cntx1, REG2_Shift_amount_cntx2, REG2_Shift_amount_cntx3];
/// `REG3_Base_address`, and `REG3_Base_cntx[1..8].address`, of which the tables count the last four to `REG4`.
pub const REG3_Base_cntx: [UnpackField; 8] = [
    REG3_Base_address,
    REG3_Base_cntx1_address,
    REG3_Base_cntx2_address,
    REG3_Base_cntx3_address,
    REG4_Base_cntx4_address,
    REG4_Base_cntx5_address,
    REG4_Base_cntx6_address,
    REG4_Base_cntx7_address,
];
/// `REG5_Dest_cntx[0..4].address`.
pub const REG5_Dest_cntx: [UnpackField; 4] =
    [REG5_Dest_cntx0_address, REG5_Dest_cntx1_address, REG5_Dest_cntx2_address, REG5_Dest_cntx3_address];
/// `REG5_Tile_x_dim_cntx[0..4]`.
pub const REG5_Tile_x_dim_cntx: [UnpackField; 4] =
    [REG5_Tile_x_dim_cntx0, REG5_Tile_x_dim_cntx1, REG5_Tile_x_dim_cntx2, REG5_Tile_x_dim_cntx3];
/// `REG7_Offset_address`, and `REG7_Offset_cntx[1..4].address`.
pub const REG7_Offset_cntx: [UnpackField; 4] =
    [REG7_Offset_address, REG7_Offset_cntx1_address, REG7_Offset_cntx2_address, REG7_Offset_cntx3_address];
/// `REG7_Unpack_data_format_cntx[0..8]`.
pub const REG7_Unpack_data_format_cntx: [UnpackField; 8] = [
    REG7_Unpack_data_format_cntx0,
    REG7_Unpack_data_format_cntx1,
    REG7_Unpack_data_format_cntx2,
    REG7_Unpack_data_format_cntx3,
    REG7_Unpack_data_format_cntx4,
    REG7_Unpack_data_format_cntx5,
    REG7_Unpack_data_format_cntx6,
    REG7_Unpack_data_format_cntx7,
];
/// `REG7_Unpack_out_data_format_cntx[0..8]`.
pub const REG7_Unpack_out_data_format_cntx: [UnpackField; 8] = [
    REG7_Unpack_out_data_format_cntx0,
    REG7_Unpack_out_data_format_cntx1,
    REG7_Unpack_out_data_format_cntx2,
    REG7_Unpack_out_data_format_cntx3,
    REG7_Unpack_out_data_format_cntx4,
    REG7_Unpack_out_data_format_cntx5,
    REG7_Unpack_out_data_format_cntx6,
    REG7_Unpack_out_data_format_cntx7,
];

/// `UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start` and `UNP0_BLOBS_Y_START_CNTX_23_blobs_y_start`, 32 bits each.
#[must_use]
pub const fn blobs_y_start_cntx(chip: Chip) -> [ConfigField; 2] {
    let first = chip.pick(42, 51);
    [
        ConfigField { name: "UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start", addr32: first, shift: 0, width: 32 },
        ConfigField { name: "UNP0_BLOBS_Y_START_CNTX_23_blobs_y_start", addr32: first + 1, shift: 0, width: 32 },
    ]
}
