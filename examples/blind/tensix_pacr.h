/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Part of tensix.c: PACR, by which Packers move data from Dst to L1, and may convert them. All is done at once.
 * Wormhole has four Packers, of which one instruction instructs several; Blackhole has one, with four interfaces that
 * read a row each.
 *
 * A datum is a word of the bits of its type, as L1 has them: sign, exponent, mantissa, or sign and magnitude.
 */

/* Types between the two conversions that are no format; the others have the number of their format. */
enum { E8M6 = 16, E5M7, E5M6, UINT8, NO_TYPE };

enum { EXPONENTS, DATA, PACK_STREAMS };
enum { FROM_DST, FROM_L1, FROM_NOWHERE }; /* InputSource; the last one is /dev/null */
enum { PACKERS = 4, MOST_PACKED = 1024, MOST_PACKED_ROWS = PACKERS * (MOST_PACKED / 4 + 16), EXPONENT_BINS = 32 };

typedef struct {
    uint32_t address; /* ByteAddress, of which the lowest four bits are zero, without them */
    uint32_t needs_new_address, filled;
    uint8_t waiting[16];
} pack_stream;

typedef struct {
    uint32_t number, adc;            /* which Packer, and the thread of its ADC */
    uint32_t in_format, out_format, type;
    uint32_t source, first, bytes, count; /* InputSourceAddr, BytesPerDatum, InputNumDatums */
    uint32_t downsample_mask;
    uint32_t x, y, z;                /* TilePositionGenerator; y is TilePosition of Blackhole */
    uint32_t group[16], grouped;     /* data that wait for their common exponent */
    pack_stream streams[PACK_STREAMS];
    uint8_t stats[EXPONENT_BINS + 1];
} packer;

static struct {
    uint32_t t, s, mask;             /* CurrentThread, StateID, PackerMask or ReadIntfSel, as the page rewrites 0 */
    uint32_t addr_mod, intermediate; /* IntermediateFormat */
    int flush, ends, zero_write, ovrd_thread_id, wide, raw, is_unsigned, round_10b, counts;
    packer packers[PACKERS];
    uint32_t num_rows;               /* of L1, as they will be: nothing has changed if the instruction is not done */
    struct { uint32_t address; uint8_t bytes[16]; } rows[MOST_PACKED_ROWS];
} packing;

/* Fields of Config; of THCON, which are those of a Packer p; and its limits. */
#define PACK(name) GET("Config[%u]." name, packing.s, 0)
#define OF_PACKER(name) \
    (p->number % 2 ? GET("Config[%u].THCON_SEC%u_REG8_" name, packing.s, p->number / 2) \
                   : GET("Config[%u].THCON_SEC%u_REG1_" name, packing.s, p->number / 2))
#define LIMIT_OF_PACKER(name) \
    (p->number % 2 ? GET("Config[%u].THCON_SEC%u_REG9_Pack_1_3_" name, packing.s, p->number / 2) \
                   : GET("Config[%u].THCON_SEC%u_REG9_Pack_0_2_" name, packing.s, p->number / 2))

/* What follows gives NULL, or why the instruction is not done. */

/* ---- what is instructed, and what no page describes -------------------------------------------------------------- */

static const char *what_is_instructed(uint32_t code) {
    packing.mask = bits(code, 8, 4);
    packing.addr_mod = bits(code, 15, 2);
    packing.flush = (int)bits(code, 1, 1), packing.ends = bits(code, 0, 1) || packing.flush;
    packing.zero_write = (int)bits(code, 12, 1), packing.ovrd_thread_id = (int)bits(code, 7, 1);
    if (is_blackhole()) {
        if (bits(code, 2, 2) || bits(code, 13, 2) || bits(code, 17, 6))
            return "CtxtCtrl, AddrCntContext, DstAccessMode, RowPadZero or CfgContext, which are not documented";
        if (packing.ovrd_thread_id) return "OvrdThreadId, for which Blackhole has no field of configuration";
        if (!packing.mask) packing.mask = 0xf;
        if (F(1485)) packing.mask &= 7;
        return NULL;
    }
    if (!packing.mask) packing.mask = 1;
    switch (packing.mask) {
    case 1: case 2: case 4: case 8: case 3: case 0xc: case 0xf: return NULL;
    }
    return "this PackerMask is undefined";
}

static int is_at_work(uint32_t number) { return is_blackhole() ? number == 0 : packing.mask >> number & 1; }

static const char *what_is_configured(void) {
    packing.intermediate = PACK("ALU_FORMAT_SPEC_REG_Dstacc_override") ? PACK("ALU_FORMAT_SPEC_REG_Dstacc_val")
                                                                       : PACK("ALU_FORMAT_SPEC_REG2_Dstacc");
    packing.wide = PACK("PCK_DEST_RD_CTRL_Read_32b_data") != 0, packing.raw = PACK("PCK_DEST_RD_CTRL_Read_int8") != 0;
    packing.is_unsigned = PACK("PCK_DEST_RD_CTRL_Read_unsigned") != 0;
    packing.round_10b = PACK("PCK_DEST_RD_CTRL_Round_10b_mant") != 0;
    packing.counts = 0;
    for (uint32_t t = 0; t < 3; t++) packing.counts |= GET("ThreadConfig[%u].ENABLE_ACC_STATS_Enable", t, 0) != 0;
    if (PACK("ALU_ROUNDING_MODE_Packer_srnd_en") || PACK("ALU_ROUNDING_MODE_Gasket_srnd_en")
        || PACK("ALU_ROUNDING_MODE_GS_LF") || PACK("ALU_ROUNDING_MODE_Bfp8_HF"))
        return "a rounding mode of which no page says how it rounds";
    if (!is_blackhole()) return NULL;
    if (PACK("THCON_SEC0_REG1_Auto_set_last_pacr_intf_sel") || PACK("THCON_SEC0_REG1_pack_start_intf_pos")
        || PACK("THCON_SEC0_REG1_pack_dis_y_pos_start_offset") || PACK("THCON_SEC0_REG1_Pac_LF8_4b_exp"))
        return "a field of Blackhole's packer that no page describes";
    return PACK("PACK_COUNTERS_SEC0_pack_yz_transposed") ? "pack_yz_transposed with TilePosition" : NULL;
}

