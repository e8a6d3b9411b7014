// tandem's border to tensix-isa-simulator: executes a case on the state of one Tensix coprocessor of theirs, in their own code.
//
// It is built together with the sources of their core (build.py). Before an instruction the state goes into the members of
// their class Tensix, then the method of their class Thread that has the name of the instruction is called, with the fields of
// the code word in the order of its parameters, and what has changed is read back.
//
// - They hold the data of SrcA, SrcB and Dst as floats, whatever the format. So a case is taken where a float holds what the
//   format says, without loss: TF32 and BF16, and FP32 in Dst. Which view of Dst their rows are follows from the instruction.
// - They have one bank of SrcA and one of SrcB: the Matrix Unit's. A bank that is given away is also flipped.
// - They have no DstRowValid. An invalid row holds the neutral element; a row that changes becomes valid.
// - Their assertions are their only errors: a case that fails one is `unsupported`, with its text. An index beyond an array of
//   theirs ends the process, which tandem reports. Where their Thread would wait, the case is `blocked`.
// - What they have no place for stands in UNHELD and in `refusal`, and is refused before anything is executed.
#include <setjmp.h>
#include <sys/mman.h>

#include <functional>
#include <map>
#include <new>
#include <tuple>

#define private public // to reach the members of their classes: what they hold is their interface
#define protected public
#include "core/thread.hpp"
#undef private
#undef protected

#define NAME "tensix-isa-simulator"
#include "border.h"

using namespace ronin::iss::whb0::core;

static jmp_buf ended; // where a call goes on that their assertions, or their waiting, end
enum { CALL = 0, ASSERTION, WAITING };
static char message[256];

extern "C" void __assert_fail(const char *text, const char *file, unsigned, const char *function) noexcept {
    const char *name = strstr(function, "::core::"), *slash = strrchr(file, '/');
    const int length = name ? (int)strcspn(name + 8, "(") : 0;
    snprintf(message, sizeof message, "assertion in %.*s of %s: %s", length, name ? name + 8 : "", slash ? slash + 1 : "", text);
    longjmp(ended, ASSERTION);
}

struct Sync : ThreadSync {
    void wait(std::function<bool()> condition) override {
        if (!condition()) longjmp(ended, WAITING);
    }
};

struct OneThread : Thread {
    using Thread::Thread;
    void run() override {}
};

static BasicMemory memory(1 << 20);
static Tensix before(&memory);

// Behind it lies as much as they can write beyond their arrays in one go, so that the process ends where they do.
static Tensix &guarded() {
    const size_t page = 4096, size = (sizeof(Tensix) + page - 1) / page * page;
    auto *pages = (uint8_t *)mmap(nullptr, size + (128u << 20), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages, size, PROT_READ | PROT_WRITE)) abort();
    return *new (pages + (size - sizeof(Tensix)) / alignof(Tensix) * alignof(Tensix)) Tensix(&memory);
}

static Tensix &theirs = guarded();
static Sync sync_of_threads;
static OneThread threads[3] = {{ThreadType::Unpack, &theirs, &sync_of_threads}, {ThreadType::Math, &theirs, &sync_of_threads},
                               {ThreadType::Pack, &theirs, &sync_of_threads}};

// ---- the instructions --------------------------------------------------------------------------------------------------

// What an instruction sees of the state.
enum : uint32_t {
    LANES = 1,     // the Vector Unit
    DST = 2,       // Dst, and what is added to its rows
    SRC = 4,       // SrcA and SrcB as data
    FORMATS = 8,   // their formats, and address modes
    FLIPS = 16,    // it may give banks away
    UNPACKS = 32,  // the banks of the Unpackers
    GATE = 64,     // what the Wait Gate keeps
    COMPUTES = 128 // the fidelity phase, and a result that a Dst of 16 bits would round
};

template <class... P, size_t... i>
static void call_at(void (Thread::*method)(P...), Thread &thread, uint32_t code, const uint32_t *at, std::index_sequence<i...>) {
    (thread.*method)((code & ((1u << at[i]) - 1)) >> at[i + 1]...);
}

