// tandem's border to ttsim: executes a case on the state of one Tensix coprocessor of theirs, in their own code.
//
// It is built together with the sources of ttsim (build.py). A case is put into their structure of state (sim.h), one
// instruction word goes through their `tensix_decode_and_execute`, and what has changed is read back. Configuration is
// written as software writes it, by their `tensix_cfg_wr32` and their SETC16, so a value that they refuse to store is
// refused here with their message.
//
// - Their errors come to `ttsim_error`, which is ours: a case that ends in one is answered with `unsupported` and their
//   message, and its state is thrown away. Only what they call a bug of their own ends the process, which tandem reports.
// - What they have no storage for, or one place where the chip has several, is refused before anything is executed. All
//   of that stands in `UNHELD` and `check_unheld`; `put_fields` adds what they have once for all lanes.
#include <setjmp.h>
#include <stdarg.h>

#include "sim.h"

#define NAME "ttsim"
#define BEGIN_CASE() begin_case(batch->steps) // stands where `batch` is in scope
#define END_CASE() end_case()
static void begin_case(unsigned steps);
static void end_case();
#include "border.h"

// ---- their errors -------------------------------------------------------------------------------------------------

static jmp_buf refusal; // where a case that is refused goes on
static char message[256];

const char *ttsim_error_category_name(TTSimErrorCategory category) {
    static const char *const names[] = {
        "UndefinedBehavior", "UnpredictableValueUsed", "NonContractualBehavior", "AssertionFailure", "MissingSpecification",
        "UntestedFunctionality", "UnimplementedFunctionality", "UnsupportedFunctionality", "SystemError",
        "ConfigurationError"};
    return names[int(category)];
}

void ttsim_printf(const char *, ...) {}

void ttsim_error(TTSimErrorCategory category, const char *function, const char *format, ...) {
    int length = snprintf(message, sizeof message, "%s: %s", ttsim_error_category_name(category), function);
    if (format) {
        va_list values;
        va_start(values, format);
        length += snprintf(message + length, sizeof message - length, ": ");
        vsnprintf(message + length, sizeof message - length, format, values);
        va_end(values);
    }
    for (char *c = message; *c; c++)
        if (*c < ' ' || *c > '~') *c = c[1] ? ' ' : 0;
    if (category == TTSimErrorCategory::AssertionFailure || category == TTSimErrorCategory::SystemError
        || category == TTSimErrorCategory::ConfigurationError) {
        fprintf(stderr, "ttsim: %s\n", message);
        abort();
    }
    longjmp(refusal, 1); // no frame of theirs has anything to clean up: they have neither destructors nor memory of their own
}

// ---- what we refuse ------------------------------------------------------------------------------------------------

// What an instruction can see of the state. Others are not kept from running by what they cannot see.
enum Unit : uint32_t {
    LANES = 1,        // of the Vector Unit: LReg, and which lanes are on
    SWAP = 2,         // that, and what LaneConfig says of SFPSWAP
    STACK = 4,        // that, and the stack of flags
    DATA = 8,         // what of the Vector Unit moves data between LReg and Dst
    LANE_CONFIG = 16, // what moves LaneConfig itself
    MATRIX = 32,
    UNPACKER = 64,
    CONFIG = 128,     // what writes configuration
    READ = 256,       // what reads a word of it
    REST = 512,
    COUNTERS = 1024,  // of addresses
    SCALAR = 2048,    // GPRs and L1
    MMIO = 4096,      // what reads or writes memory-mapped registers
    UNPACKER_0 = 8192, // what moves data from L1 by Unpacker 0, or counts its contexts
    UNPACKER_1 = 16384,
    L1_UNPACKER = UNPACKER_0 | UNPACKER_1,
    VECTOR = LANES | SWAP | STACK | DATA | LANE_CONFIG,
    ALL = 2 * UNPACKER_1 - 1
};

static const struct {
    const char *begins;
    Unit unit;
} UNITS[] = {{"SFPLOADI", LANES},  {"SFPLOAD", DATA},      {"SFPSTORE", DATA},      {"SFPPUSHC", STACK},   {"SFPPOPC", STACK},
             {"SFPCOMPC", STACK},  {"SFPSWAP", SWAP},      {"SFPCONFIG", LANE_CONFIG}, {"SFPMOV", LANE_CONFIG}, {"SFP", LANES},
             {"UNPACR_NOP", UNPACKER}, {"UNPACR", L1_UNPACKER}, {"SETDVALID", UNPACKER}, {"SETC16", CONFIG}, {"WRCFG", CONFIG},
             {"RDCFG", READ},      {"RMWCIB", CONFIG},     {"CFGSHIFTMASK", READ},   {"STREAMWRCFG", CONFIG},
             {"SEM", REST}, {"ATGETM", REST}, {"ATRELM", REST},       {"SETDMAREG", REST},    {"SETADC", COUNTERS},     {"INCADC", COUNTERS}, {"ADDRCR", COUNTERS},
             {"REG2FLOP_ADC", COUNTERS}, {"REG2FLOP_CONFIGURATION", CONFIG}, {"ADDDMAREG", SCALAR}, {"SUBDMAREG", SCALAR},
             {"MULDMAREG", SCALAR}, {"BITWOPDMAREG", SCALAR}, {"SHIFTDMAREG", SCALAR}, {"CMPDMAREG", SCALAR}, {"DMANOP", SCALAR},
             {"FLUSHDMA", SCALAR}, {"LOADIND", SCALAR},    {"STOREIND_MMIO", MMIO},  {"STOREIND", SCALAR}, {"ATCAS", SCALAR},
             {"ATINCGET", SCALAR}, {"ATSWAP", SCALAR},     {"LOADREG", MMIO},        {"STOREREG", MMIO},   {"", MATRIX}};

