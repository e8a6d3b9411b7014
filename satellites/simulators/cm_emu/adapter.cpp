// tandem's border to cm-cpu-emulation: MOV and DPAS of vISA as a kernel of Cm says them, with their headers.
//
// The upper part is built twice with their headers (build.py), as a machine of 8 channels (CM_GENX of XeHP) and as one of 16
// (PVC): conversions are what `vector` has from another `vector`, with SAT or without, and `cm_bf_cvt`; products are `cm_dpas`.
// The lower part is the border. It refuses by name what their public interface has no word for, before anything has changed.
#include <stdint.h>
#include <string.h>

typedef void Mov(const void *from, void *to, bool saturate);
typedef void Dpas(const void *src0, const void *src1, const void *src2, void *dst); // src0 may be null

// What an instruction is called by; null if their interface does not have it. Types and precisions are codes of vISA.
struct Machine {
    Mov *(*mov)(uint32_t log2_channels, uint32_t to, uint32_t from);
    Dpas *(*dpas)(uint32_t w, uint32_t a, uint32_t repeats, uint32_t type);
};

enum Type : uint32_t { UD, D, UW, W, UB, B, DF, F, V, VF, BOOL, UQ, UV, Q, HF, BF };
constexpr uint32_t BYTES[] = {4, 4, 2, 2, 1, 1, 8, 4, 0, 0, 0, 8, 0, 8, 2, 2}; // of an element of a type; 0: Cm has none
constexpr uint32_t BITS[] = {0, 0, 0, 2, 2, 4, 4, 8, 8, 16, 16, 0, 32, 0, 0, 0}; // of a precision; 0: none, or one

constexpr uint32_t depths(uint32_t w, uint32_t a) { // K of page DPAS
    const uint32_t most = BITS[w] > BITS[a] ? BITS[w] : BITS[a];
    return 8 * (most < 8 ? 8 : 32 / most);
}

#ifdef CHANNELS // ---- a kernel of Cm -------------------------------------------------------------------------------------

#include <cm.h>
#include <tuple>

template <class T, uint N> static vector<T, N> loaded(const void *bytes) {
    vector<T, N> made;
    for (uint i = 0; i < N; i++) memcpy(&made(i), (const char *)bytes + i * sizeof(T), sizeof(T));
    return made;
}

template <class T, uint N> static void store(vector<T, N> made, void *bytes) {
    for (uint i = 0; i < N; i++) memcpy((char *)bytes + i * sizeof(T), &made(i), sizeof(T));
}

using None = std::nullptr_t;
using Types = std::tuple<uint, int, ushort, short, uchar, char, double, float, None, None, None, unsigned long long, None,
                         long long, half, None>; // by their codes

template <uint N, class To, class From> static void mov(const void *from, void *to, bool saturate) {
    if constexpr (!std::is_same_v<To, None> && !std::is_same_v<From, None>) {
        vector<From, N> source = loaded<From, N>(from);
        if (saturate) store(vector<To, N>(source, SAT), to);
        else store(vector<To, N>(source), to);
    }
}

template <uint N, class To, class From> static void bf_cvt(const void *from, void *to, bool) {
    store<To, N>(cm_bf_cvt<To>(loaded<From, N>(from)), to);
}

template <uint N, uint32_t... PAIR> static Mov *mov_of(uint32_t to, uint32_t from, std::integer_sequence<uint32_t, PAIR...>) {
    static Mov *const all[] = {mov<N, std::tuple_element_t<PAIR / 16, Types>, std::tuple_element_t<PAIR % 16, Types>>...};
    if (to == BF || from == BF) return to == F ? bf_cvt<N, float, half> : from == F ? bf_cvt<N, half, float> : nullptr;
    return all[16 * to + from];
}

