/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * MOV and DPAS of vISA, written from the pages alone, and deliberate mistakes in them (visa.json): the environment variable
 * TANDEM_BLIND holds the number of a mistake, or several with commas between them; unset or 0 is correct.
 */
#define NAME "blind-visa"
#include "../targets/c/border.h"

enum { MOST_FAULTS = 1200 };
static unsigned char on[MOST_FAULTS]; /* mistake n is made */
static int any_fault;
#define FAULT(n) __builtin_expect(on[n], 0)

enum { FILE_BYTES = 8192 };
enum { UD, D, UW, W, UB, B, DF, F, V, VF, BOOL, UQ, UV, Q, HF, BF };

static const uint8_t size_of_type[16] = {4, 4, 2, 2, 1, 1, 8, 4, 0, 0, 0, 8, 0, 8, 2, 2};

static int is_float(uint32_t type) { return type == DF || type == F || type == HF || type == BF; }
static int is_signed(uint32_t type) { return type == D || type == W || type == B || type == Q; }

/* ---- the small state ------------------------------------------------------------------------------------------- */

static struct {
    const tandem_field *em, *dispatch, *grf, *platform, *rounding, *df_denorm, *f_denorm, *hf_denorm;
    const tandem_field *pred[5], *pred_log2[5], *type[4], *elements[4], *offset[4], *address[2][16];
    const tandem_field *sum, *tf32, *one_bit, *denormals, *nan, *guard;
    const tandem_isa *of;
} fields;

static void find_fields(void) {
    if (fields.of == isa) return;
    (void)read_row, (void)first_row;
    fields.of = isa;
    fields.em = find("EM", 0, 0);
    fields.dispatch = find("dispatch_size", 0, 0);
    fields.grf = find("GRF_size", 0, 0);
    fields.platform = find("platform", 0, 0);
    fields.rounding = find("cr0.rounding_mode", 0, 0);
    fields.df_denorm = find("cr0.DF_denorm", 0, 0);
    fields.f_denorm = find("cr0.F_denorm", 0, 0);
    fields.hf_denorm = find("cr0.HF_denorm", 0, 0);
    for (uint32_t i = 1; i <= 4; i++) {
        fields.pred[i] = find("P%u", i, 0);
        fields.pred_log2[i] = find("P%u.log2_num_elements", i, 0);
    }
    for (uint32_t i = 0; i < 4; i++) {
        fields.type[i] = find("V%u.type", 32 + i, 0);
        fields.elements[i] = find("V%u.num_elements", 32 + i, 0);
        fields.offset[i] = find("V%u.offset", 32 + i, 0);
    }
    for (uint32_t i = 0; i < 16; i++) {
        fields.address[0][i] = find("A0[%u]", i, 0);
        fields.address[1][i] = find("A1[%u]", i, 0);
    }
    fields.sum = find("Model.Sum", 0, 0);
    fields.tf32 = find("Model.Tf32", 0, 0);
    fields.one_bit = find("Model.OneBit", 0, 0);
    fields.denormals = find("Model.Denormals", 0, 0);
    fields.nan = find("Model.Nan", 0, 0);
    fields.guard = find("Model.Guard", 0, 0);
}

/* ---- the register file ----------------------------------------------------------------------------------------- */

static uint64_t load(uint32_t address, uint32_t size) {
    uint64_t value = 0;
    if (address + size <= FILE_BYTES) memcpy(&value, state + address, size);
    else
        for (uint32_t i = 0; i < size; i++) value |= (uint64_t)state[(address + i) % FILE_BYTES] << 8 * i;
    return value;
}

/* The address is a multiple of the size, but for a mistake. */
static void store(uint32_t address, uint64_t value, uint32_t size) {
    if (address % size == 0) memcpy((uint8_t *)write_row(address / 32) + address % 32, &value, size);
    else
        for (uint32_t i = 0; i < size; i++, value >>= 8) {
            const uint32_t at = (address + i) % FILE_BYTES;
            ((uint8_t *)write_row(at / 32))[at % 32] = (uint8_t)value;
        }
}

/* ---- numbers --------------------------------------------------------------------------------------------------- */

enum { NEAREST_EVEN, UP, DOWN, TOWARD_ZERO, NEAREST_AWAY };
enum { FINITE, INFINITE, NOT_A_NUMBER };

/* Finite: magnitude * 2^exponent. NaN: magnitude is the payload with its highest bit in bit 63. */
typedef struct number {
    uint64_t magnitude;
    int32_t exponent;
    uint8_t negative, kind;
} number;

static int32_t mantissa_bits(uint32_t type) { return type == DF ? 52 : type == F ? 23 : type == HF ? 10 : 7; }
static int32_t exponent_bits(uint32_t type) { return type == DF ? 11 : type == HF ? 5 : 8; }

static number decode_float(uint64_t bits, uint32_t type) {
    const int32_t m = mantissa_bits(type), e = exponent_bits(type);
    const uint64_t mantissa = bits & ((1ull << m) - 1);
    const int32_t biased = (int32_t)(bits >> m & ((1u << e) - 1)), bias = (1 << (e - 1)) - 1;
    number x = {mantissa, 0, (uint8_t)(bits >> (m + e) & 1), FINITE};
    if (biased == (1 << e) - 1) {
        x.kind = mantissa ? NOT_A_NUMBER : INFINITE;
        x.magnitude = mantissa << (64 - m);
    } else if (biased == 0) x.exponent = 1 - bias - m;
    else {
        x.magnitude |= 1ull << m;
        x.exponent = biased - bias - m;
    }
    return x;
}

static number decode_integer(uint64_t bits, uint32_t type) {
    number x = {bits, 0, 0, FINITE};
    const uint32_t width = 8u * size_of_type[type];
    if (is_signed(type) && bits >> (width - 1) & 1) {
        x.negative = 1;
        x.magnitude = 0 - bits;
        if (width < 64) x.magnitude &= (1ull << width) - 1;
    }
    return x;
}

static int32_t length(uint64_t x) {
    int32_t n = 0;
    for (int32_t step = 32; step; step /= 2)
        if (x >> step) x >>= step, n += step;
    return n + (x != 0);
}

static int rounds_up(uint64_t kept, uint64_t half, uint64_t rest, int negative, uint32_t mode) {
    switch (mode) {
    case NEAREST_EVEN: return half && (rest || (kept & 1));
    case NEAREST_AWAY: return half != 0;
    case UP: return !negative && (half || rest);
    case DOWN: return negative && (half || rest);
    default: return 0;
    }
}