static const char *what_a_packer_has(packer *p) {
    const int ovrd = PACK("THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd") != 0;
    int uncompressed = OF_PACKER("Disable_zero_compress") != 0;
    if (ovrd && is_blackhole()) return "Blackhole has no All_pack_disable_zero_compress";
    if (ovrd) uncompressed = PACK("THCON_SEC0_REG1_All_pack_disable_zero_compress") >> p->number & 1;
    if (!uncompressed) return "compression, which no page specifies";
    if (OF_PACKER("Pack_L1_Acc") || OF_PACKER("Dis_shared_exp_assembler") || OF_PACKER("Downsample_rate"))
        return "a field of a packer that no page describes";
    if (is_blackhole()) {
        if (OF_PACKER("Source_interface_selection")) return "an interface of Blackhole that no page describes";
    } else if (OF_PACKER("Force_pack_per_max_xy_plane") || OF_PACKER("Read_mode")) {
        return "a field of a packer that no page describes";
    }
    p->in_format = OF_PACKER("In_data_format"), p->out_format = OF_PACKER("Out_data_format");
    const uint32_t s = packing.s;
    if (F(1486)) packing.s = state_id(0);
    p->downsample_mask = OF_PACKER("Downsample_mask");
    packing.s = s;
    if (!p->downsample_mask) p->downsample_mask = 0xffff;
    p->adc = packing.t;
    if (packing.ovrd_thread_id) {
        p->adc = OF_PACKER("Addr_cnt_context");
        if (p->adc == 3) p->adc = 0;
    }
    return NULL;
}

/* ---- the input address generator --------------------------------------------------------------------------------- */

static const char *where_it_reads(packer *p) {
    const uint32_t t = F(1484) && !packing.ovrd_thread_id ? p->adc & 1 : p->adc, x = adc(t, UNIT_PACKERS, 0, ADC_X);
    uint32_t addr = F(1474) ? PACK("PCK0_ADDR_BASE_REG_1_Base") : PACK("PCK0_ADDR_BASE_REG_0_Base");
    addr += x * (PACK("PCK0_ADDR_CTRL_XY_REG_0_Xstride") & 0xf);
    addr += adc(t, UNIT_PACKERS, 0, ADC_Y) * PACK("PCK0_ADDR_CTRL_XY_REG_0_Ystride");
    addr += adc(t, UNIT_PACKERS, 0, ADC_Z) * PACK("PCK0_ADDR_CTRL_ZW_REG_0_Zstride");
    addr += adc(t, UNIT_PACKERS, 0, ADC_W) * PACK("PCK0_ADDR_CTRL_ZW_REG_0_Wstride");
    uint32_t x_mask = 0xf;
    switch (p->in_format & 3) {
    case 0: p->bytes = 4, x_mask = 0x3; break;
    case 1: p->bytes = 2, x_mask = 0x7; break;
    default: p->bytes = F(1473) ? 2 : 1; break;
    }
    const int32_t count = (int32_t)(adc(t, UNIT_PACKERS, 1, ADC_X) - x + 1);
    if (!packing.flush && (count < 0 || count > MOST_PACKED)) return "an InputNumDatums whose width no page says";
    p->count = packing.flush ? 0 : (uint32_t)count;
    if (packing.zero_write || packing.flush) {
        p->source = FROM_NOWHERE, p->first = 0;
    } else if (p->number == 0 && OF_PACKER("Source_interface_selection")) {
        addr = (OF_PACKER("L1_source_addr") << 18) + (addr & (F(1487) ? 0x1ffff : 0x3ffff));
        addr = (addr & ~0xfu) + p->bytes * (x & x_mask);
        p->source = FROM_L1, p->first = addr & 0x1fffff;
    } else {
        addr = (addr / p->bytes & ~x_mask) + (x & x_mask);
        addr += GET("Config.DEST_TARGET_REG_CFG_PACK_SEC%u_Offset", p->number, 0) << 4;
        p->source = FROM_DST, p->first = addr & 0x3fff;
    }
    if (!is_blackhole()) return NULL;
    if (p->count > 16) return "more data than a row has";
    if (p->source == FROM_DST) {
        if (p->first >> 4 & 3) return "interfaces from a StartRow on that is no multiple of four";
        if (p->first & 15 || p->count != 16) return "a part of the 16 data that an interface always reads";
    }
    return NULL;
}

/* ---- the output address generator -------------------------------------------------------------------------------- */

static const tandem_field *waiting_word(const packer *p, uint32_t stream, uint32_t i) {
    return stream == DATA ? FIELD("Packers[%u].DataStream.Buffer[%u]", p->number, i)
                          : FIELD("Packers[%u].ExponentStream.Buffer[%u]", p->number, i);
}

static void load_streams(packer *p) {
    pack_stream *exponents = &p->streams[EXPONENTS], *data = &p->streams[DATA];
    exponents->address = GET("Packers[%u].ExponentStream.ByteAddress", p->number, 0);
    exponents->needs_new_address = GET("Packers[%u].ExponentStream.NeedsNewAddress", p->number, 0);
    exponents->filled = GET("Packers[%u].ExponentStream.Filled", p->number, 0);
    data->address = GET("Packers[%u].DataStream.ByteAddress", p->number, 0);
    data->needs_new_address = GET("Packers[%u].DataStream.NeedsNewAddress", p->number, 0);
    data->filled = GET("Packers[%u].DataStream.Filled", p->number, 0);
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t words[PACK_STREAMS] = {get(waiting_word(p, EXPONENTS, i)), get(waiting_word(p, DATA, i))};
        memcpy(exponents->waiting + 4 * i, &words[EXPONENTS], 4), memcpy(data->waiting + 4 * i, &words[DATA], 4);
    }
}

