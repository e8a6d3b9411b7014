/* A small target for tandem as a shared library, written from the pages alone: a template to copy, for C and C++.
 *
 *     cc -O2 -shared -fPIC -I harness/include examples/targets/c/target.c -o libtarget.so
 *
 * It does the common case of two instructions: MOVA2D of Tensix Wormhole into 16-bit Dst, and MOV of vISA from F to HF.
 * Whatever it does not do it answers with TANDEM_UNSUPPORTED and a reason, before it has changed anything.
 *
 * The deliberate defect: the flush of MOVA2D keeps the sign of what it flushes. docs/targets.md says what comes of it.
 * The files beside this one include it with another defect: they define NAME and one of the macros below.
 */
#ifndef NAME
#define NAME "example-c"
#define FLUSHED(datum) ((datum) & 0x40000) /* the defect: it should be 0 */
#endif
#include "border.h"

#ifndef FLUSHED
#define FLUSHED(datum) 0
#endif
#ifndef SRCA_ROW /* among both banks; SrcRow wraps at the end of its bank, and step counts the rows of a move */
#define SRCA_ROW(bank, src_row, rows, step) (64 * (bank) + ((src_row) & (64 - (rows))) + (step))
#endif
#ifndef AFTER_MOVE
#define AFTER_MOVE() (void)0
#endif
#ifndef F_TO_HF
#define F_TO_HF f_to_hf
#endif

/* ---- MOVA2D: page MOVA2D in its newest edition, and ApplyAddrMod of page RWCs ----------------------------------- */

#define RWC(name) FIELD("RWCs[%u]." name, thread, 0)
#define THREAD(name) GET("ThreadConfig[%u]." name, thread, 0)
#define CONFIG(name) GET("Config[%u]." name, state_id, 0)
#define AB(name) GET("ThreadConfig[%u].ADDR_MOD_AB_SEC[%u]." name, thread, index)
#define DST(name) GET("ThreadConfig[%u].ADDR_MOD_DST_SEC[%u]." name, thread, index)
#define BIAS(name) GET("ThreadConfig[%u].ADDR_MOD_BIAS_SEC[%u]." name, thread, index)

static void advance(const tandem_field *counter, const tandem_field *cr, int clear, int to_cr, int by_cr, uint32_t by) {
    if (clear) set(counter, 0), set(cr, 0);
    else if (to_cr) set(counter, get(counter) + by), set(cr, get(counter));
    else if (by_cr) set(cr, get(cr) + by), set(counter, get(cr));
    else set(counter, get(counter) + by);
}

static void apply_addr_mod(uint32_t thread, uint32_t index) {
    const tandem_field *phase = RWC("FidelityPhase"), *extra = RWC("ExtraAddrModBit");
    if (get(extra) || THREAD("ADDR_MOD_SET_Base")) index += 4;
    advance(RWC("SrcA"), RWC("SrcA_Cr"), AB("SrcAClear"), 0, AB("SrcACR"), AB("SrcAIncr"));
    advance(RWC("SrcB"), RWC("SrcB_Cr"), AB("SrcBClear"), 0, AB("SrcBCR"), AB("SrcBIncr"));
    advance(RWC("Dst"), RWC("Dst_Cr"), DST("DestClear"), DST("DestCToCR"), DST("DestCR"), DST("DestIncr"));
    set(phase, DST("FidelityClear") ? 0 : get(phase) + DST("FidelityIncr"));
    set(extra, BIAS("BiasClear") ? 0 : get(extra) + ((BIAS("BiasIncr") & 3) != 0));
}