template <class... P> static void call(void (Thread::*method)(P...), Thread &thread, uint32_t code, const uint32_t *at) {
    call_at(method, thread, code, at, std::index_sequence_for<P...>());
}

// A method, and at which bits of a code word its parameters begin: each reaches up to the one before it, the first to the opcode.
#define OP(opcode, name, sees, ...) {opcode, #name, sees, [](Thread &thread, uint32_t code) { \
    static const uint32_t at[] = {24, ##__VA_ARGS__}; \
    call(&Thread::name, thread, code, at); }}

#define LANEWISE(opcode, name) OP(opcode, name, LANES, 12, 8, 4, 0)
#define MATRIX DST | SRC | FORMATS | FLIPS | COMPUTES

static const struct Op {
    uint8_t opcode;
    const char *name;
    uint32_t sees;
    void (*call)(Thread &, uint32_t);
} OPS[] = {
    OP(0x38, INCRWC, 0, 18, 14, 10, 6),
    OP(0x08, MOVD2A, DST | SRC | FORMATS, 23, 17, 15, 12, 0), OP(0x0a, MOVD2B, DST | SRC | FORMATS, 23, 17, 15, 12, 0),
    OP(0x0b, MOVB2A, SRC | FORMATS, 17, 15, 12, 0), OP(0x12, MOVA2D, DST | SRC | FORMATS, 23, 17, 15, 12, 0),
    OP(0x13, MOVB2D, DST | SRC | FORMATS, 23, 17, 15, 12, 0), OP(0x10, ZEROACC, DST, 19, 15, 0),
    OP(0x11, ZEROSRC, SRC | UNPACKS, 4, 3, 2, 0), OP(0x16, TRNSPSRCB, SRC), OP(0x26, MVMUL, MATRIX, 22, 19, 15, 0),
    OP(0x27, ELWMUL, MATRIX, 22, 21, 19, 15, 0), OP(0x28, ELWADD, MATRIX, 22, 21, 19, 15, 0),
    OP(0x30, ELWSUB, MATRIX, 22, 21, 19, 15, 0), OP(0x33, GMPOOL, MATRIX, 22, 19, 15, 14, 0),
    OP(0x34, GAPOOL, MATRIX, 22, 19, 15, 14, 0), OP(0x36, CLEARDVALID, SRC | FLIPS, 22, 0),
    OP(0x37, SETRWC, SRC | FLIPS, 22, 18, 14, 10, 6, 0), OP(0x43, UNPACR_NOP, SRC | UNPACKS | GATE, 23, 0),
    OP(0x45, SETDMAREG, GATE, 24, 8, 7, 0), OP(0x57, SETDVALID, SRC | UNPACKS | GATE, 0),
    OP(0x70, SFPLOAD, LANES | DST, 20, 16, 14, 0), OP(0x71, SFPLOADI, LANES, 20, 16, 0),
    OP(0x72, SFPSTORE, LANES | DST, 20, 16, 14, 0), OP(0x73, SFPLUT, LANES, 20, 16, 0), OP(0x74, SFPMULI, LANES, 8, 4, 0),
    OP(0x75, SFPADDI, LANES, 8, 4, 0), OP(0x84, SFPMAD, LANES, 16, 12, 8, 4, 0), OP(0x85, SFPADD, LANES, 16, 12, 8, 4, 0),
    OP(0x86, SFPMUL, LANES, 16, 12, 8, 4, 0), OP(0x8e, SFP_STOCH_RND, LANES, 21, 16, 12, 8, 4, 0), OP(0x8f, SFPNOP, LANES),
    OP(0x90, SFPCAST, LANES, 8, 4, 0), OP(0x91, SFPCONFIG, LANES, 8, 4, 0), OP(0x95, SFPLUTFP32, LANES, 4, 0),
    OP(0xa3, SEMINIT, GATE, 20, 16, 2), OP(0xa4, SEMPOST, GATE, 2), OP(0xa5, SEMGET, GATE, 2), OP(0xb0, WRCFG, GATE, 16, 15, 0),
    OP(0xb1, RDCFG, GATE, 16, 0), OP(0xb2, SETC16, GATE, 16, 0), OP(0xb3, RMWCIB0, GATE, 16, 8, 0),
    OP(0xb4, RMWCIB1, GATE, 16, 8, 0), OP(0xb5, RMWCIB2, GATE, 16, 8, 0), OP(0xb6, RMWCIB3, GATE, 16, 8, 0),
    LANEWISE(0x76, SFPDIVP2), LANEWISE(0x77, SFPEXEXP), LANEWISE(0x78, SFPEXMAN), LANEWISE(0x79, SFPIADD),
    LANEWISE(0x7a, SFPSHFT), LANEWISE(0x7b, SFPSETCC), LANEWISE(0x7c, SFPMOV), LANEWISE(0x7d, SFPABS), LANEWISE(0x7e, SFPAND),
    LANEWISE(0x7f, SFPOR), LANEWISE(0x80, SFPNOT), LANEWISE(0x81, SFPLZ), LANEWISE(0x82, SFPSETEXP), LANEWISE(0x83, SFPSETMAN),
    LANEWISE(0x87, SFPPUSHC), LANEWISE(0x88, SFPPOPC), LANEWISE(0x89, SFPSETSGN), LANEWISE(0x8a, SFPENCC),
    LANEWISE(0x8b, SFPCOMPC), LANEWISE(0x8c, SFPTRANSP), LANEWISE(0x8d, SFPXOR), LANEWISE(0x92, SFPSWAP),
    LANEWISE(0x94, SFPSHFT2),
};

