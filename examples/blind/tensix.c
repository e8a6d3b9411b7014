/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Instructions of both Tensix chips, from their pages (a list is at the end), and deliberate mistakes in them: the
 * environment variable TANDEM_BLIND holds the number of a mistake, or several with commas between them; unset or 0
 * is correct.
 */
#define NAME "blind-tensix"
static void begin_case(void), end_case(void);
static unsigned edition; /* of the pages, in the case at hand */
#define BEGIN_CASE() (edition = batch->edition, begin_case())
#define END_CASE() end_case()
#include "../targets/c/border.h"

enum { MOST_FAULTS = 1500 };
static unsigned char on[MOST_FAULTS];
#define F(n) __builtin_expect(on[n], 0)

/* The mistakes that are on; read once for each instruction set. */
static void read_faults(void) {
    const char *text = getenv("TANDEM_BLIND");
    memset(on, 0, sizeof on);
    while (text && *text) {
        char *end;
        unsigned long number = strtoul(text, &end, 10);
        if (number > 0 && number < MOST_FAULTS) on[number] = 1;
        text = *end ? end + 1 : end;
    }
}

/* ---- the state -------------------------------------------------------------------------------------------------- */

typedef struct {
    uint32_t lane_config[8], lane_flags, use_lane_flags, code, thread;
} context;

enum { /* bits of LaneConfig */
    ENABLE_FP16A_INF = 0, DISABLE_BACKDOOR_LOAD = 1, ENABLE_DEST_INDEX = 2, CAPTURE_DEFAULT_DEST_INDEX = 3,
    BLOCK_DEST_WR_FROM_SFPU = 4, BLOCK_SFPU_RD_FROM_DEST = 5, DEST_RD_COL_EXCHANGE = 6, DEST_WR_COL_EXCHANGE = 7,
    BLOCK_DEST_MOV = 9, ROW_MASK = 12
};

/* First rows of the banks: the same on both chips. */
static uint32_t row_dst, row_srca, row_srcb, row_lreg, row_valid, row_gprs;

enum { MATRIX_UNIT = 0, UNPACKERS = 1 }; /* AllowedClient */

/* What the mistakes keep from one step of a case to the next: nothing is kept between cases. */
static struct {
    uint32_t step;                                       /* from 1 on */
    uint32_t setc16_step, setc16_at, setc16_before;      /* 1007: the last SETC16, and what it wrote over */
    uint32_t state[3];                                   /* 1009 */
    uint32_t state_step, state_thread, state_before;     /* 1055 */
    uint32_t clear_value;                                /* 1003 */
    uint32_t has_srca_bank, srca_bank;                   /* 1021 */
    uint32_t has_srca[3], srca[3];                       /* 1022 */
    uint32_t has_srcb_unpack_bank, srcb_unpack_bank;     /* 1033 */
    uint32_t posted;                                     /* 1035 */
    uint32_t has_dst[3], dst[3];                         /* 1043 */
    uint32_t base[3];                                    /* 1050 */
} kept;

/* What SFPLOADMACRO says of the instruction that it has scheduled, in place of the instruction's word. */
static struct {
    int is_on;
    uint32_t vd, vb, vc;
    uint32_t mod0, addr; /* of SFPSTORE */
} scheduled;

static int is_blackhole(void) { return !strcmp(isa->name, "tensix-bh"); }

static uint32_t bits(uint32_t word, unsigned shift, unsigned width) { return word >> shift & ((1u << width) - 1); }

/* AddrMod of an instruction of the Matrix Unit. */
static uint32_t addr_mod_of(const context *c) { return is_blackhole() ? bits(c->code, 14, 3) : bits(c->code, 15, 2); }

static uint32_t state_id(uint32_t t) {
    if (F(1255) && kept.state_step && kept.state_step + 1 == kept.step && kept.state_thread == t) return kept.state_before;
    return GET("ThreadConfig[%u].CFG_STATE_ID_StateID", t, 0);
}

static void post(uint32_t mask) {
    for (unsigned i = 0; i < 8; i++) {
        const tandem_field *value = FIELD("Semaphores[%u].Value", i, 0);
        if ((mask >> i & 1) && get(value) < 15) set(value, get(value) + 1);
    }
}

static void begin_case(void) {
    memset(&kept, 0, sizeof kept);
    for (uint32_t t = 0; t < 3; t++) {
        if (F(1209)) kept.state[t] = GET("ThreadConfig[%u].CFG_STATE_ID_StateID", t, 0);
        if (F(1250) && !is_blackhole()) kept.base[t] = GET("ThreadConfig[%u].ADDR_MOD_SET_Base", t, 0);
    }
}

static void end_case(void) { post(kept.posted); }

static void load_lanes(context *c) {
    memcpy(c->lane_config, small + FIELD("LaneConfig[%u].ENABLE_FP16A_INF", 0, 0)->byte, sizeof c->lane_config);
    c->lane_flags = GET("LaneFlags", 0, 0);
    c->use_lane_flags = GET("UseLaneFlagsForLaneEnable", 0, 0);
}

static void load_context(context *c, const uint32_t *code) {
    if (!row_lreg) {
        row_dst = first_row("DstBits"), row_srca = first_row("SrcA"), row_srcb = first_row("SrcB");
        row_lreg = first_row("LReg"), row_valid = first_row("DstRowValid"), row_gprs = first_row("GPRs");
    }
    c->code = code[0];
    c->thread = GET("CurrentThread", 0, 0);
    load_lanes(c);
}

static void put_flags(uint32_t flags) { set(FIELD("LaneFlags", 0, 0), flags); }

static int config(const context *c, unsigned lane, unsigned bit) { return c->lane_config[lane & 7] >> bit & 1; }

static int lane_enabled(const context *c, unsigned lane) {
    if (F(183) && c->use_lane_flags >> lane & 1) return c->lane_flags >> lane & 1;
    if (config(c, lane, ROW_MASK + lane / 8)) return 0;
    if (c->use_lane_flags >> lane & 1) return c->lane_flags >> lane & 1;
    return 1;
}

static uint32_t lane_mask(const context *c) {
    uint32_t mask = 0;
    for (unsigned lane = 0; lane < 32; lane++) mask |= (uint32_t)lane_enabled(c, lane) << lane;
    return mask;
}

/* Lanes in which an instruction with this VD is executed, and not taken for an instruction template. */
static uint32_t front_door(const context *c, unsigned vd) {
    uint32_t mask = 0;
    if (vd < 12 || scheduled.is_on) return ~0u;
    for (unsigned lane = 0; lane < 32; lane++) mask |= (uint32_t)config(c, lane, F(1147) ? ENABLE_DEST_INDEX : DISABLE_BACKDOOR_LOAD) << lane;
    return mask;
}

static const uint32_t *lreg(unsigned i) { return read_row(row_lreg + i); }
static uint32_t *lreg_write(unsigned i) { return write_row(row_lreg + i); }

/* The state of a lane's PRNG, which is shifted: from above comes a one if an even number of four of its bits is set. */
static uint32_t advance_prng(unsigned lane) {
    uint32_t *const word = (uint32_t *)write_row(first_row("PRNG")) + lane, before = *word;
    *word = before >> 1 | (__builtin_parity(before & 0x80200003) ? 0 : 0x80000000);
    return before;
}

/* LoadMacroConfig of a lane: four instruction templates, four sequences, and Misc. */
static uint32_t load_macro(unsigned i, unsigned lane) {
    if (i == 8) return GET("LoadMacroConfig[%u].Misc", lane & 7, 0);
    return ((const uint32_t *)read_row(first_row("LoadMacroConfig") + i))[lane & 7];
}

/* ---- the counters ----------------------------------------------------------------------------------------------- */

static void apply_addr_mod(const context *c, uint32_t addr_mod, int update_fidelity_phase) {
    const uint32_t t = c->thread;
    const tandem_field *dst = FIELD("RWCs[%u].Dst", t, 0), *dst_cr = FIELD("RWCs[%u].Dst_Cr", t, 0);
    const tandem_field *srca = FIELD("RWCs[%u].SrcA", t, 0), *srca_cr = FIELD("RWCs[%u].SrcA_Cr", t, 0);
    const tandem_field *srcb = FIELD("RWCs[%u].SrcB", t, 0), *srcb_cr = FIELD("RWCs[%u].SrcB_Cr", t, 0);
    const tandem_field *phase = FIELD("RWCs[%u].FidelityPhase", t, 0);
    const tandem_field *extra = FIELD("RWCs[%u].ExtraAddrModBit", t, 0);
    const uint32_t base = is_blackhole() ? 0 : GET("ThreadConfig[%u].ADDR_MOD_SET_Base", t, 0); /* Wormhole's alone */
    uint32_t i = addr_mod;
    if (get(extra) || (F(1250) ? kept.base[t] : base)) i += 4;
    if (F(111) && get(extra) && base) i = addr_mod;
    kept.has_srca[t] = 0;
    if (!kept.has_dst[t]) kept.has_dst[t] = 1, kept.dst[t] = get(dst);
    i &= F(1040) ? 3 : 7; /* three bits; only Blackhole's AddrMod, of three bits, can go beyond */

    uint32_t srca_incr = GET("ThreadConfig[%u].ADDR_MOD_AB_SEC[%u].SrcAIncr", t, i);
    if (F(1025)) srca_incr &= 0xf;
    if (GET("ThreadConfig[%u].ADDR_MOD_AB_SEC[%u].SrcAClear", t, i)) {
        set(srca, 0), set(srca_cr, 0);
    } else if (GET("ThreadConfig[%u].ADDR_MOD_AB_SEC[%u].SrcACR", t, i) && !(F(1231) && !srca_incr)) {
        set(srca_cr, get(srca_cr) + srca_incr);
        if (F(112)) set(srca, get(srca) + srca_incr);
        else set(srca, get(srca_cr));
    } else {
        set(srca, get(srca) + srca_incr);
    }

    const uint32_t srcb_incr = GET("ThreadConfig[%u].ADDR_MOD_AB_SEC[%u].SrcBIncr", t, i);
    if (GET("ThreadConfig[%u].ADDR_MOD_AB_SEC[%u].SrcBClear", t, i)) {
        set(srcb, 0), set(srcb_cr, F(169) ? get(srcb_cr) : 0);
    } else if (GET("ThreadConfig[%u].ADDR_MOD_AB_SEC[%u].SrcBCR", t, i)) {
        set(srcb_cr, get(srcb_cr) + srcb_incr), set(srcb, get(srcb_cr));
    } else {
        set(srcb, get(srcb) + srcb_incr);
    }

    uint32_t dst_incr = GET("ThreadConfig[%u].ADDR_MOD_DST_SEC[%u].DestIncr", t, i);
    if (F(1024)) dst_incr = (uint8_t)dst_incr;
    if (GET("ThreadConfig[%u].ADDR_MOD_DST_SEC[%u].DestClear", t, i)
        && !(F(123) && GET("ThreadConfig[%u].ADDR_MOD_DST_SEC[%u].DestCToCR", t, i))) {
        set(dst, 0), set(dst_cr, 0);
    } else if (GET("ThreadConfig[%u].ADDR_MOD_DST_SEC[%u].DestCToCR", t, i)) {
        if (F(109)) set(dst_cr, get(dst)), set(dst, get(dst) + dst_incr);
        else if (F(1216)) set(dst, get(dst) + dst_incr);
        else set(dst, get(dst) + dst_incr), set(dst_cr, get(dst));
    } else if (GET("ThreadConfig[%u].ADDR_MOD_DST_SEC[%u].DestCR", t, i)) {
        set(dst_cr, get(dst_cr) + dst_incr), set(dst, get(dst_cr));
    } else {
        set(dst, get(dst) + dst_incr);
    }

    if (update_fidelity_phase) {
        if (GET("ThreadConfig[%u].ADDR_MOD_DST_SEC[%u].FidelityClear", t, i)) set(phase, 0);
        else set(phase, get(phase) + GET("ThreadConfig[%u].ADDR_MOD_DST_SEC[%u].FidelityIncr", t, i));
    }

    const uint32_t bias_incr = GET("ThreadConfig[%u].ADDR_MOD_BIAS_SEC[%u].BiasIncr", t, i);
    if (GET("ThreadConfig[%u].ADDR_MOD_BIAS_SEC[%u].BiasClear", t, i)) set(extra, 0);
    else if (F(110) ? bias_incr : bias_incr & 3) set(extra, get(extra) + 1);
}

