/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Part of tensix.c: the address counters (SETADC and its kin, INCADC, ADDRCR), the Scalar Unit's arithmetic on GPRs,
 * what it moves to and from L1, Config, SrcA, SrcB and memory-mapped registers, and CFGSHIFTMASK and STREAMWRCFG of the
 * Configuration Unit.
 */

/* ---- address counters -------------------------------------------------------------------------------------------- */

enum { UNIT_UNPACKER0, UNIT_UNPACKER1, UNIT_PACKERS }; /* of ADCs[thread] */

/* The counters of a channel, as the state has them; the second one of each, which the pages call Cr, follows it. */
enum { ADC_X = 0, ADC_Y = 2, ADC_Z = 4, ADC_W = 6, ADC_CR = 1, ADC_COUNTERS = 8 };

static uint8_t *adc_place(uint32_t t, uint32_t unit, uint32_t channel, uint32_t counter) {
    const uint32_t first = FIELD("ADCs[%u].Unpacker[0].Channel[0].X", 0, 0)->byte;
    return small + first + 4 * (ADC_COUNTERS * ((t * 3 + unit) * 2 + channel) + counter);
}

static uint32_t adc(uint32_t t, uint32_t unit, uint32_t channel, uint32_t counter) {
    uint32_t value;
    memcpy(&value, adc_place(t, unit, channel, counter), sizeof value);
    return value;
}

/* A counter keeps its width, so sums wrap. */
static void set_adc(uint32_t t, uint32_t unit, uint32_t channel, uint32_t counter, uint32_t value) {
    const uint32_t widths[4] = {18, 13, is_blackhole() ? 13 : 8, is_blackhole() ? 13 : 8};
    value = bits(value, 0, widths[counter / 2]);
    memcpy(adc_place(t, unit, channel, counter), &value, sizeof value);
}

/* What sets a counter sets both of it. */
static void set_adc_and_cr(uint32_t t, uint32_t unit, uint32_t channel, uint32_t counter, uint32_t value) {
    set_adc(t, unit, channel, counter, value);
    set_adc(t, unit, channel, counter + ADC_CR, value);
}

/* U0, U1 and PK. */
static int applies_to(uint32_t code, uint32_t unit) { return bits(code, 21 + unit, 1); }

static uint32_t setadc(const uint32_t *code) {
    const uint32_t t = GET("CurrentThread", 0, 0), new_value = bits(code[0], 0, 18);
    if (new_value >> 16) return unsupported("ThreadOverride is UnsupportedFunctionality");
    for (uint32_t unit = UNIT_UNPACKER0; unit <= UNIT_PACKERS; unit++)
        if (applies_to(code[0], unit))
            set_adc_and_cr(t, unit, bits(code[0], 20, 1), 2 * bits(code[0], 18, 2), new_value);
    return TANDEM_DONE;
}

static uint32_t setadcxx(const uint32_t *code) {
    const uint32_t t = GET("CurrentThread", 0, 0);
    for (uint32_t unit = UNIT_UNPACKER0; unit <= UNIT_PACKERS - F(1457); unit++) {
        if (!applies_to(code[0], unit)) continue;
        set_adc_and_cr(t, unit, 0, ADC_X, bits(code[0], 0, 10));
        set_adc_and_cr(t, unit, 1, ADC_X, bits(code[0], 10, 10));
    }
    return TANDEM_DONE;
}

/* One of four counters: the first and the second of channel 0, then of channel 1. */
typedef void change_adc(uint32_t t, uint32_t unit, uint32_t channel, uint32_t counter, uint32_t by);
static change_adc increment_adc_cr;

/* Either X and Y, or Z and W, each with a value of three bits; all four, or those that the low bits name. */
static uint32_t change_adcs(const uint32_t *code, uint32_t first, int all, change_adc *change) {
    const uint32_t t = GET("CurrentThread", 0, 0) & (F(1454) && change == increment_adc_cr && first == ADC_X ? 1 : 3);
    const unsigned width = F(1449) && change == increment_adc_cr && first == ADC_Z ? 2 : 3;
    if (bits(code[0], 18, 2)) return unsupported("ThreadOverride is UnsupportedFunctionality");
    for (uint32_t unit = UNIT_UNPACKER0; unit <= UNIT_PACKERS; unit++) {
        if (!applies_to(code[0], unit)) continue;
        for (uint32_t i = 0; i < 4; i++)
            if (all || bits(code[0], i, 1)) change(t, unit, i / 2, first + 2 * (i % 2), bits(code[0], 6 + 3 * i, width));
    }
    return TANDEM_DONE;
}