static void begin_stream(pack_stream *stream, uint32_t addr) {
    if (stream->needs_new_address) stream->address = addr & 0x1ffff, stream->needs_new_address = 0;
}

static const char *where_it_writes(packer *p) {
    const uint32_t t = p->adc;
    const uint32_t packer0 = PACK("THCON_SEC0_REG1_L1_Dest_addr") + !PACK("THCON_SEC0_REG1_Sub_l1_tile_header_size");
    if (packer0 >> 31 && LIMIT_OF_PACKER("fifo_size"))
        return "relative addresses, of which the page does not say how the limit is compared";
    uint32_t addr = OF_PACKER("L1_Dest_addr") + !OF_PACKER("Sub_l1_tile_header_size");
    if (p->number != 0 && packer0 >> 31) addr += packer0;
    uint32_t yzw_addr = PACK("PCK0_ADDR_BASE_REG_1_Base");
    yzw_addr += adc(t, UNIT_PACKERS, 1, ADC_Y) * PACK("PCK0_ADDR_CTRL_XY_REG_1_Ystride");
    yzw_addr += adc(t, UNIT_PACKERS, 1, ADC_Z) * PACK("PCK0_ADDR_CTRL_ZW_REG_1_Zstride");
    yzw_addr += adc(t, UNIT_PACKERS, 1, ADC_W) * PACK("PCK0_ADDR_CTRL_ZW_REG_1_Wstride");
    addr += is_blackhole() ? (yzw_addr + (F(1466) ? 15 : 0)) >> 4 : yzw_addr & ~15u;
    uint32_t more = 0;
    if (OF_PACKER("Add_l1_dest_addr_offset")) more = GET("Packers[%u].l1_dest_addr_offset", p->number, 0);
    if (!F(1470)) addr += more;
    if (addr > LIMIT_OF_PACKER("limit_address") * 2 + 1) addr -= LIMIT_OF_PACKER("fifo_size") * 2;
    if (F(1470)) addr += more;
    load_streams(p);
    if (p->out_format & 2) { /* OutputFormatLessThan16Bits */
        begin_stream(&p->streams[EXPONENTS], F(1464) ? addr + OF_PACKER("Exp_section_size") : addr);
        addr += OF_PACKER("Exp_section_size");
    }
    begin_stream(&p->streams[DATA], addr);
    return NULL;
}

/* A stream's 16 bytes go to L1. */
static const char *write_out(pack_stream *stream) {
    const uint32_t address = stream->address * 16;
    if (address >= tensix_sram_size()) return "an address beyond L1, of which the page says nothing";
    if (!l1_row(address)) return not_shown;
    for (uint32_t i = 0; i < packing.num_rows; i++)
        if (packing.rows[i].address == address) return "a row of L1 twice, in an order that the page does not say";
    packing.rows[packing.num_rows].address = address;
    memcpy(packing.rows[packing.num_rows++].bytes, stream->waiting, 16);
    memset(stream->waiting, 0, 16);
    stream->filled = 0;
    stream->address = (stream->address + 1) & (F(1490) ? 0xffff : 0x1ffff);
    return NULL;
}

/* Some bytes more, the lowest one first. */
static const char *put_bytes(pack_stream *stream, uint32_t word, uint32_t count) {
    for (; count; count--, word >>= 8) {
        stream->waiting[stream->filled++] = (uint8_t)word;
        const char *why = stream->filled == 16 ? write_out(stream) : NULL;
        if (why) return why;
    }
    return NULL;
}

/* Last and Flush: what is not filled is zero already. */
static const char *end_streams(packer *p) {
    for (uint32_t i = 0; i < PACK_STREAMS; i++) {
        const char *why = p->streams[i].filled ? write_out(&p->streams[i]) : NULL;
        if (why) return why;
        p->streams[i].needs_new_address = 1;
    }
    return NULL;
}

/* ---- types ------------------------------------------------------------------------------------------------------- */

/* INT32 has the bits of FP32 as far as a histogram goes. */
static uint32_t exponent_bits(uint32_t type) {
    switch (type) {
    case FP32: case INT32: case TF32: case BF16: case E8M6: return 8;
    case FP16: case E5M7: case E5M6: case FP8: return 5;
    }
    return 0;
}

static uint32_t mantissa_bits(uint32_t type) {
    switch (type) {
    case FP32: case INT32: return 23;
    case TF32: case FP16: return 10;
    case BF16: case E5M7: case INT8: return 7;
    case E8M6: case E5M6: return 6;
    case FP8: return 2;
    case INT16: return 15;
    case UINT8: return 8;
    }
    return 0;
}

static int is_integer(uint32_t type) { return type == INT32 || type == INT16 || type == INT8 || type == UINT8; }
static uint32_t sign_of(uint32_t x, uint32_t type) { return x >> (exponent_bits(type) + mantissa_bits(type)) & 1; }
static uint32_t packed_mantissa(uint32_t x, uint32_t type) { return bits(x, 0, mantissa_bits(type)); }
static uint32_t packed_exponent(uint32_t x, uint32_t type) { return bits(x, mantissa_bits(type), exponent_bits(type)); }
static uint32_t magnitude_of(uint32_t x, uint32_t type) {
    return bits(x, 0, exponent_bits(type) + mantissa_bits(type));
}