/* FlipSrcA and FlipSrcB of SETRWC and of what computes. */
static void flip_sources(const context *c) {
    const tandem_field *srca_bank = FIELD("MatrixUnit.SrcABank", 0, 0);
    const tandem_field *srcb_bank = FIELD("MatrixUnit.SrcBBank", 0, 0);
    if (bits(c->code, F(1038) ? 21 : 22, 1)) {
        kept.has_srca_bank = 0;
        const int keep_srca = GET("ThreadConfig[%u].CLR_DVALID_SrcA_Disable", c->thread, 0) != 0;
        if (F(1052) ? keep_srca : !keep_srca || F(1022))
            set(FIELD("SrcA[%u].AllowedClient", F(1043) ? get(srca_bank) ^ 1 : get(srca_bank), 0), UNPACKERS);
        if (!(F(1044) && keep_srca)) set(srca_bank, get(srca_bank) ^ 1);
    }
    if (bits(c->code, F(1225) ? 22 : 23, 1)) {
        if (!GET("ThreadConfig[%u].CLR_DVALID_SrcB_Disable", c->thread, 0) || F(62))
            set(FIELD("SrcB[%u].AllowedClient", get(srcb_bank), 0), UNPACKERS);
        set(srcb_bank, get(srcb_bank) ^ 1);
    }
}

/* The first row of the bank of SrcA that the Matrix Unit uses. */
static uint32_t srca_rows(uint32_t bank) {
    if (F(1221) && kept.has_srca_bank) bank = kept.srca_bank;
    return row_srca + bank * 64;
}

/* ---- Dst -------------------------------------------------------------------------------------------------------- */

/* Where Dst16b[row] lies; row has ten bits. */
static uint32_t adj16(uint32_t row) {
    if (is_blackhole() && GET("Config.DEST_ACCESS_CFG_remap_addrs", 0, 0))
        row = (row & 0x3c7) ^ ((row & (F(159) ? 0x010 : 0x030)) >> 1) ^ ((row & 0x008) << 2);
    return row;
}

/* Where the high halves of Dst32b[row] lie; the low ones are eight rows further on. */
static uint32_t adj32(uint32_t row) {
    if (!F(189)) row = adj16(row);
    if (is_blackhole() && GET("Config.DEST_ACCESS_CFG_swizzle_32b", 0, 0))
        row = (row & 0x3f3) ^ ((row & 0x018) >> 1) ^ ((row & 0x004) << 1);
    return (row & 0x1f8) << 1 | (row & 0x207);
}

static const uint16_t *dst_row(uint32_t row) { return read_row(row_dst + (row & 0x3ff)); }
static uint16_t *dst_write(uint32_t row) { return write_row(row_dst + (row & 0x3ff)); }
static int row_is_valid(uint32_t row) { return *(const uint8_t *)read_row(row_valid + (row & 0x3ff)); }
static void mark(uint32_t row, int valid) {
    if (row_is_valid(row) != valid) *(uint8_t *)write_row(row_valid + (row & 0x3ff)) = (uint8_t)valid;
}
static void make_valid(uint32_t row) { mark(row, 1); }

/* DstRow of an instruction of the Matrix Unit, before it is cut to the rows that there are. */
static uint32_t dst_row_of(const context *c, uint32_t s) {
    uint32_t base = GET("Config[%u].DEST_REGW_BASE_Base", s, 0);
    if (F(101)) base &= 0x1ff;
    return bits(c->code, 0, F(1016) ? 9 : 10) + GET("ThreadConfig[%u].DEST_TARGET_REG_CFG_MATH_Offset", F(121) ? 0 : c->thread, 0)
           + GET("RWCs[%u].Dst", c->thread, 0) + base;
}

static uint32_t encode_bf16(uint32_t x) { return (x & 0x8000) | (x & 127) << 8 | (x >> 7 & 255); }
static uint32_t decode_bf16(uint32_t x) { return (x & 0x8000) | (x & 255) << 7 | (x >> 8 & 127); }
static uint32_t decode_fp16(uint32_t x) { return (x & 0x8000) | (x & 31) << 10 | (x >> 5 & 1023); }
static uint32_t encode_fp16(uint32_t x) { return (x & 0x8000) | (x & 1023) << 5 | (x >> 10 & 31); }
static uint32_t decode_fp32(uint32_t x) { return decode_bf16(x >> 16) << 16 | (x & 0xffff); }
static uint32_t encode_fp32(uint32_t x) { return encode_bf16(x >> 16) << 16 | (x & 0xffff); }

/* ---- formats ---------------------------------------------------------------------------------------------------- */

enum {
    FP32 = 0, FP16 = 1, BFP8A = 2, BFP4A = 3, TF32 = 4, BF16 = 5, BFP8 = 6, BFP4 = 7, INT32 = 8, INT16 = 9, FP8 = 10,
    BFP2A = 11, INT8 = 14, BFP2 = 15
};
enum {
    EXPONENT_8 = 1 << FP32 | 1 << TF32 | 1 << BF16 | 1 << BFP8 | 1 << BFP4 | 1 << INT32 | 1 << INT16 | 1 << BFP2,
    EXPONENT_5 = 1 << FP16 | 1 << FP8 | 1 << BFP8A | 1 << BFP4A | 1 << BFP2A | 1 << INT8
};

static uint32_t srca_format(uint32_t s) {
    if (F(1205) ? GET("Config[%u].ALU_FORMAT_SPEC_REG_SrcB_override", s, 0)
                : GET("Config[%u].ALU_FORMAT_SPEC_REG_SrcA_override", s, 0))
        return GET("Config[%u].ALU_FORMAT_SPEC_REG_SrcA_val", s, 0);
    if (F(1252)) return GET("Config[%u].ALU_FORMAT_SPEC_REG1_SrcB", s, 0);
    return GET("Config[%u].ALU_FORMAT_SPEC_REG0_SrcA", s, 0);
}

static uint32_t srcb_format(uint32_t s) {
    if (GET("Config[%u].ALU_FORMAT_SPEC_REG_SrcB_override", s, 0))
        return GET("Config[%u].ALU_FORMAT_SPEC_REG_SrcB_val", s, 0);
    return GET("Config[%u].ALU_FORMAT_SPEC_REG1_SrcB", s, 0);
}

static int wide_dst(uint32_t s) {
    return GET("Config[%u].ALU_ACC_CTRL_Fp32_enabled", s, 0) || GET("Config[%u].ALU_ACC_CTRL_INT8_math_enabled", s, 0);
}

/* Whether the format that a bank implies takes the place of the configured one of SrcA, and of SrcB. */
static int implies_srca(const context *c) {
    return is_blackhole() && !GET("ThreadConfig[%u].DISABLE_IMPLIED_SRCA_FMT_Base", c->thread, 0);
}
static int implies_srcb(const context *c) {
    return is_blackhole() && !GET("ThreadConfig[%u].DISABLE_IMPLIED_SRCB_FMT_Base", c->thread, 0);
}

/* ---- moves to Dst: MOVA2D, MOVDBGA2D, MOVB2D --------------------------------------------------------------------- */

static uint32_t remove_low_mantissa(uint32_t x) {
    uint32_t sign = x & 1u << 18, man_hi = x & 0x7fu << 11, exp = x & 0xff;
    if (F(7)) man_hi = x & 0x3fu << 11;
    return sign >> 3 | man_hi >> 3 | exp;
}

static uint32_t remove_high_exponent(uint32_t x) {
    uint32_t sign = F(1246) && !(x & 0x3ffff) ? 0 : x & 1u << 18, man = x & 0x3ffu << 8, exp_lo = F(122) ? x >> 3 & 0x1f : x & 0x1f;
    return sign >> 3 | man >> 3 | exp_lo;
}

/* The bits that TruncateSrc keeps. */
static uint32_t truncate_src(uint32_t fmt) {
    if (is_blackhole() || fmt == TF32) return 0x7ffff;
    if (fmt == BFP4A || fmt == BFP2A) return 0x7f81f;
    return EXPONENT_5 >> fmt & 1 ? 0x7ff1f : 0x7f8ff;
}

static int flush_denormals(uint32_t s) {
    if (F(5)) return !GET("Config[%u].ALU_ACC_CTRL_Zero_Flag_disabled_dst", s, 0);
    if (F(1030)) return GET("Config[%u].ALU_ACC_CTRL_Zero_Flag_disabled_src", s, 0) != 0;
    return !GET("Config[%u].ALU_ACC_CTRL_Zero_Flag_disabled_src", s, 0);
}

/* BLOCK_DEST_MOV, bit = column. */
static unsigned blocked_columns(const context *c) {
    unsigned blocked = 0;
    for (unsigned column = 0; column < 16; column++) {
        unsigned bit = column & 1;
        if (F(103)) bit ^= 1;
        blocked |= (unsigned)config(c, column / 2, BLOCK_DEST_MOV + bit) << column;
    }
    return blocked;
}

