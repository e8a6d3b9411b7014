/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Part of tensix.c: what computes on SrcA and SrcB and writes Dst. GMPOOL in all styles; MVMUL, GAPOOL, ELWADD, ELWSUB
 * and ELWMUL in integer style, since of sums and products of floats the pages promise nothing.
 */

/* AddrMod of GMPOOL and GAPOOL. */
static uint32_t pool_addr_mod_of(const context *c) { return bits(c->code, 15, is_blackhole() ? 3 : 2); }

typedef struct {
    uint32_t s, srca, srcb;      /* the bank of Config; the rows at which the banks of the sources begin */
    uint32_t srca_fmt, srcb_fmt;
    uint32_t phase;              /* FidelityPhase */
    int integers;                /* ALU_ACC_CTRL_INT8_math_enabled */
    int flush;                   /* FlushDenormals, of SrcB */
} sources;

/* The sources, and what is decided before a row is read; whatever is not TANDEM_DONE is the answer. */
static uint32_t load_sources(const context *c, sources *o) {
    const uint32_t t = c->thread;
    const uint32_t srca_bank = GET("MatrixUnit.SrcABank", 0, 0), srcb_bank = GET("MatrixUnit.SrcBBank", 0, 0);
    if (GET("SrcA[%u].AllowedClient", srca_bank, 0) != MATRIX_UNIT) return TANDEM_BLOCKED;
    if (GET("SrcB[%u].AllowedClient", srcb_bank, 0) != MATRIX_UNIT) return TANDEM_BLOCKED;
    if (GET("ThreadConfig[%u].FP16A_FORCE_Enable", t, 0))
        return unsupported("FP16A_FORCE_Enable is UnsupportedFunctionality here");
    o->s = state_id(t);
    o->srca = srca_rows(srca_bank), o->srcb = row_srcb + srcb_bank * 64;
    o->srca_fmt = implies_srca(c) ? GET("ImpliedSrcAFmt[%u]", srca_bank, 0) : srca_format(o->s);
    o->srcb_fmt = implies_srcb(c) ? GET("ImpliedSrcBFmt[%u]", srcb_bank, 0) : srcb_format(o->s);
    o->phase = GET("RWCs[%u].FidelityPhase", t, 0);
    if (!F(56)) o->phase += GET("ThreadConfig[%u].FIDELITY_BASE_Phase", t, 0);
    o->phase &= 3;
    o->integers = GET("Config[%u].ALU_ACC_CTRL_INT8_math_enabled", o->s, 0) != 0;
    o->flush = !GET("Config[%u].ALU_ACC_CTRL_Zero_Flag_disabled_src", o->s, 0);
    return TANDEM_DONE;
}

/* A row of Dst to read and to write. One that is not valid reads as bytes of this kind. */
typedef struct {
    uint16_t *high, *low; /* no low half: 16 bits wide */
} dst_rows;

static dst_rows dst_accumulator(uint32_t row, int wide, int invalid) {
    const uint32_t at = wide ? adj32(row & 0x3ff) : adj16(row & 0x3ff);
    const dst_rows to = {dst_write(at), wide ? dst_write(at + 8) : NULL};
    if (!row_is_valid(at)) {
        memset(to.high, invalid, 32);
        if (to.low) memset(to.low, invalid, 32);
        make_valid(at);
    }
    return to;
}

/* ---- integer style ----------------------------------------------------------------------------------------------- */

enum { SRCA_PHASE_0 = 0x4e0ff, SRCA_PHASE_1 = 0x41fff, SRCB_PHASE_0 = 0x7f0ff, SRCB_PHASE_2 = 0x40fff };

static uint32_t srca_bits(const sources *o) { return o->phase & 1 ? SRCA_PHASE_1 : SRCA_PHASE_0; }
static uint32_t srcb_bits(const sources *o) { return o->phase & 2 ? SRCB_PHASE_2 : SRCB_PHASE_0; }

static int32_t read_src_int8(uint32_t x, int flush) {
    const int32_t magnitude = (int32_t)(x >> 8 & 0x3ff);
    if (flush && !(x & 0xff)) return 0;
    return x >> 18 & 1 ? -magnitude : magnitude;
}