static const tandem_field *field_at(const char *format, uint32_t i, uint32_t j) {
    static std::map<std::tuple<const char *, uint32_t, uint32_t>, const tandem_field *> fields;
    const tandem_field *&field = fields[{format, i, j}];
    return field ? field : field = find(format, i, j);
}

// ---- what they cannot hold -----------------------------------------------------------------------------------------------

// Fields that they have no place for, or do not heed as their list of registers says, and what has to see them for a refusal.
// Of a field of a thread, or of a bank of Config, it is the one in force that counts.
static const struct {
    const char *name;
    uint32_t seen_by;
} UNHELD[] = {
    {"Config[%u].ALU_ACC_CTRL_INT8_math_enabled", FORMATS}, {"Config[%u].DEST_REGW_BASE_Base", DST},
    {"ThreadConfig[%u].FP16A_FORCE_Enable", FORMATS}, {"ThreadConfig[%u].FIDELITY_BASE_Phase", COMPUTES},
    {"ThreadConfig[%u].ADDR_MOD_SET_Base", FORMATS | DST}, // they keep it where ExtraAddrModBit is
    {"ThreadConfig[%u].CLR_DVALID_SrcA_Disable", FLIPS}, {"ThreadConfig[%u].CLR_DVALID_SrcB_Disable", FLIPS},
    {"ThreadConfig[%u].SRCA_SET_Base", UNPACKS}, {"ThreadConfig[%u].SRCB_SET_Base", UNPACKS},
    {"Unpackers[0].SrcRow[%u]", UNPACKS}, {"Unpackers[1].SrcRow[%u]", UNPACKS},
    {"WaitGate[%u].LatchedWaitInstruction.Opcode", GATE},
};

enum Style { RAW, BF16, OTHER };   // a format of 19 bits, as TF32; of 16; or no float with 8 bits of exponent
enum View { NONE, NARROW, WIDE };  // rows of theirs are those of Dst16b, which holds BF16, or of Dst32b, which holds FP32

enum : uint32_t { DISABLE_BACKDOOR_LOAD = 2 }; // of LaneConfig

static struct Case {
    uint32_t thread, config, bank_a, bank_b;
    Style style_a, style_b;
    View view;
    bool marks; // it only marks rows, by zeros
    float neutral;
} now;

