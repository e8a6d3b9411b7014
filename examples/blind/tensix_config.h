/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Part of tensix.c: what moves words between GPRs, immediates and configuration (SETC16, WRCFG, RDCFG, RMWCIB, both
 * forms of SETDMAREG), and what gives registers and LaneConfig of the Vector Unit an immediate (SFPLOADI, SFPCONFIG).
 */

/* ---- words of Config and ThreadConfig ---------------------------------------------------------------------------- */

enum { STATE_RESET_EN = 4 }; /* the word of Config */

static uint32_t config_words(void) { return is_blackhole() ? 224 : 188; }      /* CFG_STATE_SIZE * 4 */
static uint32_t thread_config_words(void) { return is_blackhole() ? 68 : 57; } /* THD_STATE_SIZE */
static uint32_t first_global_word(void) { return is_blackhole() ? 180 : 152; } /* GLOBAL_CFGREG_BASE_ADDR32 */

/* Where a word of Config[s] lies in the small state: where any field begins that has its address. What has no bank in
 * its name is in both. NULL: the state does not have it. */
static uint8_t *config_word(uint32_t s, uint32_t index) {
    static const tandem_isa *of;
    static const tandem_field *known[2][256];
    if (of != isa) {
        memset(known, 0, sizeof known), of = isa;
        for (uint32_t i = 0; i < isa->num_fields; i++) {
            const tandem_field *field = &isa->fields[i];
            if (!field->address_bank || strcmp(field->address_bank, "Config") || field->address >= 256) continue;
            if (strncmp(field->name, "Config[1]", 9)) known[0][field->address] = field;
            if (strncmp(field->name, "Config[0]", 9)) known[1][field->address] = field;
        }
    }
    return known[s][index] ? small + known[s][index]->byte : NULL;
}

/* A write to a word that the state does not have shows nowhere. */
static void put_config_word(uint32_t s, uint32_t index, uint32_t value) {
    uint8_t *word = config_word(s, index);
    if (word) memcpy(word, &value, sizeof value);
}

/* What WRCFG writes. Global words have one place for both banks. */
static void write_config(uint32_t s, uint32_t index, uint32_t value) {
    put_config_word(s, index, value);
    if (index == STATE_RESET_EN)
        for (uint32_t i = 0; i < first_global_word(); i++) {
            put_config_word(s, i, 0);
            if (F(178)) put_config_word(!s, i, 0);
        }
}

static uint32_t gpr(uint32_t t, uint32_t i) { return ((const uint32_t *)read_row(row_gprs + t * 16 + i / 4))[i % 4]; }
static uint32_t *gpr_write(uint32_t t, uint32_t i) { return (uint32_t *)write_row(row_gprs + t * 16 + i / 4) + i % 4; }

static void put_half(uint32_t *word, uint32_t high, uint32_t value) {
    *word = high ? (*word & 0xffff) | value << 16 : (*word & 0xffff0000) | (value & 0xffff);
}

/* ---- the Configuration Unit -------------------------------------------------------------------------------------- */

/* What a write does to clock gaters is not in the state. */
static uint32_t setc16(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t index = bits(c->code, 16, 8), t = F(113) ? 0 : c->thread;
    const uint16_t value = (uint16_t)bits(c->code, 0, 16);
    if (index >= thread_config_words()) return unsupported("CfgIndex out of bounds is UndefinedBehavior");
    uint8_t *words = small + FIELD("ThreadConfig[%u].CFG_STATE_ID_StateID", t, 0)->byte;
    if (F(1207) && kept.setc16_step && kept.setc16_step + 1 == kept.step && kept.setc16_at != index) {
        const uint16_t before = (uint16_t)kept.setc16_before; /* what was written last had not left the buffer */
        memcpy(words + 2 * kept.setc16_at, &before, sizeof before);
    }
    uint16_t old;
    memcpy(&old, words + 2 * index, sizeof old);
    kept.setc16_step = kept.step, kept.setc16_at = index, kept.setc16_before = old;
    if (index == 0)
        kept.state_before = GET("ThreadConfig[%u].CFG_STATE_ID_StateID", t, 0), kept.state_thread = t,
        kept.state_step = kept.step;
    memcpy(words + 2 * index, &value, sizeof value);
    if (F(1249) && index + 1 < thread_config_words()) memset(words + 2 * index + 2, 0, 2);
    if (index == (is_blackhole() ? 41 : 39)) /* UNPACK_MISC_CFG_CfgContextCntReset_0_ADDR32, and _1 */
        for (uint32_t which = 0; which < 2; which++) set(FIELD("Unpackers[%u].ContextCounter[%u]", which, t), 0);
    return TANDEM_DONE;
}

