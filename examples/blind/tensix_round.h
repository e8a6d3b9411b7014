/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Part of tensix.c: what changes the format of a register and may round with the PRNG (SFPCAST, SFPSTOCHRND).
 */

/* ---- SFPCAST ----------------------------------------------------------------------------------------------------- */

/* An integer with a sign and a magnitude, as a float. Random are seven bits, asked for in every lane that gets here. */
static uint32_t float_of_integer(uint32_t x, int stochastic, unsigned lane) {
    const uint32_t sign = x & SIGN_BIT, magnitude = x & ~SIGN_BIT;
    const unsigned zeros = magnitude ? (unsigned)__builtin_clz(magnitude) : 0;
    const uint32_t normal = magnitude << zeros, rest = normal & 0xff; /* the leading bit adds one to the exponent */
    uint32_t result = sign;
    if (magnitude) result += ((157 - zeros) << 23) + (normal >> 8);
    if (stochastic) {
        if ((rest & 0xfe) > (advance_prng(lane) >> 9 & 0xfe)) result++;
    } else if (rest > 0x80 || (rest == 0x80 && (normal >> 8 & 1))) {
        result++;
    }
    return result;
}

/* Negates what is negative, and its sign stays: between two's complement and a magnitude with a sign, either way. */
static uint32_t other_integer(uint32_t x) { return x & SIGN_BIT ? SIGN_BIT | (0u - x) : x; }
static uint32_t without_sign(uint32_t x) { return x & SIGN_BIT ? 0u - x : x; }

static uint32_t sfpcast(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    enum { STOCHASTIC = 1, INT32_ABS = 2, INT32_SM32 = 3 };
    /* Higher bits are ignored, of which Blackhole promises nothing. */
    const uint32_t vd = VD, vc = VC, mod1 = MOD1 & (is_blackhole() ? 3 : 1);
    const int integers = mod1 == INT32_ABS || mod1 == INT32_SM32;
    const uint32_t lanes = integers ? lane_mask(c) : active_lanes(c, vd); /* these have no door */
    for EACH_LANE(lane, lanes) {
        const uint32_t x = lreg(vc)[lane];
        if (integers) put_result(lane, vd, 0, mod1 == INT32_ABS ? without_sign(x) : other_integer(x));
        else put_result(lane, vd, 0, float_of_integer(x, mod1 & STOCHASTIC, lane));
    }
    return TANDEM_DONE;
}

/* ---- SFPSTOCHRND ------------------------------------------------------------------------------------------------- */

/* Cuts the lowest bits of a float off, and adds one to what is left if they reach the limit. */
static uint32_t fewer_bits(uint32_t x, unsigned cut, uint32_t limit) {
    if (exponent_of(x) == 0) return 0;
    if (exponent_of(x) == 255) return x & 0xff800000;
    const uint32_t unit = 1u << cut, discarded = x & (unit - 1);
    return x - discarded + (discarded >= limit >> (23 - cut) ? unit : 0);
}

/* A number with 23 bits of fraction becomes an integer of limited magnitude; zero has no sign. */
static uint32_t rounded(uint64_t magnitude, uint32_t sign, uint32_t limit, uint32_t most) {
    uint64_t whole = (magnitude >> 23) + ((magnitude & 0x7fffff) >= limit);
    if (whole > most) whole = most;
    return whole ? sign | (uint32_t)whole : 0;
}

static uint32_t integer_of_float(uint32_t x, uint32_t sign, uint32_t limit, uint32_t most) {
    const int power = exponent_of(x) - 127;
    const uint64_t mantissa = LEADING | (x & 0x7fffff);
    if (power < -1) return 0;
    if (power >= 16) return sign | most;
    return rounded(power < 0 ? mantissa >> 1 : mantissa << power, sign, limit, most);
}

/* VB, Imm5 and UseImm5 are read by two forms alone. */
static uint32_t sfpstochrnd(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    enum { FP16A, FP16B, FP32_TO_UINT8, FP32_TO_INT8, INT32_TO_UINT8, INT32_TO_INT8, FP32_TO_UINT16, FP32_TO_INT16 };
    /* Wormhole has one bit. Of 3 nothing is promised: no limit takes the place of the PRNG's. */
    enum { NEAREST, STOCHASTIC, ZERO };
    const uint32_t form = bits(c->code, 0, 3), vd = VD, lanes = active_lanes(c, vd);
    const uint32_t mode = bits(c->code, 21, is_blackhole() ? 2 : 1);
    for EACH_LANE(lane, lanes) {
        uint32_t limit = advance_prng(lane) & 0x7fffff;
        if (mode == NEAREST) limit = 0x400000;
        else if (mode == ZERO) limit = 0x7fffff; /* which rounds up if all bits are set */
        const uint32_t shift = bits(c->code, 3, 1) ? bits(c->code, 16, 5) : lreg(VB)[lane] & 31;
        const uint32_t x = lreg(VC)[lane], sign = x & SIGN_BIT;
        const uint64_t integer = (uint64_t)(x & ~SIGN_BIT) << 23 >> shift;
        uint32_t result = 0;
        switch (form) {
        case FP16A: result = fewer_bits(x, 13, limit); break;
        case FP16B: result = fewer_bits(x, 16, limit); break;
        case FP32_TO_UINT8: result = integer_of_float(x, 0, limit, 255); break;
        case FP32_TO_INT8: result = integer_of_float(x, sign, limit, 127); break;
        case FP32_TO_UINT16: result = integer_of_float(x, 0, limit, 65535); break;
        case FP32_TO_INT16: result = integer_of_float(x, sign, limit, 32767); break;
        case INT32_TO_UINT8: result = rounded(integer, 0, limit, 255); break;
        case INT32_TO_INT8: result = rounded(integer, sign, limit, 127); break;
        }
        put_result(lane, vd, 0, result);
    }
    return TANDEM_DONE;
}