static uint32_t format_of(char source) {
    const auto of = [&](const char *format) { return get(field_at(format, now.config, source)); };
    return of("Config[%u].ALU_FORMAT_SPEC_REG_Src%c_override") ? of("Config[%u].ALU_FORMAT_SPEC_REG_Src%c_val")
           : of(source == 'A' ? "Config[%u].ALU_FORMAT_SPEC_REG0_Src%c" : "Config[%u].ALU_FORMAT_SPEC_REG1_Src%c");
}

static Style style_of(uint32_t format) { return format == 4 ? RAW : 1 << format & 0x83e1 ? BF16 : OTHER; }

static bool is(const Op &op, const char *name) { return !strcmp(op.name, name); }

// Why a case is not taken, or nullptr; it fills `now`.
static const char *refusal(const Op &op, uint32_t code, uint32_t vd) {
    const uint32_t thread = GET("CurrentThread", 0, 0), config = GET("ThreadConfig[%u].CFG_STATE_ID_StateID", thread, 0);
    now = {thread, config, GET("MatrixUnit.SrcABank", 0, 0), GET("MatrixUnit.SrcBBank", 0, 0), RAW, RAW, NONE, false, -0.0f};
    for (const auto &unheld : UNHELD)
        if (op.sees & unheld.seen_by) {
            const tandem_field *field = field_at(unheld.name, unheld.name[0] == 'C' ? config : thread, 0);
            if (get(field)) return snprintf(message, sizeof message, "%s is not heeded", field->name), message;
        }
    const auto differs = [](uint32_t lanes) { return lanes != 0 && lanes != ~0u; };
    if (op.sees & LANES && differs(GET("UseLaneFlagsForLaneEnable", 0, 0)))
        return "UseLaneFlagsForLaneEnable differs between lanes";
    for (uint32_t i = 0; i < 8 && op.sees & (LANES | DST); i++) {
        const uint32_t lane_config = *(uint32_t *)(small + FIELD("LaneConfig[%u].ENABLE_FP16A_INF", i, 0)->byte);
        if (lane_config & ~DISABLE_BACKDOOR_LOAD) return "LaneConfig has no place";
        if (vd >= 12 && !lane_config) return "LaneConfig has no place: there is no back door";
        if (op.opcode != 0x87 && op.opcode != 0x88 && op.opcode != 0x8b) continue; // PUSHC, POPC and COMPC
        if (differs(GET("FlagStack[%u].Occupied", i, 0)) || differs(GET("FlagStack[%u].UseLaneFlagsForLaneEnable", i, 0)))
            return "FlagStack differs between lanes";
    }
    if (is(op, "SFPCONFIG") && (vd < 11 || vd == 15)) return "LaneConfig and LoadMacroConfig have no place";
    if (is(op, "SFP_STOCH_RND") && code >> 21 & 1) return "PRNG has no place";
    if (is(op, "SFPMOV") && code & 8 && (code >> 8 & 15) == 9) return "PRNG has no place";
    const bool apart = GET("Unpackers[%u].SrcBank", 0, 0) != now.bank_a || GET("Unpackers[%u].SrcBank", 1, 0) != now.bank_b;
    if (op.sees & UNPACKS && apart) return "Unpackers.SrcBank differs from the bank of the Matrix Unit: they have one bank";
    if ((is(op, "ZEROSRC") && code & 4) || (op.opcode == 0x43 && (code & 9) == 9)) return "BothBanks: they have one bank";
    const bool free_a = GET("SrcA[%u].AllowedClient", now.bank_a, 0), free_b = GET("SrcB[%u].AllowedClient", now.bank_b, 0);
    if ((is(op, "CLEARDVALID") || is(op, "SETRWC")) && ((code >> 22 & 1 && free_a) || (code >> 23 & 1 && free_b)))
        return "a bank that the Unpackers have is given away: they have one bank";
    if (is(op, "CLEARDVALID") && code & 3) return "Reset and KeepReadingSameSrc: they have one bank";
    if (op.opcode == 0x57 && ((code & 1 && !free_a) || (code & 2 && !free_b)))
        return "a bank that the Matrix Unit has is given to it: they have one bank";
    const bool wide = GET("Config[%u].ALU_ACC_CTRL_Fp32_enabled", config, 0), moves_up = is(op, "MOVA2D") || is(op, "MOVB2D");
    if (op.sees & FORMATS && op.sees & SRC) {
        // MOVD2B goes by the format of SrcA, as the page says, and the others by those of what they read.
        if (!is(op, "MOVB2A")) now.style_a = now.style_b = style_of(format_of('A'));
        if (op.sees & COMPUTES || is(op, "MOVB2D") || is(op, "MOVB2A")) now.style_b = style_of(format_of('B'));
        if (now.style_a == OTHER || now.style_b == OTHER) return "a format of SrcA or SrcB: they have floats";
        if (op.sees & DST) now.view = (moves_up ? now.style_a == RAW : wide) ? WIDE : NARROW;
        if (now.view == NARROW && (op.sees & COMPUTES || now.style_a == RAW)) return "Dst of 16 bits: they have floats of 32";
        if (now.view == NARROW) now.style_b = BF16;
        if (op.sees & DST && !(op.sees & COMPUTES) && code >> 23 & 1) return "UseDst32bLo: they have no halves of a datum";
        if (op.opcode == 0x08 || op.opcode == 0x0a) now.neutral = 0; // MOVD2A and MOVD2B read no more
        if (is(op, "GMPOOL")) now.neutral = -__builtin_inff();
    } else if (op.sees & LANES && op.sees & DST) {
        uint32_t mode = code >> 16 & 15;
        const bool fp32 = GET("Config[%u].ALU_ACC_CTRL_SFPU_Fp32_enabled", config, 0);
        if (mode == 0) mode = fp32 ? 3 : style_of(format_of('B')) == OTHER ? 1 : 2;
        if (mode != 2 && mode != 3 && mode != 4) return "Mod0: a datum that a float does not hold";
        if (mode == 2 && is(op, "SFPSTORE")) return "Dst of 16 bits: they have floats of 32";
        now.view = mode == 2 ? NARROW : WIDE;
    } else if (is(op, "ZEROACC")) {
        now.view = (code >> 19 & 3 ? code >> 21 & 1 : wide) ? WIDE : NARROW;
        now.marks = true;
    }
    return nullptr;
}