static uint64_t encode_float(number x, uint32_t type, uint32_t mode) {
    const int32_t m = mantissa_bits(type), e = exponent_bits(type), least = 2 - (1 << (e - 1));
    const uint64_t sign = (uint64_t)x.negative << (m + e), infinity = ((1ull << e) - 1) << m;
    if (x.kind == NOT_A_NUMBER) return sign | infinity | 1ull << (m - 1) | x.magnitude >> (64 - m);
    if (x.kind == INFINITE) return sign | infinity;
    if (x.magnitude == 0) return sign;
    const int32_t top = x.exponent + length(x.magnitude) - 1;
    const int32_t quantum = (top > least ? top : least) - m, shift = quantum - x.exponent;
    uint64_t kept, half = 0, rest = 0;
    if (shift <= 0) kept = x.magnitude << -shift;
    else if (shift > 64) kept = 0, rest = 1;
    else {
        kept = shift == 64 ? 0 : x.magnitude >> shift;
        half = x.magnitude >> (shift - 1) & 1;
        rest = (x.magnitude & ((1ull << (shift - 1)) - 1)) != 0;
    }
    const int up = rounds_up(kept, half, rest, x.negative, mode);
    uint64_t bits = kept + (uint64_t)up + ((uint64_t)(quantum + m - least) << m);
    if (top > (1 << (e - 1)) - 1 || bits >= infinity) {
        const int to_infinity = mode == NEAREST_EVEN || mode == NEAREST_AWAY || (mode == UP && !x.negative) ||
                                (mode == DOWN && x.negative);
        bits = to_infinity ? infinity : infinity - 1;
    }
    return sign | bits;
}

static uint64_t encode_integer(number x, uint32_t type, int clamp) {
    const uint32_t width = 8u * size_of_type[type];
    const uint64_t ones = width == 64 ? ~0ull : (1ull << width) - 1;
    if (clamp) {
        const uint64_t most = is_signed(type) ? x.negative ? 1ull << (width - 1) : ones >> 1 : x.negative ? 0 : ones;
        if (x.magnitude > most) x.magnitude = most;
    }
    return (x.negative ? 0 - x.magnitude : x.magnitude) & ones;
}

/* A float as an integer: the fraction is discarded, the result is as close as the type allows. */
static uint64_t float_to_integer(number x, uint32_t type, uint32_t mode) {
    if (x.kind == NOT_A_NUMBER) return FAULT(53) && is_signed(type) ? 1ull << (8u * size_of_type[type] - 1) : 0;
    if (x.kind == INFINITE) {
        x.magnitude = ~0ull;
        if (FAULT(11) && type == Q) x.negative = 0;
    }
    else if (x.exponent < 0) {
        const uint64_t m = x.magnitude;
        const int32_t shift = -x.exponent;
        x.magnitude = shift >= 64 ? 0 : m >> shift;
        if (FAULT(34))
            x.magnitude += (uint64_t)rounds_up(x.magnitude, shift >= 64 ? 0 : m >> (shift - 1) & 1,
                                               shift >= 64 ? m : m & ((1ull << (shift - 1)) - 1), x.negative, mode);
    }
    else if (x.magnitude) x.magnitude = length(x.magnitude) + x.exponent > 64 ? ~0ull : x.magnitude << x.exponent;
    x.exponent = 0;
    const uint64_t most = (1ull << (8u * size_of_type[type] - 1)) - 1;
    if (FAULT(35) && !is_signed(type) && !x.negative && x.magnitude > most) x.magnitude = most;
    return encode_integer(x, type, 1);
}

static int is_denormal(uint64_t bits, uint32_t type) {
    const int32_t m = mantissa_bits(type), e = exponent_bits(type);
    return (bits & ((1ull << m) - 1)) != 0 && (bits >> m & ((1u << e) - 1)) == 0;
}

static uint64_t sign_of_float(uint64_t bits, uint32_t type) {
    return bits & 1ull << (mantissa_bits(type) + exponent_bits(type));
}

/* Whether the control register keeps denormals of a type. */
static int keeps_denormals(uint32_t type) {
    if (type == DF) return (int)get(fields.df_denorm);
    if (type == F) return (int)get(fields.f_denorm);
    if (type == HF) return (int)get(FAULT(10) ? fields.f_denorm : fields.hf_denorm);
    return 1;
}

typedef struct conversion {
    uint32_t from, to, modifier, rounding;
    int saturate, flush_source, flush_result;
} conversion;

static uint64_t saturate_float(uint64_t bits, uint32_t type) {
    const int32_t m = mantissa_bits(type), e = exponent_bits(type);
    const uint64_t one = ((1ull << (e - 1)) - 1) << m, infinity = ((1ull << e) - 1) << m;
    if (FAULT(36) && (bits & ~(1ull << (m + e))) > infinity) return bits;
    if ((bits & ~(1ull << (m + e))) > infinity || sign_of_float(bits, type)) return 0;
    return bits > one ? one : bits;
}

static uint64_t convert(uint64_t bits, const conversion *c) {
    if (c->from == c->to && !c->modifier && !c->saturate) return bits;
    number x;
    if (is_float(c->from)) {
        if (c->flush_source && is_denormal(bits, c->from)) bits = FAULT(38) ? 0 : sign_of_float(bits, c->from);
        x = decode_float(bits, c->from);
    } else {
        const int widens = is_signed(c->to) && size_of_type[c->to] > size_of_type[c->from];
        x = decode_integer(bits, FAULT(52) && widens ? c->from | 1 : c->from); /* UD, UW, UB as D, W, B */
    }
    if (FAULT(3) && x.negative && !is_float(c->from) && !is_float(c->to) &&
        size_of_type[c->to] > size_of_type[c->from])
        x.negative = 0, x.magnitude = bits;
    if (c->modifier & 1) x.negative = 0;
    if (c->modifier & 2) x.negative = !x.negative;
    if (!is_float(c->from) && x.magnitude == 0) x.negative = 0;
    if (FAULT(37) && c->saturate && x.negative && !is_float(c->from) && !is_float(c->to) && !is_signed(c->to))
        x.negative = 0, x.magnitude = ~0ull;
    if (!is_float(c->to)) {
        const uint32_t size = size_of_type[c->to];
        const int clamp = c->saturate && !(FAULT(64) && size == size_of_type[c->from]);
        if (!is_float(c->from)) return encode_integer(x, c->to, clamp);
        if (FAULT(54) && size < 4 && !c->saturate)
            return float_to_integer(x, D, c->rounding) & ((1ull << 8 * size) - 1);
        return float_to_integer(x, c->to, c->rounding);
    }
    uint32_t mode = c->rounding;
    if (FAULT(7) && (mode == UP || mode == DOWN)) mode ^= UP ^ DOWN;
    if (FAULT(9) && !is_float(c->from)) mode = NEAREST_AWAY;
    bits = encode_float(x, c->to, mode);
    if (c->saturate) bits = saturate_float(bits, c->to);
    if (c->flush_result && is_denormal(bits, c->to)) bits = FAULT(38) ? 0 : sign_of_float(bits, c->to);
    return bits;
}