static uint32_t mova2d(const uint32_t *code) {
    uint32_t thread = GET("CurrentThread", 0, 0), bank = GET("MatrixUnit.SrcABank", 0, 0);
    if (GET("SrcA[%u].AllowedClient", bank, 0) != 0) return TANDEM_BLOCKED; /* 0 is the Matrix Unit */
    uint32_t state_id = THREAD("CFG_STATE_ID_StateID");
    uint32_t format = CONFIG("ALU_FORMAT_SPEC_REG_SrcA_override") ? CONFIG("ALU_FORMAT_SPEC_REG_SrcA_val")
                                                                  : CONFIG("ALU_FORMAT_SPEC_REG0_SrcA");
    int exp8 = format == 5 || format == 6 || format == 7 || format == 15; /* BF16, BFP8, BFP4, BFP2 */
    int exp5 = format == 1 || format == 2 || format == 3 || format == 11 || format == 14; /* FP16, BFP8a to 2a, INT8 */
    if (!exp8 && !exp5) return unsupported("format of SrcA");
    if (THREAD("FP16A_FORCE_Enable")) return unsupported("FP16A_FORCE_Enable");
    if (CONFIG("ALU_ACC_CTRL_Fp32_enabled") || CONFIG("ALU_ACC_CTRL_INT8_math_enabled"))
        return unsupported("32-bit Dst");
    if (code[0] & 0x805c00) return unsupported("UseDst32bLo, or a bit without a name");
    int flush = !CONFIG("ALU_ACC_CTRL_Zero_Flag_disabled_src");

    uint32_t rows = code[0] >> 13 & 1 ? 8 : 1;
    uint32_t src_row = (code[0] >> 17 & 0x3f) + get(RWC("SrcA"));
    uint32_t dst_row = (code[0] & 0x3ff) + THREAD("DEST_TARGET_REG_CFG_MATH_Offset");
    dst_row = (dst_row + get(RWC("Dst")) + CONFIG("DEST_REGW_BASE_Base")) & (1024 - rows);
    uint32_t dst = first_row("DstBits") + dst_row, valid = first_row("DstRowValid") + dst_row, blocked = 0;
    for (uint32_t i = 0; i < 8; i++) blocked |= GET("LaneConfig[%u].BLOCK_DEST_MOV", i, 0) << 2 * i;
    for (uint32_t i = 0; i < rows && blocked && blocked != 0xffff; i++) /* some columns of an invalid row: on no page */
        if (!*(const uint8_t *)read_row(valid + i)) return unsupported("BLOCK_DEST_MOV on an invalid row");

    for (uint32_t i = 0; i < rows && blocked != 0xffff; i++) {
        const uint32_t *from = (const uint32_t *)read_row(first_row("SrcA") + SRCA_ROW(bank, src_row, rows, i));
        uint16_t *to = (uint16_t *)write_row(dst + i);
        *(uint8_t *)write_row(valid + i) = 1;
        for (uint32_t column = 0; column < 16; column++) {
            uint32_t datum = from[column]; /* Sign,Man(10b),Exp(8b) */
            if (blocked >> column & 1) continue;
            if (flush && !(datum & 0xff)) datum = FLUSHED(datum);
            to[column] = exp8 ? (datum >> 3 & 0xff00) | (datum & 0xff) : (datum >> 3 & 0xffe0) | (datum & 0x1f);
        }
    }
    AFTER_MOVE();
    apply_addr_mod(thread, code[0] >> 15 & 3);
    return TANDEM_DONE;
}

/* ---- MOV: pages MOV, Operands, Execution Model, Data Types; errata VX-09 to VX-12, VX-15, VX-19, VX-25, VX-28 ---- */

enum { F = 7, HF = 14 };

static uint16_t f_to_hf(uint32_t f, int keep_denormals) {
    uint32_t sign = f >> 16 & 0x8000, mantissa = f & 0x7fffff;
    int exponent = (int)(f >> 23 & 0xff) - 112; /* with the bias of HF */
    if (exponent == 255 - 112) return sign | 0x7c00 | (mantissa ? 0x200 | mantissa >> 13 : 0);
    if (exponent > 30) return sign | 0x7c00;
    if (exponent < -10) return sign; /* less than half of the smallest denormal, as all denormals of F are */
    mantissa |= 0x800000;
    uint32_t shift = exponent > 0 ? 13 : 14 - exponent, half = 1u << (shift - 1);
    uint32_t rest = mantissa & (2 * half - 1), hf = mantissa >> shift;
    hf += rest > half || (rest == half && (hf & 1)); /* to nearest even; what carries goes into the exponent */
    if (exponent > 0) hf += (uint32_t)(exponent - 1) << 10;
    return sign | (hf < 0x400 && !keep_denormals ? 0 : hf);
}

