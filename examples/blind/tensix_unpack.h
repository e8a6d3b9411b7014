/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Part of tensix.c: the forms of UNPACR. Of UNPACR_REGULAR Wormhole has two editions; Blackhole has the newest one alone.
 *
 * The page counts addresses in L1 in fractions of a byte. Here they are whole numbers, of sixteenths of a byte.
 */

enum { BYTE = 16, L1_ROW = 16 * BYTE, L1_WINDOWS = 64, MOST_DATA = 1 << 18 };

static const char not_shown[] = "a page of L1 that no window shows";
static const char beyond_32_bits[] = "an address beyond 32 bits, of which the page says nothing";

typedef struct {
    uint32_t t, s, which, context, adc;           /* CurrentThread, StateID, WhichUnpacker, WhichContext, WhichADC */
    int newest, multi_context, row_search, all_zero;
    int uncompressed, forced_exp;
    uint32_t x_dim, y_dim, z_dim, w_dim, blobs;
    uint32_t in_format, out_format, size;         /* of a datum, in sixteenths of a byte */
    int64_t datums, deltas, exponents, row_start; /* InAddr_Datums and so on */
    int64_t stride;
    uint32_t row_width, first, num, drop, num_left;
    int discontiguous, to_dst, transpose, interleave, ovrd_with_addr;
    uint32_t out, zeroes, col_shift;              /* OutAddr, UpsampleZeroes */
    uint16_t pages[L1_WINDOWS];
    uint32_t window;                              /* the last one that was read */
    uint32_t exponent;                            /* 1445: the last one that was read */
} unpacr;

/* Fields of THCON_SEC[WhichUnpacker] and of UNP[WhichUnpacker], and those of a context, of which %u is the number; counters of
 * the Unpacker. */
#define SECTION(name) GET("Config[%u].THCON_SEC%u_" name, u->s, u->which)
#define UNP(name) GET("Config[%u].UNP%u_" name, u->s, u->which)
#define OF_CONTEXT(name, i) \
    (u->s ? GET("Config[1].THCON_SEC%u_" name, u->which, i) : GET("Config[0].THCON_SEC%u_" name, u->which, i))
#define ADC(t, channel, counter) FIELD("ADCs[%u].Unpacker[%u].Channel[" #channel "]." #counter, t, u->which)

static int is_bfp(uint32_t fmt) {
    return fmt == BFP8 || fmt == BFP8A || fmt == BFP4 || fmt == BFP4A || fmt == BFP2 || fmt == BFP2A;
}

static int has_32_bits(uint32_t fmt) { return fmt == FP32 || fmt == TF32 || fmt == INT32; }
static int has_16_bits(uint32_t fmt) { return fmt == FP16 || fmt == BF16 || fmt == INT16; }

/* Whether a row of Dst is one of Dst32b. */
static int goes_to_dst32b(const unpacr *u) { return has_32_bits(u->out_format) && !(F(1444) && u->out_format == INT32); }

/* What follows gives NULL, or why the instruction is not done. */

/* ReadL1Bytes: size sixteenths of a byte, which never cross a word. */
static const char *read_l1(unpacr *u, int64_t at, uint32_t size, uint32_t *result) {
    if (at < 0 || at >= (is_blackhole() ? 1536 : 1464) * 1024 * BYTE) return "an address beyond L1 is UndefinedBehavior";
    const uint32_t page = (uint32_t)(at / (16 * L1_ROW)), row = (uint32_t)(at / L1_ROW % 16);
    uint32_t window = u->pages[u->window] == page ? u->window : 0; /* of several that show it the first, which this was too */
    while (window < L1_WINDOWS && u->pages[window] != page) window++;
    if (window == L1_WINDOWS) return not_shown;
    u->window = window;
    const uint32_t *words = read_row(first_row("L1Windows") + window * 16 + row);
    const uint32_t word = words[at / (4 * BYTE) % 4] >> (at / 2 % 32);
    *result = size == 4 * BYTE ? word : bits(word, 0, size / 2);
    return NULL;
}

/* InAddr_RowStart[i] */
static const char *read_row_start(unpacr *u, uint32_t i, uint32_t *result) {
    return read_l1(u, u->row_start + (int64_t)i * 2 * BYTE, 2 * BYTE, result);
}

