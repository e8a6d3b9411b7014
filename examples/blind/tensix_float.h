/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Part of tensix.c: what multiplies and adds in the Vector Unit (SFPMAD, SFPADD, SFPMUL, SFPADDI, SFPMULI, SFPLUT,
 * SFPLUTFP32, SFPMUL24), and SFPARECIP. A float is its 32 bits, and all arithmetic is that of integers.
 */

/* ---- a product and a sum ---------------------------------------------------------------------------------------- */

#define SIGN_BIT 0x80000000u
#define INFINITE 0x7f800000u
#define ONE 0x3f800000u
#define LEADING 0x800000u /* the bit of a mantissa that a float does not have */

static int exponent_of(uint32_t x) { return (int)(x >> 23 & 0xff); }

/* With the leading bit. A denormal is zero. */
static uint32_t mantissa_of(uint32_t x) {
    if (exponent_of(x) > (F(1313) ? 1 : 0)) return LEADING | (x & 0x7fffff);
    return F(1309) ? x & 0x7fffff : 0;
}

/* To the right. What falls out stays in the lowest bit, unless nothing else is left. */
static uint32_t shifted(uint32_t mantissa, int by) {
    const uint32_t rest = by < 32 ? mantissa >> by : 0;
    return rest && !F(1404) ? rest | (rest << by != mantissa) : rest;
}

/* x * y + z. The product keeps three bits below those of a mantissa, of which the lowest stands for all that follow; z
 * gets three zeros, and the sum is rounded once. */
static uint32_t multiply_add(uint32_t x, uint32_t y, uint32_t z, int blackhole) {
    const int x_exp = exponent_of(x), y_exp = exponent_of(y), z_exp = exponent_of(z);
    const uint32_t x_man = mantissa_of(x), z_man = mantissa_of(z), y_man = F(1318) && !y_exp ? y & 0x7fffff : mantissa_of(y);
    const uint32_t p_sign = F(1411) && (!x_man || !y_man) ? 0 : (x ^ y) & SIGN_BIT, z_sign = z & SIGN_BIT;
    const uint64_t whole = F(1408) ? x_man * y_man : (uint64_t)x_man * y_man;
    const int lost = F(1413) ? !(whole & 0xfffff) : (whole & 0xfffff) != 0;
    uint32_t p = (uint32_t)(whole >> 20) | (uint32_t)lost, nan = 0;
    int p_exp = x_exp + y_exp - 127;
    if (F(1315)) p = (p >> 2 | ((p & 3) != 0)) << 2;

    if (x_exp == 255 || (y_exp == 255 && !F(1311)) || z_exp == 255 || p_exp >= (F(1419) ? 254 : 255)) {
        const int x_bad = x_exp == 255 && (F(1403) ? x_man != LEADING && !y_man : x_man != LEADING || !y_man);
        const int y_bad = y_exp == 255 && (y_man != LEADING || (!x_man && !F(1305)));
        const int z_nan = (z_exp == 255 || F(1417)) && z_man != LEADING, z_inf = z_exp == 255 && z_man == LEADING;
        /* Infinities of both signs: on Wormhole a product counts that is only too large. */
        const int p_inf = x_exp == 255 || y_exp == 255 || (!blackhole && p_exp >= 255);
        const int bad = x_bad || y_bad || ((z_inf || F(1308)) && p_inf && z_sign != p_sign);
        if (blackhole && (bad || z_nan)) return 0x7fc00000;
        if (bad) nan = p_sign | INFINITE | !F(1418);
        else if (z_nan) nan = z_sign | INFINITE | 1; /* and some bits of what follows */
        else return z_inf ? z : F(1319) ? INFINITE : p_sign | INFINITE | F(1402);
        if (p_exp > (F(1420) ? 254 : 255)) p_exp = F(1420) ? 254 : 255;
    }
    if (!p || p_exp < (F(1306) ? 1 : 0)) {
        if (!nan) return z_man ? z : blackhole ? z_sign & p_sign : F(1302) ? p_sign : 0;
        p = 0, p_exp = 0;
    }

    int exp = p_exp > z_exp ? p_exp : z_exp;
    const uint32_t a = shifted(p, exp - p_exp), b = shifted(z_man << 3, exp - z_exp);
    const int is_of_p = F(1301) ? a <= b : F(1304) ? p_exp >= z_exp : a >= b;
    const uint32_t sign = is_of_p ? p_sign : z_sign;
    uint32_t sum = p_sign == z_sign ? a + b : a >= b ? a - b : b - a;
    if (F(1310) && p_sign != z_sign) sum--;
    if (F(1410) && z_sign != sign) sum++;
    if (F(1414)) sum = (z_sign == sign ? ~b : b) + (p_sign != sign ? ~a : a) + (p_sign != z_sign);
    if (F(1415)) sum = (z_sign != sign ? ~b : b) + (p_sign != z_sign ? ~a : a) + (p_sign != z_sign);
    if (!sum) return blackhole ? z_sign & p_sign : nan;

    int by = 5 - __builtin_clz(sum); /* to the right, or if it is negative to the left */
    exp += by;
    if (exp >= 255) return nan && !F(1409) ? nan : sign | (F(1307) ? INFINITE - 1 : INFINITE);
    if (blackhole && exp <= (F(1406) ? 1 : 0)) {
        if (F(1405)) return sign;
        exp = F(1412), by += !F(1320);
    }
    if (exp < 0 && !F(1407)) return F(1401) && !nan ? sign : nan;
    if (by <= 0) sum <<= -by;
    else if (F(1314)) sum >>= by;
    else sum = sum >> by | ((sum & (blackhole ? (uint32_t)by | 1 : 1)) != 0); /* Wormhole loses the second of two bits */
    uint32_t result = ((uint32_t)exp << 23) + (sum >> 3 & 0x7fffff);
    if ((sum & 7) + (result & 1) > (F(1416) ? 3 : 4)) result++;
    if (!(result >> 23)) return blackhole ? sign : nan;
    return result | (nan && !F(1317) ? nan : F(1312) ? z_sign : sign);
}