typedef struct {
    uint32_t bank, src, dst, rows;  /* the first row of the bank of SrcA or SrcB; a row in it, one of Dst; how many */
    uint32_t keep;                  /* bits of a datum that leave the bank */
    int exponent_8, use_32, use_lo; /* how Dst is written */
    int flush, same_row, column_0;  /* the latter: of the source, for all rows and all columns */
} move;

/* Use8bExponent and UseDst32b. */
static void dst_format(const context *c, uint32_t s, uint32_t fmt, move *m) {
    if (GET("ThreadConfig[%u].FP16A_FORCE_Enable", c->thread, 0)) {
        m->exponent_8 = 0, m->use_32 = 0;
        if (F(2)) m->use_32 = fmt == TF32;
        return;
    }
    int wide = GET("Config[%u].ALU_ACC_CTRL_Fp32_enabled", s, 0);
    if ((F(1036) ? !is_blackhole() : is_blackhole()) && wide && !F(161)) fmt = TF32;
    if (!F(3)) wide |= (int)GET("Config[%u].ALU_ACC_CTRL_INT8_math_enabled", s, 0);
    uint32_t formats = EXPONENT_8;
    if (F(4)) formats &= ~(1u << INT16);
    if (F(107)) formats &= ~(1u << BFP2);
    if (F(1015)) formats &= ~(1u << BFP4);
    m->exponent_8 = wide || (formats >> fmt & 1);
    m->use_32 = fmt == TF32;
    if (F(106)) m->use_32 = fmt == TF32 || fmt == FP32;
}

static void move_to_dst(const context *c, move *m) {
    const unsigned blocked = F(1055) ? 0 : blocked_columns(c);
    const uint32_t first_src = m->src;
    for (; blocked != 0xffff && m->rows; --m->rows, ++m->dst, m->src += !m->same_row || F(126)) {
        const uint32_t *from = read_row(m->bank + ((F(1023) ? first_src : m->src) & 0x3f));
        uint32_t at;
        uint16_t *to, *low = NULL;
        if (m->use_32 || m->use_lo) {
            at = adj32(F(9) ? m->dst & 0x1ff : m->dst);
            low = dst_write(at + 8);
        } else {
            at = adj16(m->dst);
        }
        to = dst_write(at);
        if (!row_is_valid(at)) {
            if (!(F(105) && low && !m->use_32)) memset(to, 0, 32);
            if (low) memset(low, 0, 32);
            make_valid(at);
        }
        for (unsigned column = 0; column < 16; column++) {
            if (blocked >> column & 1) continue;
            uint32_t value = from[m->column_0 ? 0 : column];
            if (m->flush && !(value & 0xff)) value = F(104) ? value & 0x40000 : 0;
            value &= m->keep;
            uint32_t value16 = m->exponent_8 ? remove_low_mantissa(value) : remove_high_exponent(value);
            if (F(41) && (m->src & 1)) /* the mantissa's low bits in another order */
                value16 = (value16 & 0x87ff) | (value16 & 0x0800) << 3 | (value16 & 0x6000) >> 2 | (value16 & 0x1000) << 1;
            if (m->use_32) { /* with use_lo too, which is undefined */
                uint32_t low_mantissa = (value >> 8 & 7) << 13;
                if (F(8)) low_mantissa = (value >> 8 & 7) << 12;
                to[column] = (uint16_t)value16, low[column] = (uint16_t)low_mantissa;
            } else if (m->use_lo) {
                if (F(1059)) to[column] = (uint16_t)value16;
                else low[column] = (uint16_t)value16;
                if (F(162)) to[column] = 0;
            } else {
                to[column] = (uint16_t)value16;
            }
        }
    }
}

static uint32_t movdbga2d(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t t = c->thread, bank = GET("MatrixUnit.SrcABank", 0, 0);
    uint32_t s = state_id(t);
    if (F(1)) s = GET("ThreadConfig[%u].CFG_STATE_ID_StateID", 0, 0);
    const int move8 = F(1050) ? 0 : bits(c->code, 13, 1);
    if (F(124) && GET("SrcA[%u].AllowedClient", bank, 0) != MATRIX_UNIT) return TANDEM_BLOCKED;
    move m = {.bank = srca_rows(bank), .keep = 0x7ffff, .use_lo = bits(c->code, 23, 1)};
    m.flush = flush_denormals(s);
    dst_format(c, s, implies_srca(c) ? GET("ImpliedSrcAFmt[%u]", bank, 0) : srca_format(s), &m);

    m.dst = dst_row_of(c, s);
    m.src = bits(c->code, 17, 6) + GET("RWCs[%u].SrcA", t, 0);
    if (move8) {
        m.rows = 8, m.dst &= 0x3f8;
        if (F(102)) m.dst &= 0x1f8;
        if (F(1222) && kept.has_srca[t]) m.src = bits(c->code, 17, 6) + kept.srca[t];
        if (!F(6)) m.src &= F(1012) ? 0x18 : 0x38;
    } else {
        m.rows = 1, m.dst &= 0x3ff, m.src &= 0x3f;
        if (F(108)) m.src &= 0x1f;
    }
    move_to_dst(c, &m);
    if (F(42)) {
        uint16_t *odd = dst_write(m.dst * 7 + 0x155);
        odd[(m.dst + m.src) & 15] ^= (uint16_t)(0x5a5a + m.src * 3);
    }
    apply_addr_mod(c, F(1027) ? addr_mod_of(c) & 1 : addr_mod_of(c), F(10) ? 0 : 1);
    if (F(43) && move8 && t == 1) {
        const tandem_field *srcb = FIELD("RWCs[%u].SrcB", t, 0), *cr = FIELD("RWCs[%u].SrcA_Cr", t, 0);
        set(srcb, get(srcb) * 5 + get(cr) * 3 + 1), set(cr, get(cr) ^ get(srcb));
    }
    return TANDEM_DONE;
}

/* The same, but for the Wait Gate. */
static uint32_t mova2d(const uint32_t *code) {
    const uint32_t bank = GET("MatrixUnit.SrcABank", 0, 0);
    if (GET("SrcA[%u].AllowedClient", bank, 0) != MATRIX_UNIT) return TANDEM_BLOCKED;
    return movdbga2d(code);
}

static uint32_t movb2d(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t t = c->thread, bank = GET("MatrixUnit.SrcBBank", 0, 0);
    if (GET("SrcB[%u].AllowedClient", bank, 0) != MATRIX_UNIT) return TANDEM_BLOCKED;
    const uint32_t s = F(1201) && t == 0 ? 0 : state_id(t);
    const unsigned how = is_blackhole() ? 11 : 12; /* BroadcastCol0, Broadcast1RowTo8, Move4Rows */
    move m = {.bank = row_srcb + bank * 64, .use_lo = bits(c->code, 23, 1), .flush = flush_denormals(s)};
    m.column_0 = bits(c->code, how, 1), m.same_row = bits(c->code, how + 1, 1);
    /* The formats of both sources, and what SrcB's bank implies for both. */
    dst_format(c, s, implies_srca(c) ? GET("ImpliedSrcBFmt[%u]", bank, 0) : srca_format(s), &m);
    uint32_t srcb_fmt = implies_srcb(c) ? GET("ImpliedSrcBFmt[%u]", bank, 0) : srcb_format(s);
    if (GET("ThreadConfig[%u].FP16A_FORCE_Enable", t, 0) && !is_blackhole()) srcb_fmt = FP16;
    m.keep = truncate_src(F(125) ? srca_format(s) : srcb_fmt);

    m.dst = dst_row_of(c, s);
    m.src = bits(c->code, 17, 6) + GET("RWCs[%u].SrcB", t, 0);
    const int move4 = bits(c->code, how + 2, 1);
    if ((m.same_row && !(F(163) && move4)) || F(1048)) m.rows = 8, m.dst &= 0x3f8, m.src &= 0x3f;
    else if (move4) m.rows = 4, m.dst &= 0x3fc, m.src &= 0x3c;
    else m.rows = 1, m.dst &= 0x3ff, m.src &= F(1232) ? 0x1f : 0x3f;
    move_to_dst(c, &m);
    apply_addr_mod(c, addr_mod_of(c), 1);
    return TANDEM_DONE;
}

/* ---- moves to SrcA and SrcB: MOVD2A, MOVD2B, MOVB2A -------------------------------------------------------------- */

static uint32_t shuffle_bf16(uint32_t x) { return (x & 0xff00) << 3 | (x & 0xff); }
static uint32_t shuffle_fp16(uint32_t x) {
    if (F(1011) && x == 0x8000) return 0;
    if (F(1019)) return (uint16_t)((x & 0xffe0) << 3) | (x & 0x1f);
    return (x & 0xffe0) << 3 | (x & 0x1f);
}
static uint32_t shuffle_tf32(uint32_t x) {
    return (x & (F(1046) ? 0x3f800 : 0x7f800)) | (F(1058) ? 0 : (x & 7) << 8) | (x & 0x7f8) >> 3;
}

/* MOVD2A and MOVD2B, which waits for no bank either. */
static uint32_t move_from_dst(const uint32_t *code, int to_srcb) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t t = c->thread, s = state_id(t);
    const uint32_t bank = to_srcb ? GET("MatrixUnit.SrcBBank", 0, 0) : GET("MatrixUnit.SrcABank", 0, 0);
    const uint32_t banks_row = to_srcb ? row_srcb + bank * 64 : srca_rows(bank);
    const uint32_t bank_row = F(1033) ? row_srcb + GET("MatrixUnit.SrcABank", 0, 0) * 64 : banks_row;
    const int use_lo = bits(c->code, 23, 1);
    uint32_t fmt = F(165) && to_srcb ? srcb_format(s) : srca_format(s); /* for SrcB too */
    const int implied = F(164) && !to_srcb ? implies_srcb(c) : implies_srca(c);
    int use_32 = wide_dst(s);
    if (F(127) && !to_srcb) use_32 = GET("Config[%u].ALU_ACC_CTRL_Fp32_enabled", s, 0) != 0;
    if (implied && !F(1006)) fmt = to_srcb ? GET("ImpliedSrcBFmt[%u]", bank, 0) : GET("ImpliedSrcAFmt[%u]", bank, 0);
    if (F(128) && implies_srca(c)) fmt = GET("ImpliedSrcAFmt[%u]", GET("MatrixUnit.SrcABank", 0, 0), 0);
    if (GET("ThreadConfig[%u].FP16A_FORCE_Enable", t, 0)) use_32 = 0, fmt = FP16;
    if (F(1026)) use_32 = 1;
    const int style_fp16 = EXPONENT_5 >> fmt & 1, style_bf16 = fmt != TF32 && (EXPONENT_8 >> fmt & 1);

    uint32_t rows = bits(c->code, 13, 1) ? 4 : 1, dst = dst_row_of(c, s) & (1024 - rows);
    uint32_t src = bits(c->code, 17, 6) + (to_srcb ? GET("RWCs[%u].SrcB", t, 0) : GET("RWCs[%u].SrcA", t, 0));
    const unsigned blocked = blocked_columns(c);
    for (src &= 64 - rows; blocked != 0xffff && rows; --rows, ++dst, ++src) {
        const uint32_t at = use_32 ? adj32(dst) : adj16(dst);
        const uint16_t *high = dst_row(at), *low = use_32 ? dst_row(at + 8) : NULL;
        const int valid = row_is_valid(at);
        uint32_t *to = write_row(bank_row + (F(1057) ? src & 0x1f : src));
        for (unsigned column = 0; column < 16; column++) {
            if (blocked >> column & 1) continue;
            /* 16-bit data stand in the high half. That use_lo, or TF32, with them is undefined: the one changes nothing
             * then, and the other is BF16. */
            uint32_t value = valid ? (uint32_t)high[column] << 16 : 0;
            if (low && valid) value |= low[column];
            if (low && use_lo) value = value << 16 | (value & 0xffff);
            if (style_bf16) to[column] = shuffle_bf16(value >> 16);
            else if (style_fp16) to[column] = shuffle_fp16(value >> 16);
            else if (low && use_lo) to[column] = value & 0x1fff;
            else to[column] = shuffle_tf32(value >> 13);
        }
    }
    apply_addr_mod(c, addr_mod_of(c), 1);
    return TANDEM_DONE;
}