// What they have of LaneConfig, which is once for all lanes, and what of it who sees.
enum : uint32_t {
    DISABLE_BACKDOOR_LOAD = 1 << 1, // only of VD 12 to 15, for which `execute` looks at it
    ENABLE_DEST_INDEX = 1 << 2,
    EXCHANGE_SRCB_SRCC = 1 << 8,
    BLOCK_DEST_MOV = 3 << 9,
    ROW_MASK = 15 << 12,
    EVERY_BIT = 0x3ffff,
    STORED = ENABLE_DEST_INDEX | EXCHANGE_SRCB_SRCC,
};

static const struct {
    uint32_t units, sees;
} LANE_CONFIGS[] = {
    {LANES | STACK, ROW_MASK},
    {SWAP, ROW_MASK | STORED},
    {DATA, EVERY_BIT & ~DISABLE_BACKDOOR_LOAD},
    {LANE_CONFIG, EVERY_BIT},
    {MATRIX, BLOCK_DEST_MOV},
};

static char refused_to[15][128]; // why this case is not for instructions of a unit, if it is not, by the number of its bit
static_assert(UNPACKER_1 == 1 << 14);

static void refuse(uint32_t units, const char *format, const char *what) {
    for (uint32_t unit = 0; unit < 15; unit++)
        if (units >> unit & 1 && !*refused_to[unit]) snprintf(refused_to[unit], sizeof refused_to[unit], format, what);
}

// Fields that they have no storage for, or (not HEEDED) store and do not look at, and which units see them: they have to be
// zero there. Of a field of a thread, or of a bank of Config, it is the one in force that counts. A field without storage that
// is not in this table has to be zero for all.
static const struct Unheld {
    const char *begins, *ends;
    uint32_t seen_by;
    const char *why;
} UNHELD[] = {
    {"", ".FP16A_FORCE_Enable", DATA | MATRIX, "%s has no storage in ttsim"},
    {"", ".DEST_REGW_BASE_Base", DATA | MATRIX, "%s has no storage in ttsim"},
    {"", ".DEST_SP_BASE_Base", DATA, "%s has no storage in ttsim"},
    {"", ".SFPU_STACK_Incr", DATA, "%s has no storage in ttsim"},
    {"RWCs[", ".Sp", DATA, "%s has no storage in ttsim"},
    {"", ".SFPU_DEST_FMT_Enable", DATA, "%s has no storage in ttsim"},
    {"", ".SFPU_DEST_FMT_Base", DATA, "%s has no storage in ttsim"},
    {"", ".SRCA_SET_Base", UNPACKER | UNPACKER_0, "%s has no storage in ttsim"},
    {"", ".SRCB_SET_Base", UNPACKER | UNPACKER_1, "%s has no storage in ttsim"},
    {"Unpackers[0]", "", UNPACKER | UNPACKER_0, "%s has no storage in ttsim"}, // SrcRow
    {"Unpackers[1]", "", UNPACKER | UNPACKER_1, "%s has no storage in ttsim"},
    {"Unpackers[0].ContextCounter", "", UNPACKER_0 | CONFIG, "%s has no storage in ttsim"},
    {"Unpackers[1].ContextCounter", "", UNPACKER_1 | CONFIG, "%s has no storage in ttsim"},
    {"Config[0].THCON_SEC0", "", UNPACKER_0, "%s has no storage in ttsim"},
    {"Config[1].THCON_SEC0", "", UNPACKER_0, "%s has no storage in ttsim"},
    {"Config[0].THCON_SEC1", "", UNPACKER_1, "%s has no storage in ttsim"},
    {"Config[1].THCON_SEC1", "", UNPACKER_1, "%s has no storage in ttsim"},
    {"Config[0].UNP0", "", UNPACKER_0, "%s has no storage in ttsim"},
    {"Config[1].UNP0", "", UNPACKER_0, "%s has no storage in ttsim"},
    {"Config[0].UNP1", "", UNPACKER_1, "%s has no storage in ttsim"},
    {"Config[1].UNP1", "", UNPACKER_1, "%s has no storage in ttsim"},
    {"", ".THCON_SEC0_REG2_Unpack_Src_Reg_Set_Upd", UNPACKER_0, "%s is stored in ttsim, but SrcRow is not"},
    {"", ".THCON_SEC1_REG2_Unpack_Src_Reg_Set_Upd", UNPACKER_1, "%s is stored in ttsim, but SrcRow is not"},
    {"Mmio[", "", 0, ""}, // mmio_place
    {"WaitGate[", "", UNPACKER | CONFIG | READ | REST | COUNTERS | SCALAR | MMIO | L1_UNPACKER, "%s has no storage in ttsim"},
    {"HardwareBug", "", 0, ""},                                           // of SHIFTXA, which they do not have
    {"RISCV.Data", "", 0, ""},                                            // of the cores, which have no window on Dst
    {"Config.DEST_ACCESS_CFG_remap_addrs", "", DATA | MATRIX, "%s is stored in ttsim, but not heeded"},
    {"Config.DEST_ACCESS_CFG_swizzle_32b", "", DATA | MATRIX, "%s is stored in ttsim, but not heeded"},
};