static void increment_adc(uint32_t t, uint32_t unit, uint32_t channel, uint32_t counter, uint32_t by) {
    set_adc(t, unit, channel, counter, adc(t, unit, channel, counter) + by);
}

static void increment_adc_cr(uint32_t t, uint32_t unit, uint32_t channel, uint32_t counter, uint32_t by) {
    increment_adc(t, unit, channel, counter + ADC_CR, by);
    set_adc(t, unit, channel, counter, adc(t, unit, channel, counter + ADC_CR));
}

static uint32_t setadcxy(const uint32_t *code) { return change_adcs(code, ADC_X, 0, set_adc_and_cr); }
static uint32_t setadczw(const uint32_t *code) { return change_adcs(code, ADC_Z, 0, set_adc_and_cr); }
static uint32_t incadcxy(const uint32_t *code) { return change_adcs(code, ADC_X, 1, increment_adc); }
static uint32_t incadczw(const uint32_t *code) { return change_adcs(code, ADC_Z, 1, increment_adc); }
static uint32_t addrcrxy(const uint32_t *code) { return change_adcs(code, ADC_X, 0, increment_adc_cr); }
static uint32_t addrcrzw(const uint32_t *code) { return change_adcs(code, ADC_Z, 0, increment_adc_cr); }

static uint32_t reg2flop_adc(const uint32_t *code) {
    (void)code;
    return unsupported("REG2FLOP to ADCs is UnsupportedFunctionality");
}

/* ---- configuration ----------------------------------------------------------------------------------------------- */

enum { THCON_CFGREG_BASE = 52 }; /* of Wormhole, which alone has a use for it */

static uint32_t reg2flop_configuration(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t t = c->thread, index = bits(c->code, 6, 7);
    if (is_blackhole()) return unsupported("REG2FLOP is UnsupportedFunctionality");
    if (index >= first_global_word() - THCON_CFGREG_BASE)
        return unsupported("ThConCfgIndex out of bounds is UndefinedBehavior");
    if (bits(c->code, 22, 2) == 0) return unsupported("SizeSel 0 is UnsupportedFunctionality");
    put_config_word(state_id(t), THCON_CFGREG_BASE + index, gpr(t, bits(c->code, 0, 6)));
    return TANDEM_DONE;
}

static uint32_t rotate_right(uint32_t x, uint32_t by) { return by ? x >> by | x << (32 - by) : x; }

enum { PRNG_SEED = 186, SCRATCH_SEC = 209 }; /* words of Config, both of Blackhole; the latter is of three */

/* Unlike RMWCIB this resets a bank as WRCFG does: the page of the configuration leaves out RMWCIB alone. */
static uint32_t cfgshiftmask(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t t = c->thread, s = state_id(t), index = bits(c->code, 0, 8), scratch_index = bits(c->code, 8, 2);
    const uint32_t rotate_amt = bits(c->code, 10, 5), mask_width = bits(c->code, 15, 5);
    if (index >= config_words()) return unsupported("CfgIndex out of bounds is UndefinedBehavior");
    if (index == PRNG_SEED) return unsupported("the seed that is computed with is not in the state");
    const uint8_t *word = config_word(s, index);
    if (!word) return TANDEM_DONE; /* what is read shows nowhere but in what is written, and this neither */
    uint32_t scratch, value;
    memcpy(&scratch, config_word(s, SCRATCH_SEC + (scratch_index < 3 ? scratch_index : t)), sizeof scratch);
    memcpy(&value, word, sizeof value);
    const uint32_t mask = (2u << mask_width) - 1u;
    scratch = rotate_right(scratch & mask, rotate_amt);
    if (!bits(c->code, 23, 1)) value &= ~rotate_right(mask, rotate_amt);
    switch (bits(c->code, 20, 3)) {
    case 0: value |= scratch; break;
    case 1: value &= scratch; break;
    case 2: value ^= scratch; break;
    case 3: value += scratch; break;
    case 4: value |= ~scratch; break;
    case 5: value &= ~scratch & (F(1460) ? rotate_right(mask, rotate_amt) : ~0u); break;
    case 6: value ^= ~scratch; break;
    case 7: value -= scratch; break;
    }
    write_config(s, index, value);
    return TANDEM_DONE;
}