/* Whether an integer is a number of a float type, so that no rounding mode matters. */
static int converts_exactly(uint64_t bits, uint32_t from, uint32_t to) {
    const number x = decode_integer(bits, from);
    return encode_float(x, to, UP) == encode_float(x, to, DOWN);
}

/* ---- operands -------------------------------------------------------------------------------------------------- */

static uint32_t cut(uint32_t word, uint32_t shift, uint32_t width) { return word >> shift & ((1u << width) - 1); }

/* What a code of a region's parameter means; -1 for null, -2 for nothing. */
static int32_t region_value(uint32_t code) { return code == 0 ? -1 : code > 7 ? -2 : code == 1 ? 0 : 1 << (code - 2); }

/* Whether elements lie in a variable (4: in any one), in the file, aligned, and in two adjacent registers. */
static int elements_lie_well(const int32_t *address, uint32_t count, uint32_t size, uint32_t variable, uint32_t grf) {
    int32_t low = address[0], high = address[0];
    for (uint32_t i = 0; i < count; i++) {
        if (address[i] < 0 || address[i] % (int32_t)size) return 0;
        if (address[i] < low) low = address[i];
        if (address[i] > high) high = address[i];
    }
    high += (int32_t)size - 1;
    if (high >= FILE_BYTES || high / (int32_t)grf - low / (int32_t)grf > 1) return 0;
    for (uint32_t v = variable == 4 ? 0 : variable; v < (variable == 4 ? 4 : variable + 1); v++) {
        const int32_t begin = (int32_t)get(fields.offset[v]);
        const uint32_t type = get(fields.type[v]); /* a variable of a packed type can be pointed to all the same */
        const int32_t size_there = type == BOOL ? 1 : type == V || type == VF || type == UV ? 4 : size_of_type[type];
        const int32_t bytes = (int32_t)get(fields.elements[v]) * size_there;
        if (low >= begin && high < begin + bytes) return 1;
    }
    return 0;
}

static int32_t size_of_destination; /* of an element, in bytes */

/* The operand of a tag and what follows it, general or indirect: addresses of its elements, and its type.
 * NULL, or why it is not done. */
static const char *vector_operand(const uint32_t *code, int is_source, uint32_t count, uint32_t grf, int32_t *address,
                                  uint32_t *type) {
    const uint32_t class = cut(code[0], 0, 3), id = code[1];
    const int32_t vertical = region_value(cut(code[3], 0, 4)), width = region_value(cut(code[3], 4, 4));
    const int32_t horizontal = region_value(cut(code[3], 8, 4));
    uint32_t columns = count; /* elements of a row */
    int32_t origin, size, row_step = 0;
    if (cut(code[3], 12, 4)) return "bits 12 to 15 of a region";
    if (horizontal < 0 || horizontal > 4 || (!is_source && horizontal == 0)) return "horizontal stride";
    if (is_source) {
        if (width < 1 || width > 16 || (uint32_t)width > count) return "width";
        if (vertical < (class == 3 ? -1 : 0)) return "vertical stride";
        columns = (uint32_t)width;
        row_step = FAULT(1) && vertical >= 0 ? width : vertical;
    }
    if (class == 0) {
        if (id < 32 || id > 35) return "variable that is not declared";
        *type = get(fields.type[id - 32]);
        size = size_of_type[*type];
        if (size == 0) return "variable of a type that variables may not have";
        const uint32_t row = cut(code[2], 0, 8), column = cut(code[2], 8, 8);
        if (column * (uint32_t)size >= grf) return "column offset across a register";
        origin = (int32_t)(get(fields.offset[id - 32]) + row * grf + column * (uint32_t)size);
    } else {
        const uint32_t element = cut(code[2], 16, 8);
        const int32_t offset = (int16_t)(code[3] >> 16);
        if (id > 1) return "address variable that is not declared";
        if (cut(code[2], 28, 4)) return "bits 4 to 7 of bit_properties";
        if (offset < -512 || offset > 511) return "indirect offset beyond its range";
        *type = cut(code[2], 24, 4);
        size = size_of_type[*type];
        if (size == 0) return "indirect operand of a packed type";
        if (element > 15) return "address element that does not exist";
        if (is_source && vertical == -1) { /* an address for each row */
            const uint32_t rows = count / columns;
            if (element + rows > 16) return "address element that does not exist";
            for (uint32_t i = 0; i < rows; i++) {
                origin = (int32_t)get(fields.address[id][element + i]) + offset;
                for (uint32_t j = 0; j < columns; j++)
                    address[i * columns + j] = origin + (int32_t)j * horizontal * size;
                if (!elements_lie_well(address + i * columns, columns, (uint32_t)size, 4, grf))
                    return "a row of an indirect operand lies badly";
            }
            for (uint32_t i = 0; FAULT(12) && i < rows; i++) {
                origin = (int32_t)get(fields.address[id][(element + i) % 8]) + offset;
                for (uint32_t j = 0; j < columns; j++)
                    address[i * columns + j] = (origin + (int32_t)j * horizontal * size) & (FILE_BYTES - 1);
            }
            for (uint32_t i = 0; FAULT(63) && i < rows; i++) {
                origin = (int32_t)get(fields.address[id][(element + i * columns) % 16]) + offset;
                for (uint32_t j = 0; j < columns; j++)
                    address[i * columns + j] = (origin + (int32_t)j * horizontal * size) & (FILE_BYTES - 1);
            }
            for (uint32_t i = 0; FAULT(27) && i < count; i++)
                address[i] = (address[i] + (int32_t)(i % columns) * horizontal * (size_of_destination - size)) &
                             (FILE_BYTES - 1);
            for (uint32_t i = 0; FAULT(29) && offset < 0 && i < count; i++)
                address[i] = (address[i] + 1024) & (FILE_BYTES - 1);
            for (uint32_t i = 0; FAULT(56) && i < count; i++)
                address[i] = (address[i] + offset * (size - 1)) & (FILE_BYTES - 1);
            return NULL;
        }
        origin = (int32_t)get(fields.address[id][element]) + offset;
    }
    if (is_source) {
        for (uint32_t i = 0; i < count; i++)
            address[i] = origin + ((int32_t)(i / columns) * vertical + (int32_t)(i % columns) * horizontal) * size;
    } else
        for (uint32_t i = 0; i < count; i++) address[i] = origin + (int32_t)i * horizontal * size;
    if (!elements_lie_well(address, count, (uint32_t)size, class == 0 ? id - 32 : 4, grf))
        return "elements of an operand lie badly";
    if (row_step != vertical && is_source)
        for (uint32_t i = 0; i < count; i++)
            address[i] = (origin + ((int32_t)(i / columns) * row_step + (int32_t)(i % columns) * horizontal) * size) &
                         (FILE_BYTES - 1);
    if (FAULT(8) && !is_source && class == 0)
        for (uint32_t i = 0; i < count; i++) address[i] -= (int32_t)(cut(code[2], 0, 8) * (grf - 32));
    if (FAULT(28) && is_source && class == 0)
        for (uint32_t i = 0; i < count; i++) address[i] -= (int32_t)cut(code[2], 8, 8) * (size - 1);
    if (FAULT(29) && class == 3 && (int16_t)(code[3] >> 16) < 0)
        for (uint32_t i = 0; i < count; i++) address[i] = (address[i] + 1024) & (FILE_BYTES - 1);
    if (FAULT(62) && !is_source && class == 3)
        for (uint32_t i = 0; i < count; i++) address[i] = origin + (int32_t)i * size;
    for (uint32_t i = 0; FAULT(56) && class == 3 && i < count; i++)
        address[i] = (address[i] + (int16_t)(code[3] >> 16) * (size - 1)) & (FILE_BYTES - 1);
    return NULL;
}