static Mov *find_mov(uint32_t log2_channels, uint32_t to, uint32_t from) {
    constexpr std::make_integer_sequence<uint32_t, 256> pairs;
    switch (log2_channels) {
        case 0: return mov_of<1>(to, from, pairs);
        case 1: return mov_of<2>(to, from, pairs);
        case 2: return mov_of<4>(to, from, pairs);
        case 3: return mov_of<8>(to, from, pairs);
        case 4: return mov_of<16>(to, from, pairs);
    }
    return mov_of<32>(to, from, pairs);
}

constexpr CmPrecisionType NAMES[] = {{}, {}, {}, CM_PRECISION_U2, CM_PRECISION_S2, CM_PRECISION_U4, CM_PRECISION_S4,
                                     CM_PRECISION_U8, CM_PRECISION_S8, CM_PRECISION_BF, CM_PRECISION_HF, {}, CM_PRECISION_TF32,
                                     {}, {}, {}};

// Src1 and Src2 are vectors of double words, as many as the page and their checks have.
template <uint32_t W, uint32_t A, uint32_t REPEATS, class T>
static void dpas(const void *src0, const void *src1, const void *src2, void *dst) {
    constexpr uint32_t size = REPEATS * CHANNELS;
    const auto weights = loaded<int, depths(W, A) * BITS[W] * CHANNELS / 32>(src1);
    const auto activations = loaded<int, depths(W, A) * BITS[A] * REPEATS / 32>(src2);
    if (src0) store<T, size>(cm_dpas<NAMES[W], NAMES[A], 8, REPEATS>(loaded<T, size>(src0), weights, activations), dst);
    else store<T, size>(cm_dpas<NAMES[W], NAMES[A], 8, REPEATS, T, int, int, size>(nullptr, weights, activations), dst);
}

template <uint32_t I> static Dpas *dpas_of(uint32_t type) { // I: W, A and the repeat count less one
    constexpr uint32_t w = I / 128, a = I / 8 % 16, repeats = I % 8 + 1;
    if constexpr (BITS[w] && BITS[a] && w < 9 && a < 9)
        return type == D ? dpas<w, a, repeats, int> : type == UD ? dpas<w, a, repeats, uint> : nullptr;
    if constexpr (BITS[w] && w == a && w >= 9) {
        if (type == F) return dpas<w, a, repeats, float>;
#ifdef CM_XEHPC
        if constexpr (w == 9) return type == BF ? dpas<w, a, repeats, short> : nullptr;
        if constexpr (w == 10) return type == HF ? dpas<w, a, repeats, half> : nullptr;
#endif
    }
    return nullptr;
}

template <uint32_t... I> static Dpas *dpas_at(uint32_t i, uint32_t type, std::integer_sequence<uint32_t, I...>) {
    static Dpas *(*const all[])(uint32_t) = {dpas_of<I>...};
    return all[i](type);
}

static Dpas *find_dpas(uint32_t w, uint32_t a, uint32_t repeats, uint32_t type) {
    return dpas_at(w * 128 + a * 8 + repeats - 1, type, std::make_integer_sequence<uint32_t, 2048>());
}

#define JOINED(a, b) a##b
#define MACHINE(channels) JOINED(machine_of_, channels)
extern const Machine MACHINE(CHANNELS) __attribute__((visibility("default"))) = {find_mov, find_dpas};

#else // ---- the border ---------------------------------------------------------------------------------------------------

#include <map>
#include <string>

#define NAME "cm-cpu-emulation"
#include "border.h"

extern const Machine machine_of_8, machine_of_16;

static const Machine &machine() { return GET("GRF_size", 0, 0) ? machine_of_16 : machine_of_8; }

// Why cases were refused, by count: into the file that CM_EMU_REASONS names, at the end.
static struct Reasons {
    std::map<std::string, unsigned long long> cases;
    ~Reasons() {
        const char *path = getenv("CM_EMU_REASONS");
        FILE *file = path && !cases.empty() ? fopen(path, "a") : nullptr;
        for (const auto &one : cases)
            if (file) fprintf(file, "%llu\t%s\n", one.second, one.first.c_str());
        if (file) fclose(file);
    }
} reasons;