static uint32_t wrcfg(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t t = c->thread, s = state_id(t), index = bits(c->code, 0, 11), input = bits(c->code, 16, 6);
    if (index >= config_words()) return unsupported("CfgIndex out of bounds is UndefinedBehavior");
    if (!bits(c->code, 15, 1)) {
        write_config(s, index, gpr(t, input));
        return TANDEM_DONE;
    }
    const uint32_t words = F(1214) ? 2 : 4;
    /* The page copies 16 bytes and does not say which word is first. Here it is the lowest, so that of a group with
     * STATE_RESET_EN, which is the lowest itself, the other three are what was written. */
    const uint32_t first = F(114) ? input : input & 0x3c;
    for (uint32_t i = 0; i < words; i++) write_config(s, (index & 0x7fc) + i, gpr(t, (first + i) & 0x3f));
    if (F(1234)) write_config(s, index, gpr(t, input));
    return TANDEM_DONE;
}

static uint32_t rdcfg(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t t = c->thread, index = bits(c->code, 0, 11);
    if (index >= config_words()) return unsupported("CfgIndex out of bounds is UndefinedBehavior");
    const uint8_t *word = config_word(F(144) ? 0 : state_id(t), index);
    if (!word) return unsupported("this word of Config is not in the state");
    uint32_t *to = gpr_write(t, bits(c->code, 16, 6));
    memcpy(to, word, F(1212) ? sizeof(uint16_t) : sizeof(uint32_t));
    if (F(1248)) *to = (uint16_t)*to;
    return TANDEM_DONE;
}

/* This one does not reset a bank. */
static uint32_t rmwcib(const uint32_t *code, uint32_t index1) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t s = F(1209) ? kept.state[c->thread] : state_id(c->thread);
    const uint32_t index4 = bits(c->code, 0, F(1227) ? 7 : 8);
    const uint32_t value = bits(c->code, 8, 8), mask = bits(c->code, 16, 8);
    if (index4 >= config_words()) return unsupported("Index4 out of bounds is UndefinedBehavior");
    uint8_t *word = config_word(s, index4);
    if (!word) return TANDEM_DONE; /* as for put_config_word */
    if (F(1259) && !(value & mask)) return TANDEM_DONE;
    word[index1] = (uint8_t)((F(179) ? value : value & mask) | (F(115) ? 0 : word[index1] & (F(145) ? 0xff : ~mask)));
    if (F(116) && index4 == STATE_RESET_EN) write_config(s, index4, 0);
    return TANDEM_DONE;
}

static uint32_t rmwcib0(const uint32_t *code) { return rmwcib(code, 0); }
static uint32_t rmwcib1(const uint32_t *code) { return rmwcib(code, 1); }
static uint32_t rmwcib2(const uint32_t *code) { return rmwcib(code, 2); }
static uint32_t rmwcib3(const uint32_t *code) { return rmwcib(code, 3); }

/* ---- the Scalar Unit --------------------------------------------------------------------------------------------- */

static uint32_t setdmareg_immediate(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t half = bits(c->code, 0, F(146) ? 6 : 7);
    uint32_t *to = gpr_write(F(1236) ? 0 : c->thread, half / 2);
    if (F(180) && half % 2 == 0) *to = 0;
    put_half(to, half % 2, bits(c->code, 8, F(1217) ? 8 : 16));
    return TANDEM_DONE;
}

/* Halves of 128 bits, bit = half. What is not reserved in a tile header: TileSize in half 0, DataFormat,
 * DisableZeroCompression and SpareBits in half 3, AllZeroFlags in 4 and 5. */
enum { ALL = 0xff, TILE_HEADER = 1 << 0 | 1 << 3 | 1 << 4 | 1 << 5, FLAGS = 1 << 0, EXPONENT = 1 << 0 | 1 << 1 };

/* The halves in which a source has anything of Packers, which are not in the state; all others are zero. How wide a
 * maximum exponent (9) is, the page does not say. */
static uint32_t halves_of_packers(uint32_t source) {
    static const uint8_t halves[16] = {
        ALL, ALL, TILE_HEADER, TILE_HEADER, TILE_HEADER, TILE_HEADER, ALL, ALL, FLAGS, EXPONENT};
    return halves[source];
}

static uint32_t setdmareg_special(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t t = c->thread, result = bits(c->code, 0, 7), input = bits(c->code, 8, 3);
    const uint32_t size = bits(c->code, 22, 2), halves = halves_of_packers(bits(c->code, 11, 4));
    enum { HALF, WORD, FOUR_WORDS, HEADER };
    const uint32_t wanted[4] = {1u << input, 3u << (input & 6), ALL, TILE_HEADER};
    if (halves & wanted[size]) return unsupported("Packers are not in the state");
    uint32_t *to = gpr_write(t, (size == HALF && !F(1247)) || size == WORD ? result / 2 : result / 2 & 0x3c);
    switch (size) {
    case HALF: put_half(to, result % 2, 0); break;
    case WORD: to[0] = 0; break;
    case FOUR_WORDS: memset(to, 0, 16); break;
    case HEADER: /* reserved are the high half, the low half and the highest byte, and the last word */
        to[0] &= 0xffff0000;
        to[1] &= F(117) ? 0xffe0ffff : 0xff00ffff; /* DataFormat, DisableZeroCompression, SpareBits: 4, 1 and 3 bits */
        to[2] = 0;
        if (F(1210)) to[3] = 0;
        break;
    }
    return TANDEM_DONE;
}

/* ---- the Vector Unit --------------------------------------------------------------------------------------------- */