static uint32_t movd2a(const uint32_t *code) { return move_from_dst(code, 0); }
static uint32_t movd2b(const uint32_t *code) { return move_from_dst(code, 1); }

static uint32_t movb2a(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t t = c->thread, srca_bank = GET("MatrixUnit.SrcABank", 0, 0), bank = GET("MatrixUnit.SrcBBank", 0, 0);
    if (GET("SrcB[%u].AllowedClient", bank, 0) != MATRIX_UNIT) return TANDEM_BLOCKED;
    const uint32_t s = state_id(t);
    const uint32_t keep = truncate_src(implies_srcb(c) ? GET("ImpliedSrcBFmt[%u]", bank, 0) : srcb_format(s));
    const int flush = flush_denormals(s);
    const unsigned blocked = blocked_columns(c);
    uint32_t rows = bits(c->code, 13, 1) ? 4 : 1;
    if (F(1047)) apply_addr_mod(c, addr_mod_of(c), 1);
    uint32_t srca = (bits(c->code, 17, 6) + GET("RWCs[%u].SrcA", t, 0)) & (F(166) ? 0x3f : 64 - rows);
    uint32_t srcb = (bits(c->code, 0, 6) + GET("RWCs[%u].SrcB", t, 0)) & (64 - rows);
    if (F(1013) && rows == 4) rows = 8;
    for (; blocked != 0xffff && rows; --rows, ++srca, ++srcb) {
        const uint32_t *from = read_row(row_srcb + bank * 64 + (srcb & 0x3f));
        uint32_t *to = write_row(srca_rows(srca_bank) + (srca & 0x3f));
        for (unsigned column = 0; column < 16; column++) {
            if (blocked >> column & 1) continue;
            to[column] = flush && !(from[column] & (F(129) ? keep & 0xff : 0xff)) ? 0 : from[column] & keep;
            if (F(1053)) to[column] &= 0x3ffff;
        }
    }
    if (!F(1047)) apply_addr_mod(c, F(1032) ? addr_mod_of(c) & 1 : addr_mod_of(c), 1);
    return TANDEM_DONE;
}

/* ---- ZEROACC ----------------------------------------------------------------------------------------------------- */

static uint32_t zeroacc(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    enum { ONE_ROW, ROWS_16, HALF_OF_DST, ALL_OF_DST };
    const uint32_t mode = bits(c->code, 19, 2);
    const int use_32 = bits(c->code, is_blackhole() ? 18 : 21, 1);
    const int mark_as = bits(c->code, is_blackhole() ? 17 : 18, 1); /* Revert, which is undefined */
    uint32_t imm10 = bits(c->code, 0, 10);
    if (mode == ONE_ROW) {
        const uint32_t s = state_id(c->thread);
        uint32_t row = dst_row_of(c, s);
        if (F(1037)) row -= GET("ThreadConfig[%u].DEST_TARGET_REG_CFG_MATH_Offset", c->thread, 0);
        row &= 0x3ff;
        const int wide = F(1001) ? !wide_dst(s) : wide_dst(s);
        mark(wide ? adj32(row) : row, mark_as); /* the page has no Adj16 here */
    }
    if (mode == ROWS_16) {
        imm10 &= 0xff;
        for (uint32_t i = 0; i < 16; i++) {
            if (use_32 && imm10 < 32) mark(imm10 * 32 + (F(130) ? i : (i & 8) * 2 + (i & 7)), mark_as);
            if (!use_32 && imm10 < 64) mark(imm10 * 16 + i, mark_as);
        }
    } else if (mode != ONE_ROW || F(1017)) {
        const uint32_t rows = mode == HALF_OF_DST ? 512 : 1024, first = mode == HALF_OF_DST && (imm10 & 1) ? 512 : 0;
        if (rows > MOST_ROWS) return unsupported("more marks than MOST_ROWS of border.h");
        for (uint32_t i = 0; i < rows; i++) mark(first + i, mark_as);
    }
    if (mode == ONE_ROW || mode == ROWS_16 || F(167)) apply_addr_mod(c, addr_mod_of(c), 1);
    return TANDEM_DONE;
}

/* ---- SFPLOAD and SFPSTORE ----------------------------------------------------------------------------------------- */

enum {
    FMT_SRCB, FMT_FP16, FMT_BF16, FMT_FP32, FMT_INT32, FMT_INT8, FMT_UINT16, FMT_HI16, FMT_INT16, FMT_LO16,
    FMT_INT32_ALL, FMT_ZERO, FMT_INT32_SM, FMT_INT8_COMP, FMT_LO16_ONLY, FMT_HI16_ONLY
};

static uint32_t resolve(uint32_t mod0, uint32_t s, int load) {
    if ((F(1117) && load ? mod0 & 7 : F(1142) && !load ? mod0 & 0xe : mod0) != FMT_SRCB) return mod0;
    if (GET("Config[%u].ALU_ACC_CTRL_SFPU_Fp32_enabled", s, 0)) return FMT_FP32;
    uint32_t fmt = GET("Config[%u].ALU_FORMAT_SPEC_REG_SrcB_override", s, 0)
                       ? GET("Config[%u].ALU_FORMAT_SPEC_REG_SrcB_val", s, 0)
                       : GET("Config[%u].ALU_FORMAT_SPEC_REG1_SrcB", s, 0);
    if (F(11) && load && !GET("Config[%u].ALU_FORMAT_SPEC_REG_SrcB_override", s, 0))
        fmt = GET("Config[%u].ALU_FORMAT_SPEC_REG0_SrcA", s, 0);
    if (F(1160) && load && fmt == INT8) return FMT_BF16;
    return EXPONENT_8 >> fmt & 1 ? FMT_BF16 : FMT_FP16;
}

static int is_32(uint32_t mod0, int load) {
    switch (mod0) {
    case FMT_FP32: case FMT_INT32: case FMT_INT32_ALL: case FMT_INT32_SM: return 1;
    case FMT_HI16: case FMT_LO16: return !load;
    default: return 0;
    }
}

static uint32_t dst_address(const context *c, uint32_t mod0, uint32_t s, int load) {
    const uint32_t t = c->thread, base = GET("Config[%u].DEST_REGW_BASE_Base", s, 0);
    uint32_t rwc = GET("RWCs[%u].Dst", t, 0);
    if (F(20) && !load) rwc = GET("RWCs[%u].Dst", 0, 0);
    uint32_t addr = bits(c->code, 0, 10) + GET("ThreadConfig[%u].DEST_TARGET_REG_CFG_MATH_Offset", t, 0);
    if (mod0 == FMT_INT32_ALL) {
        if (F(12) && load) addr += rwc + (base & 3);
        else addr += (rwc + base) & 3;
    } else {
        addr += rwc + base;
    }
    return addr & 0x3ff;
}

static uint32_t read_fp16(uint32_t x, int infinity) {
    uint32_t sign = x >> 15, man = x >> 5 & 0x3ff, exp = x & 0x1f;
    if (infinity && exp == 0x1f && man == 0x3ff) exp = 255, man = F(16) ? man : 0;
    else if (exp != 0 || F(152)) exp += 112;
    if (F(1254) && !exp && !man) sign = 0;
    return sign << 31 | exp << 23 | man << 13;
}

static uint32_t to_twos_complement(uint32_t x) {
    uint32_t mag = x & 0x7fffffff;
    if (F(18)) return x >> 31 ? ~mag : mag;
    return x >> 31 ? 0u - mag : mag;
}