/* ---- arithmetic on GPRs ------------------------------------------------------------------------------------------ */

typedef struct {
    uint32_t thread, left, right, mode;
} operands;

/* RightReg, or the number in its place. */
static operands load_operands(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t t = c->thread, right = bits(c->code, 6, 6);
    const int right_is_imm = bits(c->code, 23, 1);
    const operands o = {t, gpr(t, bits(c->code, 0, 6)), right_is_imm ? right : gpr(t, right), bits(c->code, 18, 3)};
    return o;
}

static uint32_t put_gpr_result(const uint32_t *code, const operands *o, uint32_t result) {
    *gpr_write(o->thread, bits(code[0], 12, 6)) = result;
    return TANDEM_DONE;
}

static uint32_t adddmareg(const uint32_t *code) {
    const operands o = load_operands(code);
    return put_gpr_result(code, &o, o.left + o.right);
}

static uint32_t subdmareg(const uint32_t *code) {
    const operands o = load_operands(code);
    return put_gpr_result(code, &o, o.left - o.right);
}

static uint32_t muldmareg(const uint32_t *code) {
    const operands o = load_operands(code);
    return put_gpr_result(code, &o, (o.left & 0xffffu) * (o.right & 0xffffu));
}

static uint32_t bitwopdmareg(const uint32_t *code) {
    const operands o = load_operands(code);
    switch (o.mode) {
    case 0: return put_gpr_result(code, &o, o.left & o.right);
    case 1: return put_gpr_result(code, &o, o.left | o.right);
    case 2: return put_gpr_result(code, &o, o.left ^ o.right);
    }
    return unsupported("this Mode is UndefinedBehavior");
}

/* The number has five bits, and of a GPR five count. */
static uint32_t shiftdmareg(const uint32_t *code) {
    const operands o = load_operands(code);
    switch (o.mode) {
    case 0: return put_gpr_result(code, &o, o.left << (o.right & 0x1f));
    case 1: return put_gpr_result(code, &o, o.left >> (o.right & 0x1f));
    }
    return unsupported("this Mode is UndefinedBehavior");
}

static uint32_t cmpdmareg(const uint32_t *code) {
    operands o = load_operands(code);
    if (F(1452)) o.right &= 0xffff;
    switch (o.mode) {
    case 0: return put_gpr_result(code, &o, o.left > o.right);
    case 1: return put_gpr_result(code, &o, o.left < o.right);
    case 2: return put_gpr_result(code, &o, o.left == o.right);
    }
    return unsupported("this Mode is UndefinedBehavior");
}

static uint32_t dmanop(const uint32_t *code) { return (void)code, TANDEM_DONE; }

/* All that it could wait for is done at once. */
static uint32_t flushdma(const uint32_t *code) { return (void)code, TANDEM_DONE; }

/* ---- L1 ---------------------------------------------------------------------------------------------------------- */

enum { L1_PAGE_BYTES = 256 };

static uint32_t tensix_sram_size(void) { return (is_blackhole() ? 1536u : 1464u) * 1024u; }

/* The row of 16 bytes that an address lies in, among the rows of all banks; 0, a row of Dst, if no window shows it. */
static uint32_t l1_row(uint32_t address) {
    const uint8_t *pages = small + FIELD("L1Windows[%u].Page", 0, 0)->byte;
    for (uint32_t window = 0; window < L1_WINDOWS; window++) {
        uint16_t page;
        memcpy(&page, pages + sizeof page * window, sizeof page);
        if (page == address / L1_PAGE_BYTES) return first_row("L1Windows") + window * 16 + address / 16 % 16;
    }
    return 0;
}