// ---- their state and ours -------------------------------------------------------------------------------------------------

static uint32_t &word_of(Tensix &tensix, const tandem_field &field) { // of configuration
    const uint32_t bank = strchr(field.name, '[')[1] - '0';
    return *field.name == 'T' ? tensix.m_thd_reg[bank][field.address] : tensix.m_cfg_reg[bank][field.address];
}

// SETC16 does more than to store: it fills what they keep of address modes and offsets, which is once for all threads.
static void put_config() {
    memset(theirs.m_thd_reg, 0, sizeof theirs.m_thd_reg), memset(theirs.m_cfg_reg, 0, sizeof theirs.m_cfg_reg);
    for (uint32_t i = 0; i < isa->num_fields; i++)
        if (isa->fields[i].address_bank) word_of(theirs, isa->fields[i]) |= get(&isa->fields[i]) << isa->fields[i].shift;
    for (uint32_t thread = 0; thread < 3; thread++) theirs.m_cfg_state_id[thread] = theirs.m_thd_reg[thread][0] & 1;
    theirs.set_thread_id(now.thread);
    for (uint32_t i = 0; i < Tensix::THD_REG_COUNT; i++) theirs.SETC16(i, theirs.m_thd_reg[now.thread][i]);
}

static void give_config() {
    for (uint32_t i = 0; i < isa->num_fields; i++) {
        const tandem_field &field = isa->fields[i];
        if (field.address_bank && word_of(theirs, field) != word_of(before, field))
            set(&field, word_of(theirs, field) >> field.shift);
    }
}