static uint32_t assemble(uint32_t sign, uint32_t exponent, uint32_t mantissa, uint32_t type) {
    return sign << (exponent_bits(type) + mantissa_bits(type)) | exponent << mantissa_bits(type) | mantissa;
}

/* The type that In_data_format names, of data that have had no early conversion. */
static uint32_t named_type(uint32_t fmt) {
    switch (fmt) {
    case FP32: case TF32: case BF16: case FP16: case FP8: case INT32: case INT16: case INT8: return fmt;
    case BFP8: return BF16;
    case BFP8A: return E5M7;
    }
    return NO_TYPE;
}

/* ---- the early conversion ---------------------------------------------------------------------------------------- */

/* What the list of the page says that the configuration converts to. What has 32 bits and stays as it is, is FP32 or
 * INT32: only In_data_format tells which. */
static uint32_t early_type(const packer *p) {
    const int wide = packing.wide, raw = packing.raw, round_10b = packing.round_10b;
    const uint32_t identity = !wide ? NO_TYPE : p->in_format == INT32 ? INT32 : FP32;
    switch (packing.intermediate) {
    case FP32: return round_10b && !raw ? TF32 : identity;
    case TF32: return raw ? identity : TF32;
    case INT32: return identity;
    case BF16:
        if (!round_10b) return BF16;
        if (raw) return p->in_format == BF16 && p->out_format == FP16 ? NO_TYPE : BF16;
        if (p->in_format == TF32 && p->out_format == FP16) return TF32;
        return p->in_format == BF16 && p->out_format != FP16 ? BF16 : NO_TYPE;
    case BFP8: return raw ? BF16 : E8M6;
    case INT8:
        if (wide) return packing.is_unsigned ? UINT8 : INT8;
        return raw && !packing.is_unsigned ? INT8 : NO_TYPE;
    case FP16: return wide ? NO_TYPE : FP16;
    case BFP8A: return wide ? NO_TYPE : raw ? E5M7 : E5M6;
    case FP8: return !wide && raw ? FP8 : NO_TYPE;
    case INT16: return wide ? NO_TYPE : INT16;
    }
    return NO_TYPE;
}

/* Whether data of this type are what In_data_format says. */
static int is_named_by(uint32_t type, uint32_t fmt) {
    if (fmt == BFP8) return type == BF16 || type == E8M6;
    if (fmt == BFP8A) return type == E5M7 || type == E5M6;
    if (fmt == INT8) return type == INT8 || type == UINT8;
    return type == named_type(fmt);
}

static const char *which_type(packer *p) {
    if (p->count == 0) return NULL;
    if (p->source != FROM_DST) {
        p->type = named_type(p->in_format);
        if (p->type == NO_TYPE) return "an In_data_format that has no name, or is for the output alone";
        return p->source == FROM_L1 && p->type == TF32 ? "TF32 from L1" : NULL;
    }
    p->type = early_type(p);
    if (p->type == NO_TYPE) return "an early conversion that the page does not list";
    return is_named_by(p->type, p->in_format) ? NULL : "an In_data_format other than what the early conversion gives";
}

/* To the nearest, ties away from zero, between types of the same exponent. */
static const char *round_early(uint32_t x, uint32_t from, uint32_t to, uint32_t *result) {
    const uint32_t had = mantissa_bits(from), has = mantissa_bits(to), most = exponent_bits(to) == 8 ? 254 : 31;
    const uint32_t sign = sign_of(x, from), exponent = packed_exponent(x, from);
    uint32_t magnitude = magnitude_of(x, from);
    *result = 0;
    if (exponent == 0) return NULL;
    if (exponent == 255) {
        *result = assemble(sign, 255, 0, to);
        return NULL;
    }
    const uint32_t half = has < had && !(F(1472) && packing.intermediate == FP32) ? 1u << (had - has - 1) : 0;
    magnitude = has < had ? (magnitude + half) >> (had - has) : magnitude << (has - had);
    if (magnitude >> has > most) return "rounding beyond the largest exponent";
    *result = assemble(sign, 0, magnitude, to);
    return NULL;
}

static const char *to_int8(uint32_t x, uint32_t type, uint32_t *result) {
    const uint32_t sign = x >> 31, most = type == UINT8 ? 255 : 127;
    uint32_t magnitude = x & 0x7fffffff;
    if (packing.raw) {
        magnitude &= most;
    } else {
        uint32_t shift = 0;
        if (PACK("INT_DESCALE_Enable")) {
            if (PACK("INT_DESCALE_Mode")) return "a shift for some z that the page does not name";
            shift = GET("Config.INT_DESCALE_VALUES_SEC0_Value", 0, 0) & 31;
        }
        if (shift) magnitude = (magnitude >> shift) + (magnitude >> (shift - 1) & 1);
        if (magnitude > most) magnitude = most;
        if (sign && type == UINT8) magnitude = 0;
    }
    *result = type == UINT8 || (F(1465) && !packing.raw && !magnitude) ? magnitude : sign << 7 | magnitude;
    return NULL;
}

static const char *convert_early(const packer *p, uint32_t x, uint32_t *result) {
    const uint32_t type = p->type;
    if (type == INT8 && !packing.wide) {
        *result = x >> 15 << 7;
        return NULL;
    }
    uint32_t from;
    if (packing.wide) x = decode_fp32(x), from = FP32;
    else if (exponent_bits(type) == 8) x = decode_bf16(x), from = BF16;
    else if (exponent_bits(type) == 5) x = decode_fp16(x), from = FP16;
    else from = INT16;
    if (type == INT8 || type == UINT8) return to_int8(x, type, result);
    *result = x;
    if (F(1461) && type == FP32 && packing.intermediate == TF32) {
        const char *why = round_early(x, FP32, TF32, result);
        *result <<= 13;
        return why;
    }
    if (type == FP32 || is_integer(type)) return NULL;
    if (!packing.raw || (F(1478) && type == FP16)) return round_early(x, from, type, result);
    *result = x >> (mantissa_bits(from) - mantissa_bits(type));
    return NULL;
}