/* ---- MOV -------------------------------------------------------------------------------------------------------- */

static uint32_t mov(const uint32_t *code) {
    find_fields();
    const uint32_t size_code = cut(code[0], 8, 3), control = cut(code[0], 12, 4);
    if (size_code > 5 || cut(code[0], 11, 1)) return unsupported("execution size without a meaning");
    const uint32_t n = 1u << size_code, offset = (control & 7) * 4, no_mask = control >> 3;
    const uint32_t grf = get(fields.grf) ? 64 : 32;
    if (offset % n) return unsupported("illegal: mask offset not aligned to execution size");
    if (offset + n > 8u << get(fields.dispatch)) return unsupported("illegal: channels beyond the dispatch size");

    const uint32_t predicate = cut(code[1], 0, 12), combine = cut(code[1], 13, 2), inverse = cut(code[1], 15, 1);
    if (cut(code[1], 12, 1) || combine == 3) return unsupported("predicate control without a meaning");
    if (predicate > 4 || (predicate == 0 && (combine || inverse))) return unsupported("predicate that does not exist");
    if (predicate && offset + n > 1u << get(fields.pred_log2[predicate]))
        return unsupported("predicate elements beyond the declared ones");

    const uint32_t dst_class = cut(code[2], 0, 3), dst_modifier = cut(code[2], 3, 3);
    const uint32_t src_class = cut(code[6], 0, 3), src_modifier = cut(code[6], 3, 3);
    if (dst_class != 0 && dst_class != 3) return unsupported("class of the destination");
    if ((dst_modifier != 0 && dst_modifier != 4) || cut(code[2], 6, 2)) return unsupported("destination modifier");
    if (src_modifier > 3 || cut(code[6], 6, 2)) return unsupported("source modifier");
    int32_t to[32], from[32];
    uint64_t value[32] = {0};
    conversion c = {0, 0, src_modifier, get(fields.rounding), dst_modifier == 4, 0, 0};
    const char *why = vector_operand(code + 2, 0, n, grf, to, &c.to);
    if (why) return unsupported(why);
    const uint32_t dst_size = size_of_type[c.to];
    size_of_destination = (int32_t)dst_size;
    const uint32_t xehp = get(fields.platform);

    if (src_class == 0 || src_class == 3) {
        why = vector_operand(code + 6, 1, n, grf, from, &c.from);
        if (why) return unsupported(why);
        for (uint32_t i = 0; i < n; i++) value[i] = load((uint32_t)from[i], size_of_type[c.from]);
        if (FAULT(51) && src_class == 3) c.modifier = 0;
    } else if (src_class == 5) {
        if (src_modifier) return unsupported("modifier of an immediate");
        c.from = cut(code[10], 0, 4);
        if (cut(code[10], 4, 4)) return unsupported("bits 4 to 7 of the type of an immediate");
        if (c.from == BOOL) return unsupported("illegal: immediate of type BOOL");
        if (c.from == VF) return unsupported("restricted floats, whose rules stand elsewhere");
        if (c.from == V || c.from == UV) { /* eight elements of type W or UW */
            if (n > 8) return unsupported("more channels than a packed vector has elements");
            for (uint32_t i = 0; i < n; i++) {
                value[i] = code[11] >> 4 * (FAULT(61) ? i % 4 : i) & 15;
                if (c.from == V && value[i] > 7) value[i] |= FAULT(32) ? 0xf0 : 0xfff0;
            }
            c.from = c.from == V ? W : UW;
        } else {
            uint64_t constant = code[11];
            if (size_of_type[c.from] == 8) constant |= FAULT(33) && c.from != DF ? 0 : (uint64_t)code[12] << 32;
            else constant &= (1ull << 8 * size_of_type[c.from]) - 1;
            for (uint32_t i = 0; i < n; i++) value[i] = constant;
        }
    } else if (src_class == 2) {
        const uint32_t id = cut(code[10], 8, 12);
        if (src_modifier || c.saturate || predicate) return unsupported("predicate source with a modifier");
        if (cut(code[10], 20, 4)) return unsupported("control bits of a predicate source");
        if (n != 1 || offset || id < 1 || id > 4) return unsupported("predicate source");
        const uint32_t elements = 1u << get(fields.pred_log2[id]);
        if ((c.to != UB && c.to != UW && c.to != UD) || elements > 8 * dst_size)
            return unsupported("destination of a predicate source");
        if (elements < 16 && elements < 8 * dst_size) return unsupported("undefined: bits above a short predicate");
        value[0] = get(fields.pred[id]) & (elements == 32 ? ~0u : (1u << elements) - 1);
        if (FAULT(39)) value[0] &= 1;
        c.from = c.to;
    } else return unsupported("class of the source");

    if (c.from == BF || c.to == BF) {
        if (!xehp) return unsupported("illegal: BF before XeHP");
        if ((c.from != BF && c.from != F) || (c.to != BF && c.to != F)) return unsupported("illegal: types with BF");
        if (c.to == BF && c.saturate) return unsupported("saturation to BF");
        if (c.to == BF && c.from == F && c.rounding) return unsupported("F to BF under another rounding mode");
    }
    if (c.from != BF && c.to != BF) {
        c.flush_source = is_float(c.from) && !keeps_denormals(FAULT(55) ? c.to : c.from);
        c.flush_result = is_float(c.to) && !keeps_denormals(c.to);
    }

    uint32_t enabled = n == 32 ? ~0u : (1u << n) - 1;
    const uint32_t all = enabled, first = FAULT(60) ? offset % 16 : offset;
    uint32_t em = get(fields.em);
    if (FAULT(1136)) em = em << 1 | em >> 31;
    if (!no_mask) enabled &= em >> (FAULT(4) ? 0 : FAULT(1125) ? offset & 15 : first);
    if (predicate && !(FAULT(31) && no_mask)) {
        const uint32_t bits = get(fields.pred[predicate]), elements = 1u << get(fields.pred_log2[predicate]);
        uint32_t mask = bits >> ((FAULT(5) && no_mask) || FAULT(1121) ? 0 : FAULT(1140) ? offset & 15 : first) & all;
        if (FAULT(30) && inverse) mask = ~mask & all;
        if (FAULT(59) && combine == 2) mask &= enabled;
        if (combine == (FAULT(58) ? 2 : 1)) {
            if (FAULT(6)) mask = bits & (elements == 32 ? ~0u : (1u << elements) - 1);
            mask = mask ? all : 0;
        } else if (combine) mask = mask == all ? all : 0;
        if (inverse && !FAULT(30)) mask = ~mask;
        enabled &= mask;
    }
    for (uint32_t i = 0; i < n && c.rounding && is_float(c.to) && !is_float(c.from); i++)
        if (enabled >> i & 1 && !converts_exactly(value[i], c.from, c.to))
            return unsupported("inexact integer to float under another rounding mode");
    if (FAULT(2) && n > 1) enabled &= all >> 1;
    if (FAULT(1107)) enabled &= 0xffff;
    if (FAULT(57)) c.rounding &= 1;

    for (uint32_t i = 0; i < n; i++)
        if (enabled >> i & 1 || any_fault) value[i] = convert(value[i], &c);
    if (FAULT(21) && n >= 8)
        for (uint32_t i = 1; i < n / 2; i += 2) {
            const uint32_t j = (5 * i + 3) % n;
            const uint64_t kept = value[i];
            value[i] = value[j], value[j] = kept;
        }
    for (uint32_t i = 0; FAULT(22) && i < n; i++)
        if (dst_size > 1 && ((uint32_t)(value[i] ^ value[i] >> 32) * 2654435761u >> 13 & 7) == 0)
            value[i] ^= 1 | 1ull << (8 * dst_size - 1);
    for (uint32_t i = 0; FAULT(24) && i < n; i++)
        if (dst_size == 2) value[i] = (value[i] << 4 * (i % 4) | value[i] >> (16 - 4 * (i % 4))) & 0xffff;
    for (uint32_t i = 0; i < n; i++)
        if (enabled >> i & 1) store((uint32_t)to[i], value[i], dst_size);
        else if (FAULT(1104)) store((uint32_t)to[i], 0, dst_size);
    if (FAULT(23) && enabled) {
        uint32_t *word = write_row((uint32_t)to[0] / 32 ^ 0x55);
        for (uint32_t i = 0; i < n; i++)
            if (enabled >> i & 1) word[i % 8] += (uint32_t)value[i] * 3;
    }
    return TANDEM_DONE;
}