// ---- where what is kept ---------------------------------------------------------------------------------------------

static TensixState *const theirs = &g_t_tiles[0].tensix[0];
static TensixState before; // as the case put it: what differs from it afterwards was written

// A field that has a place of its own in theirs, of as many bits; %u stands for 0 to n - 1.
struct Place {
    const char *name;
    uint32_t n;
    uint32_t *first;
    const tandem_field *fields[3];
};

static Place PLACES[] = {
    {"MatrixUnit.SrcABank", 1, &theirs->src_a_matrix_bank},
    {"MatrixUnit.SrcBBank", 1, &theirs->src_b_matrix_bank},
    {"Unpackers[0].SrcBank", 1, &theirs->src_a_unpack_bank},
    {"Unpackers[1].SrcBank", 1, &theirs->src_b_unpack_bank},
    {"LaneFlags", 1, &theirs->cc},
    {"RWCs[%u].Dst", 3, theirs->dst_rwc},
    {"RWCs[%u].Dst_Cr", 3, theirs->dst_rwc_cr},
    {"RWCs[%u].SrcA", 3, theirs->src_a_rwc},
    {"RWCs[%u].SrcA_Cr", 3, theirs->src_a_rwc_cr},
    {"RWCs[%u].SrcB", 3, theirs->src_b_rwc},
    {"RWCs[%u].SrcB_Cr", 3, theirs->src_b_rwc_cr},
    {"RWCs[%u].FidelityPhase", 3, theirs->fidelity},
    {"RWCs[%u].ExtraAddrModBit", 3, theirs->bias},
#if TT_ARCH_VERSION == 1
    {"ImpliedSrcAFmt[%u]", 2, theirs->src_a_format},
    {"ImpliedSrcBFmt[%u]", 2, theirs->src_b_format},
#endif
};

#define TEN(t) WORD(t##0) WORD(t##1) WORD(t##2) WORD(t##3) WORD(t##4) WORD(t##5) WORD(t##6) WORD(t##7) WORD(t##8) WORD(t##9)
#define HUNDRED(h) TEN(h##0) TEN(h##1) TEN(h##2) TEN(h##3) TEN(h##4) TEN(h##5) TEN(h##6) TEN(h##7) TEN(h##8) TEN(h##9)

// The place of a word of configuration in theirs, by its address; nullptr if there is none.
template <class State> static uint32_t *config_word(State &state, uint32_t address) {
#define WORD(n) if constexpr (requires { state.cfg##n; }) { if (address == n) return (uint32_t *)&state.cfg##n; }
    TEN() TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) TEN(8) TEN(9) HUNDRED(1) HUNDRED(2)
#undef WORD
    return nullptr;
}

template <class State> static uint16_t *thread_word(State &state, uint32_t address) {
#define WORD(n) if constexpr (requires { state.thread_cfg##n; }) { if (address == n) return &state.thread_cfg##n; }
    TEN() TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6)
#undef WORD
    return nullptr;
}

// The counters of addresses, in the order of theirs.
static uint32_t *const adcs = &theirs->addr_ctrl[0][0].ch0_x;
static const tandem_field *adc_fields[3 * 3 * 16];
static_assert(sizeof theirs->addr_ctrl == sizeof adc_fields / sizeof *adc_fields * 4);

static void find_adcs() {
    static const char *const units[] = {"Unpacker[0]", "Unpacker[1]", "Packers"};
    for (uint32_t i = 0; i < 3 * 3 * 16; i++) {
        char name[64];
        snprintf(name, sizeof name, "ADCs[%u].%s.Channel[%u].%c%s", i / 48, units[i / 16 % 3], i / 4 & 1, "XYZW"[i & 3], i & 8 ? "_Cr" : "");
        adc_fields[i] = find(name, 0, 0);
    }
}

// A word of configuration in the border, of which `named` are the bits that have a name there.
struct Word {
    uint32_t bank, address, byte, named; // of Config the bank, or GLOBAL; of ThreadConfig the thread
    bool of_thread;
    uint32_t seen_by; // the units that read it, where it is in force
};

struct Watched { // a field that has to be zero, and the thread or bank that it is of, or GLOBAL
    const tandem_field *field;
    const Unheld *because;
    uint32_t index;
};

enum : uint32_t { GLOBAL = 8, MOST_WORDS = 512, MOST_FIELDS = 2048 };

static Word words[MOST_WORDS]; // those that they have a place for
static Watched watched[MOST_FIELDS];
static uint32_t num_words, num_watched, setc16, sfpconfig, storereg;
static uint8_t shift_of_vd[256]; // by opcode; 0 if it has none
static const tandem_isa *prepared;

static void *place_of(const Word &word) {
    if (word.of_thread) return thread_word(theirs->thread[word.bank], word.address);
    return word.bank == GLOBAL ? config_word(*theirs, word.address) : config_word(theirs->config[word.bank], word.address);
}