/* Adds to column `column` of a row of 32-bit integers, within plus and minus 2^31 - 1. */
static void accumulate(dst_rows to, unsigned column, int32_t value) {
    const uint32_t before = decode_fp32((uint32_t)to.high[column] << 16 | to.low[column]);
    const int64_t magnitude = before & 0x7fffffff;
    int64_t sum = value + (before >> 31 ? -magnitude : magnitude);
    if (sum > 0x7fffffff) sum = 0x7fffffff;
    if (sum < -0x7fffffff && !F(58)) sum = -0x7fffffff;
    const uint32_t after = encode_fp32(sum < 0 ? 0x80000000 | (uint32_t)-sum : (uint32_t)sum);
    to.high[column] = (uint16_t)(after >> 16), to.low[column] = (uint16_t)after;
}

/* MVMUL has eight rows, or seven with BroadcastSrcBRow, of which every other one is added to Dst; GAPOOL four. */
static uint32_t multiply_matrices(const context *c, uint32_t rows, int broadcast, uint32_t addr_mod) {
    sources o;
    const uint32_t waits = load_sources(c, &o);
    if (waits != TANDEM_DONE) return waits;
    if (!o.integers) return unsupported("a float style, of which nothing is promised");
    const uint32_t t = c->thread, first_srca = GET("RWCs[%u].SrcA", t, 0) & (F(1054) ? 0x30 : 0x38);
    const uint32_t first_srcb = GET("RWCs[%u].SrcB", t, 0) & (broadcast || (F(1051) && rows == 4) ? 0x3f : F(156) && rows == 4 ? 0x3c : 0x38);
    uint32_t dst = dst_row_of(c, o.s) & (F(1041) && rows == 4 ? 0x3ff : 0x400 - rows);
    if (F(55) && broadcast) dst &= 0x3f8;
    if (F(57)) dst &= 0x3f8;

    const uint32_t keep_srca = truncate_src(o.srca_fmt) & srca_bits(&o);
    const uint32_t keep_srcb = truncate_src(o.srcb_fmt) & srcb_bits(&o);
    int32_t srca[16][16];
    for (uint32_t i = 0; i < 16; i++) {
        /* An aligned matrix of 16 rows, says the page, and yet begins at any multiple of eight: in a bank of 64. */
        const uint32_t *from = read_row(o.srca + ((first_srca + i) & 0x3f));
        for (unsigned j = 0; j < 16; j++) srca[i][j] = read_src_int8(from[j] & keep_srca, 1);
    }
    for (uint32_t i = 0; i < rows; i += broadcast && !F(188) ? 2 : 1) {
        uint32_t row = first_srcb + (broadcast && !F(1008) ? 0 : i);
        row = F(1051) ? (o.srcb - row_srcb + row) & 0x7f : o.srcb - row_srcb + (row & 0x3f);
        const uint32_t *from = read_row(row_srcb + row);
        const dst_rows to = dst_accumulator(dst + i, 1, 0);
        for (unsigned j = 0; j < 16; j++) {
            int32_t x = 0;
            for (unsigned k = 0; k < 16; k++) {
                const int32_t a = F(155) ? srca[j][k] : srca[k][j];
                x += read_src_int8(from[k] & keep_srcb, o.flush) * a;
                if (F(1002)) x = (int16_t)x;
            }
            accumulate(to, j, x);
        }
    }
    flip_sources(c);
    apply_addr_mod(c, addr_mod, 1);
    return TANDEM_DONE;
}

static uint32_t mvmul(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const int broadcast = bits(c->code, 19, 1);
    return multiply_matrices(c, broadcast || F(1021) ? 7 : 8, broadcast, addr_mod_of(c));
}

static uint32_t gapool(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    return multiply_matrices(c, 4, 0, F(1020) ? pool_addr_mod_of(c) & 1 : pool_addr_mod_of(c));
}

typedef enum { SUM, DIFFERENCE, PRODUCT } operation;