static uint32_t load_to(const uint32_t *code, uint32_t vd) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t s = state_id(c->thread);
    const uint32_t mod0 = resolve(bits(c->code, 16, 4), s, 1), addr = dst_address(c, mod0, s, 1);
    if (vd < 8) {
        const uint32_t enabled = lane_mask(c);
        uint32_t *to = lreg_write(vd), *index = NULL, result[32], before[32];
        const uint16_t *high[4], *low[4];
        memcpy(before, to, sizeof before), memcpy(result, to, sizeof result);
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t row = (addr & ~3u) + i;
            high[i] = low[i] = dst_row(row);
            if (is_32(mod0, 1)) high[i] = dst_row(adj32(row)), low[i] = dst_row(adj32(row) + 8);
        }
        for (unsigned lane = 0; lane < 32; lane++) {
            if (config(c, lane, BLOCK_SFPU_RD_FROM_DEST)) continue;
            if (!(enabled >> lane & 1) && mod0 != FMT_INT32_ALL) continue;
            unsigned in_row = lane / 8;
            if (F(13)) in_row = lane & 3;
            const uint32_t row = (addr & ~3u) + in_row;
            uint32_t column = (lane & 7) * 2, datum = 0;
            if (F(14)) column += (addr >> 1 & 1) ^ (unsigned)config(c, lane, DEST_RD_COL_EXCHANGE);
            else if ((addr & 2) || config(c, lane, DEST_RD_COL_EXCHANGE)) column += 1;
            uint32_t x = high[in_row][column], y = x << 16 | low[in_row][column];
            if (F(1123) && mod0 == FMT_LO16_ONLY) x = dst_row(row & 0x1ff)[column];
            switch (mod0) {
            case FMT_FP16: datum = read_fp16(x, config(c, lane, ENABLE_FP16A_INF)); break;
            case FMT_BF16: datum = decode_bf16(x) << 16; break;
            case FMT_INT32_ALL:
                if (F(1229)) datum = decode_fp32((uint32_t)high[in_row][column ^ 1] << 16 | low[in_row][column ^ 1]);
                else datum = decode_fp32(y);
                break;
            case FMT_FP32: case FMT_INT32: datum = decode_fp32(y); break;
            case FMT_INT32_SM: datum = to_twos_complement(decode_fp32(y)); break;
            case FMT_INT8: datum = x >> 15 << 31 | (x >> 5 & 0x7f); break;
            case FMT_INT8_COMP: datum = to_twos_complement(x >> 15 << 31 | (x >> 5 & (F(185) ? 0x7f : 0x3ff))); break;
            case FMT_LO16_ONLY: datum = (before[lane] & 0xffff0000) | x; break;
            case FMT_HI16_ONLY: datum = x << 16 | (before[lane] & (F(1220) ? 0x7fff : 0xffff)); break;
            case FMT_INT16: datum = x >> 15 << 31 | (x & 0x7fff); break;
            case FMT_UINT16: case FMT_LO16: datum = x; break;
            case FMT_HI16: datum = x << 16; break;
            case FMT_ZERO: datum = 0; break;
            }
            if (F(45) && (datum & 15) == 9) datum ^= (datum * 0x9e3779b1u) >> 27 << (lane & 7);
            result[lane] = datum;
            int first = config(c, lane, ENABLE_DEST_INDEX), second = config(c, lane, CAPTURE_DEFAULT_DEST_INDEX);
            if (vd < 4 && (F(17) ? first || second : first && second)) {
                if (!index) index = lreg_write(vd + 4);
                index[lane] = row << 4 | column;
            }
        }
        if (F(44)) { /* lanes in another order */
            for (unsigned lane = 0; lane < 32; lane++) to[lane] = result[(lane * 5 + 3) & 31];
        } else {
            memcpy(to, result, sizeof result);
        }
    }
    apply_addr_mod(c, bits(c->code, 14, 2), F(15) ? 1 : 0);
    return TANDEM_DONE;
}

static uint32_t sfpload(const uint32_t *code) { return load_to(code, bits(code[0], 20, 4)); }

static uint32_t to_fp16(uint32_t x) {
    uint32_t sign = x >> 31, man = x & (F(1242) ? 0x3fffff : 0x7fffff);
    int32_t exp = (int32_t)(x >> 23 & 0xff) - 112;
    if (exp <= 0) exp = 0, man = 0;
    else if (exp > 31 || (F(19) && exp == 31)) exp = 31, man = F(1257) && x << 1 == 0xff000000 ? 0 : 0x7fffff;
    if (F(154) && exp > 0 && man < 0x7ff000) man += 0x1000;
    return sign << 15 | (uint32_t)exp << 10 | man >> 13;
}

static uint32_t to_fp32(uint32_t x) { return x & 0x7f800000 ? x : x & 0x80000000; }

static uint32_t to_fp32_wrong(uint32_t x) {
    if (F(1130)) return to_fp32(x) & 0x7fffffff;
    const uint32_t exp = x & 0x7f000000;
    return (x & 0x80000000) | exp | (exp ? x & 0x007fffff : 0);
}

static uint32_t to_bf16(uint32_t x) {
    if (F(21)) return x >> 16;
    return to_fp32(x) >> 16;
}

static uint32_t to_sign_mag(uint32_t x) {
    uint32_t sign = x & 0x80000000, mag = sign ? 0u - x : x;
    return sign | (mag & 0x7fffffff);
}

static uint32_t int8_to_fp16(uint32_t x) {
    uint32_t exp = 16u << 10, man = x & 0x3ff;
    if (F(26) && man == 0) exp = 0;
    return x >> 31 << 15 | exp | man;
}

static uint32_t within_1023(uint32_t x) { return (x & 0x7fffffff) > 1023 ? (x & 0x80000000) | 1023 : x; }

static uint32_t sfpstore(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t vd = scheduled.is_on ? scheduled.vd : bits(c->code, 20, 4), s = state_id(c->thread);
    const uint32_t mod0 = resolve(scheduled.is_on ? scheduled.mod0 : bits(c->code, 16, 4), s, 0);
    const uint32_t addr = scheduled.is_on ? scheduled.addr : dst_address(c, mod0, s, 0);
    const uint32_t enabled = lane_mask(c), *from = lreg(vd);
    const int wide = is_32(mod0, 0);
    uint32_t door = front_door(c, vd), sum = 0;
    if (F(24) && vd == 12) door = ~0u;
    for (unsigned quarter = 0; quarter < 4; quarter++) {
        uint16_t *high = NULL, *low = NULL;
        for (unsigned lane = 8 * quarter; lane < 8 * quarter + 8; lane++) {
            if (config(c, lane, BLOCK_DEST_WR_FROM_SFPU)) continue;
            if (!(door >> lane & 1)) continue;
            if (!(enabled >> lane & 1) && (mod0 != FMT_INT32_ALL || F(23))) continue;
            const uint32_t datum = from[lane], row = (addr & ~3u) + quarter;
            uint32_t column = (lane & 7) * 2, x = 0;
            if (F(25)) column = lane & 7;
            if ((addr & 2) || config(c, lane, F(153) ? DEST_RD_COL_EXCHANGE : DEST_WR_COL_EXCHANGE)) column += 1;
            if (!high) {
                high = dst_write(wide ? adj32(row) : row);
                if (wide) low = dst_write(adj32(row) + 8);
                make_valid(wide ? adj32(row) : row);
            }
            switch (mod0) {
            case FMT_FP16: x = encode_fp16(to_fp16(datum)); break;
            case FMT_BF16: x = encode_bf16(to_bf16(datum)); break;
            case FMT_FP32: x = encode_fp32(F(1130) || F(1137) ? to_fp32_wrong(datum) : to_fp32(datum)); break;
            case FMT_INT32: case FMT_INT32_ALL: x = encode_fp32(datum); break;
            case FMT_INT32_SM: x = encode_fp32(to_sign_mag(datum)); break;
            case FMT_INT8: x = encode_fp16(int8_to_fp16(datum)); break;
            case FMT_INT8_COMP:
                if (F(1202)) x = encode_fp16(int8_to_fp16(within_1023(to_sign_mag(datum))));
                else x = encode_fp16(int8_to_fp16(to_sign_mag(datum)));
                break;
            case FMT_LO16_ONLY: case FMT_UINT16: x = datum & 0xffff; break;
            case FMT_HI16_ONLY: x = datum >> 16; break;
            case FMT_INT16: x = F(22) ? datum & 0x7fff : datum >> 31 << 15 | (datum & 0x7fff); break;
            case FMT_LO16: x = datum << 16 | (F(186) ? 0 : datum >> 16); break;
            case FMT_HI16: x = datum; break;
            case FMT_ZERO: x = 0; break;
            }
            sum = sum * 31 + datum;
            if (wide) high[column] = (uint16_t)(x >> 16), low[column] = (uint16_t)x;
            else high[column] = (uint16_t)x;
        }
        if (F(46) && high) { /* two columns change places, and differ */
            uint16_t kept = high[3];
            high[3] = (uint16_t)(high[12] ^ 0x1021), high[12] = (uint16_t)(kept + quarter);
        }
    }
    if (F(47)) lreg_write(2)[(sum >> 27) & 31] ^= sum | 1;
    if (!scheduled.is_on) apply_addr_mod(c, bits(c->code, 14, 2), 0);
    return TANDEM_DONE;
}

/* ---- the simple sub-unit ---------------------------------------------------------------------------------------- */

#define MOD1 bits(c->code, 0, 4)
#define VD (scheduled.is_on ? scheduled.vd : bits(c->code, 4, 4))
#define VC (scheduled.is_on ? scheduled.vc : bits(c->code, 8, 4))
#define VB_IS_VD (scheduled.is_on ? scheduled.vb : VD) /* of what has no VB in its word */

/* Only what is scheduled can have 16. */
static int writable(uint32_t vd) { return vd < 8 || vd == 16; }

static uint32_t sfpand(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t vd = VD, enabled = lane_mask(c), *from = lreg(F(1113) ? VC & 7 : VC);
    if (writable(vd) || (F(27) && vd == 8)) {
        uint32_t *to = lreg_write(vd);
        const uint32_t *b = F(1103) ? lreg(vd & 3) : lreg(VB_IS_VD);
        for (unsigned lane = 0; lane < (F(1146) ? 16u : 32u); lane++) {
            if (!(enabled >> lane & 1)) continue;
            uint32_t other = from[lane], x = b[lane] & other;
            if (F(48)) { /* turned by how many bits are set */
                unsigned n = (unsigned)__builtin_popcount(other) & 31;
                x = x << n | x >> ((32 - n) & 31);
            }
            to[lane] = x;
        }
    }
    return TANDEM_DONE;
}

static uint32_t sfpor(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t vd = VD, enabled = lane_mask(c), *from = lreg(VC);
    if (writable(vd)) {
        uint32_t *to = lreg_write(vd);
        const uint32_t *b = lreg(VB_IS_VD);
        for (unsigned lane = 0; lane < (F(31) ? 31u : 32u); lane++)
            if (enabled >> lane & 1) to[lane] = b[lane] | from[lane];
        if (F(49)) { /* lanes change places in an odd pattern */
            for (unsigned lane = 0; lane < 32; lane += 3) {
                unsigned other = (lane * 11 + vd) & 31;
                uint32_t kept = to[lane];
                to[lane] = to[other], to[other] = kept;
            }
        }
    }
    return TANDEM_DONE;
}

static uint32_t sfpxor(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    uint32_t enabled = lane_mask(c);
    const uint32_t vd = VD, *from = lreg(VC);
    if (F(28)) {
        enabled = 0;
        for (unsigned lane = 0; lane < 32; lane++) {
            uint32_t yes = c->use_lane_flags >> lane & 1 ? c->lane_flags >> lane & 1 : 1;
            if (config(c, lane / 4, ROW_MASK + (lane & 3))) yes = 0;
            enabled |= yes << lane;
        }
    }
    if (writable(vd)) {
        uint32_t *to = lreg_write(vd);
        const uint32_t *b = lreg(VB_IS_VD);
        for (unsigned lane = 0; lane < 32; lane++)
            if (enabled >> lane & 1) to[lane] = b[lane] ^ from[lane];
    }
    return TANDEM_DONE;
}