/* ---- registers that a lane names --------------------------------------------------------------------------------- */

enum { NEGATE_VA = 1, NEGATE_VC = 2, INDIRECT_VA = 4, INDIRECT_VD = 8 }; /* bits of Mod1; the first two are Blackhole's */

static uint32_t named_by_lane(unsigned lane) { return lreg(7)[lane] & 15; }

static void put_result(unsigned lane, uint32_t vd, int indirect, uint32_t result) {
    if (indirect && vd != 16) vd = named_by_lane(lane);
    if (writable(vd)) lreg_write(vd)[lane] = result;
}

/* Lanes that execute an instruction of this VD, which is that of the word. */
static uint32_t active_lanes(const context *c, uint32_t vd) { return lane_mask(c) & front_door(c, vd); }

#define EACH_LANE(lane, lanes) (unsigned lane = 0; lane < 32; lane++) if ((lanes) >> lane & 1)
#define VB (scheduled.is_on ? scheduled.vb : bits(c->code, 12, 4))
#define VA bits(c->code, 16, 4)

static uint32_t sfpmad(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t mod1 = MOD1, lanes = active_lanes(c, VD);
    const int blackhole = is_blackhole();
    for EACH_LANE(lane, lanes) {
        uint32_t x = lreg(mod1 & INDIRECT_VA ? named_by_lane(lane) : VA)[lane], z = lreg(VC)[lane];
        if (blackhole && (mod1 & (F(1303) ? 2 : NEGATE_VA))) x ^= SIGN_BIT;
        if (blackhole && (mod1 & NEGATE_VC)) z ^= SIGN_BIT;
        put_result(lane, VD, mod1 & INDIRECT_VD, multiply_add(x, lreg(VB)[lane], z, blackhole));
    }
    return TANDEM_DONE;
}

static uint32_t sfpadd(const uint32_t *code) { return sfpmad(code); }
static uint32_t sfpmul(const uint32_t *code) { return sfpmad(code); }

/* The register that is read is the word's VD, even if the result goes elsewhere. */
static uint32_t with_immediate(const uint32_t *code, int is_product) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t mod1 = MOD1, lanes = active_lanes(c, VD), immediate = bits(c->code, 8, 16) << 16;
    const int blackhole = is_blackhole();
    for EACH_LANE(lane, lanes) {
        uint32_t other = lreg(scheduled.is_on ? scheduled.vc : VD)[lane];
        if (blackhole && (mod1 & NEGATE_VC)) other ^= SIGN_BIT;
        const uint32_t factor = is_product ? other : ONE, summand = is_product ? 0 : other;
        uint32_t result = multiply_add(immediate, factor, summand, blackhole);
        if (F(1316) && is_product && !(result & ~SIGN_BIT)) result = (immediate ^ factor) & SIGN_BIT;
        put_result(lane, VD, mod1 & INDIRECT_VD, result);
    }
    return TANDEM_DONE;
}

