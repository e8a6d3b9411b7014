//! Axes of the banks of `SrcA` and `SrcB`: which one is in use, and whose they are.

use std::mem::offset_of;

use tandem_isa::tensix::{MATRIX_UNIT, Small, UNPACKERS};
use tandem_isa::{Axis, Quantity};

use super::lens::{Lens, flag};
use super::parts::{peek, small};
use super::state_quantities::CLIENTS;

pub(super) const SRCA_BANK: Axis = flag!("srca_bank", Lens::word(offset_of!(Small, matrix_unit_srca_bank), 1));
pub(super) const SRCB_BANK: Axis = flag!("srcb_bank", Lens::word(offset_of!(Small, matrix_unit_srcb_bank), 1));
pub(super) const UNPACKER0_BANK: Axis = flag!("unpacker0_bank", Lens::word(offset_of!(Small, unpackers_src_bank), 1));
pub(super) const UNPACKER1_BANK: Axis =
    flag!("unpacker1_bank", Lens::word(offset_of!(Small, unpackers_src_bank) + 4, 1));

/// Whose a bank is: that which the Matrix Unit uses, or the other one.
macro_rules! owner {
    ($name:literal, $weights:expr, $bank:ident, $clients:ident, $other:literal) => {
        Axis {
            name: $name,
            levels: CLIENTS,
            weights: $weights,
            set: |parts, level, _| {
                let small = small(parts);
                small.$clients[small.$bank as usize & 1 ^ $other] = [MATRIX_UNIT, UNPACKERS][level];
            },
            get: |parts| {
                let small = peek(parts);
                usize::from(small.$clients[small.$bank as usize & 1 ^ $other] != MATRIX_UNIT)
            },
        }
    };
}

pub(super) const OWNER: Axis = owner!("owner", &[15, 1], matrix_unit_srca_bank, srca_allowed_client, 0);
pub(super) const OTHER_OWNER: Axis = owner!("other_bank_owner", &[], matrix_unit_srca_bank, srca_allowed_client, 1);
/// Of instructions that wait for `SrcB`.
pub(super) const SRCB_OWNER: Axis = owner!("srcb_owner", &[15, 1], matrix_unit_srcb_bank, srcb_allowed_client, 0);
pub(super) const OTHER_SRCB_OWNER: Axis =
    owner!("other_srcb_owner", &[], matrix_unit_srcb_bank, srcb_allowed_client, 1);
/// Of instructions that wait for neither.
pub(super) const ANY_SRCA_OWNER: Axis = Axis { name: "srca_owner", weights: &[], ..OWNER };
pub(super) const OTHER_SRCA_OWNER: Axis = Axis { name: "other_srca_owner", ..OTHER_OWNER };
pub(super) const ANY_SRCB_OWNER: Axis = Axis { weights: &[], ..SRCB_OWNER };

/// Which banks are in use, and by whom, and whose they are.
pub(super) const BANKS: [Axis; 4] = [SRCA_BANK, SRCB_BANK, UNPACKER0_BANK, UNPACKER1_BANK];
pub(super) const OWNERS: [Axis; 4] = [ANY_SRCA_OWNER, OTHER_SRCA_OWNER, ANY_SRCB_OWNER, OTHER_SRCB_OWNER];

macro_rules! owner_quantity {
    ($name:literal, $bank:ident, $clients:ident) => {
        Quantity::new(
            $name,
            1,
            |parts| {
                let small = peek(parts);
                small.$clients[small.$bank as usize & 1]
            },
            |parts, value| {
                let small = small(parts);
                small.$clients[small.$bank as usize & 1] = value;
            },
        )
        .named(CLIENTS)
    };
}

/// The owner of the bank of `SrcA` in use.
pub(super) const OWNER_OF_SRCA: Quantity =
    owner_quantity!("owner of the bank of SrcA in use", matrix_unit_srca_bank, srca_allowed_client);
/// The owner of the bank of `SrcB` in use.
pub(super) const OWNER_OF_SRCB: Quantity =
    owner_quantity!("owner of the bank of SrcB in use", matrix_unit_srcb_bank, srcb_allowed_client);
