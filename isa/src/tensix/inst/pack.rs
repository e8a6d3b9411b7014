//! `PACR`, on both chips.
//!
//! *Source*: the pages PACR of both chips; `Diagrams/Src/Bits32.lua` (commit 39304719) of the same repository, and
//! `Diagrams/Out/Bits32_PACR_BH.svg` (commit f82128bb).

use super::{Form, field};
use crate::CodeField;

/// `Last`, bit 0.
pub const LAST: CodeField = field("Last", 0, 1);
/// `Flush`, bit 1.
pub const FLUSH: CodeField = field("Flush", 1, 1);
/// `CtxtCtrl` of Blackhole, bits 2 and 3.
pub const CTXT_CTRL: CodeField = field("CtxtCtrl", 2, 2);
/// `Concat`, bit 4.
pub const CONCAT: CodeField = field("Concat", 4, 1);
/// `OvrdThreadId`, bit 7.
pub const OVRD_THREAD_ID: CodeField = field("OvrdThreadId", 7, 1);
/// `PackerMask` of Wormhole, bits 8 to 11.
pub const PACKER_MASK: CodeField = field("PackerMask", 8, 4);
/// `ReadIntfSel` of Blackhole, bits 8 to 11.
pub const READ_INTF_SEL: CodeField = field("ReadIntfSel", 8, 4);
/// `ZeroWrite`, bit 12.
pub const ZERO_WRITE: CodeField = field("ZeroWrite", 12, 1);
/// `AddrCntContext` of Blackhole, bits 13 and 14.
pub const ADDR_CNT_CONTEXT: CodeField = field("AddrCntContext", 13, 2);
/// `AddrMod`, bits 15 and 16.
pub const ADDR_MOD: CodeField = field("AddrMod", 15, 2);
/// `DstAccessMode` of Blackhole, bit 17.
pub const DST_ACCESS_MODE: CodeField = field("DstAccessMode", 17, 1);
/// `RowPadZero` of Blackhole, bits 18 to 20.
pub const ROW_PAD_ZERO: CodeField = field("RowPadZero", 18, 3);
/// `CfgContext` of Blackhole, bits 21 and 22.
pub const CFG_CONTEXT: CodeField = field("CfgContext", 21, 2);

/// `PACR` of Wormhole.
pub(in crate::tensix) const PACR: Form = {
    const FIELDS: &[CodeField] = &[ADDR_MOD, ZERO_WRITE, PACKER_MASK, OVRD_THREAD_ID, CONCAT, FLUSH, LAST];
    Form::new(FIELDS, FIELDS)
};
/// `PACR` of Blackhole.
pub(in crate::tensix) const PACR_BH: Form = {
    const FIELDS: &[CodeField] = &[
        CFG_CONTEXT,
        ROW_PAD_ZERO,
        DST_ACCESS_MODE,
        ADDR_MOD,
        ADDR_CNT_CONTEXT,
        ZERO_WRITE,
        READ_INTF_SEL,
        OVRD_THREAD_ID,
        CONCAT,
        CTXT_CTRL,
        FLUSH,
        LAST,
    ];
    Form::new(FIELDS, FIELDS)
};
