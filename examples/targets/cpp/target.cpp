// A small target for tandem as a process that speaks the binary protocol, written from the pages alone: a template.
//
//     c++ -std=c++17 -O2 examples/targets/cpp/target.cpp -o target
//
// It does the common case of two instructions: MOVA2D of Tensix Wormhole into 16-bit Dst, and MOV of vISA from F to HF.
// Whatever it does not do it answers with UNSUPPORTED and a reason, before it has changed anything.
//
// The deliberate defect: MOV rounds what lies halfway away from zero. docs/targets.md says what comes of it.
#include "border.hpp"

// ---- MOVA2D: page MOVA2D in its newest edition, and ApplyAddrMod of page RWCs -------------------------------------

static void advance(const std::string &counter, bool clear, bool to_cr, bool by_cr, u32 by) {
    const std::string cr = counter + "_Cr";
    if (clear) set(counter, 0), set(cr, 0);
    else if (to_cr) set(counter, get(counter) + by), set(cr, get(counter));
    else if (by_cr) set(cr, get(cr) + by), set(counter, get(cr));
    else set(counter, get(counter) + by);
}

static void apply_addr_mod(const std::string &thread, const std::string &rwc, u32 index) {
    if (get(rwc + ".ExtraAddrModBit") || get(thread + ".ADDR_MOD_SET_Base")) index += 4;
    auto mod = [&](const char *array, const char *name) { return get(thread + at(array, index) + name); };
    auto ab = [&](const char *name) { return mod(".ADDR_MOD_AB_SEC", name); };
    auto dst = [&](const char *name) { return mod(".ADDR_MOD_DST_SEC", name); };
    advance(rwc + ".SrcA", ab(".SrcAClear"), false, ab(".SrcACR"), ab(".SrcAIncr"));
    advance(rwc + ".SrcB", ab(".SrcBClear"), false, ab(".SrcBCR"), ab(".SrcBIncr"));
    advance(rwc + ".Dst", dst(".DestClear"), dst(".DestCToCR"), dst(".DestCR"), dst(".DestIncr"));
    const u32 phase = get(rwc + ".FidelityPhase") + dst(".FidelityIncr");
    const bool carry = mod(".ADDR_MOD_BIAS_SEC", ".BiasIncr") & 3;
    set(rwc + ".FidelityPhase", dst(".FidelityClear") ? 0 : phase);
    set(rwc + ".ExtraAddrModBit", mod(".ADDR_MOD_BIAS_SEC", ".BiasClear") ? 0 : get(rwc + ".ExtraAddrModBit") + carry);
}

static Outcome mova2d(const u32 *code) {
    const u32 bank = get("MatrixUnit.SrcABank");
    const std::string thread = at("ThreadConfig", get("CurrentThread")), rwc = at("RWCs", get("CurrentThread"));
    const std::string config = at("Config", get(thread + ".CFG_STATE_ID_StateID")) + ".ALU_";
    if (get(at("SrcA", bank) + ".AllowedClient") != 0) return BLOCKED; // 0 is the Matrix Unit
    const bool is_overridden = get(config + "FORMAT_SPEC_REG_SrcA_override");
    const u32 format = get(config + (is_overridden ? "FORMAT_SPEC_REG_SrcA_val" : "FORMAT_SPEC_REG0_SrcA"));
    const bool exp8 = format == 5 || format == 6;                 // BF16, BFP8
    const bool exp5 = format == 1 || format == 2 || format == 14; // FP16, BFP8a, INT8
    if (!exp8 && !exp5) return unsupported("format of SrcA");
    if (get(thread + ".FP16A_FORCE_Enable")) return unsupported("FP16A_FORCE_Enable");
    if (get(config + "ACC_CTRL_Fp32_enabled") || get(config + "ACC_CTRL_INT8_math_enabled"))
        return unsupported("32-bit Dst");
    if (code[0] & 0x805c00) return unsupported("UseDst32bLo, or a bit without a name");
    const bool flush = !get(config + "ACC_CTRL_Zero_Flag_disabled_src");
    const u32 rows = code[0] >> 13 & 1 ? 8 : 1;
    const u32 src_row = ((code[0] >> 17 & 63) + get(rwc + ".SrcA")) & (64 - rows);
    const u32 base = get(config.substr(0, config.size() - 4) + "DEST_REGW_BASE_Base");
    const u32 offset = get(thread + ".DEST_TARGET_REG_CFG_MATH_Offset");
    const u32 dst_row = ((code[0] & 1023) + offset + get(rwc + ".Dst") + base) & (1024 - rows);
    const u32 valid = first_row("DstRowValid") + dst_row;
    u32 blocked = 0;
    for (u32 i = 0; i < 8; i++) blocked |= get(at("LaneConfig", i) + ".BLOCK_DEST_MOV") << 2 * i;
    for (u32 i = 0; i < rows && blocked && blocked != 0xffff; i++) // some columns of an invalid row: on no page
        if (!*read_row<u8>(valid + i)) return unsupported("BLOCK_DEST_MOV on an invalid row");
    for (u32 i = 0; i < rows && blocked != 0xffff; i++) {
        const u32 *from = read_row<u32>(first_row("SrcA") + 64 * bank + src_row + i);
        u16 *to = write_row<u16>(first_row("DstBits") + dst_row + i);
        *write_row<u8>(valid + i) = 1;
        for (u32 column = 0; column < 16; column++) {
            u32 datum = from[column]; // Sign,Man(10b),Exp(8b)
            if (blocked >> column & 1) continue;
            if (flush && !(datum & 0xff)) datum = 0;
            to[column] = u16(exp8 ? (datum >> 3 & 0xff00) | (datum & 0xff) : (datum >> 3 & 0xffe0) | (datum & 0x1f));
        }
    }
    apply_addr_mod(thread, rwc, code[0] >> 15 & 3);
    return DONE;
}