/* The same for an instruction that accesses this address. */
static uint32_t find_l1_row(uint32_t address, uint32_t *row) {
    if (address >= tensix_sram_size()) return unsupported("an address beyond L1 is UndefinedBehavior");
    *row = l1_row(address);
    return *row ? TANDEM_DONE : unsupported("no window shows this part of L1");
}

/* A half of a GPR. */
static uint32_t half_gpr(uint32_t t, uint32_t i) { return gpr(t, i / 2) >> i % 2 * 16 & 0xffff; }

/* OffsetIncrement: an offset has 16 bits, and the other half of the GPR stays as it is. What it adds to is the offset of a
 * thread, the same one. */
static void increment_offset_of(uint32_t code, uint32_t t, uint32_t from) {
    static const uint32_t by[4] = {0, 2, 4, 16};
    const uint32_t half = bits(code, 14, 7), increment_by = by[bits(code, 12, 2)];
    if (increment_by) put_half(gpr_write(t, half / 2), half % 2, (half_gpr(from, half) + increment_by) & 0xffff);
}

static void increment_offset(uint32_t code, uint32_t t) { increment_offset_of(code, t, t); }

/* What LOADIND and STOREIND have in common; Size 0 is of four GPRs. */
static uint32_t indirect_address(uint32_t code, uint32_t t) {
    return gpr(t, bits(code, 0, 6)) * 16 + half_gpr(t, bits(code, 14, 7));
}

static uint32_t bytes_of_size(uint32_t size) { return 16 >> (size ? size + 1 : 0); }

static uint32_t loadind(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t t = c->thread, size = bits(c->code, 22, 2), bytes = bytes_of_size(size);
    const uint32_t address = indirect_address(c->code, t);
    uint32_t row;
    const uint32_t outcome = find_l1_row(address, &row);
    if (outcome != TANDEM_DONE) return outcome;
    increment_offset_of(c->code, t, F(1459) ? 0 : t);
    uint32_t *to = gpr_write(t, bits(c->code, 6, 6) & (size ? 0x3f : 0x3c));
    memcpy(to, (const uint8_t *)read_row(row) + (address % 16 & ~(bytes - 1)), bytes); /* into the lowest bits */
    return TANDEM_DONE;
}

/* The offset comes first: if it is in what is stored, it is stored incremented. */
static uint32_t storeind_l1(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t t = c->thread, size = bits(c->code, 21, 2), bytes = bytes_of_size(size);
    const uint32_t address = indirect_address(c->code, t), data_reg = bits(c->code, 6, 6) & (size ? 0x3f : 0x3c);
    uint32_t row;
    const uint32_t outcome = find_l1_row(address, &row);
    if (outcome != TANDEM_DONE) return outcome;
    if (!F(1455)) increment_offset(c->code, t);
    const uint32_t *from = (const uint32_t *)read_row(row_gprs + t * 16 + data_reg / 4) + data_reg % 4;
    memcpy((uint8_t *)write_row(row) + (address % 16 & ~(bytes - 1)), from, bytes);
    if (F(1455)) increment_offset(c->code, t);
    return TANDEM_DONE;
}

static uint32_t read_bf16_lo(uint32_t x) { return (x & 0x8000) << 3 | (x & 0x7f00) << 3 | (x & 0xff); }
static uint32_t read_bf16_hi(uint32_t x) { return x >> 31 << 18 | (x >> 16 & 0x7f) << 11 | (x >> 23 & 0xff); }