static uint32_t sfpaddi(const uint32_t *code) { return with_immediate(code, 0); }
static uint32_t sfpmuli(const uint32_t *code) { return with_immediate(code, 1); }

/* ---- pieces of a function ---------------------------------------------------------------------------------------- */

enum { SGN_RETAIN = 4 };

/* What is compared is a magnitude, whose order as a float is that of its bits; a NaN is above all limits. */
static uint32_t piece_of(uint32_t magnitude) { return magnitude < ONE ? 0 : magnitude < 0x40000000 ? 1 : 2; }

static uint32_t of_8_bits(uint32_t x) {
    return x == 0xff ? 0 : bits(x, 7, 1) << 31 | (127 - bits(x, 4, 3)) << 23 | bits(x, 0, 4) << 19;
}

/* The largest exponent is zero, but its mantissa and its sign stay: a denormal. There are no others. */
static uint32_t of_16_bits(uint32_t x) {
    const uint32_t exp = bits(x, 10, 5);
    return bits(x, 15, 1) << 31 | (exp == 31 ? 0 : 112 + exp) << 23 | bits(x, 0, 10) << 13;
}

static uint32_t sign_retained(uint32_t mod, uint32_t result, uint32_t of) {
    return mod & SGN_RETAIN ? (result & ~SIGN_BIT) | (of & SIGN_BIT) : result;
}

static uint32_t sfplut(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const uint32_t mod0 = bits(c->code, 16, 4), vd = scheduled.is_on ? scheduled.vd : bits(c->code, 20, 4);
    const uint32_t lanes = active_lanes(c, vd);
    const int blackhole = is_blackhole();
    for EACH_LANE(lane, lanes) {
        const uint32_t at = lreg(3)[lane], magnitude = at & ~SIGN_BIT, pair = lreg(piece_of(magnitude))[lane];
        const uint32_t result = multiply_add(of_8_bits(bits(pair, 8, 8)), magnitude, of_8_bits(bits(pair, 0, 8)), blackhole);
        put_result(lane, vd, mod0 & INDIRECT_VD, sign_retained(mod0, result, at));
    }
    return TANDEM_DONE;
}

/* Mod1Mirror of Blackhole is for what waits, not for the result. */
static uint32_t sfplutfp32(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    enum { SIXTEEN_BITS = 2, ONE_REGISTER = 10, LIMIT_OF_4 = 3 }; /* each is all of its bits */
    const uint32_t mod1 = MOD1, lanes = active_lanes(c, VD);
    const uint32_t last = (mod1 & LIMIT_OF_4) == LIMIT_OF_4 ? 0x40800000 : 0x40400000; /* 4 or 3 */
    const int blackhole = is_blackhole();
    for EACH_LANE(lane, lanes) {
        const uint32_t at = lreg(3)[lane], magnitude = at & ~SIGN_BIT, piece = piece_of(magnitude);
        uint32_t factor = lreg(piece)[lane], summand = lreg(4 + piece)[lane];
        if ((mod1 & ONE_REGISTER) == ONE_REGISTER) {
            summand = of_16_bits(factor & 0xffff), factor = of_16_bits(factor >> 16);
        } else if (mod1 & SIXTEEN_BITS) {
            const uint32_t limits[3] = {0x3f000000, 0x3fc00000, last}; /* 1/2, 3/2 */
            const unsigned shift = magnitude < limits[piece] ? 0 : 16;
            factor = of_16_bits(bits(factor, shift, 16)), summand = of_16_bits(bits(summand, shift, 16));
        }
        const uint32_t result = multiply_add(factor, magnitude, summand, blackhole);
        put_result(lane, VD, mod1 & INDIRECT_VD, sign_retained(mod1, result, at));
    }
    return TANDEM_DONE;
}

/* ---- SFPMUL24 and SFPARECIP -------------------------------------------------------------------------------------- */

/* What the adder makes of a product of integers, which it takes for the mantissa of a float of exponent 129; without a
 * promise. Shifts have five bits. */