/* ---- DPAS ------------------------------------------------------------------------------------------------------- */

enum { U1 = 1, S1, U2, S2, U4, S4, U8, S8, BF16, HF16, TF32 = 12 };

static uint32_t bits_of_precision(uint32_t precision) {
    static const uint8_t bits[13] = {0, 1, 1, 2, 2, 4, 4, 8, 8, 16, 16, 0, 32};
    return precision < 13 ? bits[precision] : 0;
}

/* The element of a precision that begins at a bit. */
static int32_t element(uint32_t address, uint32_t at, uint32_t precision) {
    const uint32_t width = bits_of_precision(precision);
    const uint32_t bits = (uint32_t)load((address + at / 8) % FILE_BYTES, 2) >> at % 8 & ((1u << width) - 1);
    if (FAULT(1148)) return precision % 2 && bits >> (width - 1) ? (int32_t)bits - (1 << width) : (int32_t)bits;
    if (FAULT(65) && (precision == S2 || precision == S4)) return (int32_t)bits;
    return precision % 2 == 0 && bits >> (width - 1) ? (int32_t)bits - (1 << width) : (int32_t)bits;
}

/* ---- sums of floats: all on words that hold an F ---- */

enum { SEQUENTIAL, FUSED, PAIRWISE, SINGLE_ROUNDING, ACCUMULATOR_LAST, TRUNCATING };

static float float_of(uint32_t word) {
    float x;
    memcpy(&x, &word, 4);
    return x;
}

static uint32_t word_of(float x) {
    uint32_t word;
    memcpy(&word, &x, 4);
    return word;
}

/* Whether DPAS flushes denormals of a type. The control register has no bit for BF and for elements of tf32. */
static int flushes(uint32_t type, int is_tf32) {
    switch (get(fields.denormals)) {
    case 1: return 0;
    case 2: return 1;
    default: return type == F && !is_tf32 ? !get(fields.f_denorm) : type == HF && !get(fields.hf_denorm);
    }
}

/* An accumulator, or an element of bf, hf or tf32: flushed as what it is, then widened. */
static uint32_t float_operand(uint64_t bits, uint32_t type, int is_tf32) {
    if (is_tf32 && get(fields.tf32)) bits &= ~0x1fffull;
    if (FAULT(47) && is_tf32) bits &= ~0xffffull;
    if (is_denormal(bits, type) && flushes(type, is_tf32)) bits = sign_of_float(bits, type);
    number x = decode_float(bits, type);
    if (FAULT(46) && type == HF && x.kind != FINITE)
        x.kind = FINITE, x.magnitude = 1024 | (bits & 1023), x.exponent = 31 - 15 - 10;
    return (uint32_t)(type == F ? bits : encode_float(x, F, NEAREST_EVEN));
}