static uint32_t bits_of(float value) {
    uint32_t bits;
    return memcpy(&bits, &value, 4), bits;
}

static void set_bits(float &value, uint32_t bits) { memcpy(&value, &bits, 4); }

// A datum of SrcA and SrcB: sign, 10 bits of mantissa, 8 of exponent. It has no more of a float, and as BF16 three bits less.
static uint32_t mantissa(Style style) { return style == BF16 ? 0x3f800 : 0x3ff00; }
static uint32_t src_to_float(uint32_t datum, Style style) {
    return (datum & 0x40000) << 13 | (datum & 0xff) << 23 | (datum & mantissa(style)) << 5;
}

static uint32_t src_of_float(uint32_t bits, Style style) {
    return (bits >> 13 & 0x40000) | (bits >> 23 & 0xff) | (bits >> 5 & mantissa(style));
}

// The upper half of a datum of Dst, which is sign, 7 bits of mantissa and 8 of exponent, and that of a float.
static uint32_t dst_to_float(uint32_t half) { return (half & 0x8000) | (half & 0xff) << 7 | (half >> 8 & 0x7f); }
static uint32_t dst_of_float(uint32_t half) { return (half & 0x8000) | (half & 0x7f) << 8 | (half >> 7 & 0xff); }

static uint32_t physical(uint32_t row) { return now.view == WIDE ? (row & 0x1f8) << 1 | (row & 0x207) : row; }

static const void *bank_at(const char *name, uint32_t row) { return read_row(first_row(name) + row); }

static void put_dst() {
    const auto *bits = (const uint16_t(*)[16])bank_at("DstBits", 0);
    const auto *valid = (const uint8_t *)bank_at("DstRowValid", 0);
    for (uint32_t row = 0; row < Tensix::DEST_ROWS && now.view != NONE; row++)
        for (uint32_t column = 0, at = physical(row); column < 16; column++) {
            float &datum = theirs.m_dest[row][column];
            if (now.marks) datum = valid[at];
            else if (!valid[at]) datum = now.neutral;
            else set_bits(datum, dst_to_float(bits[at][column]) << 16 | (now.view == WIDE ? bits[at + 8][column] : 0));
        }
}

static void mark(uint32_t row, uint8_t valid) { *(uint8_t *)write_row(first_row("DstRowValid") + row) = valid; }

static void give_dst(bool both_halves) {
    for (uint32_t row = 0; row < Tensix::DEST_ROWS && now.view != NONE; row++) {
        const uint32_t at = physical(row);
        if (!memcmp(theirs.m_dest[row], before.m_dest[row], sizeof theirs.m_dest[row])) continue;
        mark(at, !now.marks);
        if (now.marks && now.view == WIDE && both_halves) mark(at + 8, 0);
        for (uint32_t column = 0; column < 16 && !now.marks; column++) {
            const uint32_t datum = bits_of(theirs.m_dest[row][column]);
            ((uint16_t *)write_row(first_row("DstBits") + at))[column] = dst_of_float(datum >> 16);
            if (now.view == WIDE) ((uint16_t *)write_row(first_row("DstBits") + at + 8))[column] = datum;
        }
    }
}

static void give(const char *bank, uint32_t row, const void *contents, const void *then, uint32_t bytes) {
    if (memcmp(contents, then, bytes)) memcpy(write_row(first_row(bank) + row), contents, bytes);
}

static void put_src(float (*rows)[16], const char *name, uint32_t bank, Style style) {
    const auto *data = (const uint32_t(*)[16])bank_at(name, 64 * bank);
    for (uint32_t row = 0; row < 64; row++)
        for (uint32_t column = 0; column < 16; column++) set_bits(rows[row][column], src_to_float(data[row][column], style));
}