static uint32_t stored(const Word &word) {
    uint32_t value = 0;
    memcpy(&value, place_of(word), word.of_thread ? 2 : 4);
    return value;
}

static uint32_t load(uint32_t byte, uint32_t bytes) {
    uint32_t value = 0;
    memcpy(&value, small + byte, bytes);
    return value;
}

static bool begins(const char *name, const char *with) { return !strncmp(name, with, strlen(with)); }

static bool ends(const char *name, const char *with) {
    const size_t all = strlen(name), length = strlen(with);
    return all >= length && !strcmp(name + all - length, with);
}

// What `put_fields` handles by name.
static bool by_hand(const char *name) {
    static const char *const names[] = {"CurrentThread", "SrcA[", "SrcB[", "UseLaneFlagsForLaneEnable", "LaneConfig[",
                                        "Semaphores[", "FlagStack[", "LoadMacroConfig[", "ADCs[", "L1Windows[", "Mutex["};
    for (const char *known : names)
        if (begins(name, known)) return true;
    for (const Place &place : PLACES)
        for (uint32_t i = 0; i < place.n; i++)
            if (!strcmp(name, place.fields[i]->name)) return true;
    return false;
}

static uint32_t index_of(const char *name) { // the first in brackets, before a dot
    const char *bracket = strchr(name, '['), *dot = strchr(name, '.');
    return bracket && dot && bracket < dot ? uint32_t(bracket[1] - '0') : GLOBAL;
}

static void watch(const tandem_field *field, bool has_place) {
    static const Unheld unknown = {"", "", ALL, "%s has no storage in ttsim"};
    const Unheld *because = has_place ? nullptr : &unknown;
    for (const Unheld &unheld : UNHELD)
        if (begins(field->name, unheld.begins) && ends(field->name, unheld.ends) && has_place == !!strstr(unheld.why, "stored"))
            because = &unheld;
    if (because) watched[num_watched++] = {field, because, index_of(field->name)};
}

// Which units read a field of a word that they have a place for.
static uint32_t readers_of(const char *name) {
    const uint32_t formats = strstr(name, "REG2_Out_data_format") ? UNPACKER : 0;
    if (strstr(name, ".THCON_SEC0") || strstr(name, ".UNP0")) return UNPACKER_0 | formats;
    if (strstr(name, ".THCON_SEC1") || strstr(name, ".UNP1")) return UNPACKER_1 | formats;
    return strstr(name, ".SCRATCH") ? 0 : DATA | MATRIX | UNPACKER | L1_UNPACKER;
}

static void prepare() {
    num_words = num_watched = 0;
    find_adcs();
    for (Place &place : PLACES)
        for (uint32_t i = 0; i < place.n; i++) place.fields[i] = find(place.name, i, 0);
    for (uint32_t i = 0; i < isa->num_instructions; i++) {
        if (!strcmp(isa->instructions[i].name, "SETC16")) setc16 = isa->instructions[i].base_code[0];
        if (!strcmp(isa->instructions[i].name, "STOREREG")) storereg = isa->instructions[i].base_code[0] >> 24;
        if (!strcmp(isa->instructions[i].name, "SFPCONFIG")) sfpconfig = isa->instructions[i].base_code[0] >> 24;
        else
            for (uint32_t j = 0; j < isa->instructions[i].num_fields; j++)
                if (!strcmp(isa->instructions[i].fields[j].name, "VD"))
                    shift_of_vd[isa->instructions[i].base_code[0] >> 24] = isa->instructions[i].fields[j].shift;
    }
    for (uint32_t i = 0; i < isa->num_fields; i++) {
        const tandem_field *field = &isa->fields[i];
        if (!field->address_bank) {
            if (!by_hand(field->name)) watch(field, false);
            continue;
        }
        const bool unnamed = strstr(field->name, ".Word");
        const Word word = {index_of(field->name), field->address, field->byte, 0, begins(field->name, "ThreadConfig["), 0};
        const bool has_place = place_of(word);
        uint32_t known = 0;
        while (known < num_words && words[known].byte != word.byte) known++;
        if (has_place && known == num_words) words[num_words++] = word;
        if (has_place && !unnamed) words[known].named |= ~0u >> (32 - field->width) << field->shift;
        if (has_place && !unnamed) words[known].seen_by |= readers_of(field->name);
        if (!unnamed) watch(field, has_place);
    }
    prepared = isa;
}

// ---- data: 19 bits of SrcA and SrcB lie at the top of a word of theirs, as a float of 32 bits has them ----------------

static uint32_t src_to_theirs(uint32_t datum) { return (datum & 0x40000) << 13 | (datum & 0xff) << 23 | (datum & 0x3ff00) << 5; }
static uint32_t src_from_theirs(uint32_t word) { return (word >> 13 & 0x40000) | (word >> 23 & 0xff) | (word >> 5 & 0x3ff00); }

template <class Word> static Word *bank_at(const char *name) {
    uint32_t bytes;
    return (Word *)(state + offset_of(first_row(name), &bytes));
}

// LoadMacroConfig has a column for lanes of the same number modulo 8, and they have one word for all.
static char macros_differ[128];