static int64_t wrap(const unpacr *u, int64_t at) {
    if (at > (int64_t)SECTION("REG2_Unpack_limit_address") * L1_ROW) at -= (int64_t)SECTION("REG2_Unpack_fifo_size") * L1_ROW;
    return at;
}

/* ---- what the configuration says --------------------------------------------------------------------------------- */

static const char *which_context(unpacr *u, uint32_t code) {
    const uint32_t context_adc = bits(code, 8, 2), context_number = bits(code, 10, 3);
    const int use_counter = bits(code, 3, 1);
    if (u->newest && (u->row_search || use_counter || !u->multi_context || context_adc || context_number))
        return "this use is UnsupportedFunctionality";
    u->context = 0, u->adc = u->t;
    if (!u->multi_context) return NULL;
    u->context = use_counter ? GET("Unpackers[%u].ContextCounter[%u]", u->which, u->t) : context_number;
    u->context = (u->context + GET("ThreadConfig[%u].UNPACK_MISC_CFG_CfgContextOffset_%u", u->t, u->which)) & 7;
    u->adc = context_adc;
    if (u->which == 1 && u->context >= 2) return "Unpacker 1 with this context is UndefinedBehavior";
    if (u->adc == 3) return "ContextADC 3 is UndefinedBehavior";
    return NULL;
}

static const char *what_comes_in(unpacr *u) {
    u->uncompressed = (int)(u->multi_context ? OF_CONTEXT("REG2_Disable_zero_compress_cntx%u", u->context)
                                             : SECTION("REG0_TileDescriptor_IsUncompressed"));
    if (u->newest && !u->uncompressed) return "compressed data are UnsupportedFunctionality";
    u->x_dim = u->multi_context && u->which == 0 ? OF_CONTEXT("REG5_Tile_x_dim_cntx%u", u->context & 3)
                                                 : SECTION("REG0_TileDescriptor_XDim");
    u->y_dim = SECTION("REG0_TileDescriptor_YDim");
    u->z_dim = SECTION("REG0_TileDescriptor_ZDim"), u->w_dim = SECTION("REG0_TileDescriptor_WDim");
    if (!u->z_dim) u->z_dim = 1;
    if (!u->w_dim) u->w_dim = 1;
    u->blobs = SECTION("REG0_TileDescriptor_BlobsPerXYPlane");
    if (u->multi_context && SECTION("REG2_Ovrd_data_format")) {
        u->in_format = OF_CONTEXT("REG7_Unpack_data_format_cntx%u", u->context);
        u->out_format = OF_CONTEXT("REG7_Unpack_out_data_format_cntx%u", u->context);
    } else {
        u->in_format = SECTION("REG0_TileDescriptor_InDataFormat");
        u->out_format = SECTION("REG2_Out_data_format");
        if (F(1441)) u->in_format &= 7, u->out_format &= 7;
    }
    switch (u->in_format) {
    case BFP2: case BFP2A: u->size = BYTE / 4; break;
    case BFP4: case BFP4A: u->size = BYTE / 2; break;
    case BFP8: case BFP8A: case FP8: case INT8: u->size = BYTE; break;
    case FP16: case BF16: case INT16: u->size = 2 * BYTE; break;
    case FP32: case TF32: case INT32: u->size = 4 * BYTE; break;
    default: return "an InDataFormat without a name";
    }
    u->forced_exp = (int)SECTION("REG2_Force_shared_exp");
    return NULL;
}