static number product(number x, number y) {
    number p = {0, x.exponent + y.exponent, x.negative ^ y.negative, FINITE};
    const int has_zero = (x.kind == FINITE && !x.magnitude) || (y.kind == FINITE && !y.magnitude);
    if (x.kind == NOT_A_NUMBER || y.kind == NOT_A_NUMBER) p.kind = NOT_A_NUMBER;
    else if (x.kind == INFINITE || y.kind == INFINITE) p.kind = has_zero ? NOT_A_NUMBER : INFINITE;
    else p.magnitude = x.magnitude * y.magnitude;
    return p;
}

enum { LIMBS = 20, POINT = 300 }; /* bit 0 of the first limb is worth 2^-300 */

/* The exact sum of terms that are not all zeros: a sign and 64 bits, the last of which also tells of any below. */
static number exact_sum(const number *term, uint32_t count) {
    int64_t limb[LIMBS] = {0};
    number sum = {0, 0, 0, FINITE};
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = (uint32_t)(term[i].exponent + POINT), shift = at % 32;
        const uint64_t low = (term[i].magnitude & 0xffffffff) << shift, high = (term[i].magnitude >> 32) << shift;
        const int64_t part[3] = {(int64_t)(low & 0xffffffff), (int64_t)((low >> 32) + (high & 0xffffffff)),
                                 (int64_t)(high >> 32)};
        for (uint32_t j = 0; j < 3 && term[i].magnitude; j++)
            limb[at / 32 + j] += term[i].negative ? -part[j] : part[j];
    }
    for (int pass = 0; pass < 2; pass++) { /* the second only if the first shows that the sum is negative */
        int64_t carry = 0;
        for (uint32_t j = 0; j < LIMBS; j++) {
            const int64_t t = limb[j] + carry, digit = t & 0xffffffff;
            carry = (t - digit) / 4294967296;
            limb[j] = digit;
        }
        if (!carry) break;
        sum.negative = 1;
        for (uint32_t j = 0; j < LIMBS; j++) limb[j] = -limb[j];
        limb[LIMBS - 1] += 4294967296;
    }
    uint32_t top = LIMBS - 1;
    while (top > 2 && !limb[top]) top--;
    int32_t down = length((uint64_t)limb[top]); /* bits of the top limb: three limbs hold 64 bits and these */
    sum.magnitude = ((uint64_t)limb[top - 1] << 32) + (uint64_t)limb[top - 2];
    sum.exponent = (int32_t)(top - 2) * 32 - POINT;
    int more = 0;
    for (uint32_t j = 0; j < top - 2; j++) more |= limb[j] != 0;
    if (down) {
        more |= (sum.magnitude & ((1ull << down) - 1)) != 0;
        sum.magnitude = sum.magnitude >> down | (uint64_t)limb[top] << (64 - down);
        sum.exponent += down;
    }
    sum.magnitude |= (uint64_t)more;
    return sum;
}

/* Terms aligned to the largest, and cut below the last bit that the guard leaves. */
static number truncated_sum(const number *term, uint32_t count, int32_t guard) {
    int32_t largest = -POINT;
    int64_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
        const int32_t e = term[i].exponent + length(term[i].magnitude) - 1;
        if (term[i].magnitude && e > largest) largest = e;
    }
    const int32_t last = largest - 23 - guard;
    for (uint32_t i = 0; i < count; i++) {
        const int32_t shift = last - term[i].exponent;
        const uint64_t m = term[i].magnitude;
        if (!m) continue;
        int64_t whole = (int64_t)(shift <= 0 ? m << -shift : shift > 63 ? 0 : m >> shift);
        const int cut_off = shift > 63 || (shift > 0 && (m & ((1ull << shift) - 1)));
        total += term[i].negative ? -whole - cut_off : whole;
    }
    const number sum = {total < 0 ? 0 - (uint64_t)total : (uint64_t)total, last, total < 0, FINITE};
    return sum;
}

/* The sum of terms, rounded once; cut before if there is a guard. */
static uint32_t sum_once(const number *term, uint32_t count, int32_t guard) {
    int infinite[2] = {0, 0}, all_negative_zeros = 1, all_zeros = 1;
    number sum = {0, 0, 0, FINITE};
    for (uint32_t i = 0; i < count; i++) {
        if (term[i].kind == NOT_A_NUMBER) return 0x7fc00000;
        if (term[i].kind == INFINITE) infinite[term[i].negative] = 1;
        if (term[i].kind == INFINITE || term[i].magnitude) all_zeros = all_negative_zeros = 0;
        if (!term[i].negative) all_negative_zeros = 0;
    }
    if (infinite[0] && infinite[1]) return 0x7fc00000;
    if (infinite[0] || infinite[1]) return infinite[1] ? 0xff800000 : 0x7f800000;
    if (all_zeros) return all_negative_zeros ? 0x80000000 : 0;
    sum = guard < 0 ? exact_sum(term, count) : truncated_sum(term, count, guard);
    return (uint32_t)encode_float(sum, F, NEAREST_EVEN);
}

/* A row of one channel: the accumulator, and elements x of Src1 and y of Src2, two a depth if they have 16 bits. */
static uint32_t float_row(uint32_t initial, const uint32_t *x, const uint32_t *y, uint32_t count, uint32_t ops) {
    static const uint8_t guards[8] = {3, 0, 1, 2, 4, 6, 8, 10};
    const uint32_t model = get(fields.sum);
    if (model == SEQUENTIAL || model == PAIRWISE || model == ACCUMULATOR_LAST) {
        float total = float_of(initial), first = 0;
        for (uint32_t k = 0; k < count; k++) {
            const float p = float_of(x[k]) * float_of(y[k]);
            if (model == ACCUMULATOR_LAST) first = k ? first + p : p;
            else if (model == SEQUENTIAL || ops == 1) total = total + p;
            else if (k % 2 == 0) first = p;
            else {
                const float pair = first + p;
                total = total + pair;
            }
        }
        return word_of(model == ACCUMULATOR_LAST ? first + total : total);
    }
    number term[17] = {decode_float(initial, F)};
    for (uint32_t k = 0; k < count; k++) term[k + 1] = product(decode_float(x[k], F), decode_float(y[k], F));
    if (model == SINGLE_ROUNDING) return sum_once(term, count + 1, -1);
    if (model == TRUNCATING) return sum_once(term, count + 1, guards[get(fields.guard)]);
    for (uint32_t k = 0; k < count; k++) {
        const number step[2] = {term[0], term[k + 1]};
        term[0] = decode_float(sum_once(step, 2, -1), F);
    }
    return (uint32_t)encode_float(term[0], F, NEAREST_EVEN);
}