static void put_banks() {
    memcpy(theirs->dst, bank_at<uint16_t>("DstBits"), sizeof theirs->dst);
    const uint8_t *valid = bank_at<uint8_t>("DstRowValid");
    for (uint32_t row = 0; row < DST_ROWS; row++) theirs->dst_row_valid[row] = valid[row];
    const uint32_t *a = bank_at<uint32_t>("SrcA"), *b = bank_at<uint32_t>("SrcB");
    uint32_t *to_a = &theirs->src_a[0][0][0], *to_b = &theirs->src_b[0][0][0];
    for (uint32_t i = 0; i < 2 * SRC_ROWS * ROW_SIZE; i++) to_a[i] = src_to_theirs(a[i]), to_b[i] = src_to_theirs(b[i]);
    memcpy(theirs->l_regs, bank_at<uint32_t>("LReg"), sizeof theirs->l_regs);
    memcpy(theirs->dma_regs, bank_at<uint32_t>("GPRs"), sizeof theirs->dma_regs);
    memcpy(theirs->prng_state, bank_at<uint32_t>("PRNG"), sizeof theirs->prng_state);
    const uint32_t *macro = bank_at<uint32_t>("LoadMacroConfig");
    for (uint32_t i = 0; i < 4; i++) {
        theirs->load_macro_instruction_template[i] = macro[8 * i];
        theirs->load_macro_sequence[i] = macro[8 * (i + 4)];
    }
    for (uint32_t i = 0; i < 64; i++)
        if (macro[i] != macro[i & ~7u]) strcpy(macros_differ, "LoadMacroConfig differs between lanes: they have one for all");
}

// L1 is what its windows show; of several that show one page the first counts. What is written elsewhere is in no state.
enum : uint32_t { WINDOWS = 64, PAGE_BYTES = 256 };

static uint8_t *page_of(uint32_t window) {
    static const tandem_field *fields[WINDOWS];
    static const tandem_isa *of;
    if (of != isa)
        for (uint32_t i = 0; i < WINDOWS; i++) fields[i] = find("L1Windows[%u].Page", i, 0);
    of = isa;
    return g_t_tiles[0].sram + PAGE_BYTES * get(fields[window]);
}

static void put_l1() {
    const uint8_t *windows = bank_at<uint8_t>("L1Windows");
    for (uint32_t i = WINDOWS; i-- > 0;) memcpy(page_of(i), windows + PAGE_BYTES * i, PAGE_BYTES);
}

static void give_changed_l1() {
    const uint8_t *windows = bank_at<uint8_t>("L1Windows");
    const uint32_t first = first_row("L1Windows");
    for (uint32_t i = 0; i < WINDOWS; i++) {
        const uint8_t *page = page_of(i);
        bool shown = false;
        for (uint32_t j = 0; j < i && !shown; j++) shown = page_of(j) == page;
        if (shown || !memcmp(page, windows + PAGE_BYTES * i, PAGE_BYTES)) continue;
        for (uint32_t row = 0; row < PAGE_BYTES / 16; row++)
            if (memcmp(page + 16 * row, read_row(first + 16 * i + row), 16)) memcpy(write_row(first + 16 * i + row), page + 16 * row, 16);
    }
}

// What of the memory-mapped registers is a place that keeps what is written: three of each stream. nullptr for all others.
enum : uint32_t { MMIO_WORDS = 8, MMIO_BASE = 0xFFB00000, STREAM_BYTES = 4096 };

static uint32_t *mmio_place(uint32_t addr_lo) {
    const uint32_t address = MMIO_BASE + 4 * addr_lo, stream = (address - NOC_OVERLAY_BASE) / STREAM_BYTES;
    if (address < NOC_OVERLAY_BASE || stream >= TENSIX_NUM_NOC_OVERLAY_STREAMS) return nullptr;
    switch ((address - NOC_OVERLAY_BASE) % STREAM_BYTES) {
    case NOC_OVERLAY_STREAM_REMOTE_SRC: return &g_t_tiles[0].overlay_stream_remote_src[stream];
    case NOC_OVERLAY_STREAM_REMOTE_DEST_BUF_START: return &g_t_tiles[0].overlay_stream_remote_dest_buf_start[stream];
    case NOC_OVERLAY_STREAM_REMOTE_DEST_BUF_SIZE: return &g_t_tiles[0].overlay_stream_remote_dest_buf_size[stream];
    }
    return nullptr;
}

static void put_mmio() {
    for (uint32_t i = MMIO_WORDS; i-- > 0;) // of several of one address the first counts
        if (uint32_t *place = mmio_place(GET("Mmio[%u].AddrLo", i, 0))) *place = GET("Mmio[%u].Word", i, 0);
}

static void give_mmio() {
    for (uint32_t i = 0; i < MMIO_WORDS; i++) {
        const uint32_t address = GET("Mmio[%u].AddrLo", i, 0), *place = mmio_place(address);
        bool known = false;
        for (uint32_t j = 0; j < i && !known; j++) known = GET("Mmio[%u].AddrLo", j, 0) == address;
        if (place && !known) set(FIELD("Mmio[%u].Word", i, 0), *place);
    }
}

static void give(uint32_t row, const void *contents, uint32_t bytes) { memcpy(write_row(row), contents, bytes); }