/* Where the data, the exponents and the starts of rows begin. */
static const char *where_it_comes_from(unpacr *u) {
    uint32_t in;
    if (u->multi_context && u->context != 0) {
        const uint32_t i = u->context & 3;
        in = u->context < 4 ? OF_CONTEXT("REG3_Base_cntx%u_address", u->context)
                            : OF_CONTEXT("REG4_Base_cntx%u_address", u->context);
        in += i ? OF_CONTEXT("REG7_Offset_cntx%u_address", i) : SECTION("REG7_Offset_address");
    } else {
        in = SECTION("REG3_Base_address") + SECTION("REG7_Offset_address");
    }
    const uint32_t digest_of = F(1442) ? u->which ^ 1 : u->which;
    in = (in + !F(1431) + GET("Config[%u].THCON_SEC%u_REG0_TileDescriptor_DigestSize", u->s, digest_of)) * 16;
    uint64_t at = in; /* in bytes */
    u->row_start = 0, u->exponents = 0;
    if (!u->uncompressed) {
        u->row_start = (int64_t)at * BYTE;
        const uint32_t starts = (u->blobs ? u->blobs : u->y_dim) * u->z_dim * u->w_dim + 1;
        at += (starts * 2 + 15) / 16 * 16;
    }
    if (at > UINT32_MAX) return beyond_32_bits;
    if (is_bfp(u->in_format) && !u->forced_exp) {
        u->exponents = (int64_t)at * BYTE;
        if (u->in_format == BFP8 || u->in_format == BFP8A || !SECTION("REG0_TileDescriptor_NoBFPExpSection")) {
            const uint64_t elements = (uint64_t)u->x_dim * u->y_dim * u->z_dim * u->w_dim;
            if (elements > INT32_MAX) return "more elements than an int counts, of which the page says nothing";
            at += ((elements + 15) / 16 + 15) / 16 * 16;
        }
    }
    if (at > UINT32_MAX) return beyond_32_bits;
    u->datums = (int64_t)at * BYTE;
    return NULL;
}

static const char *which_uncompressed(unpacr *u, uint32_t in_plane) {
    const uint32_t x = get(ADC(u->adc, 0, X)), y = get(ADC(u->adc, 0, Y)), x_end = get(ADC(u->adc, 1, X));
    uint32_t first_x, end_x, first_y = u->newest ? y & 0xff : y;
    if (!u->row_search) {
        first_x = x, end_x = x_end + 1;
    } else if (u->blobs) {
        uint32_t starts, last = (x & 7) + 1;
        if (u->multi_context && u->which == 0)
            starts = u->context & 2 ? GET("Config[%u].UNP0_BLOBS_Y_START_CNTX_23_blobs_y_start", u->s, 0)
                                    : GET("Config[%u].UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start", u->s, 0);
        else
            starts = SECTION("REG0_TileDescriptor_BlobsYStart_Lo") | SECTION("REG0_TileDescriptor_BlobsYStart_Hi") << 16;
        first_x = bits(starts, 4 * (y & 7), 4) << 4, first_y = 0;
        if (last == u->blobs) end_x = u->x_dim & 0x1f0;
        else if (last < 8) end_x = bits(starts, 4 * last, 4) << 4;
        else return "BlobsYStart[8], which there is not";
    } else {
        first_x = 0, end_x = x_end;
    }
    if (u->newest) {
        const uint32_t limit = 8192 * BYTE / (u->size > BYTE ? u->size : BYTE);
        if (first_x >= limit || end_x > limit) return "an X of which the offset wraps is UndefinedBehavior";
        if (end_x < first_x) return "an end before the begin is UndefinedBehavior";
    }
    u->first = (in_plane * u->y_dim + first_y) * u->x_dim + first_x;
    u->num = end_x - first_x;
    return NULL;
}

/* In one edition only. */
static const char *which_compressed(unpacr *u, uint32_t in_plane) {
    const uint32_t x = get(ADC(u->adc, 0, X)), y = get(ADC(u->adc, 0, Y)) & 0xff, x_end = get(ADC(u->adc, 1, X));
    if (u->row_search && u->blobs) u->y_dim = u->blobs;
    u->row_start += (int64_t)in_plane * u->y_dim * 2 * BYTE;
    uint32_t end;
    const char *why = read_row_start(u, y, &u->first);
    if (why) return why;
    if (u->row_search) {
        why = read_row_start(u, (x & 0xff) + 1, &end);
    } else if (x == 0 && x_end + 1 == u->x_dim) {
        why = read_row_start(u, y + 1, &end);
    } else {
        u->drop = x, u->num_left = x_end + 1 - u->drop, u->num = UINT32_MAX;
        return NULL;
    }
    if (!why) u->num = end - u->first;
    return why;
}