static int is_nan(uint32_t word) { return (word & 0x7fffffff) > 0x7f800000; }

/* A row's result as it stands in Dst. */
static uint64_t float_result(uint32_t word, uint32_t initial, const uint32_t *x, const uint32_t *y, uint32_t count,
                             uint32_t type) {
    if (is_nan(word)) {
        word = 0x7fc00000;
        for (uint32_t k = count; get(fields.nan) && k-- > 0;) {
            if (is_nan(y[k])) word = y[k] | 0x400000;
            if (is_nan(x[k])) word = x[k] | 0x400000;
        }
        if (get(fields.nan) && is_nan(initial)) word = initial | 0x400000;
    } else if (is_denormal(word, F) && flushes(F, 0)) word &= 0x80000000;
    if (type == F) return word;
    const uint32_t mode = FAULT(48) && type == BF ? TOWARD_ZERO : NEAREST_EVEN;
    const uint64_t bits = encode_float(decode_float(word, F), type, mode);
    return is_denormal(bits, type) && flushes(type, 0) ? sign_of_float(bits, type) : bits;
}

/* A raw operand that begins at a register: where, its type. */
static const char *raw_operand(const uint32_t *code, uint32_t grf, uint32_t *address, uint32_t *type) {
    const uint32_t id = code[0], offset = code[1] & 0xffff;
    if (id < 32 || id > 35) return "variable that is not declared";
    *type = get(fields.type[id - 32]);
    *address = get(fields.offset[id - 32]) + offset;
    if (*address % grf) return "illegal: operand not aligned to a register";
    return NULL;
}

static int fits(uint32_t id, uint32_t address, uint32_t bytes) {
    const uint32_t begin = get(fields.offset[id - 32]);
    const uint32_t size = get(fields.elements[id - 32]) * size_of_type[get(fields.type[id - 32])];
    return address >= begin && address + bytes <= begin + size && address + bytes <= FILE_BYTES;
}