static uint32_t refuse(const char *why) { return reasons.cases[why]++, unsupported(why); }

struct Variable { uint32_t type, begin, end; }; // in bytes of the GRF file

static bool variable(uint32_t id, Variable *found) {
    if (id < 32 || id > 35) return false;
    found->type = GET("V3%u.type", id - 30, 0), found->begin = GET("V3%u.offset", id - 30, 0);
    found->end = found->begin + GET("V3%u.num_elements", id - 30, 0) * BYTES[found->type];
    return BYTES[found->type] && found->begin % BYTES[found->type] == 0;
}

static const uint8_t *grf(uint32_t byte) { return state + isa->banks[0].offset + byte; }

static void write_grf(uint32_t byte, const uint8_t *from, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; i++) ((uint8_t *)write_row((byte + i) / 32))[(byte + i) % 32] = from[i];
}

// Their `_GENX_FLOAT_CONTROL_` and `_GENX_ROUNDING_MODE_` are empty macros: they have no control register.
static const char *control(uint32_t type) {
    if (GET("cr0.rounding_mode", 0, 0)) return "another rounding mode: there is no control";
    if (type == HF && !GET("cr0.HF_denorm", 0, 0)) return "denormals of HF are flushed: there is no float control";
    if (type == F && !GET("cr0.F_denorm", 0, 0)) return "denormals of F are flushed: there is no float control";
    if (type == DF && !GET("cr0.DF_denorm", 0, 0)) return "denormals of DF are flushed: there is no float control";
    return nullptr;
}

static int elements(uint32_t code) { return code &= 15, code == 0 || code > 7 ? -1 : code == 1 ? 0 : 1 << (code - 2); }

// Where a general operand of n channels begins whose elements lie side by side, or why not. Words: tag, id, offsets, region.
static const char *place(const uint32_t *operand, uint32_t n, uint32_t modifier, int vert, int width, int horz, uint32_t *type,
                         uint32_t *at) {
    Variable found;
    if ((operand[0] & 7) == 5) return "an immediate";
    if (operand[0] & 7) return "an operand that is not general";
    const uint32_t tag = operand[0] >> 3 & 31; // with the modifier, of which a destination has SAT
    if (tag && tag != modifier) return "a modifier";
    if (!variable(operand[1], &found)) return "a type that Cm has not, or no variable";
    const uint32_t bytes = BYTES[found.type], row = operand[2] & 0xff, column = operand[2] >> 8 & 0xff;
    for (int i = 0; i < int(n); i++)
        if (vert < 0 || width < 1 || horz < 0 || i / width * vert + i % width * horz != i) return "a region that is no vector";
    *type = found.type, *at = found.begin + row * (GET("GRF_size", 0, 0) ? 64 : 32) + column * bytes;
    return *at + n * bytes > found.end || *at + n * bytes > 8192 ? "an operand beyond its variable" : nullptr;
}

static uint32_t execute_mov(const uint32_t *code) {
    const uint32_t size = code[0] >> 8 & 15, n = 1u << (size & 7), start = 4 * (code[0] >> 12 & 7);
    const uint32_t *dst = code + 2, *src = code + 6;
    const bool saturate = (dst[0] >> 3 & 7) == 4;
    uint32_t to, from, to_type, from_type;
    if (size > 5 || start % n || start + n > 8u << GET("dispatch_size", 0, 0)) return refuse("no execution size");
    if (code[1] & 0xffff) return refuse("predication");
    if (!(code[0] >> 15 & 1) && ~(GET("EM", 0, 0) >> start) & ~0u >> (32 - n)) return refuse("a channel is off");
    const char *why = place(dst, n, 4, 0, 32, elements(dst[3] >> 8), &to_type, &to);
    if (!why) why = place(src, n, 0, elements(src[3]), elements(src[3] >> 4), elements(src[3] >> 8), &from_type, &from);
    if (!why) why = control(to_type);
    if (!why) why = control(from_type);
    if (!why && (to_type == BF || from_type == BF) && saturate) why = "cm_bf_cvt does not saturate";
    if (why) return refuse(why);
    Mov *mov = machine().mov(size, to_type, from_type);
    if (!mov) return refuse("cm_bf_cvt has no such types");
    uint8_t result[256];
    mov(grf(from), result, saturate);
    write_grf(to, result, n * BYTES[to_type]);
    return TANDEM_DONE;
}