/* ---- edge masking ------------------------------------------------------------------------------------------------ */

static uint32_t edge_mask(const packer *p, uint32_t y) {
    const uint32_t s = F(1488) ? packing.s ^ 1 : packing.s;
    uint32_t b = GET("Config[%u].PCK_EDGE_TILE_ROW_SET_SELECT_select", s, 0) >> 2 * p->number & 3;
    if (GET("Config[%u].PCK_EDGE_TILE_FACE_SET_SELECT_enable", s, 0)) {
        const uint32_t z = GET("Config.DEST_TARGET_REG_CFG_PACK_SEC%u_ZOffset", p->number, 0) + p->z;
        const uint32_t a = GET("Config[%u].PCK_EDGE_TILE_FACE_SET_SELECT_select", s, 0) >> 2 * p->number & 3;
        b = GET("Config[%u].TILE_FACE_SET_MAPPING_%u", s, a) >> 2 * (z & 0xf) & 3;
    }
    const uint32_t c = GET("Config[%u].TILE_ROW_SET_MAPPING_%u", s, b) >> 2 * (y & 0xf) & 3;
    return GET("Config[%u].PCK_EDGE_OFFSET_SEC%u_mask", s, c);
}

/* Counts to the limit, which is then zero and the other counter's turn. */
static const char *advance_position(uint32_t *first, uint32_t *second, uint32_t by, uint32_t limit) {
    *first += by;
    if (*first == limit) *first = 0, *second = F(1480) && is_blackhole() ? (*second + 1) & 15 : *second + 1;
    return *first > 255 || *second > 255 ? "a tile position beyond eight bits" : NULL;
}

/* Advance, of Wormhole. */
static const char *advance(packer *p) {
    p->x = (p->x + 1) & 15;
    if (p->x) return NULL;
    const uint32_t limit = GET("Config[%u].PACK_COUNTERS_SEC%u_pack_reads_per_xy_plane", packing.s, p->number);
    if (GET("Config[%u].PACK_COUNTERS_SEC%u_pack_yz_transposed", packing.s, p->number))
        return advance_position(&p->z, &p->y, 1, limit);
    return advance_position(&p->y, &p->z, 1, limit);
}

/* A row that is not valid reads as zeros (page ZEROACC). */
static uint32_t read_packed(uint32_t row, uint32_t column) {
    const uint32_t at = packing.wide ? adj32(row) : adj16(row);
    if (!row_is_valid(at)) return 0;
    return packing.wide ? (uint32_t)dst_row(at)[column] << 16 | dst_row(at + 8)[column] : dst_row(at)[column];
}

static const char *fetch_from_dst(const packer *p, uint32_t addr, uint32_t y, uint32_t *x) {
    const uint32_t row = addr >> 4 & 0x3ff, column = addr & 0xf;
    if (edge_mask(p, y) >> column & 1) return convert_early(p, read_packed(row, column), x);
    *x = 0;
    if (F(1481) || !GET("Config[%u].PCK_EDGE_MODE_mode", F(1467) ? state_id(0) : packing.s, 0)) return NULL;
    if (is_integer(p->type) || exponent_bits(p->type) != 8) return "a type without infinity";
    *x = assemble(1, 255, 0, p->type);
    return NULL;
}

/* ---- the other stages of data from Dst --------------------------------------------------------------------------- */

static const char *relu_of_integer(const packer *p, uint32_t mode, uint32_t *x) {
    if (mode != 1) return "integers with this ReLU";
    if (p->type != UINT8 && sign_of(*x, p->type)) *x = 0;
    return NULL;
}

static const char *relu(const packer *p, uint32_t *x) {
    const uint32_t s = F(1462) ? state_id(0) : packing.s;
    const uint32_t type = p->type, mode = GET("Config[%u].STACC_RELU_ApplyRelu", s, 0) & 3;
    if (mode == 0) return NULL;
    /* Bits of FP32 may be called INT32, or the other way round, and the page compares as IntermediateFormat says. */
    const int differs = (type == INT32) != (packing.intermediate == INT32);
    const int is_nan = exponent_bits(type) == 8 && packed_exponent(*x, type) == 255 && packed_mantissa(*x, type);
    if (differs && (mode != 1 || (is_nan && sign_of(*x, type))))
        return "ReLU of what is an integer by one format and FP32 by the other";
    if (is_integer(type)) return relu_of_integer(p, mode, x);

    /* Sign and magnitude of the threshold, and the widest mantissa of this exponent. */
    const uint32_t wide = exponent_bits(type) == 8;
    uint32_t threshold = GET("Config[%u].STACC_RELU_ReluThreshold", s, 0);
    if (mode != 1) {
        if (threshold >> 15) return "a negative Threshold is UndefinedBehavior";
        if (wide ? bits(threshold, 7, 8) == 255 : bits(threshold, 10, 5) == 31)
            return "a Threshold that may be no number";
    }
    if (wide) threshold <<= 16;
    const uint32_t widening = (wide ? 23 : 10) - mantissa_bits(type);
    const uint32_t sign = sign_of(*x, type), magnitude = magnitude_of(*x, type) << widening;
    if (is_nan) return NULL; /* no comparison holds */
    if (sign || magnitude == 0) {
        *x = 0;
    } else if (mode == 2) {
        if (magnitude <= threshold) *x = 0;
    } else if (mode == 3 && magnitude > threshold) {
        if (bits(threshold, 0, widening)) return "a Threshold that the type can not hold";
        *x = threshold >> widening;
    }
    return NULL;
}