static uint32_t sfploadi(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t imm16 = bits(c->code, 0, 16), mod0 = bits(c->code, 16, 4), vd = bits(c->code, 20, 4);
    const uint32_t enabled = lane_mask(c);
    enum { FLOATB = 0, FLOATA = 1, USHORT = 2, SHORT = 4, UPPER = 8, LOWER = 10 };
    if (vd >= 8 || !enabled) return TANDEM_DONE; /* whatever Mod0 is */
    uint32_t value, keep = 0;
    switch (mod0) {
    case FLOATB: value = imm16 << 16; break;
    case FLOATA:
        value = bits(imm16, 10, 5);
        if ((!F(118) || value) && !(F(1118) && value == 0x1f)) value += 112;
        value = bits(imm16, 15, 1) << 31 | value << 23 | bits(imm16, 0, 10) << 13;
        break;
    case USHORT: value = F(1144) ? (uint8_t)imm16 : imm16; break;
    case SHORT: value = imm16 & 0x8000 ? imm16 | 0xffff0000 : imm16; break;
    case UPPER:
        value = imm16 << 16, keep = F(147) ? 0 : 0xffff;
        if (!F(1135)) break;
        value |= imm16, keep = 0; /* and then what LOWER does */
        break;
    case LOWER: value = imm16, keep = 0xffff0000; break;
    default: return unsupported("this Mod0 is UndefinedBehavior");
    }
    uint32_t *to = lreg_write(vd);
    for (unsigned lane = 0; lane < 32; lane++)
        if ((enabled >> lane & 1) && !(F(1152) && config(c, lane, BLOCK_SFPU_RD_FROM_DEST)))
            to[lane] = value | (to[lane] & keep);
    return TANDEM_DONE;
}

/* All goes by the first eight lanes, and four lanes have what one of them has: of LaneConfig too, which the state keeps
 * for eight. ROW_MASK is not asked, nor DISABLE_BACKDOOR_LOAD. */
static uint32_t sfpconfig(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    enum { IMM16_IS_VALUE = 1, BITWISE_OR = 2, BITWISE_AND = 4, BITWISE_XOR = 6, IMM16_IS_LANE_MASK = 8 };
    static const uint32_t defaults[4] = {0xbf800000, 0x3b000000, 0xbf2cc4c7, 0xbeb08ff9}; /* of LReg[11] and so on */
    const uint32_t mod1 = MOD1, vd = VD, imm16 = bits(c->code, 8, 16), *from = lreg(0);
    const int is_value = mod1 & IMM16_IS_VALUE;
    if (vd == 9 || vd == 10) return TANDEM_DONE; /* without a promise */
    if (vd == 16) return TANDEM_DONE;            /* scheduled: this names nothing that is configured */
    uint32_t *to = vd > 8 && vd < 15 ? lreg_write(vd) : NULL;
    uint32_t *load_macro_row = vd < 8 ? write_row(first_row("LoadMacroConfig") + vd) : NULL;
    for (unsigned lane = 0; lane < 8; lane++) {
        if ((mod1 & IMM16_IS_LANE_MASK) && !bits(imm16, F(119) ? lane : lane * 2, 1)) continue;
        if ((c->use_lane_flags >> lane & 1) && !(c->lane_flags >> lane & 1)) continue;
        if (load_macro_row) { /* a template is always whole, a sequence may be an immediate */
            load_macro_row[lane] = is_value && vd >= 4 ? imm16 : from[lane];
        } else if (vd == 8) {
            const tandem_field *misc = FIELD("LoadMacroConfig[%u].Misc", lane, 0);
            const uint32_t value = is_value ? imm16 : from[lane];
            switch (mod1 & 6) {
            case 0: set(misc, value); break;
            case BITWISE_OR: set(misc, get(misc) | value); break;
            case BITWISE_AND: set(misc, get(misc) & value); break;
            case BITWISE_XOR: set(misc, get(misc) ^ value); break;
            }
        } else if (to) {
            uint32_t value = is_value ? defaults[vd - 11] : from[lane];
            if (F(1115) && is_value && vd == 11) value = 0xbf000000;
            if (F(1156) && is_value && vd == 13) value = 0xbf2cc4c6;
            for (unsigned row = 0; row < 4; row++)
                to[row * 8 + lane] = F(148) && !is_value ? from[row * 8 + lane] : value;
        } else {
            const uint32_t original = c->lane_config[lane], value = (is_value ? imm16 : from[lane]) & 0x3ffff;
            uint32_t after = value;
            switch (F(181) && mod1 & BITWISE_OR ? BITWISE_OR : mod1 & 6) {
            case BITWISE_OR: after = original | value; break;
            case BITWISE_AND: after = original & value; break;
            case BITWISE_XOR: after = original ^ value; break;
            }
            if ((F(1105) ? (mod1 & BITWISE_OR) != 0 : is_value) && !F(120)) after |= original & 0x30000;
            c->lane_config[lane] = after;
        }
    }
    memcpy(small + FIELD("LaneConfig[%u].ENABLE_FP16A_INF", 0, 0)->byte, c->lane_config, sizeof c->lane_config);
    return TANDEM_DONE;
}