static void give_changed_banks() {
    const uint32_t dst = first_row("DstBits"), valid = first_row("DstRowValid"), src_a = first_row("SrcA"), src_b = first_row("SrcB");
    for (uint32_t row = 0; row < DST_ROWS; row++) {
        if (memcmp(theirs->dst[row], before.dst[row], sizeof theirs->dst[row])) give(dst + row, theirs->dst[row], 2 * ROW_SIZE);
        if (theirs->dst_row_valid[row] != before.dst_row_valid[row]) give(valid + row, &theirs->dst_row_valid[row], 1);
    }
    for (uint32_t i = 0; i < 2 * SRC_ROWS; i++) {
        const uint32_t bank = i / SRC_ROWS, row = i % SRC_ROWS;
        for (int b = 0; b < 2; b++) {
            const uint32_t *now = b ? theirs->src_b[bank][row] : theirs->src_a[bank][row];
            if (!memcmp(now, b ? before.src_b[bank][row] : before.src_a[bank][row], 4 * ROW_SIZE)) continue;
            uint32_t ours[ROW_SIZE];
            for (int column = 0; column < ROW_SIZE; column++) ours[column] = src_from_theirs(now[column]);
            give((b ? src_b : src_a) + i, ours, sizeof ours);
        }
    }
    for (uint32_t i = 0; i < 16; i++)
        if (memcmp(theirs->l_regs[i], before.l_regs[i], 128)) give(first_row("LReg") + i, theirs->l_regs[i], 128);
    for (uint32_t i = 0; i < 48; i++) {
        const uint32_t *now = &theirs->dma_regs[0][0] + 4 * i;
        if (memcmp(now, &before.dma_regs[0][0] + 4 * i, 16)) give(first_row("GPRs") + i, now, 16);
    }
    if (memcmp(theirs->prng_state, before.prng_state, 128)) give(first_row("PRNG"), theirs->prng_state, 128);
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t now = i < 4 ? theirs->load_macro_instruction_template[i] : theirs->load_macro_sequence[i - 4];
        if (now == (i < 4 ? before.load_macro_instruction_template[i] : before.load_macro_sequence[i - 4])) continue;
        const uint32_t all[8] = {now, now, now, now, now, now, now, now};
        give(first_row("LoadMacroConfig") + i, all, sizeof all);
    }
}

// ---- the small state, and what of it they cannot hold -----------------------------------------------------------------

// One place for all lanes: every lane has to have the same.
static uint32_t same_in_all_lanes(uint32_t lanes, const char *name, uint32_t units) {
    if (lanes != 0 && lanes != ~0u) refuse(units, "%s differs between lanes: they have one for all", name);
    return lanes & 1;
}

static uint32_t lane_config(uint32_t i) { return load(FIELD("LaneConfig[%u].ENABLE_FP16A_INF", i, 0)->byte, 4); }

enum : uint32_t { MATRIX_UNIT = 0, UNPACKERS = 1 }; // AllowedClient; bit n of theirs says that bank n is the Matrix Unit's

static uint32_t thread, state_id; // in force
static bool all_in_force;         // of several steps one can choose another

static bool in_force(uint32_t index, bool of_thread) {
    return all_in_force || index == GLOBAL || index == (of_thread ? thread : state_id);
}

static void check_unheld() {
    for (uint32_t i = 0; i < num_watched; i++) {
        const Watched &watch = watched[i];
        const bool of_bank = begins(watch.field->name, "Config["), of_thread = !of_bank && !begins(watch.field->name, "Unpackers[");
        if (watch.because->seen_by && get(watch.field) && (in_force(watch.index, of_thread) || (!of_bank && !of_thread)))
            refuse(watch.because->seen_by, watch.because->why, watch.field->name);
    }
    for (uint32_t i = 0; i < 8; i++) {
        for (const auto &seen : LANE_CONFIGS) {
            if (lane_config(i) & seen.sees & ~STORED) refuse(seen.units, "%s has a bit that they do not store", "LaneConfig");
            if ((lane_config(i) ^ lane_config(0)) & seen.sees)
                refuse(seen.units, "%s differs between lanes: they have one for all", "LaneConfig");
        }
        if (GET("LoadMacroConfig[%u].Misc", i, 0) != GET("LoadMacroConfig[%u].Misc", 0, 0))
            strcpy(macros_differ, "LoadMacroConfig.Misc differs between lanes: they have one for all");
    }
}

static void put_word(const Word &word, uint32_t value) {
    const uint32_t units = in_force(word.bank, word.of_thread) ? word.seen_by | CONFIG | READ : CONFIG | READ;
    const uint32_t kept = stored(word);
    if (setjmp(refusal)) {
        memcpy(place_of(word), &kept, word.of_thread ? 2 : 4);
        refuse(units, "%s", message);
        return;
    }
    if (word.of_thread) (void)tensix_decode_and_execute(theirs, word.bank, setc16 | word.address << 16 | value);
    else tensix_cfg_wr32(theirs, word.bank & 1, 4 * word.address, value);
    if (stored(word) != value) refuse(units, "%s is not stored as it is written", word.of_thread ? "ThreadConfig" : "Config");
}