/* FirstDatum and how many follow, and with it the addresses. */
static const char *which_data(unpacr *u) {
    u->drop = 0, u->num_left = UINT32_MAX;
    uint32_t z = get(ADC(u->t, 0, Z)), w = get(ADC(u->t, 0, W));
    if (u->newest) z &= 0xff, w &= 0xff;
    const char *why = u->uncompressed ? which_uncompressed(u, w * u->z_dim + z) : which_compressed(u, w * u->z_dim + z);
    if (why) return why;
    if (u->uncompressed && u->num > MOST_DATA) return "more than 1 << 18 data";
    u->exponents += (int64_t)u->first - F(1443);
    u->deltas = 0;
    if (u->uncompressed) {
        u->datums += (int64_t)u->first * u->size;
    } else { /* 32 data, then their deltas, of four bits */
        u->datums += (int64_t)(u->first / 32) * (32 * u->size + 32 * BYTE / 2);
        u->deltas = u->datums + 32 * u->size;
        u->datums += u->first % 32 * u->size;
        u->deltas += u->first % 32 * BYTE / 2;
    }
    u->exponents = wrap(u, u->exponents), u->datums = wrap(u, u->datums), u->deltas = wrap(u, u->deltas);
    u->row_width = is_blackhole() && u->size > BYTE ? 32 : 16;
    u->discontiguous = (int)SECTION("REG2_Tileize_mode");
    u->stride = (int64_t)u->size * u->row_width;
    if (u->discontiguous) {
        if (u->newest && u->size < BYTE) return "Tileize_mode with such small data is UndefinedBehavior";
        u->stride = (int64_t)BYTE * (SECTION("REG2_Shift_amount_cntx0") << 4 | SECTION("REG2_Shift_amount_cntx1") << 8
                                     | SECTION("REG2_Shift_amount_cntx2") << 12);
    }
    return NULL;
}

static const char *where_it_goes(unpacr *u) {
    u->transpose = (int)SECTION("REG2_Haloize_mode"), u->to_dst = 0;
    if (u->which == 1) u->transpose = 0;
    else if (u->multi_context) u->to_dst = (int)OF_CONTEXT("REG2_Unpack_if_sel_cntx%u", u->context);
    else u->to_dst = (int)SECTION("REG2_Unpack_If_Sel");
    u->out = UNP("ADDR_BASE_REG_1_Base") + get(ADC(u->t, 1, Y)) * UNP("ADDR_CTRL_XY_REG_1_Ystride")
             + get(ADC(u->t, 1, Z)) * UNP("ADDR_CTRL_ZW_REG_1_Zstride")
             + get(ADC(u->t, 1, W)) * UNP("ADDR_CTRL_ZW_REG_1_Wstride");
    const unsigned shift = has_32_bits(u->out_format) ? 2 : has_16_bits(u->out_format) ? 1 : 0;
    if (bits(u->out, 0, shift)) return "an output address that is not aligned is UndefinedBehavior";
    if (!F(1448)) u->out >>= shift;
    if (u->multi_context && u->which == 0) {
        uint32_t dest_context = u->context;
        if (F(1438))
            dest_context += GET("ThreadConfig[%u].UNPACK_MISC_CFG_CfgContextOffset_%u", 0, 0)
                            - GET("ThreadConfig[%u].UNPACK_MISC_CFG_CfgContextOffset_%u", u->t, 0);
        const uint32_t dest = OF_CONTEXT("REG5_Dest_cntx%u_address", dest_context & 3);
        if (u->to_dst || UNP("ADD_DEST_ADDR_CNTR_add_dest_addr_cntr")) u->out += dest;
        else u->out = dest;
    }
    if (F(1448)) u->out >>= shift;
    if (u->newest && !F(1438) && !F(1448) && (u->out & 15 || (u->which == 0 && u->out < 64)))
        return "this output address is UnsupportedFunctionality";
    u->zeroes = (1u << SECTION("REG2_Upsample_rate")) - 1;
    u->interleave = (int)SECTION("REG2_Upsample_and_interleave");
    u->col_shift = u->discontiguous || u->which == 1 ? 0 : OF_CONTEXT("REG2_Shift_amount_cntx%u", u->context & 3);
    if (u->newest && (u->zeroes || u->interleave || u->col_shift))
        return "upsampling, or a shift of columns, is UnsupportedFunctionality";
    return NULL;
}