/* Of eight bits the page specifies nothing: here they do not count. */
static void count_exponent(packer *p, uint32_t x) {
    if (p->type == INT8 || p->type == UINT8) return;
    const uint32_t exponent = p->type == INT16 ? x & 0xff : packed_exponent(x, p->type);
    const uint32_t bin = F(1483) && exponent > 31 ? 31 : exponent & 31;
    if (packing.counts && p->stats[bin] != 255) p->stats[bin]++;
    if (exponent > p->stats[EXPONENT_BINS]) p->stats[EXPONENT_BINS] = (uint8_t)exponent;
}

static uint32_t apply_threshold(const packer *p, uint32_t x) {
    if (!OF_PACKER("Exp_threshold_en") || is_integer(p->type)) return x;
    if (F(1477) && !packed_exponent(x, p->type)) return 0;
    return packed_exponent(x, p->type) < OF_PACKER("Exp_threshold") ? 0 : x;
}

/* ---- data from L1 ------------------------------------------------------------------------------------------------ */

static const char *fetch_from_l1(const packer *p, uint32_t address, uint32_t *x) {
    if (address >= tensix_sram_size()) return "an address beyond L1, of which the page says nothing";
    const uint32_t row = l1_row(address);
    if (!row) return not_shown;
    *x = 0;
    memcpy(x, (const uint8_t *)read_row(row) + address % 16, p->bytes);
    if (F(1479) && p->in_format == INT32) *x = (uint16_t)*x;
    if (p->in_format == BFP8 || p->in_format == BFP8A) *x = assemble(*x >> 7, 0, *x & 0x7f, p->type);
    return NULL;
}

/* The data are on their way from one row of L1 to another one: which is first, no page says. */
static const char *check_l1_source(const packer *p) {
    const uint32_t first = p->first & ~15u, end = p->first + p->count * p->bytes;
    if (!is_at_work(p->number) || p->source != FROM_L1) return NULL;
    for (uint32_t i = 0; i < packing.num_rows; i++)
        if (first <= packing.rows[i].address && packing.rows[i].address < end) return "a row that is read and written";
    return NULL;
}

/* ---- the late conversion ----------------------------------------------------------------------------------------- */

static const char no_sign[] = "a negative datum that becomes zero, of which sign the page does not say";

/* The exponent keeps its width. */
static const char *keep_exponent(uint32_t x, uint32_t from, uint32_t to, uint32_t *result) {
    const uint32_t had = mantissa_bits(from), has = mantissa_bits(to);
    if (has >= had) {
        *result = x << (has - had);
        return NULL;
    }
    *result = x >> (had - has);
    if (packed_exponent(x, from) || !packed_mantissa(x, from)) return NULL;
    *result = 0;
    return sign_of(x, from) ? no_sign : NULL;
}

/* From five bits to eight. */
static const char *widen_exponent(uint32_t x, uint32_t from, uint32_t to, uint32_t *result) {
    const uint32_t had = mantissa_bits(from), has = mantissa_bits(to), mantissa = packed_mantissa(x, from);
    const uint32_t exponent = packed_exponent(x, from), sign = sign_of(x, from);
    *result = 0;
    if (exponent == 0) {
        if (mantissa && has >= had) return "a denormal that is mishandled";
        return sign ? no_sign : NULL;
    }
    if (exponent == 31 && mantissa == (1u << had) - 1) return "what may be infinity, with a wider exponent";
    *result = assemble(sign, exponent + 127 - 15, has < had ? mantissa >> (had - has) : mantissa << (has - had), to);
    return NULL;
}

/* From eight bits to five. */
static const char *narrow_exponent(uint32_t x, uint32_t from, uint32_t to, uint32_t *result) {
    const uint32_t had = mantissa_bits(from), has = mantissa_bits(to), mantissa = packed_mantissa(x, from);
    const uint32_t exponent = packed_exponent(x, from), sign = sign_of(x, from);
    const uint32_t least = 127 - 15; /* of 2^-15 */
    *result = 0;
    if (exponent < least || (exponent == least && !mantissa)) return sign ? no_sign : NULL;
    if (exponent == least) return "a datum between 2^-15 and 2^-14 that is mishandled";
    if (exponent == 255) {
        *result = assemble(sign, 31, (1u << has) - 1, to);
        return NULL;
    }
    if (exponent - least > 31) return "a datum too large for its exponent, which becomes what no page says";
    *result = assemble(sign, exponent - least, has < had ? mantissa >> (had - has) : mantissa << (has - had), to);
    return NULL;
}

static const char *convert_float(uint32_t x, uint32_t from, uint32_t to, uint32_t *result) {
    *result = 0;
    if (is_integer(from)) return "integers do not become floats";
    if (x == 0) return NULL;
    if (exponent_bits(from) == exponent_bits(to)) return keep_exponent(x, from, to, result);
    return exponent_bits(to) == 8 ? widen_exponent(x, from, to, result) : narrow_exponent(x, from, to, result);
}

/* The magnitude of a datum of a group, and the exponent is that of the group. */
static const char *magnitude_in_group(uint32_t x, uint32_t type, uint32_t largest, uint32_t kept, uint32_t *result) {
    const uint32_t exponent = packed_exponent(x, type), mantissa = packed_mantissa(x, type);
    uint32_t magnitude = 0;
    if (exponent == 0) {
        if (mantissa && type == E5M7) return "a denormal of E5M7 with a common exponent";
    } else {
        if (exponent == 255) return "infinity or NaN with a common exponent";
        if (type == E5M7 && exponent == 31 && mantissa == 127) return "what may be infinity with a common exponent";
        const uint32_t cut = 1 + largest - exponent; /* of eight bits, the first one of which is implicit */
        if (cut <= 8) magnitude = (128 + mantissa + (1u << (cut - 1))) >> cut;
        if (magnitude > 127) return "rounding beyond the largest magnitude";
    }
    *result = magnitude >> (7 - kept);
    return sign_of(x, type) && !*result ? "a negative datum whose magnitude becomes 0, which means infinity" : NULL;
}

