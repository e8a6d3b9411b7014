"""A small target for tandem as a process that speaks JSON lines, written from the pages alone: a template to copy.

    tandem fuzz --target 'cmd:python3 examples/targets/python/target.py'

It does the common case of two instructions: MOVA2D of Tensix Wormhole into 16-bit Dst, and MOV of vISA from F to HF.
Whatever it does not do it answers with "unsupported" and a reason, before it has changed anything.

The deliberate defect: MOV drops the payload of a NaN. docs/targets.md says what comes of it.
"""

from border import Unsupported, serve

# ---- MOVA2D: page MOVA2D in its newest edition, and ApplyAddrMod of page RWCs

BF16, BFP8, FP16, BFP8A, INT8 = 5, 6, 1, 2, 14
MATRIX_UNIT = 0


def advance(state, counter, bits, clear, to_cr, by_cr, by):
    cr = counter + "_Cr"
    if clear:
        state[counter] = state[cr] = 0
    elif to_cr:
        state[counter] = state[cr] = (state[counter] + by) % 2**bits
    elif by_cr:
        state[cr] = state[counter] = (state[cr] + by) % 2**bits
    else:
        state[counter] = (state[counter] + by) % 2**bits


def apply_addr_mod(state, thread, rwc, index):
    if state[rwc + "ExtraAddrModBit"] or state[thread + "ADDR_MOD_SET_Base"]:
        index += 4
    ab, dst, bias = (f"{thread}ADDR_MOD_{name}_SEC[{index}]." for name in ("AB", "DST", "BIAS"))
    for src in ("SrcA", "SrcB"):
        clear, by_cr, by = state[ab + src + "Clear"], state[ab + src + "CR"], state[ab + src + "Incr"]
        advance(state, rwc + src, 6, clear, 0, by_cr, by)
    clear, to_cr, by_cr, by = (state[dst + name] for name in ("DestClear", "DestCToCR", "DestCR", "DestIncr"))
    advance(state, rwc + "Dst", 10, clear, to_cr, by_cr, by)
    phase = 0 if state[dst + "FidelityClear"] else state[rwc + "FidelityPhase"] + state[dst + "FidelityIncr"]
    state[rwc + "FidelityPhase"] = phase % 4
    extra = 0 if state[bias + "BiasClear"] else state[rwc + "ExtraAddrModBit"] + (state[bias + "BiasIncr"] & 3 != 0)
    state[rwc + "ExtraAddrModBit"] = extra % 2


def mova2d(state, code):
    word, thread = code[0], f"ThreadConfig[{state['CurrentThread']}]."
    rwc, bank = f"RWCs[{state['CurrentThread']}].", state["MatrixUnit.SrcABank"]
    if state[f"SrcA[{bank}].AllowedClient"] != MATRIX_UNIT:
        return "blocked"
    config = f"Config[{state[thread + 'CFG_STATE_ID_StateID']}]."
    overridden = state[config + "ALU_FORMAT_SPEC_REG_SrcA_override"]
    fmt = state[config + ("ALU_FORMAT_SPEC_REG_SrcA_val" if overridden else "ALU_FORMAT_SPEC_REG0_SrcA")]
    if fmt not in (BF16, BFP8, FP16, BFP8A, INT8):
        raise Unsupported("format of SrcA")
    if word & 0x805C00:
        raise Unsupported("UseDst32bLo, or a bit without a name")
    if state[thread + "FP16A_FORCE_Enable"]:
        raise Unsupported("FP16A_FORCE_Enable")
    if state[config + "ALU_ACC_CTRL_Fp32_enabled"] or state[config + "ALU_ACC_CTRL_INT8_math_enabled"]:
        raise Unsupported("32-bit Dst")
    flush = not state[config + "ALU_ACC_CTRL_Zero_Flag_disabled_src"]

    rows = 8 if word >> 13 & 1 else 1
    src_row = (word >> 17 & 63) + state[rwc + "SrcA"] & 64 - rows
    dst_row = (word & 1023) + state[thread + "DEST_TARGET_REG_CFG_MATH_Offset"]
    dst_row = dst_row + state[rwc + "Dst"] + state[config + "DEST_REGW_BASE_Base"] & 1024 - rows
    columns = [i for i in range(16) if not state[f"LaneConfig[{i // 2}].BLOCK_DEST_MOV"] >> i % 2 & 1]
    if 0 < len(columns) < 16 and not all(state.row("DstRowValid", dst_row + i)[0] for i in range(rows)):
        # No page tells what the other columns of an invalid row become.
        raise Unsupported("BLOCK_DEST_MOV on an invalid row")
    for i in range(rows if columns else 0):
        source, target = state.row("SrcA", 64 * bank + src_row + i), state.row_to_write("DstBits", dst_row + i)
        state.row_to_write("DstRowValid", dst_row + i)[0] = 1
        for column in columns:
            datum = source[column]  # Sign,Man(10b),Exp(8b)
            if flush and not datum & 0xFF:
                datum = 0
            eight_bits = fmt in (BF16, BFP8)
            mantissa, exponent = (0xFF00, 0xFF) if eight_bits else (0xFFE0, 0x1F)
            target[column] = datum >> 3 & mantissa | datum & exponent
    apply_addr_mod(state, thread, rwc, word >> 15 & 3)
    return "done"