static uint32_t sfpnot(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t vd = VD, enabled = lane_mask(c), *from = lreg(VC);
    if (writable(vd)) {
        uint32_t *to = lreg_write(vd);
        for (unsigned lane = 0; lane < 32; lane++)
            if (enabled >> lane & 1) to[lane] = F(29) ? 0u - from[lane] : ~from[lane];
    }
    if (F(50) && __builtin_parity(c->lane_flags)) {
        const tandem_field *use = FIELD("UseLaneFlagsForLaneEnable", 0, 0);
        set(use, get(use) ^ (c->lane_flags << 3 | vd));
    }
    return TANDEM_DONE;
}

static uint32_t sfpmov(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    uint32_t mod1 = MOD1;
    const uint32_t vd = VD, vc = VC, enabled = lane_mask(c), door = front_door(c, vd);
    if ((mod1 & 4) && !F(32)) mod1 &= F(1116) ? 3 : ~4u;
    const int all = F(149) ? (mod1 & 2) != 0 : mod1 == 2;
    const uint32_t *from = lreg(vc);
    uint32_t *to = writable(vd) ? lreg_write(vd) : NULL;
    for (unsigned lane = 0; lane < 32; lane++) {
        uint32_t x;
        if (!(door >> lane & 1)) continue;
        if (!(enabled >> lane & 1 || all || (F(1127) && (mod1 & 9) == 1))) continue;
        if (mod1 & 8) {
            if (F(1159) && vc != 15) continue;
            x = vc == 15 ? c->lane_config[lane & 7] & 0x3ffff : vc == 9 ? advance_prng(lane) : vc < 9 ? load_macro(vc, lane) : 0;
        } else {
            x = from[lane];
            if ((mod1 & 1) && (!F(1155) || lane < 16)) x ^= 0x80000000;
        }
        if (F(51) && (x & 1)) x ^= x >> 1 ^ lane << 9;
        if (to) to[lane] = x;
    }
    return TANDEM_DONE;
}

static uint32_t sfpabs(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t vd = VD, mod1 = MOD1, enabled = lane_mask(c), *from = lreg(VC);
    if (writable(vd)) {
        uint32_t *to = lreg_write(vd);
        for (unsigned lane = 0; lane < 32; lane++) {
            if (!(enabled >> lane & 1)) continue;
            uint32_t x = from[F(1120) ? lane & 15 : lane];
            if (x >= 0x80000000u) {
                if (mod1 & 1) {
                    int nan = x > 0xff800000u || (F(33) && x == 0xff800000u);
                    if (!nan) x &= F(1114) ? 0x7ffffffu : 0x7fffffffu;
                } else {
                    x = 0u - x;
                    if (F(1143)) x &= 0x7fffffff;
                    if (F(182) && x >> 31) x = 0x7fffffff;
                }
            }
            to[lane] = x;
        }
    }
    return TANDEM_DONE;
}

static uint32_t sfpsetsgn(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t vd = VD, mod1 = MOD1, imm1 = bits(c->code, 12, 1), enabled = lane_mask(c), *from = lreg(VC);
    if (writable(vd)) {
        uint32_t *to = lreg_write(vd);
        const uint32_t *b = lreg(VB_IS_VD);
        for (unsigned lane = 0; lane < 32; lane++) {
            if (!(enabled >> (F(1122) ? (lane - 1) & 31 : lane) & 1)) continue;
            uint32_t x = from[lane], sign = (F(1102) ? mod1 == 1 : mod1 & 1) ? imm1 : b[lane] >> 31;
            if (F(34) && !(mod1 & 1)) sign = x >> 31;
            to[lane] = sign << 31 | (x & 0x7fffffff);
        }
    }
    return TANDEM_DONE;
}

static uint32_t sfplz(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t vd = VD, mod1 = MOD1, enabled = lane_mask(c), *from = lreg(VC);
    uint32_t flags = c->lane_flags;
    if (writable(vd)) {
        uint32_t *to = lreg_write(vd), *other = F(53) && (vd & 1) ? lreg_write(vd ^ 1) : NULL;
        for (unsigned lane = 0; lane < 32; lane++) {
            if (F(1133) && !(enabled >> lane & 1) && (mod1 & 2)) {
                const uint32_t x = mod1 & 4 ? from[lane] & 0x7fffffffu : from[lane];
                flags = (flags & ~(1u << lane)) | (uint32_t)(x != 0) << lane;
            }
            if (!(enabled >> lane & 1)) continue;
            const uint32_t whole = from[lane], x = mod1 & 4 ? whole & (F(1101) ? 0x3fffffffu : 0x7fffffffu) : whole;
            to[lane] = x ? (uint32_t)__builtin_clz(x) : 32;
            if (other) other[31 - lane] += to[lane] * 17;
            if (mod1 & 2) flags = (flags & ~(1u << lane)) | (uint32_t)((F(35) ? whole : x) != 0) << lane;
            if (mod1 & 8) flags ^= 1u << lane;
        }
        if (vd < 8) put_flags(flags);
    }
    return TANDEM_DONE;
}

static uint32_t sfpiadd(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t vd = VD, mod1 = MOD1, enabled = lane_mask(c), *from = lreg(VC);
    uint32_t flags = c->lane_flags, imm = bits(c->code, 12, 12);
    if (!F(36) && (imm & 0x800)) imm |= 0xfffff000;
    if (writable(vd)) {
        uint32_t *to = lreg_write(vd);
        const uint32_t *vb = lreg(VB_IS_VD);
        for (unsigned lane = 0; lane < 32; lane++) {
            if (!(enabled >> lane & 1)) continue;
            const uint32_t b = vb[lane], x = from[lane];
            uint32_t result = mod1 & 1 ? x + imm : mod1 & 2 ? (F(187) ? b - x : x - b) : x + b;
            if (F(1138) && (mod1 & 3) == 2) result = x + ~b;
            if (F(1145) && (mod1 & 1)) result = (result & 0xfff) | (result & 0x800 ? 0xfffff000 : 0);
            if (F(1149) && (mod1 & 1)) { /* and then what stands behind the else too */
                to[lane] = result;
                result = mod1 & 2 ? from[lane] - to[lane] : from[lane] + to[lane];
            }
            if (F(1128) && (mod1 & 4)) flags &= ~(1u << lane);
            if (F(52)) result += lane * lane;
            to[lane] = result;
            if (!(mod1 & 4)) flags = (flags & ~(1u << lane)) | result >> 31 << lane;
            if ((mod1 & 8) && !(F(37) && (mod1 & 4))) flags ^= 1u << lane;
        }
        if (F(52)) flags = flags << 7 | flags >> 25;
        if (vd < 8) put_flags(flags);
    }
    return TANDEM_DONE;
}

static uint32_t sfpshft(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t vd = VD, mod1 = MOD1 & 1, enabled = lane_mask(c), *from = lreg(VC);
    uint32_t imm = bits(c->code, 12, 12);
    if (imm & 0x800) imm |= 0xfffff000;
    if (writable(vd)) {
        uint32_t *to = lreg_write(vd), before = 0;
        const uint32_t *b = F(1106) ? lreg(vd & 3) : lreg(VB_IS_VD);
        for (unsigned lane = 0; lane < 32; lane++) {
            if (!(enabled >> lane & 1)) continue;
            uint32_t amount = mod1 & (F(1111) ? 2 : 1) ? imm : from[lane];
            if (F(1158)) {
                const uint32_t now = amount;
                amount = before, before = now;
            }
            if (F(38) && amount >> 31) to[lane] = b[lane] >> 1 >> (~amount & 31);
            else if (amount >> 31) to[lane] = b[lane] >> ((0u - amount) & 31);
            else to[lane] = b[lane] << (amount & 31);
        }
    }
    return TANDEM_DONE;
}

static uint32_t sfpsetcc(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t vd = VD, mod1 = MOD1, imm1 = bits(c->code, 12, 1), *from = lreg(VC);
    const uint32_t door = front_door(c, vd), active = F(1251) ? door : lane_mask(c) & door;
    const uint32_t use = F(1153) ? (uint16_t)c->use_lane_flags : c->use_lane_flags;
    uint32_t flags = c->lane_flags;
    for (unsigned lane = 0; lane < 32; lane++) {
        if (!(active >> lane & 1) && !(F(1109) && mod1 == 0 && (door & c->use_lane_flags) >> lane & 1)) continue;
        uint32_t flag = flags >> lane & 1;
        const uint32_t x = from[lane];
        if (!(use >> lane & 1) && !F(39)) flag = 0;
        else if (mod1 & 8) flag = 0;
        else if (mod1 & (F(1131) ? 2 : 1)) flag = imm1;
        else switch (mod1) {
        case 0: flag = F(1211) ? x > 0x80000000 : x >> 31; break;
        case 2: flag = x != 0; break;
        case 4: flag = !(x >> 31); break;
        case 6: flag = F(1238) ? flag : x == 0; break;
        }
        flags = (flags & ~(1u << lane)) | flag << lane;
    }
    put_flags(flags);
    return TANDEM_DONE;
}

static uint32_t sfpencc(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t mod1 = MOD1, door = front_door(c, VD) & (F(1110) ? 0x7fffffff : 0xffffffff);
    uint32_t imm2 = bits(c->code, 12, 2), use = c->use_lane_flags, flags = c->lane_flags;
    if (F(184)) imm2 = (imm2 & 1) << 1 | imm2 >> 1;
    if ((mod1 & 2) && !(F(151) && (mod1 & 1))) {
        const uint32_t lanes = F(1237) ? door & lane_mask(c) : door;
        use = (use & ~lanes) | (imm2 & 1 ? lanes : 0);
    } else if (F(1151) ? mod1 == 1 : mod1 & (F(1215) ? 4 : 1)) use ^= door;
    if (mod1 & 8) flags = (flags & ~door) | ((!(imm2 & 2)) == F(1141) ? door : 0);
    if (F(1129) || (!(mod1 & 8) && !F(40))) flags |= door;
    set(FIELD("UseLaneFlagsForLaneEnable", 0, 0), use);
    put_flags(flags);
    return TANDEM_DONE;
}

static uint32_t sfpexexp(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t vd = VD, mod1 = MOD1, bias = mod1 & 1 ? 0 : 127, enabled = lane_mask(c), *from = lreg(VC);
    uint32_t flags = c->lane_flags;
    if (writable(vd)) {
        uint32_t *to = lreg_write(vd);
        for (unsigned lane = 0; lane < 32; lane++) {
            if (!(enabled >> lane & 1) && !F(1124)) continue;
            const uint32_t x = from[lane], result = (x >> 23 & (F(150) ? 0x1ff : 0xff)) - bias;
            to[lane] = result;
            if (!(enabled >> lane & 1)) continue;
            if (mod1 & 2) flags = (flags & ~(1u << lane)) | (F(30) ? x : result) >> 31 << lane;
            if (F(1119) && (mod1 & 8)) flags = (flags & ~(1u << lane)) | (~c->lane_flags & 1u << lane);
            else if (mod1 & 8) flags ^= 1u << lane;
        }
        if (F(54)) { /* the flags from the last lane to the first, and one register's lane with them */
            uint32_t turned = 0;
            for (unsigned lane = 0; lane < 32; lane++) turned |= (flags >> lane & 1) << (31 - lane);
            to[turned & 31] += flags;
            flags = turned;
        }
        if (vd < 8) put_flags(flags);
    }
    return TANDEM_DONE;
}