/* SrcA takes bursts of rows, which begin where they may. */
static const char *burst_is_dropped(const unpacr *u, uint32_t throttle_mode) {
    const uint32_t start_row = u->out / 16 - 4;
    if (u->size == BYTE / 4) throttle_mode = 0;
    else if (u->discontiguous) throttle_mode = 2;
    else if (is_blackhole() && !GET("Config[%u].THCON_SEC0_REG1_ovrd_default_throttle_mode", u->s, 0))
        throttle_mode = u->size == BYTE ? 3 : 2;
    uint32_t bytes = 16u << throttle_mode;
    if (is_blackhole() && throttle_mode == 2 && u->size >= 2 * BYTE) bytes = 128;
    uint32_t rows = bytes * BYTE / (16 * u->size);
    if (rows < 1) rows = 1;
    if (rows > 8) rows = 8;
    return start_row & (rows - 1) ? "a burst across rows of SrcA is UnsupportedFunctionality" : NULL;
}

static const char *what_does_not_go_together(unpacr *u) {
    u->ovrd_with_addr = GET("ThreadConfig[%u].SRCA_SET_SetOvrdWithAddr", u->t, 0) != 0;
    if ((u->transpose || u->discontiguous) && u->datums % L1_ROW)
        return "an input address that is not aligned is UndefinedBehavior";
    if (u->discontiguous && (u->zeroes || !u->uncompressed)) return "such data with Tileize_mode are UndefinedBehavior";
    if (u->to_dst && (u->col_shift || u->transpose)) return "moving data within rows to Dst is UndefinedBehavior";
    if (!u->newest) return NULL;
    if (u->to_dst && u->ovrd_with_addr) return "SetOvrdWithAddr with Dst is UndefinedBehavior";
    if (!u->to_dst && !u->ovrd_with_addr) return "Src without SetOvrdWithAddr is UnsupportedFunctionality";
    const uint32_t throttle_mode = SECTION("REG2_Throttle_mode");
    if (!is_blackhole() && throttle_mode > 2) return "Throttle_mode 3 is UndefinedBehavior";
    return !u->to_dst && u->which == 0 && u->num > 16 ? burst_is_dropped(u, throttle_mode) : NULL;
}

/* ---- formats ----------------------------------------------------------------------------------------------------- */

static uint32_t fp8_to_fp16(const unpacr *u, uint32_t x) {
    if (is_blackhole() && GET("Config[%u].THCON_SEC%u_REG1_Unp_LF8_4b_exp", u->s, F(1434) ? u->which ^ 1 : u->which)) {
        const uint32_t sign = x & 0x80, exp = bits(x, 3, 4), man = bits(x, 0, 3);
        return sign << 8 | (exp ? exp + 8 : 0) << 10 | man << 7 | (exp == 15 && man == 7 ? 0x7f : 0);
    }
    return x << 8 | (is_blackhole() && (x & 0x7f) == 0x7f ? 0xff : 0);
}

static uint32_t int8_to_overlay(const unpacr *u, uint32_t x) {
    const int is_unsigned = u->which ? GET("Config[%u].ALU_FORMAT_SPEC_REG0_SrcBUnsigned", u->s, 0) != 0
                                     : GET("Config[%u].ALU_FORMAT_SPEC_REG0_SrcAUnsigned", u->s, 0) != 0;
    const uint32_t sign = is_unsigned ? 0 : x & 0x80, magnitude = x - sign;
    return sign << 8 | (magnitude ? (F(1439) ? 15 : 16) << 10 : 0) | magnitude;
}

/* A datum of eight bits with its exponent, as BF16 or as FP16. */
static const char *bfp_to_16(uint32_t x, uint32_t exp, int to_bf16, uint32_t *result) {
    const uint32_t sign = bits(x, 7, 1);
    uint32_t magnitude = bits(x << 1, 0, 8);
    *result = !sign ? 0 : to_bf16 ? 0xff80 : 0xfc00;
    if (!magnitude) return NULL;
    for (; !(magnitude & 0x80); magnitude <<= 1) exp--;
    exp &= 0xff;
    if (!to_bf16 && exp & 0xe0) return "an exponent of more than five bits is UndefinedBehavior";
    *result = sign << 15 | (to_bf16 ? exp << 7 | (magnitude & 0x7e) : exp << 10 | (magnitude & 0x7e) << 3);
    return NULL;
}

static uint32_t to_src_tf32(uint32_t x) { return (x & 0x40000) | (x & 0x3ff) << 8 | (x & 0x3fc00) >> 10; }