/* Elements that a code of a stride or a width stands for; -1 if it is null or no code. */
static int elements(uint32_t code) {
    code &= 15;
    return code == 0 || code > 7 ? -1 : code == 1 ? 0 : 1 << (code - 2);
}

/* Where n channels of a general operand begin in the GRF file: rows of width elements, vert apart, and horz in a row.
 * 0 for an operand that we do not do. */
static int place(const uint32_t *operand, uint32_t type, uint32_t n, int vert, int width, int horz, uint32_t *at) {
    uint32_t id = operand[1] - 32, grf = GET("GRF_size", 0, 0) ? 64 : 32, bytes = type == F ? 4 : 2;
    uint32_t row = operand[2] & 0xff, column = operand[2] >> 8 & 0xff;
    if ((operand[0] & 0xff) != 0 || id > 3 || (operand[3] & 0xf000) != 0 || column * bytes >= grf) return 0;
    if (vert < 0 || width < 1 || width > 16 || width > (int)n || horz < 0 || horz > 4) return 0;
    uint32_t begin = GET("V3%u.offset", id + 2, 0), count = GET("V3%u.num_elements", id + 2, 0);
    if (GET("V3%u.type", id + 2, 0) != type || begin % bytes != 0) return 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t element = row * (grf / bytes) + column;
        element += (uint32_t)((int)i / width * vert + (int)i % width * horz);
        at[i] = begin + element * bytes;
        if (element >= count || at[i] + bytes > 8192 || at[i] / grf > at[0] / grf + 1) return 0; /* two registers */
    }
    return 1;
}

static uint32_t mov(const uint32_t *code) {
    uint32_t size = code[0] >> 8 & 15, n = 1u << (size & 7), start = 4 * (code[0] >> 12 & 7), from[32], to[32], hf[32];
    if (size > 5 || start % n != 0 || start + n > 8u << GET("dispatch_size", 0, 0))
        return unsupported("execution size");
    if ((code[1] & 0xffff) != 0) return unsupported("predication");
    if (GET("cr0.rounding_mode", 0, 0) != 0) return unsupported("rounding mode");
    const uint32_t *dst = code + 2, *src = code + 6; /* words: tag, id, offsets, region */
    int step = elements(dst[3] >> 8);
    if (step == 0 || step > 4 || !place(dst, HF, n, step, 1, 0, to)
        || !place(src, F, n, elements(src[3]), elements(src[3] >> 4), elements(src[3] >> 8), from))
        return unsupported("an operand");
    for (uint32_t i = 0; i < n; i++) /* all are read before any is written */
        hf[i] = F_TO_HF(((const uint32_t *)read_row(from[i] / 32))[from[i] % 32 / 4], (int)GET("cr0.HF_denorm", 0, 0));
    uint32_t enabled = code[0] >> 12 & 8 ? ~0u : GET("EM", 0, 0) >> start;
    for (uint32_t i = 0; i < n; i++)
        if (enabled >> i & 1) ((uint16_t *)write_row(to[i] / 32))[to[i] % 32 / 2] = (uint16_t)hf[i];
    return TANDEM_DONE;
}

static execute_one *has_instruction(const char *isa_name, const char *instruction) {
    if (!strcmp(isa_name, "tensix-wh") && !strcmp(instruction, "MOVA2D")) return mova2d;
    return !strcmp(isa_name, "visa") && !strcmp(instruction, "MOV") ? mov : NULL;
}
