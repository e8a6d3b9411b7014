//! The list of instructions, and the words that rules name beside them.

use super::inst::{Form, vector};
use crate::RuleWord;

/// The one list of instructions, a row each: where it is told of (in the reference and in the crate of cases), the chips that
/// have it, what it does, and for a chip the word with every field at its base value, its page, form and errata.
///
/// It is given to a macro, by its name or path, at whichever place needs something of each: so an implementation that lacks an
/// instruction does not compile. A row stays where it is, as reports keep its order.
///
/// *Source*: the pages that it names; words from `Diagrams/Src/Bits32.lua` (commits 39304719 and c2e709d3) of the same
/// repository, and what lies elsewhere on Blackhole from the vendor's tables.
#[macro_export]
macro_rules! tensix_instructions {
    ($($with:tt)+) => {
        $($with)+! {
            Mova2d "MOVA2D" mova2d::mova2d [Wormhole Blackhole] "Move one row or eight rows from SrcA to Dst"
                |chip| Facts {
                    // The page as the project has it is of Wormhole alone.
                    pages: [chip.pick(&MOVA2D_SPEC, &MOVA2D_NEWEST), &MOVA2D_NEWEST],
                    unwitnessed: chip.pick(mova2d::UNWITNESSED, mova2d::UNWITNESSED_BH),
                    ..row(&[0x1200_0000], &MOVA2D_NEWEST, moves::from_srca(chip), chip.pick(
                        &["TX-01", "TX-02", "TX-03", "TX-04", "TX-05", "TX-06", "TX-07", "TX-08", "TX-09", "TX-10",
                            "TX-11", "TX-12", "TX-13"],
                        &["TX-08", "TX-10", "TX-12", "TX-32", "TX-40"],
                    ))
                };
            Sfpload "SFPLOAD" sfpload::sfpload [Wormhole Blackhole] "Move up to 32 data from Dst to an LReg"
                |chip| Facts {
                    pages: chip.pick([&SFPLOAD_SPEC, &SFPLOAD_NEWEST], [&SFPLOAD_BH; 2]),
                    unwitnessed: chip.pick(sfpload::UNWITNESSED, sfpload::UNWITNESSED_BH),
                    ..row(&[0x7000_0000], &SFPLOAD_BH, sfpload::form(chip), chip.pick(
                        &["TX-14", "TX-15", "TX-16", "TX-17", "TX-19", "TX-20", "TX-21", "TX-22", "TX-23", "TX-24",
                            "TX-26", "TX-33", "TX-34"],
                        &["TX-14", "TX-15", "TX-16", "TX-17", "TX-18", "TX-19", "TX-20", "TX-21", "TX-22", "TX-24",
                            "TX-26", "TX-30", "TX-31", "TX-32", "TX-33", "TX-34"],
                    ))
                };
            Sfpstore "SFPSTORE" sfpstore::sfpstore [Wormhole Blackhole] "Move up to 32 data from an LReg to Dst"
                |chip| Facts {
                    unwitnessed: chip.pick(sfpstore::UNWITNESSED, &[]),
                    ..row(&[0x7200_0000], chip.pick(&SFPSTORE_NEWEST, &SFPSTORE_BH), sfpload::form(chip), chip.pick(
                        &["TX-15", "TX-17", "TX-21", "TX-22", "TX-25", "TX-26", "TX-27", "TX-28", "TX-29", "TX-33",
                            "TX-34"],
                        &["TX-15", "TX-17", "TX-19", "TX-21", "TX-22", "TX-26", "TX-27", "TX-28", "TX-29", "TX-30",
                            "TX-31", "TX-32", "TX-33", "TX-34"],
                    ))
                };
            Sfpand "SFPAND" vector::sfpand [Wormhole Blackhole] "Bitwise and of two registers, lane by lane"
                |chip| row(
                    &[0x7e00_0000],
                    chip.pick(&SFPAND_WH, &SFPAND_BH),
                    chip.pick(vector::LANEWISE, vector::WITH_VB),
                    &["TX-17", "TX-34"],
                );
            Sfpor "SFPOR" vector::sfpor [Wormhole Blackhole] "Bitwise or of two registers, lane by lane"
                |chip| row(
                    &[0x7f00_0000],
                    chip.pick(&SFPOR_WH, &SFPOR_BH),
                    chip.pick(vector::LANEWISE, vector::WITH_VB),
                    &["TX-17", "TX-34"],
                );
            Sfpxor "SFPXOR" vector::sfpxor [Wormhole Blackhole] "Bitwise exclusive or of two registers, lane by lane"
                |_| row(&[0x8d00_0000], &SFPXOR, vector::LANEWISE, &["TX-17", "TX-34"]);
            Sfpnot "SFPNOT" vector::sfpnot [Wormhole Blackhole] "Bitwise not of a register, lane by lane"
                |_| row(&[0x8000_0000], &SFPNOT, vector::LANEWISE, &["TX-17", "TX-34"]);
            Sfpmov "SFPMOV" vector::sfpmov [Wormhole Blackhole]
                "Move a register, negated or not, or a special register, lane by lane"
                |_| row(&[0x7c00_0000], &SFPMOV, vector::MODIFIED, &["TX-17", "TX-34", "TX-36"]);
            Sfpabs "SFPABS" vector::sfpabs [Wormhole Blackhole] "Absolute value of integers or of FP32, lane by lane"
                |_| row(&[0x7d00_0000], &SFPABS, vector::MODIFIED, &["TX-17", "TX-34", "TX-37"]);
            Sfpsetsgn "SFPSETSGN" vector::sfpsetsgn [Wormhole Blackhole]
                "Magnitude of one register with the sign of another, or of an immediate, lane by lane"
                |_| row(&[0x8900_0000], &SFPSETSGN, vector::WITH_IMM1, &["TX-17", "TX-34", "TX-37"]);
            Sfplz "SFPLZ" vector::sfplz [Wormhole Blackhole] "Count leading zeros, and perhaps set flags, lane by lane"
                |_| row(&[0x8100_0000], &SFPLZ, vector::MODIFIED, &["TX-17", "TX-34"]);
            Sfpiadd "SFPIADD" vector::sfpiadd [Wormhole Blackhole]
                "Add or subtract integers, and perhaps set flags, lane by lane"
                |_| row(&[0x7900_0000], &SFPIADD, vector::WITH_IMM12, &["TX-17", "TX-39"]);
            Sfpshft "SFPSHFT" vector::sfpshft [Wormhole Blackhole] "Shift by a register or by an immediate, lane by lane"
                |chip| row(
                    &[0x7a00_0000],
                    chip.pick(&SFPSHFT_WH, &SFPSHFT_BH),
                    vector::WITH_IMM12,
                    &["TX-17", "TX-35", "TX-38", "TX-39"],
                );
            Sfpsetcc "SFPSETCC" vector::sfpsetcc [Wormhole Blackhole] "Compare a register with zero into flags, lane by lane"
                |_| row(&[0x7b00_0000], &SFPSETCC, vector::WITH_IMM1, &["TX-17", "TX-34"]);
            Sfpencc "SFPENCC" vector::sfpencc [Wormhole Blackhole]
                "Say which lanes heed their flags, and set flags, lane by lane"
                |_| row(&[0x8a00_0000], &SFPENCC, vector::WITH_IMM2, &["TX-17", "TX-34"]);
            Sfpexexp "SFPEXEXP" vector::sfpexexp [Wormhole Blackhole]
                "Extract the exponent of FP32, and perhaps set flags, lane by lane"
                |_| row(&[0x7700_0000], &SFPEXEXP, vector::MODIFIED, &["TX-17", "TX-34"]);
            Setrwc "SETRWC" control::setrwc [Wormhole Blackhole]
                "Set counters of a thread, and perhaps flip the banks of SrcA and SrcB"
                |_| row(&[0x3700_0000], &SETRWC, control::SETRWC, &["TX-40", "TX-42", "TX-44"]);
            Incrwc "INCRWC" control::incrwc [Wormhole Blackhole] "Add to counters of a thread"
                |_| row(&[0x3800_0000], &INCRWC, control::INCRWC, &["TX-40"]);
            Cleardvalid "CLEARDVALID" control::cleardvalid [Wormhole Blackhole]
                "Give banks of SrcA and SrcB to the Unpackers, and perhaps flip them"
                |_| row(&[0x3600_0000], &CLEARDVALID, control::CLEARDVALID, &["TX-40", "TX-44"]);
            Seminit "SEMINIT" control::seminit [Wormhole Blackhole] "Set value and maximum of semaphores"
                |_| row(&[0xa300_0000], &SEMINIT, control::SEMINIT, &["TX-40"]);
            Sempost "SEMPOST" control::sempost [Wormhole Blackhole] "Increment semaphores"
                |_| row(&[0xa400_0000], &SEMPOST, control::OF_SEMAPHORES, &["TX-40"]);
            Semget "SEMGET" control::semget [Wormhole Blackhole] "Decrement semaphores"
                |_| row(&[0xa500_0000], &SEMGET, control::OF_SEMAPHORES, &["TX-40"]);
            Zerosrc "ZEROSRC" source::zerosrc [Wormhole Blackhole] "Set banks of SrcA and SrcB to zero, or to all ones"
                |_| row(&[0x1100_0000], &ZEROSRC, source::ZEROSRC, &["TX-40", "TX-43"]);
            Trnspsrcb "TRNSPSRCB" source::trnspsrcb [Wormhole Blackhole] "Transpose rows 16 to 31 of SrcB"
                |_| row(&[0x1600_0000], &TRNSPSRCB, source::TRNSPSRCB, &["TX-40"]);
            Shiftxb "SHIFTXB" source::shiftxb [Wormhole Blackhole] "Shift or rotate one row of SrcB by one column"
                |chip| row(
                    &[0x1800_0000],
                    &SHIFTXB,
                    source::shiftxb(chip),
                    chip.pick(&["TX-40", "TX-41"], &["TX-32", "TX-40", "TX-41"]),
                );
            Movdbga2d "MOVDBGA2D" moves::movdbga2d [Wormhole Blackhole]
                "Move one row or eight rows from SrcA to Dst, whoever owns SrcA"
                |chip| row(
                    &[0x0900_0000],
                    &MOVDBGA2D,
                    moves::from_srca(chip),
                    chip.pick(&["TX-08", "TX-10", "TX-12", "TX-40"], &["TX-08", "TX-10", "TX-12", "TX-32", "TX-40"]),
                );
            Movd2a "MOVD2A" moves::movd2a [Wormhole Blackhole] "Move one row or four rows from Dst to SrcA"
                |chip| row(
                    &[0x0800_0000],
                    &MOVD2A,
                    moves::from_dst(chip),
                    chip.pick(&["TX-08", "TX-10", "TX-40"], &["TX-08", "TX-10", "TX-32", "TX-40"]),
                );
            Movd2b "MOVD2B" moves::movd2b [Wormhole Blackhole] "Move one row or four rows from Dst to SrcB"
                |chip| row(
                    &[0x0a00_0000],
                    &MOVD2B,
                    moves::from_dst(chip),
                    chip.pick(&["TX-08", "TX-10", "TX-40"], &["TX-08", "TX-10", "TX-32", "TX-40"]),
                );
            Movb2d "MOVB2D" moves::movb2d [Wormhole Blackhole]
                "Move rows from SrcB to Dst, one perhaps to eight, and its first column perhaps to all"
                |chip| row(
                    &[0x1300_0000],
                    &MOVB2D,
                    moves::movb2d(chip),
                    chip.pick(&["TX-08", "TX-10", "TX-40", "TX-45"], &["TX-08", "TX-10", "TX-32", "TX-40", "TX-45"]),
                );
            Movb2a "MOVB2A" moves::movb2a [Wormhole Blackhole] "Move one row or four rows from SrcB to SrcA"
                |chip| row(
                    &[0x0b00_0000],
                    &MOVB2A,
                    moves::movb2a(chip),
                    chip.pick(&["TX-40", "TX-99"], &["TX-32", "TX-40", "TX-99"]),
                );
            Zeroacc "ZEROACC" moves::zeroacc [Wormhole Blackhole] "Mark rows of Dst as invalid"
                |chip| row(
                    &[0x1000_0000],
                    &ZEROACC_NEWEST,
                    moves::zeroacc(chip),
                    chip.pick(&["TX-40"], &["TX-32", "TX-40"]),
                );
            Mvmul "MVMUL" matrix::mvmul [Wormhole Blackhole] "Add a product of matrices of SrcB and SrcA to Dst"
                |chip| row(&[0x2600_0000], &MVMUL, matrix::mvmul(chip), chip.pick(
                    &["TX-08", "TX-40", "TX-45", "TX-60", "TX-61", "TX-62", "TX-63"],
                    &["TX-08", "TX-32", "TX-40", "TX-45", "TX-60", "TX-61", "TX-62", "TX-63"],
                ));
            Gapool "GAPOOL" matrix::gapool [Wormhole Blackhole]
                "Add a product of matrices of SrcB and SrcA, of four rows, to Dst"
                |chip| row(&[0x3400_0000], &GAPOOL, matrix::gapool(chip), chip.pick(
                    &["TX-08", "TX-40", "TX-45", "TX-60", "TX-63", "TX-64"],
                    &["TX-08", "TX-32", "TX-40", "TX-45", "TX-60", "TX-63", "TX-64"],
                ));
            Elwadd "ELWADD" matrix::elwadd [Wormhole Blackhole] "Add SrcA and SrcB, datum by datum, to Dst or into it"
                |chip| row(
                    &[0x2800_0000],
                    &ELWADD,
                    matrix::elwadd(chip),
                    chip.pick(&["TX-08", "TX-40", "TX-45", "TX-63"], &["TX-08", "TX-32", "TX-40", "TX-45", "TX-63"]),
                );
            Elwsub "ELWSUB" matrix::elwsub [Wormhole Blackhole]
                "Subtract SrcB from SrcA, datum by datum, to Dst or into it"
                |chip| row(
                    &[0x3000_0000],
                    &ELWSUB,
                    matrix::elwadd(chip),
                    chip.pick(&["TX-08", "TX-40", "TX-45", "TX-63"], &["TX-08", "TX-32", "TX-40", "TX-45", "TX-63"]),
                );
            Elwmul "ELWMUL" matrix::elwmul [Wormhole Blackhole] "Add products of SrcA and SrcB, datum by datum, to Dst"
                |chip| row(&[0x2700_0000], &ELWMUL, matrix::elwmul(chip), chip.pick(
                    &["TX-08", "TX-40", "TX-45", "TX-63", "TX-64"],
                    &["TX-08", "TX-32", "TX-40", "TX-45", "TX-63", "TX-64"],
                ));
            Gmpool "GMPOOL" matrix::gmpool [Wormhole Blackhole]
                "Maximum of a row of Dst and of 16 rows of SrcA, column by column, and perhaps its index"
                // With what the page writes as a constant true.
                |chip| row(&[0x3308_0000], &GMPOOL, matrix::gmpool(chip), chip.pick(
                    &["TX-08", "TX-10", "TX-40", "TX-45", "TX-64", "TX-65", "TX-66", "TX-67"],
                    &["TX-08", "TX-10", "TX-32", "TX-40", "TX-45", "TX-64", "TX-65", "TX-66", "TX-67"],
                ));
            RiscLoad "RISC_LOAD" window::risc_load [Blackhole] "Load from the window of a RISC-V core on Dst"
                |_| row(&[0xc000_0000], &DST_BH, window::LOAD, &["TX-70", "TX-71", "TX-72", "TX-73", "TX-74", "TX-75"]);
            RiscStore "RISC_STORE" window::risc_store [Blackhole] "Store to the window of a RISC-V core on Dst"
                |_| row(&[0xc100_0000], &DST_BH, window::STORE, &["TX-70", "TX-71", "TX-72", "TX-73", "TX-74", "TX-75"]);
            Setdvalid "SETDVALID" unpack::setdvalid [Wormhole Blackhole]
                "Give banks of SrcA and SrcB to the Matrix Unit, and the Unpackers go on to the others"
                |_| row(&[0x5700_0000], &SETDVALID, unpack::SETDVALID, &["TX-40", "TX-52"]);
            UnpacrNopZerosrc "UNPACR_NOP_ZEROSRC" unpack::unpacr_nop_zerosrc [Wormhole Blackhole]
                "Set banks of SrcA or of SrcB to zero, or to all ones, in an Unpacker's turn"
                |chip| row(&[0x4300_0001], &UNPACR_NOP_ZEROSRC, unpack::zerosrc(chip), &["TX-40", "TX-43", "TX-46"]);
            UnpacrNopSetdvalid "UNPACR_NOP_SETDVALID" unpack::unpacr_nop_setdvalid [Wormhole Blackhole]
                "Give a bank of SrcA or of SrcB to the Matrix Unit, in an Unpacker's turn"
                |chip| row(
                    chip.pick(&[0x4300_0007], &[0x4300_00c1]),
                    &UNPACR_NOP_SETDVALID,
                    unpack::setdvalid(chip),
                    &["TX-40", "TX-46", "TX-47", "TX-52"],
                );
            UnpacrNopSetreg "UNPACR_NOP_SETREG" unpack::unpacr_nop_setreg [Wormhole Blackhole]
                "Write a memory-mapped register in an Unpacker's turn, which is not supported"
                |chip| row(
                    chip.pick(&[0x4300_0004], &[0x4300_0007]),
                    &UNPACR_NOP_SETREG,
                    unpack::SETREG,
                    &["TX-40", "TX-46"],
                );
            UnpacrNopOverlayClear "UNPACR_NOP_OVERLAY_CLEAR" unpack::unpacr_nop_overlay_clear [Wormhole Blackhole]
                "Clear a message of a stream in an Unpacker's turn, which is not supported"
                |_| row(&[0x4300_0000], &UNPACR_NOP_OVERLAY_CLEAR, unpack::OVERLAY_CLEAR, &["TX-40", "TX-46"]);
            Shiftxa "SHIFTXA" source::shiftxa [Wormhole Blackhole] "Shift 16 rows of SrcA by one column"
                |_| row(&[0x1700_0000], &SHIFTXA, source::SHIFTXA, &["TX-40", "TX-48", "TX-49"]);
            Semwait "SEMWAIT" wait::semwait [Wormhole Blackhole] "Hold some later instructions by semaphores"
                |chip| row(&[0xa600_0000], chip.pick(&SEMWAIT_WH, &SEMWAIT_BH), wait::SEMWAIT, &["TX-40", "TX-51"]);
            Stallwait "STALLWAIT" wait::stallwait [Wormhole Blackhole] "Hold some later instructions by conditions"
                |chip| row(
                    &[0xa200_0000],
                    chip.pick(&STALLWAIT_WH, &STALLWAIT_BH),
                    wait::stallwait(chip),
                    chip.pick(&["TX-50", "TX-51"], &["TX-40", "TX-50", "TX-51"]),
                );
            Setc16 "SETC16" configuration::setc16 [Wormhole Blackhole] "Write a word of the thread's ThreadConfig"
                |chip| row(&[0xb200_0000], chip.pick(&SETC16_WH, &SETC16_BH), configuration::SETC16, &["TX-138"]);
            Wrcfg "WRCFG" configuration::wrcfg [Wormhole Blackhole] "Move one GPR or four to Config"
                |_| row(&[0xb000_0000], &WRCFG, configuration::WRCFG, &["TX-40", "TX-53", "TX-58", "TX-137"]);
            Rdcfg "RDCFG" configuration::rdcfg [Wormhole Blackhole] "Move a word of Config to a GPR"
                |chip| row(&[0xb100_0000], chip.pick(&RDCFG_WH, &RDCFG_BH), configuration::RDCFG, &["TX-40"]);
            Rmwcib0 "RMWCIB0" configuration::rmwcib0 [Wormhole Blackhole] "Write bits of the lowest byte of a word of Config"
                |chip| row(&[0xb300_0000], chip.pick(&RMWCIB_WH, &RMWCIB_BH), configuration::RMWCIB, &["TX-54", "TX-137"]);
            Rmwcib1 "RMWCIB1" configuration::rmwcib1 [Wormhole Blackhole] "Write bits of the second byte of a word of Config"
                |chip| row(&[0xb400_0000], chip.pick(&RMWCIB_WH, &RMWCIB_BH), configuration::RMWCIB, &["TX-54", "TX-137"]);
            Rmwcib2 "RMWCIB2" configuration::rmwcib2 [Wormhole Blackhole] "Write bits of the third byte of a word of Config"
                |chip| row(&[0xb500_0000], chip.pick(&RMWCIB_WH, &RMWCIB_BH), configuration::RMWCIB, &["TX-54", "TX-137"]);
            Rmwcib3 "RMWCIB3" configuration::rmwcib3 [Wormhole Blackhole] "Write bits of the highest byte of a word of Config"
                |chip| row(&[0xb600_0000], chip.pick(&RMWCIB_WH, &RMWCIB_BH), configuration::RMWCIB, &["TX-54", "TX-137"]);
            SetdmaregImmediate "SETDMAREG_IMMEDIATE" scalar::setdmareg_immediate [Wormhole Blackhole]
                "Set one half of a GPR to an immediate"
                |_| row(&[0x4500_0000], &SETDMAREG_IMMEDIATE, scalar::SETDMAREG_IMMEDIATE, &[]);
            SetdmaregSpecial "SETDMAREG_SPECIAL" scalar::setdmareg_special [Wormhole Blackhole]
                "Move what Packers have, or zeros, to a half of a GPR, or to one GPR or four"
                |_| row(&[0x4500_0080], &SETDMAREG_SPECIAL, scalar::SETDMAREG_SPECIAL, &["TX-40", "TX-57"]);
            Sfploadi "SFPLOADI" immediate::sfploadi [Wormhole Blackhole]
                "Move an immediate to a register, or to one half of it, lane by lane"
                |_| row(&[0x7100_0000], &SFPLOADI, immediate::SFPLOADI, &["TX-17"]);
            Sfpconfig "SFPCONFIG" immediate::sfpconfig [Wormhole Blackhole]
                "Give eight lanes of register 0, or an immediate, to registers 11 to 14 or to the configuration of lanes"
                |chip| row(
                    &[0x9100_0000],
                    chip.pick(&SFPCONFIG_NEWEST, &SFPCONFIG_BH),
                    immediate::SFPCONFIG,
                    &["TX-21", "TX-55", "TX-56"],
                );
            Sfpexman "SFPEXMAN" vector::sfpexman [Wormhole Blackhole] "Extract the mantissa of FP32, lane by lane"
                |_| row(&[0x7800_0000], &SFPEXMAN, vector::MODIFIED, &["TX-17", "TX-34"]);
            Sfpsetexp "SFPSETEXP" vector::sfpsetexp [Wormhole Blackhole]
                "Sign and mantissa of one register with the exponent of another, or with an immediate, lane by lane"
                |_| row(&[0x8200_0000], &SFPSETEXP, vector::WITH_IMM8, &["TX-17", "TX-34"]);
            Sfpsetman "SFPSETMAN" vector::sfpsetman [Wormhole Blackhole]
                "Sign and exponent of one register with the mantissa of another, or with an immediate, lane by lane"
                |_| row(&[0x8300_0000], &SFPSETMAN, vector::WITH_IMM12, &["TX-17"]);
            Sfpdivp2 "SFPDIVP2" vector::sfpdivp2 [Wormhole Blackhole]
                "Set the exponent of FP32, or add to it, lane by lane"
                |_| row(&[0x7600_0000], &SFPDIVP2, vector::WITH_IMM8, &["TX-17", "TX-34"]);
            Sfpnop "SFPNOP" vector::sfpnop [Wormhole Blackhole] "Occupy the Vector Unit"
                |_| row(&[0x8f00_0000], &SFPNOP, vector::NONE, &["TX-34"]);
            Sfptransp "SFPTRANSP" vector::sfptransp [Wormhole Blackhole]
                "Transpose rows of lanes between registers 0 to 3, and between registers 4 to 7"
                |_| row(&[0x8c00_0000], &SFPTRANSP, vector::ONLY_VD, &["TX-120", "TX-17", "TX-34"]);
            Sfpswap "SFPSWAP" vector::sfpswap [Wormhole Blackhole]
                "Swap two registers, or sort them, perhaps with those that go along, lane by lane"
                |_| Facts {
                    pages: [&SFPSWAP_SPEC, &SFPSWAP_NEWEST],
                    ..row(&[0x9200_0000], &SFPSWAP_NEWEST, vector::MODIFIED, &["TX-121", "TX-122", "TX-17", "TX-34"])
                };
            Sfpshft2 "SFPSHFT2" vector::sfpshft2 [Wormhole Blackhole]
                "Shift lanes, or move registers 1 to 3 down by one, or shift bits lane by lane"
                |chip| row(
                    &[0x9400_0000],
                    chip.pick(&SFPSHFT2_WH, &SFPSHFT2_BH),
                    vector::WITH_VB_IN_IMM12,
                    &["TX-120", "TX-17", "TX-34", "TX-38"],
                );
            Sfpmad "SFPMAD" float::sfpmad [Wormhole Blackhole] "Multiply and add FP32, lane by lane"
                |chip| row(
                    &[0x8400_0000],
                    chip.pick(&SFPMAD_WH, &SFPMAD_BH),
                    vector::WITH_VA,
                    chip.pick(
                        &["TX-17", "TX-34", "TX-110", "TX-111", "TX-114"],
                        &["TX-17", "TX-34", "TX-112", "TX-113"],
                    ),
                );
            Sfpadd "SFPADD" float::sfpadd [Wormhole Blackhole] "Add FP32, lane by lane"
                |chip| row(
                    &[0x850a_0000],
                    chip.pick(&SFPADD_WH, &SFPADD_BH),
                    vector::WITH_VA,
                    chip.pick(
                        &["TX-17", "TX-34", "TX-110", "TX-111", "TX-114", "TX-115"],
                        &["TX-17", "TX-34", "TX-112", "TX-113", "TX-115"],
                    ),
                );
            Sfpmul "SFPMUL" float::sfpmul [Wormhole Blackhole] "Multiply FP32, lane by lane"
                |chip| row(
                    &[0x8600_0900],
                    chip.pick(&SFPMUL_WH, &SFPMUL_BH),
                    vector::WITH_VA,
                    chip.pick(
                        &["TX-17", "TX-34", "TX-110", "TX-111", "TX-114", "TX-115"],
                        &["TX-17", "TX-34", "TX-112", "TX-113", "TX-115"],
                    ),
                );
            Sfpaddi "SFPADDI" float::sfpaddi [Wormhole Blackhole] "Add an immediate in BF16 to FP32, lane by lane"
                |chip| row(
                    &[0x7500_0000],
                    chip.pick(&SFPADDI_WH, &SFPADDI_BH),
                    immediate::SFPCONFIG,
                    chip.pick(&["TX-17", "TX-110", "TX-111", "TX-114"], &["TX-17", "TX-112", "TX-113"]),
                );
            Sfpmuli "SFPMULI" float::sfpmuli [Wormhole Blackhole]
                "Multiply FP32 by an immediate in BF16, lane by lane"
                |chip| row(
                    &[0x7400_0000],
                    chip.pick(&SFPMULI_WH, &SFPMULI_BH),
                    immediate::SFPCONFIG,
                    chip.pick(&["TX-17", "TX-110", "TX-111", "TX-114"], &["TX-17", "TX-112", "TX-113"]),
                );
            Sfpmul24 "SFPMUL24" float::sfpmul24 [Blackhole] "Multiply integers of 23 bits, lane by lane"
                |_| row(&[0x9800_0900], &SFPMUL24, vector::WITH_VA, &["TX-17", "TX-34"]);
            Sfplut "SFPLUT" float::sfplut [Wormhole Blackhole]
                "Multiply and add with factors of eight bits, by the magnitude of register 3, lane by lane"
                |chip| row(
                    &[0x7300_0000],
                    chip.pick(&SFPLUT_WH, &SFPLUT_BH),
                    immediate::SFPLUT,
                    &["TX-17", "TX-34"],
                );
            Sfplutfp32 "SFPLUTFP32" float::sfplutfp32 [Wormhole Blackhole]
                "Multiply and add with factors of 16 or 32 bits, by the magnitude of register 3, lane by lane"
                |chip| row(
                    &[0x9500_0000],
                    chip.pick(&SFPLUTFP32_WH, &SFPLUTFP32_BH),
                    chip.pick(vector::WITH_VD, vector::WITH_MIRROR),
                    &["TX-17", "TX-34"],
                );
            Sfparecip "SFPARECIP" float::sfparecip [Blackhole]
                "Approximate a reciprocal, or an exponential, from a table, lane by lane"
                |_| row(&[0x9900_0000], &SFPARECIP, vector::WITH_VB, &["TX-17", "TX-34"]);
            Sfpcast "SFPCAST" vector::sfpcast [Wormhole Blackhole] "Convert between integers and FP32, lane by lane"
                |chip| row(
                    &[0x9000_0000],
                    chip.pick(&SFPCAST_WH, &SFPCAST_INTFLOAT),
                    vector::MODIFIED,
                    chip.pick(&["TX-17", "TX-34"], &["TX-130", "TX-17", "TX-34"]),
                );
            Sfpstochrnd "SFPSTOCHRND" vector::sfpstochrnd [Wormhole Blackhole]
                "Round FP32 or an integer to fewer bits, lane by lane"
                |chip| row(
                    &[0x8e00_0000],
                    chip.pick(&SFPSTOCHRND_FLOATFLOAT_WH, &SFPSTOCHRND_FLOATFLOAT_BH),
                    vector::rounding(chip),
                    chip.pick(&["TX-131", "TX-17", "TX-34"], &["TX-131", "TX-132", "TX-17", "TX-34"]),
                );
            Sfppushc "SFPPUSHC" vector::sfppushc [Wormhole Blackhole] "Push the flags of each lane onto its stack"
                |chip| row(
                    &[0x8700_0000],
                    chip.pick(&SFPPUSHC_WH, &SFPPUSHC_BH),
                    chip.pick(vector::ONLY_VD, vector::VD_AND_MOD1),
                    &["TX-17", "TX-34"],
                );
            Sfppopc "SFPPOPC" vector::sfppopc [Wormhole Blackhole]
                "Pop the flags of each lane from its stack, or compute with them"
                |chip| row(
                    &[0x8800_0000],
                    chip.pick(&SFPPOPC_WH, &SFPPOPC_BH),
                    vector::VD_AND_MOD1,
                    &["TX-17", "TX-34"],
                );
            Sfpcompc "SFPCOMPC" vector::sfpcompc [Wormhole Blackhole]
                "Invert the flag of each lane within the one on its stack"
                |_| row(&[0x8b00_0000], &SFPCOMPC, vector::ONLY_VD, &["TX-17", "TX-34"]);
            Sfple "SFPLE" vector::sfple [Blackhole] "Compare sign-magnitude integers or FP32, lane by lane"
                |_| row(&[0x9600_0000], &SFPLE, vector::MODIFIED, &["TX-17", "TX-34"]);
            Sfpgt "SFPGT" vector::sfpgt [Blackhole] "Compare sign-magnitude integers or FP32 the other way, lane by lane"
                |_| row(&[0x9700_0000], &SFPGT, vector::MODIFIED, &["TX-17", "TX-34"]);
            Sfploadmacro "SFPLOADMACRO" load_macro::sfploadmacro [Wormhole Blackhole]
                "Move up to 32 data from Dst to an LReg, and then execute an instruction of a template"
                |chip| row(
                    &[0x9300_0000],
                    chip.pick(&SFPLOADMACRO_WH, &SFPLOADMACRO_BH),
                    sfpload::load_macro::form(chip),
                    chip.pick(&["TX-34", "TX-133", "TX-134"], &["TX-34", "TX-133", "TX-134", "TX-135", "TX-136"]),
                );
            Atgetm "ATGETM" control::atgetm [Wormhole Blackhole] "Acquire a mutex, once no other thread holds it"
                |chip| row(&[0xa000_0000], chip.pick(&ATGETM_WH, &ATGETM_BH), control::OF_MUTEX, &["TX-40"]);
            Atrelm "ATRELM" control::atrelm [Wormhole Blackhole] "Release a mutex that the thread holds"
                |chip| row(&[0xa100_0000], chip.pick(&ATRELM_WH, &ATRELM_BH), control::OF_MUTEX, &["TX-40"]);
            Streamwait "STREAMWAIT" wait::streamwait [Blackhole] "Hold some later instructions by a stream of the NoC"
                |_| row(&[0xa700_0000], &STREAMWAIT, wait::STREAMWAIT, &["TX-40", "TX-51"]);
            Setadc "SETADC" adc::setadc [Wormhole Blackhole]
                "Set a counter of a channel of ADCs"
                |_| row(&[0x5000_0000], &SETADC, adc::SETADC, &[]);
            Setadcxx "SETADCXX" adc::setadcxx [Wormhole Blackhole]
                "Set the counters X of both channels of ADCs"
                |_| row(&[0x5e00_0000], &SETADCXX, adc::SETADCXX, &["TX-40"]);
            Setadcxy "SETADCXY" adc::setadcxy [Wormhole Blackhole]
                "Set counters X and Y of ADCs"
                |_| row(&[0x5100_0000], &SETADCXY, adc::SETADCXY, &["TX-40"]);
            Incadcxy "INCADCXY" adc::incadcxy [Wormhole Blackhole]
                "Add to the counters X and Y of ADCs"
                |_| row(&[0x5200_0000], &INCADCXY, adc::INCADCXY, &["TX-40"]);
            Addrcrxy "ADDRCRXY" adc::addrcrxy [Wormhole Blackhole]
                "Add to the second counters X and Y of ADCs, and set the first ones"
                |_| row(&[0x5300_0000], &ADDRCRXY, adc::ADDRCRXY, &["TX-40"]);
            Setadczw "SETADCZW" adc::setadczw [Wormhole Blackhole]
                "Set counters Z and W of ADCs"
                |_| row(&[0x5400_0000], &SETADCZW, adc::SETADCZW, &["TX-40"]);
            Incadczw "INCADCZW" adc::incadczw [Wormhole Blackhole]
                "Add to the counters Z and W of ADCs"
                |_| row(&[0x5500_0000], &INCADCZW, adc::INCADCZW, &["TX-40"]);
            Addrcrzw "ADDRCRZW" adc::addrcrzw [Wormhole Blackhole]
                "Add to the second counters Z and W of ADCs, and set the first ones"
                |_| row(&[0x5600_0000], &ADDRCRZW, adc::ADDRCRZW, &["TX-40"]);
            Reg2flopAdc "REG2FLOP_ADC" adc::reg2flop_adc [Wormhole Blackhole]
                "Move a GPR, or a part of it, to a counter of ADCs"
                |_| row(&[0x4820_0000], &REG2FLOP_ADC, scalar::REG2FLOP_ADC, &["TX-40"]);
            Reg2flopConfiguration "REG2FLOP_CONFIGURATION" dmareg::reg2flop_configuration [Wormhole Blackhole]
                "Move one GPR, or four, to Config, from the word on where THCON begins"
                |_| row(&[0x4800_0000], &REG2FLOP_CONFIGURATION, scalar::REG2FLOP_CONFIGURATION, &["TX-40"]);
            Adddmareg "ADDDMAREG" dmareg::adddmareg [Wormhole Blackhole]
                "Add GPRs, or a number"
                |_| row(&[0x5800_0000], &ADDDMAREG, scalar::ARITHMETIC, &["TX-40"]);
            Subdmareg "SUBDMAREG" dmareg::subdmareg [Wormhole Blackhole]
                "Subtract GPRs, or a number"
                |_| row(&[0x5900_0000], &SUBDMAREG, scalar::ARITHMETIC, &["TX-40"]);
            Muldmareg "MULDMAREG" dmareg::muldmareg [Wormhole Blackhole]
                "Multiply the low halves of GPRs, or a number"
                |_| row(&[0x5a00_0000], &MULDMAREG, scalar::ARITHMETIC, &["TX-40"]);
            Bitwopdmareg "BITWOPDMAREG" dmareg::bitwopdmareg [Wormhole Blackhole]
                "And, or and exclusive or of GPRs, or of a number"
                |_| row(&[0x5b00_0000], &BITWOPDMAREG, scalar::WITH_MODE, &["TX-40"]);
            Shiftdmareg "SHIFTDMAREG" dmareg::shiftdmareg [Wormhole Blackhole]
                "Shift a GPR"
                |_| row(&[0x5c00_0000], &SHIFTDMAREG, scalar::WITH_MODE, &["TX-40"]);
            Cmpdmareg "CMPDMAREG" dmareg::cmpdmareg [Wormhole Blackhole]
                "Compare GPRs, or with a number"
                |_| row(&[0x5d00_0000], &CMPDMAREG, scalar::WITH_MODE, &["TX-40"]);
            Dmanop "DMANOP" dmareg::dmanop [Wormhole Blackhole]
                "Do nothing, in the Scalar Unit"
                |_| row(&[0x6000_0000], &DMANOP, scalar::DMANOP, &["TX-40"]);
            Flushdma "FLUSHDMA" dmareg::flushdma [Wormhole Blackhole]
                "Wait until what the thread began is done"
                |_| row(&[0x4600_0000], &FLUSHDMA, scalar::FLUSHDMA, &["TX-40"]);
            Loadind "LOADIND" l1::loadind [Wormhole Blackhole]
                "Move up to 16 bytes of L1 to GPRs"
                |_| row(&[0x4900_0000], &LOADIND, scalar::LOADIND, &["TX-40"]);
            StoreindL1 "STOREIND_L1" l1::storeind_l1 [Wormhole Blackhole]
                "Move GPRs to up to 16 bytes of L1"
                |_| row(&[0x6680_0000], &STOREIND_L1, scalar::STOREIND_L1, &[]);
            StoreindSrc "STOREIND_SRC" l1::storeind_src [Wormhole Blackhole]
                "Move two GPRs to four data of SrcA or SrcB"
                |_| row(&[0x6600_0000], &STOREIND_SRC, scalar::STOREIND_SRC, &["TX-143"]);
            Atcas "ATCAS" l1::atcas [Wormhole Blackhole]
                "Write a word of L1 once it has a value"
                |_| row(&[0x6400_0000], &ATCAS, scalar::ATCAS, &["TX-40"]);
            Atincget "ATINCGET" l1::atincget [Wormhole Blackhole]
                "Add to a word of L1, and move it to a GPR"
                |_| row(&[0x6100_0000], &ATINCGET, scalar::ATINCGET, &["TX-40"]);
            Atincgetptr "ATINCGETPTR" l1::atincgetptr [Wormhole Blackhole]
                "Advance a pointer of a FIFO in L1 once there is room, and move it to a GPR"
                |_| row(&[0x6200_0000], &ATINCGETPTR, scalar::ATINCGETPTR, &["TX-40", "TX-142"]);
            Atswap "ATSWAP" l1::atswap [Wormhole Blackhole]
                "Move halves of up to four GPRs to 16 bytes of L1"
                |_| row(&[0x6300_0000], &ATSWAP, scalar::ATSWAP, &["TX-40"]);
            Loadreg "LOADREG" mmio::loadreg [Wormhole Blackhole]
                "Move a memory-mapped register to a GPR"
                |_| row(&[0x6800_0000], &LOADREG, scalar::LOADREG, &[]);
            Storereg "STOREREG" mmio::storereg [Wormhole Blackhole]
                "Move a GPR to a memory-mapped register"
                |_| row(&[0x6700_0000], &STOREREG, scalar::STOREREG, &[]);
            StoreindMmio "STOREIND_MMIO" mmio::storeind_mmio [Wormhole Blackhole]
                "Move a GPR to the memory-mapped register that GPRs name"
                |_| row(&[0x6640_0000], &STOREIND_MMIO, scalar::STOREIND_MMIO, &["TX-40"]);
            Streamwrcfg "STREAMWRCFG" mmio::streamwrcfg [Blackhole]
                "Move a register of a stream of the NoC Overlay to Config"
                |_| row(&[0xb700_0000], &STREAMWRCFG, configuration::STREAMWRCFG, &["TX-40", "TX-58", "TX-137"]);
            Cfgshiftmask "CFGSHIFTMASK" configuration::cfgshiftmask [Blackhole]
                "Compute on a word of Config with a scratch word"
                |_| row(&[0xb800_0000], &CFGSHIFTMASK, configuration::CFGSHIFTMASK, &["TX-53", "TX-58", "TX-137"]);
            Xmov "XMOV" mover::xmov [Wormhole Blackhole]
                "Copy or clear parts of L1, or of Config"
                |_| row(&[0x4000_0000], &XMOV, mover::XMOV, &["TX-40", "TX-137"]);
            Pacr "PACR" pacr::pacr [Wormhole Blackhole]
                "Move data from Dst or L1 to L1"
                |chip| row(
                    &[0x4100_0000],
                    chip.pick(&PACR, &PACR_BH),
                    chip.pick(pack::PACR, pack::PACR_BH),
                    chip.pick(
                        &["TX-40", "TX-145", "TX-146", "TX-147", "TX-149", "TX-150"],
                        &["TX-40", "TX-145", "TX-146", "TX-147", "TX-148", "TX-149", "TX-150"],
                    ),
                );
            UnpacrRegular "UNPACR_REGULAR" unpacr::unpacr_regular [Wormhole Blackhole]
                "Move data from L1 to SrcA, SrcB or Dst"
                |chip| Facts {
                    pages: [chip.pick(&UNPACR_REGULAR_SPEC, &UNPACR_REGULAR_NEWEST), &UNPACR_REGULAR_NEWEST],
                    ..row(&[0x4200_0000], &UNPACR_REGULAR_NEWEST, unpack::UNPACR_REGULAR, chip.pick(&["TX-40", "TX-140", "TX-141", "TX-144"], &["TX-40", "TX-141"]))
                };
            UnpacrFlushCache "UNPACR_FLUSH_CACHE" unpacr::unpacr_flush_cache [Wormhole Blackhole]
                "Flush what an Unpacker knows of rows of compressed data"
                |_| row(&[0x4200_0002], &UNPACR_FLUSH_CACHE, unpack::UNPACR_FLUSH_CACHE, &["TX-40"]);
            UnpacrIncrementContextCounter "UNPACR_INCREMENT_CONTEXT_COUNTER" unpacr::unpacr_increment_context_counter [Wormhole Blackhole]
                "Count the context of an Unpacker on"
                |_| row(&[0x4200_2000], &UNPACR_INCREMENT_CONTEXT_COUNTER, unpack::UNPACR_INCREMENT_CONTEXT_COUNTER, &["TX-40", "TX-139"]);
        }
    };
}

/// Words that rules name and the suite does not have, for programs that have them; on both chips. Who adds such an instruction
/// takes its row away.
///
/// *Source*: `Diagrams/Src/Bits32.lua` (commit 39304719) of tenstorrent/tt-isa-documentation, and the vendor's tables (`NOP`).
pub(super) const WORDS: &[RuleWord] = &[word("NOP", 0x02, vector::NONE)];

const fn word(name: &'static str, opcode: u8, form: Form) -> RuleWord {
    RuleWord { name, opcode, fields: form.fields() }
}