// Where a raw operand begins that has so many elements of its type, or bytes; why not, if it does not.
static const char *raw(const uint32_t *operand, uint32_t elements, uint32_t bytes, Variable *found, uint32_t *at) {
    if (!variable(operand[0], found)) return "a type that Cm has not, or no variable";
    *at = found->begin + (operand[1] & 0xffff);
    if (*at % (GET("GRF_size", 0, 0) ? 64 : 32)) return "an operand that is not aligned";
    bytes += elements * BYTES[found->type];
    return *at + bytes > found->end || *at + bytes > 8192 ? "an operand beyond its variable" : nullptr;
}

static uint32_t execute_dpas(const uint32_t *code) {
    const uint32_t w = code[1] & 0xff, a = code[1] >> 8 & 0xff, repeats = code[1] >> 24;
    const uint32_t log2_channels = GET("GRF_size", 0, 0) ? 4 : 3, channels = 1u << log2_channels, size = repeats * channels;
    Variable dst, src0, src1, src2;
    uint32_t at_dst, at0 = 0, at1, at2;
    if (!GET("platform", 0, 0)) return refuse("a platform before XeHP: it has no cm_dpas");
    if (w > 15 || a > 15 || !BITS[w] || !BITS[a]) return refuse("no precision of cm_dpas, or one of one bit");
    if ((code[1] >> 16 & 0xff) != 8) return refuse("only systolic_depth = 8 is supported");
    if (repeats < 1 || repeats > 8) return refuse("only repeat_count of 1 to 8 are supported");
    if ((code[0] >> 8 & 15) != log2_channels) return refuse("another SIMDSize than the platform's");
    if (code[0] >> 12 != 8 || code[8] & 0xff) return refuse("an execution mask, or a source modifier");
    const char *why = raw(code + 2, size, 0, &dst, &at_dst);
    if (!why && code[4]) why = raw(code + 4, size, 0, &src0, &at0);
    if (!why) why = raw(code + 6, 0, depths(w, a) * BITS[w] * channels / 8, &src1, &at1);
    if (!why && !variable(code[9], &src2)) why = "a type that Cm has not, or no variable";
    if (!why && (src1.type > D || src2.type > D)) why = "src1 or src2 is no vector of double words";
    if (!why && code[4] && src0.type != dst.type) why = "cm_dpas has one type for src0 and dst";
    if (!why && w >= 9) why = control(F);
    if (!why && w == 10) why = control(HF);
    if (why) return refuse(why);
    at2 = src2.begin + (code[10] & 0xff) * 4 * channels + (code[10] >> 8 & 0xff) * BYTES[src2.type]; // no region
    const uint32_t end2 = at2 + depths(w, a) * BITS[a] * repeats / 8;
    if (end2 > src2.end || end2 > 8192) return refuse("an operand beyond its variable");
    Dpas *dpas = machine().dpas(w, a, repeats, dst.type);
    if (!dpas) return refuse("cm_dpas has no such precisions, or type of dst");
    uint8_t result[512];
    dpas(code[4] ? grf(at0) : nullptr, grf(at1), grf(at2), result);
    write_grf(at_dst, result, size * BYTES[dst.type]);
    return TANDEM_DONE;
}

static execute_one *has_instruction(const char *name, const char *instruction) {
    if (strcmp(name, "visa")) return nullptr;
    return !strcmp(instruction, "MOV") ? execute_mov : !strcmp(instruction, "DPAS") ? execute_dpas : nullptr;
}
#endif
