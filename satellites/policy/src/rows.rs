//! The rows of a bank that an instruction reads in a case, for conditions on data.
//!
//! *Source*: pages MOVA2D (rows of `SrcA`), SFPLOAD of Wormhole (the address, and the views of `Dst`), SFPSTORE, and
//! VectorUnit (which lanes take part).

use tandem_isa::Bank;

use super::case::{Case, Number};
use super::condition::DataTest;
use super::names::{Names, Problem};

/// The rows of a bank that an instruction reads.
#[derive(Debug)]
pub(super) struct RowsRead {
    bank: usize,
    of: RowsOf,
}

#[derive(Debug)]
enum RowsOf {
    /// Of the Matrix Unit's bank of `SrcA`, unless the instruction is held: from `row` on, one or eight.
    Srca { bank: Number, owner: Number, row: Number, eight: Number },
    /// Of `Dst`: four from `address` on, in the view of the mode, each if one of its lanes takes part.
    Dst { vd: Number, mode: Number, fp32: Number, address: Number, low_address: Number, lanes: Lanes },
    /// The register, if a lane takes part.
    Lreg { vd: Number, mode: Number, lanes: Lanes },
}

/// Which lanes take part.
#[derive(Debug)]
struct Lanes {
    /// By `LaneConfig`: whether it takes no part at all, and the rows of lanes that are masked.
    configs: Vec<[Number; 2]>,
    use_flags: Number,
    flags: Number,
}

impl Lanes {
    fn of(names: &Names, blocked: &str) -> Result<Self, Problem> {
        let config = |lane| {
            Ok([
                names.number(&format!("LaneConfig[{lane}].{blocked}"))?,
                names.number(&format!("LaneConfig[{lane}].ROW_MASK"))?,
            ])
        };
        Ok(Lanes {
            configs: (0..8).map(config).collect::<Result<_, Problem>>()?,
            use_flags: names.number("UseLaneFlagsForLaneEnable")?,
            flags: names.number("LaneFlags")?,
        })
    }

    /// Whether some of the eight lanes of a row of lanes take part.
    fn any(&self, case: &Case<'_>, mode: u32, row: u32) -> bool {
        let flags = (!self.use_flags.get(case) | self.flags.get(case)) >> (8 * row);
        self.configs.iter().enumerate().any(|(lane, [blocked, masked])| {
            let enabled = masked.get(case) >> row & 1 == 0 && flags >> lane & 1 != 0;
            blocked.get(case) == 0 && (enabled || mode == INT32_ALL)
        })
    }
}

/// Values of `Mod0`.
const SRCB: u32 = 0;
const FP32: u32 = 3;
const INT32: u32 = 4;
const INT32_ALL: u32 = 10;
const INT32_SM: u32 = 12;

