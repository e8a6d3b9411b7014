//! Quantities of `MOVA2D`, `SFPLOAD` and `SFPSTORE`.
//!
//! They are tested from outside, since whoever names an instruction of a chip has them all, which takes half a minute to
//! compile once more.

use tandem_cases::tensix as cases;
use tandem_isa::tensix::inst::mova2d::{DST_ROW, SRC_ROW};
use tandem_isa::tensix::{BLACKHOLE, WORMHOLE, format};
use tandem_isa::{Instruction, Machine, Parts};

#[path = "../src/quantity/example.rs"]
mod example;

/// The instruction of a chip that is called so.
fn on(chip: &Machine, name: &str) -> &'static Instruction {
    let isa = [&cases::WORMHOLE, &cases::BLACKHOLE].into_iter().find(|isa| isa.name == chip.name);
    isa.and_then(|isa| isa.instruction(name)).expect("it is listed")
}

/// A counter of the first thread.
fn counter(parts: &Parts<'_>, name: &str) -> u32 {
    WORMHOLE.layout.field_named(&format!("RWCs[0].{name}")).expect("there is such a field").get(parts.small)
}

fn mova2d() -> &'static Instruction {
    on(&WORMHOLE, "MOVA2D")
}

fn assert_values(fields: &[(&str, u32)], values: &[(&str, u32)]) {
    example::assert_values(&WORMHOLE, mova2d(), fields, values);
}

#[test]
fn rows_are_sums_with_and_without_their_carry() {
    assert_values(
        &[
            ("DstRow", 1000),
            ("SrcRow", 60),
            ("CurrentThread", 1),
            ("RWCs[1].Dst", 20),
            ("RWCs[1].SrcA", 8),
            ("RWCs[0].SrcA", 33),
            ("ThreadConfig[1].CFG_STATE_ID_StateID", 1),
            ("ThreadConfig[1].DEST_TARGET_REG_CFG_MATH_Offset", 3),
            ("Config[1].DEST_REGW_BASE_Base", 2),
            ("Config[0].DEST_REGW_BASE_Base", 64),
        ],
        &[
            ("row of Dst", 1),
            ("row of Dst before it wraps", 1025),
            ("row of SrcA", 4),
            ("row of SrcA before it wraps", 68),
            ("Config[StateID].DEST_REGW_BASE_Base", 2),
            ("Config[any].DEST_REGW_BASE_Base", 66),
            ("RWCs[CurrentThread].SrcA", 8),
        ],
    );
}

#[test]
fn an_exponent_has_five_bits_by_more_and_more() {
    let five_bit = ["5-bit exponent by SrcAFmt", "5-bit exponent by SrcAFmt and FP16A_FORCE", "5-bit exponent"];
    let (override_it, val) = ("Config[0].ALU_FORMAT_SPEC_REG_SrcA_override", "Config[0].ALU_FORMAT_SPEC_REG_SrcA_val");
    let (force, wide) = ("ThreadConfig[0].FP16A_FORCE_Enable", "Config[0].ALU_ACC_CTRL_INT8_math_enabled");
    let values = |of: [u32; 3]| [(five_bit[0], of[0]), (five_bit[1], of[1]), (five_bit[2], of[2])];
    assert_values(&[(val, format::FP16)], &values([0, 0, 0]));
    assert_values(&[(override_it, 1), (val, format::FP16)], &values([1, 1, 1]));
    assert_values(&[(override_it, 1), (val, format::FP16), (wide, 1)], &values([1, 1, 0]));
    assert_values(&[(force, 1), (wide, 1)], &values([0, 1, 1]));
}

#[test]
fn the_section_in_force_and_lanes_are_looked_at_as_the_instruction_does() {
    assert_values(
        &[
            ("AddrMod", 1),
            ("RWCs[0].ExtraAddrModBit", 1),
            ("ThreadConfig[0].ADDR_MOD_BIAS_SEC[5].BiasClear", 1),
            ("ThreadConfig[0].ADDR_MOD_DST_SEC[5].DestIncr", 513),
            ("ThreadConfig[0].ADDR_MOD_DST_SEC[1].DestCToCR", 1),
            ("ThreadConfig[2].FP16A_FORCE_Enable", 1),
            ("LaneConfig[3].ENABLE_DEST_INDEX", 1),
            ("LaneConfig[5].BLOCK_DEST_MOV", 3),
            ("SrcA[0].AllowedClient", 1),
        ],
        &[
            ("section of AddrMod in force", 5),
            ("BiasClear in force", 1),
            ("DestIncr in force", 513),
            ("DestCToCR in force", 0),
            ("ThreadConfig[CurrentThread].FP16A_FORCE_Enable", 0),
            ("ThreadConfig[any].FP16A_FORCE_Enable", 1),
            ("LaneConfig[any]", 0x604),
            ("bits of LaneConfig that differ between lanes", 0x604),
            ("number of columns that BLOCK_DEST_MOV blocks", 2),
            ("owner of the bank of SrcA in use", 1),
        ],
    );
}