static uint32_t storeind_src(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t unpacker = bits(c->code, 21, 1); /* StoreToSrcB: what Unpacker 1 has */
    const uint32_t t = c->thread, data_reg = bits(c->code, 6, 6) & 0x3c;
    const uint32_t first = gpr(t, data_reg), second = gpr(t, data_reg + 1);
    const uint32_t datum[4] = {read_bf16_lo(first), read_bf16_hi(first), read_bf16_lo(second), read_bf16_hi(second)};
    const uint32_t addr = (gpr(t, bits(c->code, 0, 6)) + (half_gpr(t, bits(c->code, 14, 7)) >> 4)) & 0xfffff;
    if (addr & 0xf0000) return unsupported("such an Addr is UndefinedBehavior");

    const uint32_t bank = GET("Unpackers[%u].SrcBank", unpacker, 0);
    if (get(owner_of(unpacker, bank)) != UNPACKERS) return TANDEM_BLOCKED;
    const int32_t row = (int32_t)(addr >> 2) - (unpacker ? 0 : 4);
    if (row < 0) { /* of SrcA alone: there is no row to write */
        increment_offset(c->code, t);
        return TANDEM_DONE;
    }
    const int with_addr = !unpacker && GET("ThreadConfig[%u].SRCA_SET_SetOvrdWithAddr", t, 0);
    if (row >= (with_addr ? 64 : 16)) return unsupported("such a Row is UndefinedBehavior");
    uint32_t at = (uint32_t)row;
    if (!with_addr) at += GET("Unpackers[%u].SrcRow[%u]", F(1456) ? 0 : unpacker, t);
    if (at >= 64) return unsupported("a row that there is not: SrcRow is not one of those that the page names");
    increment_offset(c->code, t);
    uint32_t *to = write_row((unpacker ? row_srcb : row_srca) + bank * 64 + at);
    for (uint32_t i = 0; i < 4; i++) to[(addr & 3) * 4 + i] = datum[i];
    return TANDEM_DONE;
}

/* ---- atomics on L1 ----------------------------------------------------------------------------------------------- */

static uint32_t atcas(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t ofs = bits(c->code, 12, 2);
    uint32_t row;
    const uint32_t outcome = find_l1_row(gpr(c->thread, bits(c->code, 0, 6)) * 16 + ofs * 4, &row);
    if (outcome != TANDEM_DONE) return outcome;
    if (((const uint32_t *)read_row(row))[ofs] != bits(c->code, 14, 4)) return TANDEM_BLOCKED;
    if (F(1458)) memset(write_row(row), 0, 16);
    ((uint32_t *)write_row(row))[ofs] = bits(c->code, 18, 4);
    return TANDEM_DONE;
}

static uint32_t atincget(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t t = c->thread, ofs = bits(c->code, 12, 2), in_out_reg = bits(c->code, 6, 6);
    const uint32_t increment_by = gpr(t, in_out_reg), int_mask = (2u << bits(c->code, 14, 5)) - 1u;
    uint32_t row;
    const uint32_t outcome = find_l1_row(gpr(t, bits(c->code, 0, 6)) * 16 + ofs * 4, &row);
    if (outcome != TANDEM_DONE) return outcome;
    uint32_t *word = (uint32_t *)write_row(row) + ofs;
    const uint32_t original = F(1453) ? *word & 0xffff : *word;
    *word = ((original + increment_by) & int_mask) | (original & ~int_mask);
    *gpr_write(t, in_out_reg) = original;
    return TANDEM_DONE;
}

static uint32_t atincgetptr(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t t = c->thread, ofs = bits(c->code, 12, 2), int_width = bits(c->code, 14, 4);
    const uint32_t increment_by = bits(c->code, 22, 1) ? 0 : 1u << bits(c->code, 18, 4);
    const uint32_t int_mask = (1u << int_width) - 1;
    uint32_t row;
    const uint32_t outcome = find_l1_row(gpr(t, bits(c->code, 0, 6)) * 16, &row);
    if (outcome != TANDEM_DONE) return outcome;
    const uint32_t *words = read_row(row); /* Rd, then Wr */
    const uint32_t fifo_size = words[1] - words[0];
    if (ofs & 1) {
        const uint32_t capacity = int_width ? 1u << (int_width - 1) : 0x8000;
        if (fifo_size && fifo_size % capacity == 0) return TANDEM_BLOCKED; /* full */
    } else if (!fifo_size) {
        return TANDEM_BLOCKED; /* empty */
    }
    uint32_t *word = (uint32_t *)write_row(row) + ofs;
    const uint32_t original = *word;
    *word = ((original + increment_by) & int_mask) | (original & ~int_mask);
    *gpr_write(t, bits(c->code, 6, 6)) = F(1451) && ofs & 1 ? *word : original;
    return TANDEM_DONE;
}