/* FormatConversion. */
static const char *convert(const unpacr *u, uint32_t x, uint32_t exp, uint32_t *result) {
    static const char no_conversion[] = "between these formats is UndefinedBehavior";
    uint32_t fmt = u->in_format;
    const char *why = NULL;
    if (fmt == FP32) {
        switch (u->out_format) {
        case FP32: break;
        case TF32:
            *result = u->to_dst ? encode_fp32(x) : to_src_tf32(x >> 13);
            return NULL;
        case BF16:
            if (!(x & 0x7f800000)) x &= 0x80000000;
            x >>= 16, fmt = BF16;
            break;
        case FP16: /* no page says what FP32ToFP16 gives */
            if (!u->all_zero) return "FP32ToFP16, which no page defines";
            x = 0, fmt = FP16;
            break;
        default: return no_conversion;
        }
    } else {
        if (fmt != u->out_format) return no_conversion;
        switch (fmt) {
        case FP8: x = fp8_to_fp16(u, x), fmt = FP16; break;
        case BFP8: why = bfp_to_16(x, exp, 1, &x), fmt = BF16; break;
        case BFP4: why = bfp_to_16(x << 4, exp, 1, &x), fmt = BF16; break;
        case BFP2: why = bfp_to_16(x << 6, exp, 1, &x), fmt = BF16; break;
        case BFP8A: why = bfp_to_16(x, exp, 0, &x), fmt = FP16; break;
        case BFP4A: why = bfp_to_16(x << 4, exp, 0, &x), fmt = FP16; break;
        case BFP2A: why = bfp_to_16(x << 6, exp, 0, &x), fmt = FP16; break;
        case INT8: x = int8_to_overlay(u, x), fmt = FP16; break;
        case TF32: fmt = FP32; break; /* TF32 in L1 is for Dst alone, as FP32 is */
        }
    }
    switch (fmt) {
    case INT16:
        if (F(1437) && !(x & 0x1f)) x &= 0x8000;
        x = u->to_dst ? x : (x & 0xff00) << 3 | (x & 0xff);
        break;
    case BF16:
        x = u->to_dst ? encode_bf16(x) : F(1440) ? to_src_tf32(x) << 3 & 0x7ffff : to_src_tf32(x << 3);
        break;
    case FP16: x = u->to_dst ? encode_fp16(x) : to_src_tf32((x & 0x8000) << 3 | (x & 0x7fff)); break;
    default: /* FP32 and INT32 */
        if (!u->to_dst) return "32 bits to SrcA or SrcB are UndefinedBehavior";
        x = encode_fp32(x);
    }
    *result = x;
    return why;
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

/* The rows as they will be, since nothing may have changed if the instruction is not done: of a bank of SrcA or SrcB, or of
 * DstBits; and which columns of them are written. */
static struct { uint32_t value[1024][16]; uint16_t columns[1024]; } unpacked;

static void put_unpacked(uint32_t row, uint32_t column, uint32_t value) {
    unpacked.value[row][column] = value;
    unpacked.columns[row] |= (uint16_t)(1 << column);
}

/* Writes one datum to where the output address points. */
static const char *put_datum(const unpacr *u, uint32_t datum) {
    static const char no_row[] = "a row that there is not is UndefinedBehavior";
    uint32_t row = u->out / 16, column = u->out & 15;
    if (u->which == 1) {
        row += GET("Unpackers[%u].SrcRow[%u]", 1, u->t);
        if (!u->newest) row &= 0x3f;
        if (row >= 64) return no_row;
        put_unpacked(row, column, datum);
    } else if (!u->to_dst) {
        if (row < 4 || column < u->col_shift) return NULL;
        row -= 4, column -= u->col_shift;
        if (u->ovrd_with_addr) {
            if (is_blackhole()) row &= 63;
        } else {
            if (row >= 16) return no_row;
            row += GET("Unpackers[%u].SrcRow[%u]", 0, u->t);
        }
        if (row >= 64) return no_row;
        if (u->transpose) {
            const uint32_t low = row & 15;
            row = (row & ~15u) | column, column = low;
        }
        put_unpacked(row, column, datum);
    } else {
        if (u->ovrd_with_addr) return "SetOvrdWithAddr with Dst is UndefinedBehavior";
        row = (row - 4) & (F(1446) ? 0xff : 0x3ff);
        if (goes_to_dst32b(u)) {
            put_unpacked(adj32(row), column, datum >> 16), put_unpacked(adj32(row) + 8, column, datum & 0xffff);
        } else {
            put_unpacked(adj16(row), column, datum);
        }
    }
    return NULL;
}

/* Reads the datum at hand, and goes on to the next one; how many zeroes follow it in a compressed row. */
static const char *take_datum(unpacr *u, uint32_t i, uint32_t *datum, uint32_t *followed_by) {
    uint32_t x, exp = 0;
    const uint32_t in_byte = F(1432) ? u->datums % BYTE : F(1433) ? u->datums % (BYTE / 2) : 0;
    const char *why = read_l1(u, u->datums - in_byte, u->size, &x);
    if (why) return why;
    u->datums += u->size;
    const uint32_t back = F(1436) && is_blackhole() ? 32 : u->row_width;
    if ((i + 1) % u->row_width == 0) u->datums = wrap(u, u->datums - (int64_t)u->size * back + u->stride);
    if (is_bfp(u->in_format)) {
        if (u->forced_exp) {
            exp = UNP("FORCED_SHARED_EXP_shared_exp");
        } else {
            why = read_l1(u, u->exponents - (u->exponents % BYTE + BYTE) % BYTE, BYTE, &exp);
            if (why) return why;
            if (F(1445) && i % 16) exp = u->exponent;
            u->exponent = exp;
            if (++u->exponents % L1_ROW == 0) u->exponents = wrap(u, u->exponents);
        }
    }
    *followed_by = 0;
    if (!u->uncompressed) {
        why = read_l1(u, u->deltas, BYTE / 2, followed_by);
        if (why) return why;
        u->deltas += BYTE / 2;
        if (u->deltas % L1_ROW == 0) u->datums += L1_ROW, u->deltas = wrap(u, u->deltas + 32 * u->size);
    }
    why = convert(u, x, exp, datum);
    if (u->all_zero) *datum = 0, *followed_by = 0;
    return why;
}

/* DONE, and the rows are unpacked, or another outcome. */
static uint32_t unpack_data(unpacr *u) {
    const int allowed = get(owner_of(F(1435) ? 1 : u->which, GET("Unpackers[%u].SrcBank", u->which, 0))) == UNPACKERS;
    memset(unpacked.columns, 0, sizeof unpacked.columns);
    for (uint32_t i = 0; i < u->num && u->num_left; i++) {
        uint32_t datum, followed_by;
        if (i == MOST_DATA) return unsupported("more than 1 << 18 data");
        const char *why = take_datum(u, i, &datum, &followed_by);
        if (why) return unsupported(why);
        for (uint32_t j = 0; j <= followed_by; j++, datum = 0) {
            if (u->drop) {
                u->drop--;
                continue;
            }
            for (uint32_t k = 0; k <= u->zeroes; k++, datum = 0, u->out++) {
                if (u->interleave && k) continue;
                if (!allowed) return TANDEM_BLOCKED;
                why = put_datum(u, datum);
                if (why) return unsupported(why);
            }
            if (--u->num_left == 0) break;
        }
    }
    return TANDEM_DONE;
}

/* Page ZEROACC has the rule for rows of Dst that are not valid. */
static uint32_t store_unpacked(const unpacr *u) {
    const uint32_t low = goes_to_dst32b(u) ? 8 : 0; /* rows of the low halves: nothing looks whether they are valid */
    uint32_t rows = 0;
    for (uint32_t row = 0; row < 1024; row++) {
        if (!unpacked.columns[row]) continue;
        rows++;
        if (!u->to_dst || row & low || row_is_valid(row)) continue;
        rows++;
        if (unpacked.columns[row] != 0xffff) return unsupported("a part of a row that is not valid is UndefinedBehavior");
    }
    if (num_dirty + rows > MOST_ROWS) return unsupported("more rows than MOST_ROWS of border.h");
    const uint32_t bank = GET("Unpackers[%u].SrcBank", u->which, 0);
    for (uint32_t row = 0; row < 1024; row++) {
        if (!unpacked.columns[row]) continue;
        uint16_t *dst = u->to_dst ? dst_write(row) : NULL;
        uint32_t *src = u->to_dst ? NULL : write_row((u->which ? row_srcb : row_srca) + bank * 64 + row);
        for (unsigned column = 0; column < 16; column++) {
            if (!(unpacked.columns[row] >> column & 1)) {
                if (!F(1447)) continue;
                unpacked.value[row][column] = 0;
            }
            if (dst) dst[column] = (uint16_t)unpacked.value[row][column];
            else src[column] = unpacked.value[row][column];
        }
        if (dst && !(row & low)) make_valid(row);
    }
    return TANDEM_DONE;
}

/* ---- the instructions -------------------------------------------------------------------------------------------- */

static void count_context(uint32_t s, uint32_t which, uint32_t t, uint32_t context) {
    uint32_t next = (context + 1) & 7;
    if (next >= 1u << GET("Config[%u].THCON_SEC%u_REG2_Context_count", s, which)) next = 0;
    set(FIELD("Unpackers[%u].ContextCounter[%u]", which, t), next);
}

static void add(const tandem_field *counter, uint32_t by) { set(counter, get(counter) + by); }

static void update_counters(const unpacr *u, uint32_t code) {
    if (u->multi_context && bits(code, 3, 1)) count_context(u->s, u->which, u->t, u->context);
    for (uint32_t i = 0; i < 3; i++) {
        if (i != u->t && i != u->adc) continue;
        add(ADC(i, 0, Y), bits(code, 17, 2)), add(ADC(i, 0, Z), bits(code, 15, 2));
        add(ADC(i, 1, Y), bits(code, 21, 2)), add(ADC(i, 1, Z), bits(code, 19, 2));
    }
    const tandem_field *src_bank = FIELD("Unpackers[%u].SrcBank", u->which, 0);
    const tandem_field *src_row = FIELD("Unpackers[%u].SrcRow[%u]", u->which, u->t);
    const uint32_t bank = get(src_bank);
    const uint32_t base = (u->which ? GET("ThreadConfig[%u].SRCB_SET_Base", u->t, 0)
                                    : GET("ThreadConfig[%u].SRCA_SET_Base", u->t, 0)) << 4;
    if (bits(code, 6, 1)) {
        set(owner_of(u->which, bank), MATRIX_UNIT);
        if (is_blackhole())
            set(u->which ? FIELD("ImpliedSrcBFmt[%u]", bank, 0) : FIELD("ImpliedSrcAFmt[%u]", bank, 0), u->out_format);
        set(src_bank, bank ^ 1);
        set(src_row, base);
    } else if (SECTION("REG2_Unpack_Src_Reg_Set_Upd")) {
        add(src_row, 16 + base);
    }
}

static uint32_t unpacr_regular(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    unpacr w, *u = &w;
    memset(u, 0, sizeof *u);
    memcpy(u->pages, small + FIELD("L1Windows[%u].Page", 0, 0)->byte, sizeof u->pages);
    u->newest = is_blackhole() || edition == TANDEM_EDITION_NEWEST;
    u->t = c->thread, u->s = state_id(c->thread), u->which = bits(c->code, 23, 1);
    u->row_search = bits(c->code, 2, 1), u->all_zero = bits(c->code, 4, 1), u->multi_context = bits(c->code, 7, 1);
    const char *why = which_context(u, c->code);
    if (!why) why = what_comes_in(u);
    if (!why) why = where_it_comes_from(u);
    if (!why) why = which_data(u);
    if (!why) why = where_it_goes(u);
    if (!why) why = what_does_not_go_together(u);
    if (why) return unsupported(why);
    uint32_t outcome = unpack_data(u);
    if (outcome == TANDEM_DONE) outcome = store_unpacked(u);
    if (outcome == TANDEM_DONE) update_counters(u, c->code);
    return outcome;
}

static uint32_t unpacr_increment_context_counter(const uint32_t *code) {
    const uint32_t t = GET("CurrentThread", 0, 0), which = bits(code[0], 23, 1);
    count_context(state_id(t), which, t, GET("Unpackers[%u].ContextCounter[%u]", which, t));
    return TANDEM_DONE;
}

/* The caches are not in the state. */
static uint32_t unpacr_flush_cache(const uint32_t *code) {
    (void)code;
    return TANDEM_DONE;
}