#[test]
fn a_row_is_set_by_the_field_of_the_code_word_unless_that_was_round_and_would_not_be() {
    let row = example::quantity(mova2d(), "row of Dst");
    example::with_case(&WORMHOLE, mova2d(), &[("DstRow", 3), ("RWCs[0].Dst", 8)], |parts| {
        assert!(row.set(parts, 8));
        assert_eq!((DST_ROW.get(parts.code), counter(parts, "Dst")), (0, 8));
    });
    example::with_case(&WORMHOLE, mova2d(), &[("DstRow", 16), ("RWCs[0].Dst", 3)], |parts| {
        assert!(row.set(parts, 16));
        assert_eq!((DST_ROW.get(parts.code), counter(parts, "Dst")), (16, 0));
    });
    example::with_case(&WORMHOLE, mova2d(), &[("SrcRow", 60), ("RWCs[0].SrcA", 60)], |parts| {
        assert!(example::quantity(mova2d(), "row of SrcA before it wraps").set(parts, 10));
        assert_eq!((SRC_ROW.get(parts.code), counter(parts, "SrcA")), (0, 10));
    });
}

#[test]
fn the_mode_is_what_srcb_stands_for() {
    let (override_it, val) = ("Config[0].ALU_FORMAT_SPEC_REG_SrcB_override", "Config[0].ALU_FORMAT_SPEC_REG_SrcB_val");
    let (resolved, asked) = ("resolved Mod0", "SrcBFmt where Mod0 asks for it");
    let fp32 = ("Config[0].ALU_ACC_CTRL_SFPU_Fp32_enabled", 1);
    for instruction in [on(&WORMHOLE, "SFPLOAD"), on(&WORMHOLE, "SFPSTORE")] {
        example::assert_values(&WORMHOLE, instruction, &[(val, 1)], &[(resolved, 2), (asked, 0)]);
        example::assert_values(&WORMHOLE, instruction, &[(override_it, 1), (val, 1)], &[(resolved, 1), (asked, 1)]);
        example::assert_values(&WORMHOLE, instruction, &[(val, 1), fp32], &[(resolved, 3), (asked, 16)]);
        example::assert_values(&WORMHOLE, instruction, &[("Mod0", 12)], &[(resolved, 12), (asked, 16)]);
    }
    let formats = [("ThreadConfig[0].SFPU_DEST_FMT_Enable", 1), ("ThreadConfig[0].SFPU_DEST_FMT_Base", 10)];
    example::assert_values(&BLACKHOLE, on(&BLACKHOLE, "SFPLOAD"), &formats, &[(resolved, 1), (asked, 10)]);
}

#[test]
fn of_the_stack_or_of_the_counter_two_bits_count() {
    let sum = "address in Dst by counter and base";
    let fields = [("Imm10", 1000), ("RWCs[0].Dst", 30), ("RWCs[0].Sp", 7), ("Config[0].DEST_SP_BASE_Base", 512)];
    // 1030 and the two bits 3; popped by 4 to 3, 1000, 515 and the two bits 2.
    let normal = [("address in Dst", 9), ("address in Dst before it wraps", 1033), (sum, 6)];
    example::assert_values(&BLACKHOLE, on(&BLACKHOLE, "SFPLOAD"), &fields, &normal);
    let all = [&fields[..], &[("Mod0", 10), ("ThreadConfig[0].SFPU_STACK_Incr", 4)]].concat();
    let popped = [("address in Dst", 493), ("address in Dst before it wraps", 1517), (sum, 6)];
    example::assert_values(&BLACKHOLE, on(&BLACKHOLE, "SFPLOAD"), &all, &popped);
}

#[test]
fn lanes_are_enabled_by_their_flags_and_rows() {
    let fields = [
        ("UseLaneFlagsForLaneEnable", 0xff),
        ("LaneFlags", 0xffff_fff1),
        ("LaneConfig[0].ROW_MASK", 0b1000),
        ("LaneConfig[1].BLOCK_SFPU_RD_FROM_DEST", 1),
        ("LaneConfig[2].BLOCK_DEST_WR_FROM_SFPU", 1),
        ("LaneConfig[3].BLOCK_DEST_WR_FROM_SFPU", 1),
    ];
    let loads = ("number of lanes that BLOCK_SFPU_RD_FROM_DEST blocks, of 8", 1);
    let stores = ("number of lanes that BLOCK_DEST_WR_FROM_SFPU blocks, of 8", 2);
    example::assert_values(&WORMHOLE, on(&WORMHOLE, "SFPLOAD"), &fields, &[("number of lanes enabled", 28), loads]);
    example::assert_values(&WORMHOLE, on(&WORMHOLE, "SFPSTORE"), &fields, &[("number of lanes enabled", 28), stores]);
}