/* Sixteen data of BF16 or E5M7 are there. */
static const char *put_group(packer *p) {
    const uint32_t fmt = p->out_format, type = fmt == BFP8 || fmt == BFP4 || fmt == BFP2 ? BF16 : E5M7;
    const uint32_t kept_bits = fmt == BFP8 || fmt == BFP8A ? 7 : fmt == BFP4 || fmt == BFP4A ? 3 : 1;
    uint32_t largest = 0, word = 0, filled = 0;
    for (uint32_t i = 0; i < 16; i++)
        if (packed_exponent(p->group[i], type) > largest) largest = packed_exponent(p->group[i], type);
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t magnitude;
        const char *why = magnitude_in_group(p->group[i], type, largest, kept_bits, &magnitude);
        if (why) return why;
        word |= (sign_of(p->group[i], type) << kept_bits | magnitude) << filled;
        filled += kept_bits + 1;
        if (filled < 8) continue;
        why = put_bytes(&p->streams[DATA], word, 1);
        if (why) return why;
        word = filled = 0;
    }
    p->grouped = 0;
    return put_bytes(&p->streams[EXPONENTS], largest, 1);
}

static const char *convert_late(packer *p, uint32_t x) {
    const char *why = NULL;
    uint32_t result = x, bytes = 1;
    switch (p->out_format) {
    case FP32: why = convert_float(x, p->type, FP32, &result), bytes = 4; break;
    case TF32:
        if (p->type == FP32) return "FP32 does not become TF32";
        why = convert_float(x, p->type, TF32, &result), result <<= 13, bytes = 4;
        break;
    case BF16: why = convert_float(x, p->type, BF16, &result), bytes = 2; break;
    case FP16: why = convert_float(x, p->type, FP16, &result), bytes = 2; break;
    case FP8: why = convert_float(x, p->type, FP8, &result); break;
    case BFP8: case BFP4: case BFP2:
        why = convert_float(x, p->type, BF16, &p->group[p->grouped++]), bytes = 0;
        break;
    case BFP8A: case BFP4A: case BFP2A:
        why = convert_float(x, p->type, E5M7, &p->group[p->grouped++]), bytes = 0;
        break;
    case INT32: case INT16: case INT8:
        if (!is_integer(p->type) || !is_named_by(p->type, p->out_format)) return "no late conversion to this integer";
        bytes = p->out_format == INT32 ? 4 : p->out_format == INT16 ? 2 : 1;
        break;
    default: return "an Out_data_format that has no name";
    }
    if (why) return why;
    if (bytes) return put_bytes(&p->streams[DATA], result, bytes);
    return p->grouped == 16 ? put_group(p) : NULL;
}

/* ---- all stages -------------------------------------------------------------------------------------------------- */

/* The i-th datum of a row, or of all if there are no rows; y is where it is in its tile. */
static const char *pack_datum(packer *p, uint32_t i, uint32_t addr, uint32_t y) {
    const char *why = NULL;
    uint32_t x = 0;
    if (p->source == FROM_DST) {
        why = fetch_from_dst(p, addr, y, &x);
        if (!why) why = relu(p, &x);
        if (why) return why;
        count_exponent(p, x);
        x = apply_threshold(p, x);
    } else if (p->source == FROM_L1) {
        why = fetch_from_l1(p, addr, &x);
        if (why) return why;
    }
    return p->downsample_mask >> i % 16 & 1 ? convert_late(p, x) : NULL;
}

static const char incomplete[] = "data without the others of their common exponent";

static const char *pack_on_wormhole(packer *p) {
    const uint32_t stride = p->source == FROM_L1 ? p->bytes : 1;
    for (uint32_t i = 0; i < p->count; i++) {
        const char *why = F(1471) && p->source == FROM_DST ? advance(p) : NULL;
        if (!why) why = pack_datum(p, i, p->first + i * stride, p->y);
        if (!why && p->source == FROM_DST && !F(1471)) why = advance(p);
        if (why) return why;
    }
    return p->grouped ? incomplete : NULL;
}

/* Interface i reads row i of four. That a datum is of Dst or of nowhere does not matter to the tile position. */
static const char *pack_on_blackhole(packer *p) {
    uint32_t k = 0;
    for (uint32_t i = 0; i < 4; i++) {
        if (!(packing.mask >> (F(1482) ? 3 - i : i) & 1)) continue;
        for (uint32_t column = 0; column < p->count; column++) {
            const char *why = pack_datum(p, column, p->first + (F(1468) ? i & 1 : i) * 16 + column, p->y + k);
            if (why) return why;
        }
        if (p->grouped) return incomplete;
        k++;
    }
    return advance_position(&p->y, &p->z, k, PACK("PACK_COUNTERS_SEC0_pack_reads_per_xy_plane"));
}

static void load_packer(packer *p, uint32_t number) {
    memset(p, 0, sizeof *p);
    p->number = number;
    if (is_blackhole()) {
        p->y = GET("Packers[0].TilePosition", 0, 0);
    } else {
        p->x = GET("Packers[%u].TilePositionGenerator.X", number, 0);
        p->y = GET("Packers[%u].TilePositionGenerator.Y", number, 0);
    }
    p->z = GET("Packers[%u].TilePositionGenerator.Z", number, 0);
    memcpy(p->stats, read_row(first_row("PackerStats") + number), sizeof p->stats);
}