impl RowsRead {
    /// The rows of `bank` that an instruction reads.
    pub fn of(names: &Names, bank: &str) -> Result<Self, Problem> {
        let number = |name: &str| names.number(name);
        let sum = |terms: &[&str], mask| {
            let terms = terms.iter().map(|name| number(name)).collect::<Result<Vec<_>, _>>()?;
            Ok::<_, Problem>(Number::Sum { terms, mask })
        };
        const MATH_OFFSET: &str = "ThreadConfig[thread].DEST_TARGET_REG_CFG_MATH_Offset";
        const REGW_BASE: &str = "Config[state].DEST_REGW_BASE_Base";
        let of = match (names.instruction.path().as_str(), bank) {
            ("tensix-wh/mova2d", "SrcA") => RowsOf::Srca {
                bank: number("MatrixUnit.SrcABank")?,
                owner: Number::Among {
                    by: Box::new(number("MatrixUnit.SrcABank")?),
                    first: 0,
                    numbers: vec![number("SrcA[0].AllowedClient")?, number("SrcA[1].AllowedClient")?],
                },
                row: sum(&["code.SrcRow", "RWCs[thread].SrcA"], 0x3f)?,
                eight: number("code.Move8Rows")?,
            },
            ("tensix-wh/sfpload", "DstBits") => RowsOf::Dst {
                vd: number("code.VD")?,
                mode: number("code.Mod0")?,
                fp32: number("Config[state].ALU_ACC_CTRL_SFPU_Fp32_enabled")?,
                address: sum(&["code.Imm10", MATH_OFFSET, "RWCs[thread].Dst", REGW_BASE], 0x3ff)?,
                low_address: Number::Sum {
                    terms: vec![sum(&["code.Imm10", MATH_OFFSET], 0x3ff)?, sum(&["RWCs[thread].Dst", REGW_BASE], 3)?],
                    mask: 0x3ff,
                },
                lanes: Lanes::of(names, "BLOCK_SFPU_RD_FROM_DEST")?,
            },
            ("tensix-wh/sfpstore" | "tensix-bh/sfpstore", "LReg") => RowsOf::Lreg {
                vd: number("code.VD")?,
                mode: number("code.Mod0")?,
                lanes: Lanes::of(names, "BLOCK_DEST_WR_FROM_SFPU")?,
            },
            (path, _) => {
                return Err(Problem {
                    what: format!("nothing is known of the rows of '{bank}' that {path} reads"),
                    next: "data are known of SrcA for mova2d, DstBits for sfpload of Wormhole, LReg for sfpstore"
                        .into(),
                });
            }
        };
        let bank = names.layout.bank_named(bank).expect("it was just matched");
        Ok(RowsRead { bank, of })
    }

    /// Whether any datum of these rows passes a test.
    pub fn any(&self, case: &Case<'_>, test: &DataTest) -> bool {
        let bank = &case.state.layout.banks[self.bank];
        let any = |first: usize, count: usize| any_datum(case, bank, first, count, test);
        match &self.of {
            RowsOf::Srca { bank, owner, row, eight } => {
                let row = row.get(case) as usize;
                let first = bank.get(case) as usize * 64;
                owner.get(case) == 0
                    && if eight.get(case) != 0 { any(first + (row & !7), 8) } else { any(first + row, 1) }
            }
            RowsOf::Dst { vd, mode, fp32, address, low_address, lanes } => {
                if vd.get(case) >= 8 {
                    return false;
                }
                // Where SRCB means FP16 or BF16, it is the same rows.
                let mode = match mode.get(case) {
                    SRCB if fp32.get(case) != 0 => FP32,
                    mode => mode,
                };
                let address = if mode == INT32_ALL { low_address } else { address };
                let first = address.get(case) as usize & !3;
                (0..4).filter(|&row| lanes.any(case, mode, row)).any(|row| {
                    let row = first + row as usize;
                    if matches!(mode, FP32 | INT32 | INT32_ALL | INT32_SM) {
                        let high = (row & 0x1f8) << 1 | row & 0x207;
                        any(high, 1) || any((high + 8) & 0x3ff, 1)
                    } else {
                        any(row, 1)
                    }
                })
            }
            RowsOf::Lreg { vd, mode, lanes } => {
                (0..4).any(|row| lanes.any(case, mode.get(case), row)) && any(vd.get(case) as usize, 1)
            }
        }
    }
}

fn any_datum(case: &Case<'_>, bank: &Bank, first: usize, count: usize, test: &DataTest) -> bool {
    let bytes = &case.state.arena[bank.row_range(first).start..][..count * bank.row_bytes()];
    // Without a way out of the loop, so that it becomes vector code.
    if bank.word.bytes() == 2 {
        let words = bytes.as_chunks().0.iter().map(|&word| u32::from(u16::from_le_bytes(word)));
        words.fold(false, |any, word| any | test.passes(word))
    } else {
        let words = bytes.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word));
        words.fold(false, |any, word| any | test.passes(word))
    }
}