static uint32_t atswap(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t t = c->thread, data_reg = bits(c->code, 6, 6), mask = bits(c->code, 14, 8);
    const uint32_t address = gpr(t, bits(c->code, 0, 6)) * 16;
    uint32_t row, words[4] = {0};
    if (!mask && address < tensix_sram_size()) return TANDEM_DONE; /* whether or not a window shows it */
    const uint32_t outcome = find_l1_row(address, &row);
    if (outcome != TANDEM_DONE) return outcome;
    const uint32_t single = F(1450) ? gpr(t, data_reg) & 0xffff : gpr(t, data_reg);
    if (bits(c->code, 22, 1)) words[data_reg & 3] = single; /* SingleDataReg: zeros around it */
    else memcpy(words, read_row(row_gprs + t * 16 + data_reg / 4), sizeof words);
    for (uint32_t i = 0; i < 8; i++)
        if (mask >> i & 1) memcpy((uint8_t *)write_row(row) + 2 * i, (const uint8_t *)words + 2 * i, 2);
    return TANDEM_DONE;
}

/* ---- memory-mapped registers ------------------------------------------------------------------------------------- */

/* AddrLo: an address without 0xFFB00000, divided by 4. */
enum { MMIO_WORDS = 8, FIRST_MMIO = 0x11000 / 4, STREAMS_MMIO = 0x40000 / 4, MMIO_OF_A_STREAM = 0x1000 / 4 };

/* The word of the state that is the register of this address; the first one counts. */
static uint32_t find_mmio(uint32_t addr_lo, const tandem_field **word) {
    if (addr_lo < FIRST_MMIO) return unsupported("an address below 0xFFB11000 is UndefinedBehavior");
    for (uint32_t i = 0; i < MMIO_WORDS; i++) {
        if (GET("Mmio[%u].AddrLo", i, 0) != addr_lo) continue;
        *word = FIELD("Mmio[%u].Word", i, 0);
        return TANDEM_DONE;
    }
    return unsupported("the state does not have this register");
}

static uint32_t loadreg(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const tandem_field *word;
    const uint32_t outcome = find_mmio(bits(c->code, 0, 18), &word);
    if (outcome != TANDEM_DONE) return outcome;
    *gpr_write(c->thread, bits(c->code, 18, 6)) = get(word);
    return TANDEM_DONE;
}

static uint32_t storereg(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const tandem_field *word;
    const uint32_t outcome = find_mmio(bits(c->code, 0, 18), &word);
    if (outcome != TANDEM_DONE) return outcome;
    set(word, gpr(c->thread, bits(c->code, 18, 6)));
    return TANDEM_DONE;
}

/* Unlike to L1, the store comes first: an offset among what is stored is stored as it was. */
static uint32_t storeind_mmio(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t t = c->thread;
    const uint32_t addr = gpr(t, bits(c->code, 0, 6)) + (half_gpr(t, bits(c->code, 14, 7)) >> 4);
    const tandem_field *word;
    const uint32_t outcome = find_mmio((addr & 0xffffc) / 4, &word);
    if (outcome != TANDEM_DONE) return outcome;
    set(word, gpr(t, bits(c->code, 6, 6)));
    increment_offset(c->code, t);
    return TANDEM_DONE;
}

/* The register is read even where the word of Config shows nowhere. */
static uint32_t streamwrcfg(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t t = c->thread, index = bits(c->code, 0, 11), reg_index = bits(c->code, 11, 10);
    if (index >= config_words()) return unsupported("CfgIndex out of bounds is UndefinedBehavior");
    const uint32_t stream = stream_config(t, STREAM_ID_SYNC_SEC + bits(c->code, 21, 2), 6);
    const tandem_field *word;
    const uint32_t outcome = find_mmio(STREAMS_MMIO + stream * MMIO_OF_A_STREAM + reg_index, &word);
    if (outcome != TANDEM_DONE) return outcome;
    write_config(state_id(t), index, get(word));
    return TANDEM_DONE;
}