static uint32_t added_to_product(uint32_t product, uint32_t z) {
    const uint32_t z_exp = bits(z, 23, 8), exp = z_exp > 129 ? z_exp : 129, mantissa = (LEADING | (z & 0x7fffff)) << 3;
    if (!z_exp) return product;
    const unsigned by = (exp - z_exp) & 31;
    const uint32_t rest = mantissa >> by;
    product >>= (exp - 129) & 31;
    if (!rest) return product;
    product += rest;
    if (((rest << by) ^ mantissa) > 0xffff) product += 0x10000;
    return product & 0x7fffff;
}

static uint32_t sfpmul24(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    enum { UPPER = 1 };
    const uint32_t mod1 = MOD1, lanes = active_lanes(c, VD);
    for EACH_LANE(lane, lanes) {
        const uint32_t x = lreg(mod1 & INDIRECT_VA ? named_by_lane(lane) : VA)[lane], z = lreg(VC)[lane];
        const uint64_t whole = (uint64_t)(x & 0x7fffff) * (lreg(VB)[lane] & 0x7fffff);
        const uint32_t product = (uint32_t)(mod1 & UPPER ? whole >> 23 : whole & 0x7fffff);
        put_result(lane, VD, mod1 & INDIRECT_VD, added_to_product(product, z)); /* which changes nothing if z is zero */
    }
    return TANDEM_DONE;
}

/* The table's entry for the highest seven bits of a mantissa is, rounded, 256 / (1 + (i + 1/2) / 128) - 128. */
static uint32_t reciprocal(uint32_t x) {
    if (x < 0x00800000) return INFINITE;
    if (x >= 0x7e800000) return 0;
    const uint32_t twice = 257 + 2 * bits(x, 16, 7);
    return (253 - (x >> 23)) << 23 | ((2 * 65536 + twice) / (2 * twice) - 128) << 16;
}

/* Of the table of 896 entries is given how many follow each other with the same value: 2 to 16, and then 17 to 127; and
 * from entry 690 on 0 to 234, of which some do not occur. */
static const uint8_t *exponentials(void) {
    static const uint8_t of_2_to_16[] = {62, 63, 32, 31, 31, 30, 19, 15, 14, 15, 15, 14, 14, 15, 14};
    static const char of_17_to_127[] = "77777767767767667665333333333332333333233323323323323233232323232221111211111"
                                       "2111111211111111111211111111111111";
    static const char of_0_to_234[] = "222222212222221222122212212212122121212212121201101110110110110110110110110110"
                                      "101101011010110101011010101011010101010101010101011111111111011111111101111101"
                                      "111101110111101110110111011011011101101011011011010110110101101010110101011010"
                                      "1";
    static uint8_t table[896];
    if (table[0]) return table;
    unsigned at = 0;
    for (unsigned i = 0; i < sizeof of_2_to_16; i++)
        for (unsigned n = of_2_to_16[i]; n; n--) table[at++] = (uint8_t)(2 + i);
    for (unsigned i = 0; of_17_to_127[i]; i++)
        for (int n = of_17_to_127[i] - '0'; n; n--) table[at++] = (uint8_t)(17 + i);
    for (unsigned i = 0; of_0_to_234[i]; i++)
        for (int n = of_0_to_234[i] - '0'; n; n--) table[at++] = (uint8_t)i;
    return table;
}

static uint32_t exponential(uint32_t x) {
    if (x < 0x00800000) return ONE;
    if (x < 0x3c800000) return 0x3f810000 | (x & 0xffff);
    if (x >= 0x40000000) return 0x40800000 | (x & 0xffff);
    const uint32_t entry = exponentials()[(x >> 16) - 0x3c80];
    return (x < 0x3f320000 ? ONE : 0x40000000) | entry << 16 | (x & 0xffff);
}

/* Without a door. */
static uint32_t sfparecip(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    enum { RECIP, COND_RECIP }; /* anything else is EXP */
    const uint32_t vd = VD, mod1 = MOD1, lanes = lane_mask(c);
    if (vd >= 8) return TANDEM_DONE;
    for EACH_LANE(lane, lanes) {
        const uint32_t x = lreg(VC)[lane], sign = x & SIGN_BIT;
        uint32_t result = x;
        if (mod1 == RECIP) result = sign | reciprocal(x - sign);
        else if (mod1 != COND_RECIP) result = sign | exponential(x - sign);
        else if (lreg(VB)[lane] & SIGN_BIT) result = reciprocal(x - sign);
        lreg_write(vd)[lane] = result;
    }
    return TANDEM_DONE;
}
