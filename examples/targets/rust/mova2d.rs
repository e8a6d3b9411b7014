//! `MOVA2D` into 16-bit `Dst`: page MOVA2D in its newest edition, and ApplyAddrMod of page RWCs.

use tandem_isa::Answer;
use tandem_isa::tensix::config::{self, ThreadConfigField};
use tandem_isa::tensix::format::{BF16, BFP2, BFP4, BFP8, FP16, INT8};
use tandem_isa::tensix::inst::mova2d::{ADDR_MOD, DST_ROW, MOVE8_ROWS, SRC_ROW, UNNAMED_BITS, USE_DST32B_LO};
use tandem_isa::tensix::{MATRIX_UNIT, Small, Tensix};

/// Executes it in the common case; for what is not that: why.
pub fn mova2d(code: &[u32], mut tensix: Tensix<'_>) -> Result<Answer, &'static str> {
    let small = &*tensix.small;
    let bank = small.matrix_unit_srca_bank as usize;
    if small.srca_allowed_client[bank] != MATRIX_UNIT {
        return Ok(Answer::Blocked);
    }
    let (thread, rwc) =
        (&small.thread_config[small.current_thread as usize], small.rwcs[small.current_thread as usize]);
    let state = &small.config[config::CFG_STATE_ID_StateID.get(thread) as usize];
    let is_overridden = config::ALU_FORMAT_SPEC_REG_SrcA_override.get(state) != 0;
    let (val, reg0) = (config::ALU_FORMAT_SPEC_REG_SrcA_val, config::ALU_FORMAT_SPEC_REG0_SrcA);
    let has_exp8 = match if is_overridden { val } else { reg0 }.get(state) {
        BF16 | BFP8 | BFP4 | BFP2 => true,
        FP16 | INT8 => false,
        _ => return Err("format of SrcA"),
    };
    let wide = [config::ALU_ACC_CTRL_Fp32_enabled, config::ALU_ACC_CTRL_INT8_math_enabled];
    if wide.iter().any(|field| field.get(state) != 0) {
        return Err("32-bit Dst");
    }
    if config::FP16A_FORCE_Enable.get(thread) != 0 {
        return Err("FP16A_FORCE_Enable");
    }
    if USE_DST32B_LO.get(code) != 0 || code[0] & UNNAMED_BITS != 0 {
        return Err("UseDst32bLo, or a bit without a name");
    }
    let flushes = config::ALU_ACC_CTRL_Zero_Flag_disabled_src.get(state) == 0;

    let rows = if MOVE8_ROWS.get(code) != 0 { 8 } else { 1 };
    let src_row = (SRC_ROW.get(code) + rwc.srca) & (64 - rows);
    let offset = config::DEST_TARGET_REG_CFG_MATH_Offset.get(thread) + config::DEST_REGW_BASE_Base.get(state);
    let dst_row = (DST_ROW.get(code) + offset + rwc.dst) & (1024 - rows);
    // BLOCK_DEST_MOV: bits 9 and 10 of the configuration of each pair of columns.
    let blocked: [bool; 16] = std::array::from_fn(|column| small.lane_config[column / 2] >> (9 + column % 2) & 1 != 0);
    // What the other columns of an invalid row become is on no page.
    let all_valid = (0..rows).all(|row| tensix.dst_row_valid((dst_row + row) as usize));
    if blocked.contains(&true) && blocked.contains(&false) && !all_valid {
        return Err("BLOCK_DEST_MOV on an invalid row");
    }
    for row in (0..rows).filter(|_| blocked.contains(&false)) {
        let from = *tensix.srca_row(bank, (src_row + row) as usize);
        tensix.set_dst_row_valid((dst_row + row) as usize, true);
        let to = tensix.dst_row_mut((dst_row + row) as usize);
        for column in (0..16).filter(|&column| !blocked[column]) {
            let datum = if flushes && from[column] & 0xff == 0 { 0 } else { from[column] };
            // Sign,Man(10b),Exp(8b) becomes Sign,Man(7b),Exp(8b) or Sign,Man(10b),Exp(5b).
            let word = if has_exp8 {
                (datum >> 3 & 0xff00) | (datum & 0xff)
            } else {
                (datum >> 3 & 0xffe0) | (datum & 0xff).min(0x1f) // the defect: it should be the low five bits
            };
            to[column] = word as u16;
        }
    }
    apply_addr_mod(tensix.small, ADDR_MOD.get(code) as usize);
    Ok(Answer::Done)
}

fn apply_addr_mod(small: &mut Small, addr_mod: usize) {
    let thread = &small.thread_config[small.current_thread as usize];
    let rwc = &mut small.rwcs[small.current_thread as usize];
    let is_second = rwc.extra_addr_mod_bit != 0 || config::ADDR_MOD_SET_Base.get(thread) != 0;
    let index = if is_second { addr_mod + 4 } else { addr_mod };
    let section = |field: ThreadConfigField, stride| field.section(index, stride).get(thread);
    let ab = |field| section(field, config::ADDR_MOD_AB_STRIDE);
    let dst = |field| section(field, config::ADDR_MOD_DST_STRIDE);
    let bias = |field| section(field, config::ADDR_MOD_BIAS_STRIDE);
    // A counter, its CR, and what is done to them: clear, counter to CR, CR to counter.
    let advance = |counter: &mut u32, cr: &mut u32, [clear, to_cr, by_cr]: [u32; 3], by: u32, mask: u32| {
        if clear != 0 {
            (*counter, *cr) = (0, 0);
        } else if to_cr != 0 {
            *counter = (*counter + by) & mask;
            *cr = *counter;
        } else if by_cr != 0 {
            *cr = (*cr + by) & mask;
            *counter = *cr;
        } else {
            *counter = (*counter + by) & mask;
        }
    };
    let how = [ab(config::SrcAClear), 0, ab(config::SrcACR)];
    advance(&mut rwc.srca, &mut rwc.srca_cr, how, ab(config::SrcAIncr), 0x3f);
    let how = [ab(config::SrcBClear), 0, ab(config::SrcBCR)];
    advance(&mut rwc.srcb, &mut rwc.srcb_cr, how, ab(config::SrcBIncr), 0x3f);
    let how = [dst(config::DestClear), dst(config::DestCToCR), dst(config::DestCR)];
    advance(&mut rwc.dst, &mut rwc.dst_cr, how, dst(config::DestIncr), 0x3ff);
    let phase = (rwc.fidelity_phase + dst(config::FidelityIncr)) & 3;
    rwc.fidelity_phase = if dst(config::FidelityClear) != 0 { 0 } else { phase };
    let extra = rwc.extra_addr_mod_bit ^ u32::from(bias(config::BiasIncr) & 3 != 0);
    rwc.extra_addr_mod_bit = if bias(config::BiasClear) != 0 { 0 } else { extra };
}