static void put_config() {
    for (uint32_t i = 0; i < num_words; i++) {
        const uint32_t value = load(words[i].byte, words[i].of_thread ? 2 : 4), named = value & words[i].named;
        if (stored(words[i]) != named) put_word(words[i], named);
        if (named != value)
            refuse(CONFIG | READ, "%s has a bit without a name, which they do not store", words[i].of_thread ? "ThreadConfig" : "Config");
    }
}

// Who holds a mutex: 0 nobody, else one more than the thread, on both sides.
template <class Do> static void for_each_mutex(Do with) {
    for (uint32_t i = 0; i < isa->num_fields; i++) {
        const char *name = isa->fields[i].name;
        if (begins(name, "Mutex[") && index_of(name) < sizeof theirs->mutex) with(&isa->fields[i], theirs->mutex[index_of(name)]);
    }
}

static void put_fields() {
    for (const Place &place : PLACES)
        for (uint32_t i = 0; i < place.n; i++) place.first[i] = get(place.fields[i]);
    for (uint32_t i = 0; i < 3 * 3 * 16; i++) adcs[i] = get(adc_fields[i]);
    theirs->src_a_valid = theirs->src_b_valid = 0;
    for (uint32_t bank = 0; bank < 2; bank++) {
        if (GET("SrcA[%u].AllowedClient", bank, 0) == MATRIX_UNIT) theirs->src_a_valid |= 1 << bank;
        if (GET("SrcB[%u].AllowedClient", bank, 0) == MATRIX_UNIT) theirs->src_b_valid |= 1 << bank;
    }
    theirs->cc_en = same_in_all_lanes(GET("UseLaneFlagsForLaneEnable", 0, 0), "UseLaneFlagsForLaneEnable", VECTOR);
    theirs->lane_config = lane_config(0) & STORED;
    for (uint32_t i = 0; i < 8; i++) {
        theirs->sem[i] = GET("Semaphores[%u].Value", i, 0);
        theirs->sem_max[i] = GET("Semaphores[%u].Max", i, 0);
        if (!same_in_all_lanes(GET("FlagStack[%u].Occupied", i, 0), "the height of FlagStack", STACK)) continue;
        theirs->cc_sp = i + 1;
        theirs->cc_stack[i] = GET("FlagStack[%u].LaneFlags", i, 0);
        theirs->cc_en_stack[i] = same_in_all_lanes(GET("FlagStack[%u].UseLaneFlagsForLaneEnable", i, 0), "FlagStack[].UseLaneFlags", STACK);
    }
    theirs->load_macro_misc = GET("LoadMacroConfig[%u].Misc", 0, 0);
    for_each_mutex([](const tandem_field *field, uint8_t &theirs) { theirs = get(field); });
}

static void give_fields() {
    for (const Place &place : PLACES)
        for (uint32_t i = 0; i < place.n; i++) set(place.fields[i], place.first[i]);
    for (uint32_t i = 0; i < 3 * 3 * 16; i++) set(adc_fields[i], adcs[i]);
    for (uint32_t bank = 0; bank < 2; bank++) {
        set(FIELD("SrcA[%u].AllowedClient", bank, 0), theirs->src_a_valid >> bank & 1 ? MATRIX_UNIT : UNPACKERS);
        set(FIELD("SrcB[%u].AllowedClient", bank, 0), theirs->src_b_valid >> bank & 1 ? MATRIX_UNIT : UNPACKERS);
    }
    if (theirs->cc_en != before.cc_en) set(FIELD("UseLaneFlagsForLaneEnable", 0, 0), theirs->cc_en ? ~0u : 0);
    for (uint32_t i = 0; i < 8; i++) {
        set(FIELD("Semaphores[%u].Value", i, 0), theirs->sem[i]);
        set(FIELD("Semaphores[%u].Max", i, 0), theirs->sem_max[i]);
        const bool occupied = i < theirs->cc_sp;
        if (theirs->cc_sp != before.cc_sp) set(FIELD("FlagStack[%u].Occupied", i, 0), occupied ? ~0u : 0);
        if (theirs->cc_sp != before.cc_sp || theirs->cc_stack[i] != before.cc_stack[i])
            set(FIELD("FlagStack[%u].LaneFlags", i, 0), occupied ? theirs->cc_stack[i] : 0);
        if (theirs->cc_sp != before.cc_sp || theirs->cc_en_stack[i] != before.cc_en_stack[i])
            set(FIELD("FlagStack[%u].UseLaneFlagsForLaneEnable", i, 0), occupied && theirs->cc_en_stack[i] ? ~0u : 0);
        if (theirs->lane_config != before.lane_config)
            memcpy(small + FIELD("LaneConfig[%u].ENABLE_FP16A_INF", i, 0)->byte, &theirs->lane_config, 4);
        if (theirs->load_macro_misc != before.load_macro_misc) set(FIELD("LoadMacroConfig[%u].Misc", i, 0), theirs->load_macro_misc);
    }
    for_each_mutex([](const tandem_field *field, uint8_t &theirs) { set(field, theirs); });
    for (uint32_t i = 0; i < num_words; i++) {
        const Word &word = words[i];
        const uint32_t now = stored(word), bytes = word.of_thread ? 2 : 4, at = (const uint8_t *)place_of(word) - (const uint8_t *)theirs;
        uint32_t then = 0;
        memcpy(&then, (const uint8_t *)&before + at, bytes);
        const uint32_t value = load(word.byte, bytes) ^ (now ^ then);
        memcpy(small + word.byte, &value, bytes);
    }
}