static uint32_t element_by_element(const uint32_t *code, operation what) {
    context k, *c = &k;
    load_context(c, code);
    sources o;
    const uint32_t waits = load_sources(c, &o);
    if (waits != TANDEM_DONE) return waits;
    if (!o.integers) return unsupported("a float style, of which nothing is promised");
    const int col_0 = bits(c->code, 19, 1), same_row = bits(c->code, 20, 1);
    int add_dst = what == PRODUCT || bits(c->code, 21, 1);
    if (F(60)) add_dst = 1;
    const uint32_t t = c->thread, dst = dst_row_of(c, o.s) & 0x3f8;
    const uint32_t srca = GET("RWCs[%u].SrcA", t, 0) & (F(190) ? 0x30 : F(1003) ? 0x18 : 0x38);
    const uint32_t srcb = GET("RWCs[%u].SrcB", t, 0) & (same_row && !F(59) ? 0x3f : 0x38);
    uint32_t keep_srca = truncate_src(o.srca_fmt), keep_srcb = truncate_src(o.srcb_fmt);
    if (what == PRODUCT) {
        if (F(157)) o.phase = (o.phase & 1) << 1 | o.phase >> 1;
        keep_srca &= srca_bits(&o);
        keep_srcb &= F(61) && o.phase & 2 ? SRCA_PHASE_1 : srcb_bits(&o);
    }
    for (uint32_t i = 0; i < (F(1007) ? 7 : 8); i++) {
        const uint32_t *from_a = read_row(o.srca + srca + i), *from_b = read_row(o.srcb + srcb + (same_row ? 0 : i));
        const dst_rows to = dst_accumulator(dst + i, 1, 0);
        for (unsigned j = 0; j < 16; j++) {
            const int32_t a = read_src_int8(from_a[j] & keep_srca, 1);
            const int32_t b = read_src_int8(from_b[col_0 ? 0 : j] & keep_srcb, o.flush);
            if (!add_dst) to.high[j] = to.low[j] = 0;
            accumulate(to, j, what == SUM ? a + b : what == DIFFERENCE ? a - b : a * b);
        }
    }
    flip_sources(c);
    apply_addr_mod(c, addr_mod_of(c), 1);
    return TANDEM_DONE;
}

static uint32_t elwadd(const uint32_t *code) { return element_by_element(code, SUM); }
static uint32_t elwsub(const uint32_t *code) { return element_by_element(code, DIFFERENCE); }
static uint32_t elwmul(const uint32_t *code) { return element_by_element(code, PRODUCT); }

/* ---- GMPOOL ------------------------------------------------------------------------------------------------------ */

/* A style is the format that stands for it: INT8, FP16, BF16 or TF32 of the sources, with INT32 for INT8 in Dst. */

typedef struct {
    uint32_t sign, exponent, mantissa; /* 1, 9 and 10 bits; of an integer, exponent and mantissa are one magnitude */
} datum;

static int32_t comparable(datum x) {
    const int32_t magnitude = (int32_t)(x.exponent << 10 | x.mantissa);
    return x.sign ? -magnitude : magnitude;
}

static datum read_dst(uint32_t x, uint32_t style) {
    datum d = {.sign = x >> 31};
    if (style == INT32) {
        const uint32_t third = F(67) ? x >> 16 & 7 : x >> 24 & 7;
        d.exponent = third << 6 | (x >> 10 & 0x3f), d.mantissa = x & 0x3ff;
    } else if (style == FP16) {
        d.exponent = (x >> 16 & 0x1f) + 15, d.mantissa = x >> 21 & 0x3ff;
    } else {
        d.exponent = (x >> 16 & 0xff) + 127, d.mantissa = (x >> 24 & 0x7f) << 3;
        if (style == TF32) d.mantissa |= x >> 13 & 7;
    }
    return d;
}

static uint32_t write_dst(datum d, uint32_t style) {
    if (style == INT32) return d.sign << 31 | (d.exponent & 7) << 10 | d.mantissa;
    if (style == FP16) {
        if (!(d.exponent & 0x3f)) return 0;
        return d.sign << 31 | d.mantissa << 21 | ((d.exponent - 15) & 0x1f) << 16;
    }
    if (!d.exponent) return 0;
    const uint32_t x = d.sign << 31 | (d.mantissa & 0x3f8) << 21 | ((d.exponent - 127) & 0xff) << 16;
    if (F(1034)) return x;
    return style == TF32 ? x | (d.mantissa & 7) << 13 : x;
}