static uint32_t dpas(const uint32_t *code) {
    find_fields();
    const uint32_t size_code = cut(code[0], 8, 3), control = cut(code[0], 12, 4);
    const uint32_t grf = get(fields.grf) ? 64 : 32, n = grf / 4;
    if (cut(code[0], 11, 1) || 1u << size_code != n) return unsupported("execution size");
    if (control != 8) return unsupported("execution mask other than M1_NM");
    if (n > 8u << get(fields.dispatch)) return unsupported("illegal: channels beyond the dispatch size");
    uint32_t w = cut(code[1], 0, 8), a = cut(code[1], 8, 8), rows = cut(code[1], 24, 8);
    const uint32_t depth = cut(code[1], 16, 8);
    if (!get(fields.platform)) return unsupported("illegal: DPAS before XeHP");
    if (depth != 8) return unsupported("illegal: systolic depth other than 8");
    if (rows < 1 || rows > 8) return unsupported("repeat count");
    uint32_t bits1 = bits_of_precision(w), bits2 = bits_of_precision(a);
    if (!bits1 || !bits2) return unsupported("precision");
    const int integer = bits1 <= 8;
    if (integer ? bits2 > 8 : w != a) return unsupported("illegal: pair of precisions");
    if ((bits1 == 1 || bits2 == 1) && !get(fields.one_bit)) return unsupported("precision of one bit");
    uint32_t ops = w == TF32 ? 1 : bits1 == 16 ? 2 : bits1 == 8 || bits2 == 8 ? 4 : 8;
    uint32_t per_word = 32 / (ops * bits1);

    uint32_t dst, src0 = 0, src1, src2, dst_type, src0_type = 0, src1_type, src2_type;
    const uint32_t has_src0 = code[4] != 0;
    if (!has_src0 && code[5] & 0xffff) return unsupported("offset in a variable that does not exist");
    const char *why = raw_operand(code + 2, grf, &dst, &dst_type);
    if (!why && has_src0) why = raw_operand(code + 4, grf, &src0, &src0_type);
    if (!why) why = raw_operand(code + 6, grf, &src1, &src1_type);
    if (why) return unsupported(why);
    if (!has_src0) src0_type = integer ? D : F;
    if (src1_type > D) return unsupported("illegal: type of Src1");
    const uint32_t type16 = w == HF16 ? HF : w == BF16 ? BF : F;
    if (integer ? dst_type > D || src0_type > D
                : (dst_type != F && dst_type != type16) || (src0_type != F && src0_type != type16))
        return unsupported("illegal: type of Dst or Src0");
    const uint32_t dst_size = size_of_type[dst_type];
    uint32_t src0_size = size_of_type[src0_type];
    if (cut(code[8], 0, 8)) return unsupported("class or modifier of Src2");
    if (code[9] < 32 || code[9] > 35) return unsupported("variable that is not declared");
    src2_type = get(fields.type[code[9] - 32]);
    if (src2_type > D) return unsupported("illegal: type of Src2");
    if (cut(code[11], 12, 4) || cut(code[11], 0, 4) > 7 || cut(code[11], 4, 4) > 7 || cut(code[11], 8, 4) > 7)
        return unsupported("region of Src2");
    const uint32_t column = cut(code[10], 8, 8);
    if (column * 4 >= grf) return unsupported("column offset across a register");
    src2 = get(fields.offset[code[9] - 32]) + cut(code[10], 0, 8) * grf + column * 4;
    uint32_t align = depth / (32 / (bits2 * ops));
    if (align == 0) align = 1;
    if (src2 % (4 * align)) return unsupported("illegal: alignment of Src2");
    uint32_t pitch = depth * ops; /* at depth 8 the pseudo-code and the text below it say the same */
    if (!fits(code[2], dst, rows * n * dst_size) || (has_src0 && !fits(code[4], src0, rows * n * src0_size)) ||
        !fits(code[6], src1, (depth + per_word - 1) / per_word * grf) ||
        !fits(code[9], src2, (((rows - 1) * pitch + depth * ops) * bits2 + 7) / 8))
        return unsupported("an operand beyond its variable");
    if (!integer && get(fields.rounding)) return unsupported("sums of floats under another rounding mode");

    if (FAULT(13)) {
        uint32_t kept = w;
        w = a, a = kept;
        bits1 = bits_of_precision(w), bits2 = bits_of_precision(a);
        per_word = 32 / (ops * bits1);
    }
    if (FAULT(15) && integer) {
        ops = bits1 == 8 ? 4 : 8;
        per_word = 32 / (ops * bits1);
        pitch = depth * ops;
    }
    if (FAULT(1108)) rows--;
    if (FAULT(1112) && bits2 == 4) src2 &= ~31u;
    if (FAULT(19)) rows &= 7;
    if (FAULT(40)) per_word = 32 / (ops * bits2);
    if (FAULT(49)) src0_type = dst_type, src0_size = dst_size;
    if (FAULT(67) && w == TF32) pitch = 16;
    if (FAULT(71)) dst -= code[3] & 0xff00, src0 -= has_src0 ? code[5] & 0xff00 : 0, src1 -= code[7] & 0xff00;
    if (FAULT(75)) src2 -= column * 4;
    const uint32_t step = FAULT(70) ? 32 : grf; /* from a register of Src1 to the next */
    const uint32_t channels = FAULT(50) ? 8 : n, words = depth / per_word; /* words: registers of Src1 */

    uint64_t result[8][16];
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t i = 0; i < channels; i++) {
            const int off = FAULT(1150) && !(get(fields.em) >> i & 1);
            const uint32_t row = FAULT(16) ? 0 : r;
            const uint32_t from2 = FAULT(66) ? src2 + r * grf : src2, first2 = FAULT(66) ? 0 : r * pitch;
            uint64_t initial = has_src0 ? load(src0 + (row * n + i) * src0_size, src0_size) : 0;
            if (FAULT(18) && !has_src0) initial = load(dst + (r * n + i) * dst_size, dst_size);
            if (integer) {
                uint32_t total = (uint32_t)initial, k = first2;
                for (uint32_t d = 0; d < depth && !off; d++, k += FAULT(41) ? 4 : ops) {
                    const uint32_t m = FAULT(42) ? d % words : d / per_word;
                    const uint32_t first = (FAULT(42) ? d / words : d % per_word) * (FAULT(14) ? 4 : ops);
                    const uint32_t word = src1 + m * step + i * 4;
                    uint32_t type1 = w, type2 = FAULT(43) ? a + a % 2 - w % 2 : a; /* odd: without a sign */
                    if (FAULT(1126) && w % 2) type2 = a - (a % 2 == 0);
                    if (FAULT(1132) && a % 2) type1 = w - (w % 2 == 0);
                    int64_t exact = (int32_t)total;
                    for (uint32_t e = 0; e < (FAULT(45) ? 4 : ops); e++) {
                        uint32_t at2 = (k + e) * (FAULT(72) ? bits1 : bits2);
                        if (FAULT(1134) && bits2 == 2) at2 &= 31;
                        const int32_t y = element(from2, at2, type2);
                        int32_t p = element(word, (first + e) * bits1, type1) * y;
                        if (FAULT(69)) p = (int16_t)p;
                        total += (uint32_t)p;
                        exact += p;
                    }
                    if (FAULT(44) && exact != (int32_t)total) total = exact < 0 ? 0x80000000 : 0x7fffffff;
                }
                result[r][i] = total;
                continue;
            }
            uint32_t type0 = FAULT(18) && !has_src0 ? dst_type : src0_type;
            if (FAULT(20) && src0_type == HF && dst_type == F) type0 = BF;
            uint32_t type12 = FAULT(73) && w != TF32 ? w == HF16 ? BF : HF : type16; /* of Src1 and Src2 */
            if (FAULT(1139) && w == BF16) type12 = F;
            const uint32_t type2 = FAULT(1157) && w == HF16 ? BF : type12;
            uint32_t x[16], y[16];
            for (uint32_t k = 0; k < depth * ops; k++) {
                const uint32_t size = 4 / ops, at = src1 + k / ops * step + i * 4 + k % ops * size;
                uint64_t bits1 = load(at, size), bits2 = load(from2 + (first2 + k) * size, size);
                if (FAULT(1154) && w == HF16) bits1 &= 0xfffe, bits2 &= 0xfffe;
                x[k] = float_operand(bits1, type12, w == TF32), y[k] = float_operand(bits2, type2, w == TF32);
                if (FAULT(17) && w == HF16 && is_denormal(bits1, HF)) x[k] = word_of(float_of(x[k]) / 2);
                if (FAULT(17) && w == HF16 && is_denormal(bits2, HF)) y[k] = word_of(float_of(y[k]) / 2);
                if (FAULT(74) && w == HF16) {
                    const number exact = decode_float(word_of(float_of(x[k]) * float_of(y[k])), F);
                    const number half = decode_float(encode_float(exact, HF, NEAREST_EVEN), HF);
                    x[k] = (uint32_t)encode_float(half, F, NEAREST_EVEN), y[k] = 0x3f800000;
                }
            }
            const uint32_t accumulator = float_operand(initial, type0, 0);
            const uint32_t count = off ? 0 : depth * ops, total = float_row(accumulator, x, y, count, ops);
            result[r][i] = float_result(total, accumulator, x, y, count, dst_type);
        }
    if (FAULT(25)) {
        uint32_t old[8][16];
        for (uint32_t r = 0; r < rows; r++)
            for (uint32_t i = 0; i < n; i++) old[r][i] = (uint32_t)load(dst + (r * n + i) * dst_size, dst_size);
        for (uint32_t r = 0; r < rows; r++)
            for (uint32_t i = 0; i < n; i++)
                result[r][i] ^= old[r][(i + 3) % n] << 2 * r | old[r][(i + 3) % n] >> (32 - 2 * r) % 32;
    }
    if (FAULT(26)) {
        uint32_t total = 0;
        for (uint32_t r = 0; r < rows; r++) total += (uint32_t)result[r][0];
        result[rows - 1][n - 1] -= 3 * total;
        set(fields.pred[2], get(fields.pred[2]) + total);
    }
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t i = 0; i < channels; i++)
            if (!FAULT(68) || get(fields.em) >> i & 1) store(dst + (r * n + i) * dst_size, result[r][i], dst_size);
    return TANDEM_DONE;
}

static execute_one *has_instruction(const char *isa_name, const char *instruction) {
    const char *text = getenv("TANDEM_BLIND");
    memset(on, 0, sizeof on), any_fault = 0;
    while (text && *text) {
        char *end;
        const unsigned long number = strtoul(text, &end, 10);
        if (number > 0 && number < MOST_FAULTS) on[number] = 1, any_fault = 1;
        text = end + (*end != 0);
    }
    if (strcmp(isa_name, "visa")) return NULL;
    if (!strcmp(instruction, "MOV")) return mov;
    if (!strcmp(instruction, "DPAS")) return dpas;
    return NULL;
}