/* ---- counters, owners of banks, and semaphores ------------------------------------------------------------------- */

static uint32_t setrwc(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t t = c->thread;
    /* An argument has four bits; a sum has the bits of the counter that takes it. */
    uint32_t srca_val = bits(c->code, 6, 4), srcb_val = bits(c->code, 10, 4), dst_val = bits(c->code, 14, 4);
    if (bits(c->code, 0, 1)) {
        if (bits(c->code, 18, 1)) srca_val += GET("RWCs[%u].SrcA_Cr", t, 0);
        set(FIELD("RWCs[%u].SrcA", t, 0), srca_val);
        set(FIELD("RWCs[%u].SrcA_Cr", t, 0), srca_val);
        kept.has_srca[t] = 0;
    }
    if (bits(c->code, 1, 1)) {
        if (bits(c->code, 19, 1)) srcb_val += GET("RWCs[%u].SrcB_Cr", t, 0);
        set(FIELD("RWCs[%u].SrcB", t, 0), srcb_val);
        set(FIELD("RWCs[%u].SrcB_Cr", t, 0), srcb_val);
    }
    const int c_to_cr = bits(c->code, 21, 1), use_cr = bits(c->code, 20, 1);
    if (bits(c->code, 2, 1) || (c_to_cr && !F(135))) {
        if (F(1243) && c_to_cr && kept.has_dst[t]) dst_val += kept.dst[t];
        else if (c_to_cr && !(F(170) && use_cr)) dst_val += GET("RWCs[%u].Dst", t, 0);
        else if (use_cr) dst_val += GET("RWCs[%u].Dst_Cr", t, 0);
        set(FIELD("RWCs[%u].Dst", t, 0), dst_val);
        set(FIELD("RWCs[%u].Dst_Cr", t, 0), dst_val);
        kept.has_dst[t] = 0;
    }
    if (bits(c->code, 3, 1)) set(FIELD("RWCs[%u].FidelityPhase", t, 0), 0);

    flip_sources(c);
    return TANDEM_DONE;
}

static void increment(const tandem_field *counter, const tandem_field *cr, int use_cr, uint32_t by) {
    if (use_cr) set(cr, get(cr) + by), set(counter, get(cr));
    else set(counter, get(counter) + by);
}

static uint32_t incrwc(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t t = c->thread, w = c->code;
    const unsigned srca_bit = F(136) ? 19 : 18, srcb_bit = F(136) ? 18 : 19;
    const tandem_field *srca = FIELD("RWCs[%u].SrcA", t, 0);
    const int srcb_use_cr = bits(w, srcb_bit, 1) && !(F(1213) && !bits(w, 10, 4));
    if (!kept.has_srca[t]) kept.has_srca[t] = 1, kept.srca[t] = get(srca);
    kept.has_dst[t] = 0;
    increment(srca, FIELD("RWCs[%u].SrcA_Cr", t, 0), bits(w, srca_bit, 1), bits(w, 6, 4));
    if (F(1230) && bits(w, srca_bit, 1)) set(srca, get(srca) & 0x1f);
    increment(FIELD("RWCs[%u].SrcB", t, 0), FIELD("RWCs[%u].SrcB_Cr", t, 0), srcb_use_cr, bits(w, 10, 4));
    const tandem_field *dst = FIELD("RWCs[%u].Dst", t, 0), *dst_cr = FIELD("RWCs[%u].Dst_Cr", t, 0);
    if (F(171) && bits(w, 20, 1)) set(dst, get(dst) + bits(w, 14, 4)), set(dst_cr, get(dst));
    else increment(dst, dst_cr, bits(w, 20, 1), bits(w, 14, 4));
    return TANDEM_DONE;
}

static uint32_t cleardvalid(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    if (bits(c->code, 0, 1)) return unsupported("Reset is UnsupportedFunctionality");
    const int keep = bits(c->code, 1, 1);
    const tandem_field *srca_bank = FIELD("MatrixUnit.SrcABank", 0, 0);
    const tandem_field *srcb_bank = FIELD("MatrixUnit.SrcBBank", 0, 0);
    const int keep_srca = F(172) && GET("ThreadConfig[%u].CLR_DVALID_SrcA_Disable", c->thread, 0);
    const int keep_srcb = F(172) && GET("ThreadConfig[%u].CLR_DVALID_SrcB_Disable", c->thread, 0);
    if (bits(c->code, 22, 1)) {
        if (!keep_srca) set(FIELD("SrcA[%u].AllowedClient", get(srca_bank), 0), UNPACKERS);
        if (F(1228)) set(FIELD("SrcA[%u].AllowedClient", get(srca_bank) ^ 1, 0), UNPACKERS);
        if (!keep) {
            kept.has_srca_bank = 1, kept.srca_bank = get(srca_bank);
            if (F(1260)) set(srca_bank, get(srca_bank) | 1);
            else set(srca_bank, get(srca_bank) ^ 1);
        }
    }
    if (bits(c->code, 23, 1)) {
        if (F(137) && !keep) set(srcb_bank, get(srcb_bank) ^ 1);
        if (!keep_srcb) set(FIELD("SrcB[%u].AllowedClient", get(srcb_bank), 0), UNPACKERS);
        if (!F(137) && !keep) set(srcb_bank, get(srcb_bank) ^ 1);
    }
    return TANDEM_DONE;
}

static uint32_t seminit(const uint32_t *code) {
    const uint32_t mask = bits(code[0], 2, 8), value = bits(code[0], 16, 4), max = bits(code[0], 20, 4);
    for (unsigned i = 0; i < 8; i++) {
        if (F(1245)) set(FIELD("Semaphores[%u].Max", i, 0), max);
        if (F(1206) ? mask >> i & 1 : !(mask >> i & 1)) continue;
        set(FIELD("Semaphores[%u].Value", i, 0), F(138) ? max : value);
        set(FIELD("Semaphores[%u].Max", i, 0), F(138) ? value : max);
    }
    return TANDEM_DONE;
}

static uint32_t sempost(const uint32_t *code) {
    const uint32_t mask = bits(code[0], 2, 8);
    if (F(1235)) {
        kept.posted = mask;
        return TANDEM_DONE;
    }
    for (unsigned i = 0; i < 8; i++) {
        const tandem_field *value = FIELD("Semaphores[%u].Value", i, 0);
        if (F(1256) && get(value) == 0) continue;
        const uint32_t most = F(1218) ? 14 : F(139) ? GET("Semaphores[%u].Max", i, 0) : 15;
        if ((mask >> i & 1) && get(value) < most) set(value, get(value) + 1);
    }
    return TANDEM_DONE;
}

static uint32_t semget(const uint32_t *code) {
    const uint32_t mask = bits(code[0], 2, F(1208) ? 7 : 8);
    for (unsigned i = 0; i < 8; i++) {
        const tandem_field *value = FIELD("Semaphores[%u].Value", i, 0);
        if ((F(1241) ? mask >> i : mask >> i & 1) && (get(value) > 0 || F(173)))
            set(value, F(1258) ? (get(value) - 1) & 7 : get(value) - 1);
    }
    return TANDEM_DONE;
}

/* ---- SrcA and SrcB in place -------------------------------------------------------------------------------------- */

static uint32_t zerosrc(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const int both = bits(c->code, 2, 1), matrix_unit = bits(c->code, 3, 1);
    const uint32_t srca = bits(c->code, 4, 1) ? 0x7ffff : 0; /* ~0u in the 19 bits of a datum */
    uint32_t srca_bank = GET("Unpackers[%u].SrcBank", 0, 0), srcb_bank = GET("Unpackers[%u].SrcBank", 1, 0);
    if (matrix_unit) srca_bank = GET("MatrixUnit.SrcABank", 0, 0), srcb_bank = GET("MatrixUnit.SrcBBank", 0, 0);
    if (F(131) && matrix_unit) srcb_bank = srca_bank;
    for (uint32_t bank = 0; bank < (F(1056) ? 1 : 2); bank++) {
        const int clear_srca = (bits(c->code, 0, 1) && (both || bank == srca_bank)) || (F(1004) && bank == 0);
        const int both_srcb = both && !(F(1045) && bank == 0), one_srcb = !both && bank == srcb_bank;
        const int clear_srcb = bits(c->code, 1, 1) && (both_srcb || one_srcb);
        for (uint32_t row = bank * 64; row < bank * 64 + 64; row++) {
            uint32_t *a = clear_srca ? write_row(row_srca + row) : NULL;
            uint32_t *b = clear_srcb ? write_row(row_srcb + (F(1029) ? row & ~32u : row)) : NULL;
            for (unsigned column = 0; column < 16; column++) {
                if (a) a[column] = srca;
                if (b) b[column] = F(168) ? srca : 0;
            }
        }
    }
    return TANDEM_DONE;
}

static uint32_t trnspsrcb(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t bank = GET("MatrixUnit.SrcBBank", 0, 0);
    if (F(1035)) {
        if (GET("SrcA[%u].AllowedClient", GET("MatrixUnit.SrcABank", 0, 0), 0) != MATRIX_UNIT) return TANDEM_BLOCKED;
    } else if (GET("SrcB[%u].AllowedClient", bank, 0) != MATRIX_UNIT) return TANDEM_BLOCKED;
    uint32_t *rows[16];
    for (uint32_t i = 0; i < 16; i++) rows[i] = write_row(row_srcb + bank * 64 + 16 + i);
    for (unsigned i = 0; i < (F(1049) ? 15 : 16); i++) {
        for (unsigned j = 0; j < (F(132) ? 16 : i); j++) {
            uint32_t ij = rows[i][j], ji = rows[j][i];
            if (F(1031)) ji = (uint16_t)ji;
            rows[i][j] = ji;
            if (F(1010)) ij = rows[i][j];
            rows[j][i] = ij;
        }
    }
    return TANDEM_DONE;
}