static const char *pack(packer *p, uint32_t number) {
    load_packer(p, number);
    const char *why = what_a_packer_has(p);
    if (!why) why = where_it_reads(p);
    if (!why) why = where_it_writes(p);
    if (!why) why = which_type(p);
    if (!why) why = is_blackhole() ? pack_on_blackhole(p) : pack_on_wormhole(p);
    if (!why && packing.ends) why = end_streams(p);
    return why;
}

/* ---- from here on it is decided, and is written ------------------------------------------------------------------ */

static void store_waiting(const packer *p) {
    for (uint32_t stream = 0; stream < PACK_STREAMS; stream++)
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t word;
            memcpy(&word, p->streams[stream].waiting + 4 * i, sizeof word);
            set(waiting_word(p, stream, i), word);
        }
}

static void store_packer(const packer *p) {
    const pack_stream *exponents = &p->streams[EXPONENTS], *data = &p->streams[DATA];
    set(FIELD("Packers[%u].ExponentStream.ByteAddress", p->number, 0), exponents->address);
    set(FIELD("Packers[%u].ExponentStream.NeedsNewAddress", p->number, 0), exponents->needs_new_address);
    set(FIELD("Packers[%u].ExponentStream.Filled", p->number, 0), exponents->filled);
    set(FIELD("Packers[%u].DataStream.ByteAddress", p->number, 0), data->address);
    set(FIELD("Packers[%u].DataStream.NeedsNewAddress", p->number, 0), data->needs_new_address);
    set(FIELD("Packers[%u].DataStream.Filled", p->number, 0), data->filled);
    if (is_blackhole()) {
        set(FIELD("Packers[0].TilePosition", 0, 0), p->y);
    } else {
        set(FIELD("Packers[%u].TilePositionGenerator.X", p->number, 0), p->x);
        set(FIELD("Packers[%u].TilePositionGenerator.Y", p->number, 0), p->y);
    }
    set(FIELD("Packers[%u].TilePositionGenerator.Z", p->number, 0), p->z);
    store_waiting(p);
    const uint32_t row = first_row("PackerStats") + p->number;
    if (memcmp(read_row(row), p->stats, sizeof p->stats)) memcpy(write_row(row), p->stats, sizeof p->stats);
}

/* AddrMod of the Packers, on one channel of an ADC. */
static void advance_adc(uint32_t t, uint32_t channel, uint32_t y_incr, int y_cr, int y_clear, uint32_t z_incr,
                        int z_clear) {
    if (y_clear && F(1476) && channel == 1) set_adc(t, UNIT_PACKERS, channel, ADC_Y + ADC_CR, 0);
    else if (y_clear) set_adc_and_cr(t, UNIT_PACKERS, channel, ADC_Y, 0);
    else if (y_cr) increment_adc_cr(t, UNIT_PACKERS, channel, ADC_Y, y_incr);
    else increment_adc(t, UNIT_PACKERS, channel, ADC_Y, y_incr);
    if (F(1463) && !y_clear && !y_cr && channel == 0) set_adc(t, UNIT_PACKERS, channel, ADC_Y + ADC_CR, 0);
    if (z_clear && F(1469) && channel == 1) set_adc(t, UNIT_PACKERS, channel, ADC_Z, 0);
    else if (z_clear && !(F(1489) && channel == 0)) set_adc_and_cr(t, UNIT_PACKERS, channel, ADC_Z, 0);
    else increment_adc(t, UNIT_PACKERS, channel, ADC_Z, z_incr);
}

/* The section is one of the current thread's, whosever ADC it is. */
#define ADDR_MOD_PACK(name) GET("ThreadConfig[%u].ADDR_MOD_PACK_SEC[%u]." name, packing.t, packing.addr_mod)

static void advance_adcs(uint32_t t) {
    advance_adc(t, 0, ADDR_MOD_PACK("YsrcIncr"), ADDR_MOD_PACK("YsrcCR") != 0, ADDR_MOD_PACK("YsrcClear") != 0,
                ADDR_MOD_PACK("ZsrcIncr"), ADDR_MOD_PACK("ZsrcClear") != 0);
    uint32_t y_incr = ADDR_MOD_PACK("YdstIncr");
    if (F(1475) && !ADDR_MOD_PACK("YdstCR")) y_incr = ADDR_MOD_PACK("YsrcIncr");
    advance_adc(t, 1, y_incr, ADDR_MOD_PACK("YdstCR") != 0, ADDR_MOD_PACK("YdstClear") != 0,
                ADDR_MOD_PACK("ZdstIncr"), ADDR_MOD_PACK("ZdstClear") != 0);
}

static uint32_t pacr(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    packing.t = c->thread, packing.s = state_id(c->thread), packing.num_rows = 0;
    const char *why = what_is_instructed(c->code);
    if (!why) why = what_is_configured();
    for (uint32_t i = 0; i < PACKERS && !why; i++)
        if (is_at_work(i)) why = pack(&packing.packers[i], i);
    if (!why) why = check_l1_source(&packing.packers[0]);
    if (!why && num_dirty + packing.num_rows + PACKERS > MOST_ROWS) why = "more rows than MOST_ROWS of border.h";
    if (why) return unsupported(why);

    uint32_t adcs_to_advance = 0;
    for (uint32_t i = 0; i < PACKERS; i++) {
        if (!is_at_work(i)) continue;
        store_packer(&packing.packers[i]);
        adcs_to_advance |= 1u << packing.packers[i].adc;
    }
    for (uint32_t i = 0; i < packing.num_rows; i++)
        memcpy(write_row(l1_row(packing.rows[i].address)), packing.rows[i].bytes, 16);
    for (uint32_t t = 0; t < 3; t++)
        if (adcs_to_advance >> t & 1) advance_adcs(t);
    return TANDEM_DONE;
}