static void give_src(const float (*rows)[16], const float (*then)[16], const char *name, uint32_t bank, Style style) {
    for (uint32_t row = 0; row < 64; row++) {
        uint32_t data[2][16];
        for (uint32_t column = 0; column < 16; column++) {
            data[0][column] = src_of_float(bits_of(rows[row][column]), style);
            data[1][column] = src_of_float(bits_of(then[row][column]), style);
        }
        give(name, 64 * bank + row, data[0], data[1], sizeof data[0]);
    }
}

// One counter each, of the thread in force.
static struct {
    const char *name;
    uint32_t Tensix::*member;
} const COUNTERS[] = {
    {"RWCs[%u].SrcA", &Tensix::m_srca_rwc}, {"RWCs[%u].SrcA_Cr", &Tensix::m_srca_rwc_cr}, {"RWCs[%u].SrcB", &Tensix::m_srcb_rwc},
    {"RWCs[%u].SrcB_Cr", &Tensix::m_srcb_rwc_cr}, {"RWCs[%u].Dst", &Tensix::m_dest_rwc},
    {"RWCs[%u].Dst_Cr", &Tensix::m_dest_rwc_cr}, {"RWCs[%u].FidelityPhase", &Tensix::m_fidelity},
    {"RWCs[%u].ExtraAddrModBit", &Tensix::m_bias}};

static void put(const Op &op) {
    put_config();
    for (const auto &counter : COUNTERS) theirs.*counter.member = get(field_at(counter.name, now.thread, 0));
    if (op.sees & DST) put_dst();
    if (op.sees & SRC) {
        put_src(theirs.m_srca, "SrcA", now.bank_a, now.style_a);
        put_src(theirs.m_srcb, "SrcB", now.bank_b, now.style_b);
    }
    theirs.m_srca_dvalid = !GET("SrcA[%u].AllowedClient", now.bank_a, 0);
    theirs.m_srcb_dvalid = !GET("SrcB[%u].AllowedClient", now.bank_b, 0);
    memcpy(theirs.m_lreg, bank_at("LReg", 0), sizeof theirs.m_lreg);
    memcpy(theirs.m_dma_reg, bank_at("GPRs", 0), sizeof theirs.m_dma_reg);
    theirs.m_cc = GET("LaneFlags", 0, 0), theirs.m_cc_en = GET("UseLaneFlagsForLaneEnable", 0, 0);
    theirs.m_cc_sp = 0;
    for (uint32_t i = 0; i < 8; i++) {
        theirs.m_sem[i] = GET("Semaphores[%u].Value", i, 0), theirs.m_sem_max[i] = GET("Semaphores[%u].Max", i, 0);
        theirs.m_cc_stack[i] = GET("FlagStack[%u].LaneFlags", i, 0);
        theirs.m_cc_en_stack[i] = GET("FlagStack[%u].UseLaneFlagsForLaneEnable", i, 0);
        theirs.m_cc_sp += GET("FlagStack[%u].Occupied", i, 0) == ~0u;
    }
}

static void give_bank(bool valid, bool then, const char *client, uint32_t bank, const char *matrix_bank, uint32_t unpacker) {
    if (valid == then) return;
    set(field_at(client, bank, 0), !valid);
    set(valid ? FIELD("Unpackers[%u].SrcBank", unpacker, 0) : field_at(matrix_bank, 0, 0), !bank);
}