// ---- why cases were refused, by count: into the file that TTSIM_REASONS names, at the end -----------------------------

static struct {
    char text[TANDEM_REASON_BYTES + 1];
    uint64_t cases;
} reasons[512];

static uint32_t because(const char *why) {
    char text[TANDEM_REASON_BYTES + 1] = ""; // numbers as #, so that there are not too many
    bool number = false;
    for (uint32_t from = 0, to = 0; why[from] && to < TANDEM_REASON_BYTES; from++) {
        const bool was = number;
        number = strchr("0123456789", why[from]) ? was || (from && strchr("=[ ", why[from - 1])) : was && strchr("xabcdef", why[from]);
        if (!number || !was) text[to++] = number ? '#' : why[from];
    }
    uint32_t i = 0;
    while (i < 511 && *reasons[i].text && strcmp(reasons[i].text, text)) i++;
    strcpy(reasons[i].text, text), reasons[i].cases++;
    return unsupported(why);
}

__attribute__((destructor)) static void write_reasons() {
    const char *path = getenv("TTSIM_REASONS");
    FILE *file = path && *reasons[0].text ? fopen(path, "a") : nullptr;
    for (uint32_t i = 0; file && i < 512 && *reasons[i].text; i++) fprintf(file, "%llu\t%s\n", (unsigned long long)reasons[i].cases, reasons[i].text);
    if (file) fclose(file);
}

// ---- a case -----------------------------------------------------------------------------------------------------------

static void begin_case(unsigned steps) {
    static TensixState fresh;
    if (prepared != isa) {
        tensix_init(theirs, 0);
        fresh = *theirs;
        prepare();
    }
    *theirs = fresh;
    memset(refused_to, 0, sizeof refused_to), *macros_differ = 0;
    thread = GET("CurrentThread", 0, 0);
    state_id = GET("ThreadConfig[%u].CFG_STATE_ID_StateID", thread, 0);
    all_in_force = steps > 1;
    check_unheld();
    put_config();
    put_fields();
    put_banks();
    put_l1();
    put_mmio();
    before = *theirs;
}

static void end_case() {
    give_changed_l1();
    give_mmio();
    if (!memcmp(theirs, &before, sizeof before)) return;
    give_fields();
    give_changed_banks();
}

template <Unit unit> static uint32_t execute(const uint32_t *code) {
    static TensixState at_step;
    const uint32_t seen = unit != L1_UNPACKER ? unit : code[0] >> 23 & 1 ? UNPACKER_1 : UNPACKER_0;
    if (const char *why = refused_to[__builtin_ctz(seen)]; *why) return because(why);
    const uint32_t opcode = code[0] >> 24;
    if (opcode == sfpconfig && (code[0] >> 4 & 15) <= 8 && *macros_differ) return because(macros_differ);
    if (shift_of_vd[opcode] && (code[0] >> shift_of_vd[opcode] & 15) >= 12)
        for (uint32_t i = 0; i < 8; i++)
            if (lane_config(i) & DISABLE_BACKDOOR_LOAD) return because("LaneConfig.DISABLE_BACKDOOR_LOAD has no storage in ttsim");
    if (opcode == storereg && !mmio_place(code[0] & 0x3ffff)) return because("the register has no place in ttsim that keeps what is written");
    at_step = *theirs;
    if (setjmp(refusal)) {
        *theirs = at_step;
        return because(message);
    }
    // The pages have no bit Last in UNPACR, and write 0 there; they refuse what has not 1, as software writes it.
    return tensix_decode_and_execute(theirs, thread, code[0] | (unit == L1_UNPACKER)) ? TANDEM_DONE : TANDEM_BLOCKED;
}

// STALLWAIT and SEMWAIT stay in their queue of instructions until they are through, and latch nothing; the cores have no
// window on Dst.
static execute_one *has_instruction(const char *isa_name, const char *instruction) {
    if (strcmp(isa_name, TT_ARCH_VERSION == 1 ? "tensix-bh" : "tensix-wh")) return nullptr;
    if (!strcmp(instruction, "SEMWAIT") || !strcmp(instruction, "STALLWAIT") || begins(instruction, "RISC_")) return nullptr;
    for (const auto &known : UNITS)
        if (begins(instruction, known.begins)) switch (known.unit) {
            case LANES: return execute<LANES>;
            case SWAP: return execute<SWAP>;
            case LANE_CONFIG: return execute<LANE_CONFIG>;
            case STACK: return execute<STACK>;
            case DATA: return execute<DATA>;
            case UNPACKER: return execute<UNPACKER>;
            case CONFIG: return execute<CONFIG>;
            case READ: return execute<READ>;
            case REST: return execute<REST>;
            case COUNTERS: return execute<COUNTERS>;
            case SCALAR: return execute<SCALAR>;
            case MMIO: return execute<MMIO>;
            case L1_UNPACKER: return execute<L1_UNPACKER>;
            default: return execute<MATRIX>;
            }
    return nullptr;
}