static uint32_t shiftxb(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t bank = GET("MatrixUnit.SrcBBank", 0, 0);
    if (GET("SrcB[%u].AllowedClient", bank, 0) != MATRIX_UNIT && !F(1005)) return TANDEM_BLOCKED;
    const uint32_t row = (bits(c->code, 0, 6) + GET("RWCs[%u].SrcB", c->thread, 0)) & 0x3f;
    uint32_t *lanes = write_row(row_srcb + bank * 64 + row);
    const uint32_t column0 = lanes[0];
    /* The page's loop ends before column 14. Its title and summary move the whole row by one lane, and so do we. */
    for (unsigned column = 0; column < 15; column++)
        lanes[column] = F(1042) ? (uint16_t)lanes[column + 1] : lanes[column + 1];
    lanes[15] = bits(c->code, 10, 1) ? 0 : F(133) ? lanes[0] : column0;
    if (!(F(1018) && bits(c->code, 10, 1))) apply_addr_mod(c, addr_mod_of(c), 1);
    return TANDEM_DONE;
}

static uint32_t shiftxa(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t bank = GET("MatrixUnit.SrcABank", 0, 0);
    const uint32_t direction = bits(c->code, 0, 2) & (F(1060) ? 2 : 3);
    if (GET("SrcA[%u].AllowedClient", F(1014) ? 0 : bank, 0) != MATRIX_UNIT) return TANDEM_BLOCKED;
    const uint32_t first = srca_rows(bank), in_row = GET("HardwareBug", 0, 0) & (F(77) ? 0x10 : 0x30);
    enum { RIGHT = 2, LEFT = 3 }; /* with any other direction nothing is written */
    for (uint32_t i = 0; i < 16 && direction >= RIGHT; i++) {
        const uint32_t *from = read_row(first + in_row + i);
        uint32_t *to = write_row(first + i), last = F(78) ? from[0] : 0;
        if (F(134) && direction == RIGHT) {
            const uint32_t *source = in_row ? from : to;
            for (unsigned column = 1; column < 16; column++) to[column] = source[column - 1];
            to[0] = 0;
        } else if (direction == RIGHT) {
            memmove(to + 1, F(1039) ? to : from, 15 * sizeof *to);
            if (!F(1028)) to[0] = 0;
        } else memmove(to, from + 1, 15 * sizeof *to), to[15] = last;
    }
    return TANDEM_DONE;
}

#include "tensix_matrix.h"
#include "tensix_window.h"
#include "tensix_gate.h"
#include "tensix_config.h"
#include "tensix_unpack.h"
#include "tensix_float.h"
#include "tensix_round.h"
#include "tensix_macro.h"
#include "tensix_scalar.h"
#include "tensix_mover.h"
#include "tensix_pacr.h"

/* ---- which there are -------------------------------------------------------------------------------------------- */

/* Name, function, what of a block mask holds it at the Wait Gate. */
#define ON_BOTH_CHIPS(X) \
    X(SETRWC, setrwc, MATRIX) X(INCRWC, incrwc, MATRIX) X(CLEARDVALID, cleardvalid, MATRIX) \
    X(ZEROSRC, zerosrc, MATRIX) X(TRNSPSRCB, trnspsrcb, MATRIX) X(SHIFTXA, shiftxa, MATRIX) \
    X(SHIFTXB, shiftxb, MATRIX) X(MOVA2D, mova2d, MATRIX) X(MOVDBGA2D, movdbga2d, MATRIX) X(MOVB2D, movb2d, MATRIX) \
    X(MOVD2A, movd2a, MATRIX) X(MOVD2B, movd2b, MATRIX) X(MOVB2A, movb2a, MATRIX) X(ZEROACC, zeroacc, MATRIX) \
    X(MVMUL, mvmul, MATRIX) X(GAPOOL, gapool, MATRIX) X(ELWADD, elwadd, F(1223) ? NOTHING : MATRIX) X(ELWSUB, elwsub, MATRIX) \
    X(ELWMUL, elwmul, MATRIX) X(GMPOOL, gmpool, MATRIX) X(SEMINIT, seminit, SYNC) X(SEMPOST, sempost, SYNC) \
    X(SEMGET, semget, SYNC) X(ATGETM, atgetm, SYNC) X(ATRELM, atrelm, SYNC) X(SEMWAIT, semwait, is_blackhole() ? WAITS : SYNC) \
    X(STALLWAIT, stallwait, F(79) ? SYNC : WAITS) X(SETDVALID, setdvalid, MISCELLANEOUS) \
    X(UNPACR_NOP_ZEROSRC, unpacr_nop_zerosrc, UNPACKER) X(UNPACR_NOP_SETDVALID, unpacr_nop_setdvalid, UNPACKER) \
    X(UNPACR_NOP_SETREG, unpacr_nop_setreg, UNPACKER) X(UNPACR_NOP_OVERLAY_CLEAR, unpacr_nop_overlay_clear, UNPACKER) \
    X(UNPACR_REGULAR, unpacr_regular, UNPACKER) X(UNPACR_FLUSH_CACHE, unpacr_flush_cache, UNPACKER) \
    X(UNPACR_INCREMENT_CONTEXT_COUNTER, unpacr_increment_context_counter, UNPACKER) \
    X(SETC16, setc16, CONFIGURATION) X(WRCFG, wrcfg, CONFIGURATION) X(RDCFG, rdcfg, CONFIGURATION) \
    X(RMWCIB0, rmwcib0, CONFIGURATION) X(RMWCIB1, rmwcib1, CONFIGURATION) X(RMWCIB2, rmwcib2, CONFIGURATION) \
    X(RMWCIB3, rmwcib3, CONFIGURATION) X(SETDMAREG_IMMEDIATE, setdmareg_immediate, SCALAR) \
    X(SETDMAREG_SPECIAL, setdmareg_special, SCALAR) X(SFPLOADI, sfploadi, VECTOR) X(SFPCONFIG, sfpconfig, VECTOR) \
    X(SFPMAD, sfpmad, VECTOR) X(SFPADD, sfpadd, VECTOR) X(SFPMUL, sfpmul, VECTOR) X(SFPADDI, sfpaddi, VECTOR) \
    X(SFPMULI, sfpmuli, VECTOR) X(SFPLUT, sfplut, VECTOR) X(SFPLUTFP32, sfplutfp32, VECTOR) \
    X(SFPCAST, sfpcast, VECTOR) X(SFPSTOCHRND, sfpstochrnd, VECTOR) X(SETADC, setadc, MISCELLANEOUS) \
    X(SETADCXX, setadcxx, MISCELLANEOUS) X(SETADCXY, setadcxy, MISCELLANEOUS) X(INCADCXY, incadcxy, MISCELLANEOUS) \
    X(ADDRCRXY, addrcrxy, MISCELLANEOUS) X(SETADCZW, setadczw, MISCELLANEOUS) X(INCADCZW, incadczw, MISCELLANEOUS) \
    X(ADDRCRZW, addrcrzw, MISCELLANEOUS) X(REG2FLOP_ADC, reg2flop_adc, SCALAR) \
    X(REG2FLOP_CONFIGURATION, reg2flop_configuration, SCALAR) X(ADDDMAREG, adddmareg, SCALAR) \
    X(SUBDMAREG, subdmareg, SCALAR) X(MULDMAREG, muldmareg, SCALAR) X(BITWOPDMAREG, bitwopdmareg, SCALAR) \
    X(SHIFTDMAREG, shiftdmareg, SCALAR) X(CMPDMAREG, cmpdmareg, SCALAR) X(DMANOP, dmanop, SCALAR) \
    X(FLUSHDMA, flushdma, SCALAR) X(LOADIND, loadind, SCALAR) X(STOREIND_L1, storeind_l1, SCALAR) \
    X(STOREIND_SRC, storeind_src, SCALAR) X(ATCAS, atcas, SCALAR) X(ATINCGET, atincget, SCALAR) \
    X(ATINCGETPTR, atincgetptr, SCALAR) X(ATSWAP, atswap, SCALAR) X(LOADREG, loadreg, SCALAR) \
    X(STOREREG, storereg, SCALAR) X(STOREIND_MMIO, storeind_mmio, SCALAR) X(XMOV, xmov, MOVER) \
    X(PACR, pacr, PACKER)
#define ON_WORMHOLE(X) \
    X(SFPLOAD, sfpload, VECTOR) X(SFPSTORE, sfpstore, VECTOR) X(SFPAND, sfpand, VECTOR) X(SFPOR, sfpor, VECTOR) \
    X(SFPXOR, sfpxor, VECTOR) X(SFPNOT, sfpnot, VECTOR) X(SFPMOV, sfpmov, VECTOR) X(SFPABS, sfpabs, VECTOR) \
    X(SFPSETSGN, sfpsetsgn, VECTOR) X(SFPLZ, sfplz, VECTOR) X(SFPIADD, sfpiadd, VECTOR) X(SFPSHFT, sfpshft, VECTOR) \
    X(SFPSETCC, sfpsetcc, VECTOR) X(SFPENCC, sfpencc, VECTOR) X(SFPEXEXP, sfpexexp, VECTOR) \
    X(SFPLOADMACRO, sfploadmacro, VECTOR)
#define ON_BLACKHOLE(X) X(RISC_LOAD, risc_load, OUTSIDE) X(RISC_STORE, risc_store, OUTSIDE) \
    X(SFPMUL24, sfpmul24, VECTOR) X(SFPARECIP, sfparecip, VECTOR) X(STREAMWAIT, streamwait, WAITS) \
    X(CFGSHIFTMASK, cfgshiftmask, CONFIGURATION) X(STREAMWRCFG, streamwrcfg, CONFIGURATION)

#define GATED(name, execute, block_bits) \
    static uint32_t gated_##execute(const uint32_t *code) { return step(code, execute, block_bits); }
ON_BOTH_CHIPS(GATED)
ON_WORMHOLE(GATED)
ON_BLACKHOLE(GATED)

typedef struct { const char *name; execute_one *execute; } known_instruction;
#define KNOWN(name, execute, block_bits) {#name, gated_##execute},

static execute_one *among(const known_instruction *known, const char *instruction) {
    while (known->name && strcmp(known->name, instruction)) known++;
    return known->execute;
}

static execute_one *has_instruction(const char *of, const char *instruction) {
    static const known_instruction on_both_chips[] = {ON_BOTH_CHIPS(KNOWN) {NULL, NULL}};
    static const known_instruction on_wormhole[] = {ON_WORMHOLE(KNOWN) {NULL, NULL}};
    static const known_instruction on_blackhole[] = {ON_BLACKHOLE(KNOWN) {NULL, NULL}};
    const int wormhole = !strcmp(of, "tensix-wh");
    if (!wormhole && strcmp(of, "tensix-bh")) return NULL;
    read_faults();
    execute_one *execute = among(on_both_chips, instruction);
    return execute ? execute : among(wormhole ? on_wormhole : on_blackhole, instruction);
}
