/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Part of tensix.c: the window of the RISC-V cores of Blackhole on Dst. A core accesses one datum at a time, T2 several.
 */

typedef struct {
    uint32_t fmt, first, bytes, count; /* the first datum, counted from the window's begin; bytes of one; how many */
    int no_swizzle, unsigned_int;
    uint32_t wanted;                   /* bytes, all together */
} access_of_core;

static uint32_t load_access(const context *c, access_of_core *o) {
    const uint32_t t = c->thread, s = state_id(t);
    const uint32_t offset = bits(c->code, 0, 15);
    static const uint8_t sizes[4] = {1, 2, 4, 16}, of_format[8] = {4, 4, 2, 2, 2, 1, 0, 0};
    o->fmt = GET("Config[%u].RISC_DEST_ACCESS_CTRL_SEC%u_fmt", s, t);
    o->no_swizzle = GET("Config[%u].RISC_DEST_ACCESS_CTRL_SEC%u_no_swizzle", s, t) != 0;
    o->unsigned_int = GET("Config[%u].RISC_DEST_ACCESS_CTRL_SEC%u_unsigned_int", s, F(191) ? 0 : t) != 0;
    o->wanted = sizes[bits(c->code, 15, 2)], o->bytes = of_format[o->fmt];
    if (!o->bytes) return unsupported("a reserved format");
    if (offset % o->wanted) return unsupported("an address that is not aligned");
    if (o->wanted < o->bytes) return unsupported("less than a datum");
    if (o->wanted > o->bytes && t != 2) return unsupported("several data, on a core other than T2");
    o->first = offset / o->bytes, o->count = o->wanted / o->bytes;
    if (o->first / 16 >= (o->bytes == 4 ? 512 : 1024)) return unsupported("a row that there is not");
    /* The data are in one row, since they are aligned. */
    if (!row_is_valid(o->bytes == 4 ? adj32(o->first / 16) : adj16(o->first / 16)))
        return unsupported("a row that is not valid, of which the page says nothing");
    return TANDEM_DONE;
}

static uint32_t load_datum(const access_of_core *o, uint32_t place) {
    const uint32_t row = place / 16, column = place % 16;
    if (o->bytes == 4) {
        uint32_t x = (uint32_t)dst_row(adj32(row))[column] << 16 | dst_row(adj32(row) + 8)[column];
        if (!o->no_swizzle) x = decode_fp32(x);
        if (o->fmt == 1 && (!o->no_swizzle || F(68)) && x >> 31) x = 0u - (x & 0x7fffffff);
        return x;
    }
    const uint32_t x = dst_row(adj16(row))[column];
    const int is_signed = !o->no_swizzle && !o->unsigned_int;
    switch (o->fmt) {
    case 2: return o->no_swizzle ? x : decode_fp16(x);
    case 3: return o->no_swizzle ? x : decode_bf16(x);
    case 4: return is_signed && x >> 15 ? (0u - (x & 0x7fff)) & 0xffff : x;
    }
    const uint32_t magnitude = x >> 5 & (is_signed && !F(69) ? 0x7f : 0xff);
    return is_signed && x >> 15 ? (0u - magnitude) & 0xff : magnitude;
}

static void store_datum(const access_of_core *o, uint32_t place, uint32_t x) {
    const uint32_t row = place / 16, column = place % 16;
    const int is_signed = !o->no_swizzle && !o->unsigned_int;
    switch (o->fmt) {
    case 1:
        if (!o->no_swizzle && x >> 31) x = 0x80000000 | (0u - (x + (x == 0x80000000)));
        break;
    case 2:
        if (!o->no_swizzle) x = encode_fp16(x);
        break;
    case 3:
        if (!o->no_swizzle) x = encode_bf16(x);
        break;
    case 4:
        if (is_signed && x >> 15) x = 0x8000 | (0u - (x + (x == 0x8000 && !F(70))));
        break;
    case 5: /* of a negative one the page's magnitude is too high by 0x80 */
        if (is_signed && x >> 7) x = 0x8000 | (((F(71) ? 0x100 : 0x180) - x - (x == 0x80)) & 0xff) << 5 | 16;
        else x = x << 5 | (x || F(160) ? 16 : 0);
        break;
    }
    if (o->bytes == 4) {
        if (!o->no_swizzle) x = encode_fp32(x);
        dst_write(adj32(row))[column] = (uint16_t)(x >> 16), dst_write(adj32(row) + 8)[column] = (uint16_t)x;
    } else {
        dst_write(adj16(row))[column] = (uint16_t)x;
    }
}

static uint32_t risc_load(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    access_of_core o;
    const uint32_t outcome = load_access(c, &o);
    if (outcome != TANDEM_DONE) return outcome;
    uint32_t data[4] = {0};
    for (uint32_t i = 0; i < o.count; i++) { /* the first one in the lowest bits */
        const uint32_t at = i * o.bytes;
        data[at / 4] |= load_datum(&o, o.first + i) << at % 4 * 8;
    }
    if (o.wanted < 4 && bits(c->code, 17, 1) && data[0] >> (o.wanted * 8 - 1)) data[0] |= ~0u << o.wanted * 8;
    for (uint32_t i = 0; i < (o.wanted + 3) / 4; i++) set(FIELD("RISCV.Data[%u]", i, 0), data[i]);
    return TANDEM_DONE;
}

static uint32_t risc_store(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    access_of_core o;
    const uint32_t outcome = load_access(c, &o);
    if (outcome != TANDEM_DONE) return outcome;
    for (uint32_t i = 0; i < o.count; i++) {
        const uint32_t at = i * o.bytes, x = GET("RISCV.Data[%u]", at / 4, 0) >> at % 4 * 8;
        store_datum(&o, o.first + i, o.bytes == 4 ? x : bits(x, 0, o.bytes * 8));
    }
    return TANDEM_DONE;
}