static void give_all(const Op &op, uint32_t code) {
    give_config();
    for (const auto &counter : COUNTERS)
        if (theirs.*counter.member != before.*counter.member) set(field_at(counter.name, now.thread, 0), theirs.*counter.member);
    if (op.sees & DST) give_dst(code >> 20 & 1);
    if (op.sees & SRC) {
        give_src(theirs.m_srca, before.m_srca, "SrcA", now.bank_a, now.style_a);
        give_src(theirs.m_srcb, before.m_srcb, "SrcB", now.bank_b, now.style_b);
    }
    give_bank(theirs.m_srca_dvalid, before.m_srca_dvalid, "SrcA[%u].AllowedClient", now.bank_a, "MatrixUnit.SrcABank", 0);
    give_bank(theirs.m_srcb_dvalid, before.m_srcb_dvalid, "SrcB[%u].AllowedClient", now.bank_b, "MatrixUnit.SrcBBank", 1);
    for (uint32_t i = 0; i < 16; i++) give("LReg", i, theirs.m_lreg[i], before.m_lreg[i], 128);
    for (uint32_t i = 0; i < 48; i++) give("GPRs", i, &theirs.m_dma_reg[0][0] + 4 * i, &before.m_dma_reg[0][0] + 4 * i, 16);
    set(FIELD("LaneFlags", 0, 0), theirs.m_cc), set(FIELD("UseLaneFlagsForLaneEnable", 0, 0), theirs.m_cc_en);
    for (uint32_t i = 0; i < 8; i++) {
        set(FIELD("Semaphores[%u].Value", i, 0), theirs.m_sem[i]), set(FIELD("Semaphores[%u].Max", i, 0), theirs.m_sem_max[i]);
        const bool occupied = i < theirs.m_cc_sp;
        if (theirs.m_cc_sp == before.m_cc_sp && !memcmp(theirs.m_cc_stack, before.m_cc_stack, sizeof theirs.m_cc_stack) &&
            !memcmp(theirs.m_cc_en_stack, before.m_cc_en_stack, sizeof theirs.m_cc_en_stack)) continue;
        set(FIELD("FlagStack[%u].Occupied", i, 0), occupied ? ~0u : 0);
        set(FIELD("FlagStack[%u].LaneFlags", i, 0), occupied ? theirs.m_cc_stack[i] : 0);
        set(FIELD("FlagStack[%u].UseLaneFlagsForLaneEnable", i, 0), occupied ? theirs.m_cc_en_stack[i] : 0);
    }
}

// Why a case is refused goes into the file that ISA_SIM_REASONS names, if it names one.
static uint32_t because(const char *why) {
    static FILE *const file = getenv("ISA_SIM_REASONS") ? fopen(getenv("ISA_SIM_REASONS"), "a") : nullptr;
    if (file) fprintf(file, "1\t%.80s\n", why);
    return unsupported(why);
}

// ---- a step -----------------------------------------------------------------------------------------------------------------

static uint32_t execute(const uint32_t *code) {
    static const Tensix fresh(&memory);
    static const Op *op;
    for (const Op &one : OPS)
        if (one.opcode == code[0] >> 24) op = &one;
    uint32_t known = 0, vd = 0; // the bits of a code word that the pages name; theirs may take the others for a longer field
    for (uint32_t i = 0; i < isa->num_instructions; i++) {
        const tandem_instruction &one = isa->instructions[i];
        if (one.base_code[0] >> 24 != op->opcode) continue;
        known |= one.base_code[0];
        for (uint32_t j = 0; j < one.num_fields; j++) {
            known |= ~0u >> (32 - one.fields[j].width) << one.fields[j].shift;
            if (!strcmp(one.fields[j].name, "VD")) vd = code[0] >> one.fields[j].shift & 15;
        }
    }
    const uint32_t word = code[0] & known;
    if (const char *why = refusal(*op, word, vd)) return because(why);
    theirs = fresh;
    switch (setjmp(ended)) {
    case ASSERTION: return because(message);
    case WAITING: return TANDEM_BLOCKED;
    default: put(*op);
    }
    before = theirs;
    op->call(threads[now.thread], word);
    give_all(*op, word);
    return TANDEM_DONE;
}

static execute_one *has_instruction(const char *isa_name, const char *instruction) {
    if (strcmp(isa_name, "tensix-wh")) return nullptr;
    if (!strcmp(instruction, "SFPSTOCHRND")) instruction = "SFP_STOCH_RND";
    for (const Op &op : OPS) { // UNPACR_NOP and SETDMAREG are several instructions of the pages
        const size_t length = op.opcode == 0x43 || op.opcode == 0x45 ? strlen(op.name) : strlen(instruction) + 1;
        if (!strncmp(op.name, instruction, length)) return execute;
    }
    return nullptr;
}