// ---- MOV: pages MOV, Operands, Execution Model, Data Types; errata VX-09 to VX-12, VX-15, VX-19, VX-25, VX-28 ------

static u16 f_to_hf(u32 f, bool keep_denormals) {
    const u32 sign = f >> 16 & 0x8000, mantissa = f & 0x7fffff;
    const int exponent = int(f >> 23 & 0xff) - 112; // with the bias of HF
    if (exponent == 255 - 112) return u16(sign | 0x7c00 | (mantissa ? 0x200 | mantissa >> 13 : 0));
    if (exponent > 30) return u16(sign | 0x7c00);
    if (exponent < -10) return u16(sign); // less than half of the smallest denormal, as all denormals of F are
    const u32 shift = u32(exponent > 0 ? 13 : 14 - exponent), half = 1u << (shift - 1);
    const u32 significand = mantissa | 0x800000;
    u32 hf = significand >> shift;
    hf += (significand & (2 * half - 1)) >= half; // the defect: it should be > half, or half and hf odd
    if (exponent > 0) hf += u32(exponent - 1) << 10; // what carries goes into the exponent
    return u16(sign | (hf < 0x400 && !keep_denormals ? 0 : hf));
}

// Elements that a code of a stride or a width stands for; -1 if it is null or no code.
static int elements(u32 code) { return (code &= 15) == 0 || code > 7 ? -1 : code == 1 ? 0 : 1 << (code - 2); }

// Where n channels of a general operand begin in the GRF file: rows of width elements, vert apart, and horz in a row.
static bool place(const u32 *operand, u32 type, u32 n, int vert, int width, int horz, u32 *to) {
    const u32 grf = get("GRF_size") ? 64 : 32, bytes = type == 7 ? 4 : 2, id = operand[1];
    const u32 row = operand[2] & 0xff, column = operand[2] >> 8 & 0xff;
    if ((operand[0] & 0xff) || id < 32 || id > 35 || (operand[3] & 0xf000) || column * bytes >= grf) return false;
    if (vert < 0 || width < 1 || width > 16 || width > int(n) || horz < 0 || horz > 4) return false;
    const std::string variable = "V" + std::to_string(id);
    const u32 begin = get(variable + ".offset"), count = get(variable + ".num_elements");
    if (get(variable + ".type") != type || begin % bytes) return false;
    for (int i = 0; i < int(n); i++) {
        const u32 element = row * (grf / bytes) + column + u32(i / width * vert + i % width * horz);
        to[i] = begin + element * bytes;
        if (element >= count || to[i] + bytes > 8192 || to[i] / grf > to[0] / grf + 1) return false; // two registers
    }
    return true;
}

static Outcome mov(const u32 *code) {
    const u32 size = code[0] >> 8 & 15, n = 1u << (size & 7), start = 4 * (code[0] >> 12 & 7);
    const u32 *dst = code + 2, *src = code + 6; // words: tag, id, offsets, region
    const int step = elements(dst[3] >> 8);
    u32 from[32], to[32];
    if (size > 5 || start % n || start + n > 8u << get("dispatch_size")) return unsupported("execution size");
    if (code[1] & 0xffff) return unsupported("predication");
    if (get("cr0.rounding_mode")) return unsupported("rounding mode"); // other than to nearest even
    if (step == 0 || step > 4 || !place(dst, 14, n, step, 1, 0, to)) return unsupported("the destination"); // HF
    if (!place(src, 7, n, elements(src[3]), elements(src[3] >> 4), elements(src[3] >> 8), from))
        return unsupported("the source");
    u16 hf[32]; // all are read before any is written
    for (u32 i = 0; i < n; i++) hf[i] = f_to_hf(read_row<u32>(from[i] / 32)[from[i] % 32 / 4], get("cr0.HF_denorm"));
    const u32 enabled = code[0] >> 12 & 8 ? ~0u : get("EM") >> start;
    for (u32 i = 0; i < n; i++) if (enabled >> i & 1) write_row<u16>(to[i] / 32)[to[i] % 32 / 2] = hf[i];
    return DONE;
}

static Outcome (*implementation(const std::string &isa, const std::string &instruction))(const u32 *) {
    if (isa == "tensix-wh" && instruction == "MOVA2D") return mova2d;
    return isa == "visa" && instruction == "MOV" ? mov : nullptr;
}

int main() { return serve("example-cpp", implementation); }