# ---- MOV: pages MOV, Operands, Execution Model, Data Types; errata VX-09 to VX-12, VX-15, VX-19, VX-25, VX-28

F, HF = 7, 14
ELEMENTS = {1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 6: 16, 7: 32}  # of the codes of strides and widths


def f_to_hf(f, keep_denormals):
    sign, mantissa, exponent = f >> 16 & 0x8000, f & 0x7FFFFF, (f >> 23 & 0xFF) - 112  # with the bias of HF
    if exponent == 255 - 112:
        return sign | (0x7E00 if mantissa else 0x7C00)  # the defect: the high bits of the payload should stay
    if exponent > 30:
        return sign | 0x7C00
    if exponent < -10:
        return sign  # less than half of the smallest denormal, as all denormals of F are
    shift = 13 if exponent > 0 else 14 - exponent
    hf, rest = divmod(mantissa | 0x800000, 1 << shift)
    half = 1 << shift - 1
    hf += rest > half or rest == half and hf & 1  # to nearest even; what carries goes into the exponent
    if exponent > 0:
        hf += exponent - 1 << 10
    return sign | (hf if hf >= 0x400 or keep_denormals else 0)


def place(state, operand, data_type, size, n, region):
    """Where the channels of a general operand begin in the GRF file."""
    tag, variable, offsets, rest = operand
    vert, width, horz = region
    grf = 64 if state["GRF_size"] else 32
    row, column = offsets & 0xFF, offsets >> 8 & 0xFF
    if tag & 0xFF or not 32 <= variable <= 35 or rest & 0xF000 or column * size >= grf:
        raise Unsupported("kind of operand")
    if vert is None or width not in (1, 2, 4, 8, 16) or width > n or horz not in (0, 1, 2, 4):
        raise Unsupported("region")
    begin = state[f"V{variable}.offset"]
    elements = [row * (grf // size) + column + i // width * vert + i % width * horz for i in range(n)]
    places = [begin + element * size for element in elements]
    if state[f"V{variable}.type"] != data_type or begin % size or max(places) + size > 8192:
        raise Unsupported("type or place of the variable")
    if max(elements) >= state[f"V{variable}.num_elements"] or max(places) // grf > places[0] // grf + 1:
        raise Unsupported("beyond the variable, or more than two registers")
    return places


def mov(state, code):
    size, mask, dst, src = code[0] >> 8 & 15, code[0] >> 12 & 15, code[2:6], code[6:10]
    n, start = 1 << (size & 7), 4 * (mask & 7)
    if size > 5 or start % n or start + n > 8 << state["dispatch_size"]:
        raise Unsupported("execution size")
    if code[1] & 0xFFFF:
        raise Unsupported("predication")
    if state["cr0.rounding_mode"]:
        raise Unsupported("rounding mode")  # other than to nearest even
    region = [ELEMENTS.get(src[3] >> shift & 15) for shift in (0, 4, 8)]
    step = ELEMENTS.get(dst[3] >> 8 & 15)
    if step not in (1, 2, 4):
        raise Unsupported("stride of the destination")
    to, places = place(state, dst, HF, 2, n, (step, 1, 0)), place(state, src, F, 4, n, region)
    data = [f_to_hf(state.row("GRF", at // 32)[at % 32 // 4], state["cr0.HF_denorm"]) for at in places]
    for i, (at, hf) in enumerate(zip(to, data)):  # all were read before any is written
        if mask & 8 or state["EM"] >> start + i & 1:
            row, column, shift = state.row_to_write("GRF", at // 32), at % 32 // 4, at % 4 * 8
            row[column] = row[column] & ~(0xFFFF << shift) | hf << shift
    return "done"


if __name__ == "__main__":
    serve("example-python", {"tensix-wh": {"mova2d": mova2d}, "visa": {"mov": mov}})