static datum read_and_scale(uint32_t a, uint32_t style, uint32_t b) {
    static const datum minus_infinity = {1, 0x1ff, 0x3ff}, zero = {0, 0, 0};
    const uint32_t a_exponent = a & 0xff, b_exponent = b & 0xff;
    if (!b_exponent) return minus_infinity;
    if (!a_exponent) return zero;
    datum d = {.sign = a >> 18 & 1, .mantissa = a >> 8 & 0x3ff};
    if (style == FP16) d.exponent = (a_exponent & 0x1f) + (b_exponent & 0x1f);
    else if (style != INT8) d.exponent = ((F(1009) ? (uint32_t)(int8_t)a_exponent : a_exponent) + b_exponent) & 0x1ff;
    if (style == BF16) d.mantissa &= 0x3f8;
    return d;
}

static uint32_t gmpool(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    sources o;
    const uint32_t waits = load_sources(c, &o);
    if (waits != TANDEM_DONE) return waits;
    const int arg_max = bits(c->code, 14, 1);
    int wide = GET("Config[%u].ALU_ACC_CTRL_Fp32_enabled", o.s, 0);
    uint32_t style, dst_style;
    if (o.integers) {
        style = INT8, dst_style = INT32, wide = 1;
    } else if (EXPONENT_5 >> o.srca_fmt & 1) {
        style = FP16, dst_style = wide && !arg_max ? TF32 : FP16;
    } else if (o.srca_fmt != TF32 && (EXPONENT_8 >> o.srca_fmt & 1)) {
        style = BF16, dst_style = wide && !arg_max ? TF32 : BF16;
    } else { /* TF32, and what is no format */
        style = TF32, dst_style = arg_max ? INT32 : wide ? TF32 : BF16;
    }

    const uint32_t t = c->thread, srca = GET("RWCs[%u].SrcA", t, 0) & 0x30, srcb = GET("RWCs[%u].SrcB", t, 0) & 0x38;
    const uint32_t dst = dst_row_of(c, o.s) & 0x3fc;
    const uint32_t keep_srca = truncate_src(o.srca_fmt), keep_srcb = truncate_src(o.srcb_fmt);
    const uint32_t *scale = read_row(o.srcb + srcb), *from[16];
    dst_rows to[4];
    for (uint32_t i = 0; i < 16; i++) from[i] = read_row(o.srca + srca + i);
    for (uint32_t i = 0; i < 4; i++) to[i] = dst_accumulator(dst + i, wide, F(64) ? 0 : 0xff);
    for (unsigned j = 0; j < 16; j++) {
        static const uint8_t transformed[8] = {0, 3, 6, 1, 4, 7, 2, 5};
        uint32_t value = (uint32_t)to[0].high[j] << 16 | (wide ? to[0].low[j] : 0);
        datum max = read_dst(value, dst_style);
        uint32_t max_index = value & 0xff;
        const uint32_t phase = (value + 0x100) & 0xf00;
        for (uint32_t visit = 0; visit < 16; visit++) {
            const uint32_t i = visit < 8 && !F(63) ? visit ^ 4 : visit; /* which tells how a tie is resolved */
            const datum x = read_and_scale(from[i][j] & keep_srca, style, scale[F(158) ? j : i] & keep_srcb);
            if (comparable(x) < comparable(max)) continue;
            max = x;
            if (i < 8) max_index = ((phase >> 4) + (F(65) ? i : transformed[i])) & 0xff;
        }
        value = arg_max && dst_style == INT32 ? 0 : write_dst(max, dst_style);
        if (arg_max) value |= phase | max_index;
        to[0].high[j] = (uint16_t)(value >> 16);
        if (wide) to[0].low[j] = (uint16_t)value;
        for (unsigned i = 1; i < 4; i++) { /* the other rows; of 32 bits with ArgMax they keep a phase */
            const uint32_t kept = wide && arg_max && !F(66) ? (to[i].low[j] + 0x100u) & 0xf00 : 0;
            to[i].high[j] = 0;
            if (wide) to[i].low[j] = (uint16_t)kept;
        }
    }
    flip_sources(c);
    apply_addr_mod(c, pool_addr_mod_of(c), 1);
    return TANDEM_DONE;
}
