/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Part of tensix.c: the Wait Gate, what it latches (STALLWAIT, SEMWAIT, STREAMWAIT), mutexes (ATGETM, ATRELM), and what
 * gives banks of SrcA and SrcB to the Matrix Unit or clears them in an Unpacker's turn (SETDVALID, the forms of
 * UNPACR_NOP).
 */

/* The bits of a block mask that hold the instructions of a unit. */
enum {
    OUTSIDE = 0, /* what never comes to the gate */
    MISCELLANEOUS = 1 << 0, SYNC = 1 << 1, UNPACKER = 1 << 0 | 1 << 3, MOVER = 1 << 0 | 1 << 4,
    PACKER = 1 << 0 | 1 << 2, SCALAR = 1 << 0 | 1 << 5, MATRIX = 1 << 6, CONFIGURATION = 1 << 7, VECTOR = 1 << 8,
    WAITS = 0x1ff, NOTHING = 1 << 9 /* no bit */
};

/* LatchedWaitInstruction.Opcode, in which STREAMWAIT is a field of its own; 0: none is latched. */
enum { STALLWAIT = 1, SEMWAIT = 2, STREAMWAIT = 4 };

typedef struct {
    uint32_t opcode, conditions, blocks, semaphores;
    uint32_t target, stream_select; /* of STREAMWAIT alone: Wormhole has neither */
} latched_wait;

static latched_wait get_latched(uint32_t t) {
    latched_wait latched = {
        GET("WaitGate[%u].LatchedWaitInstruction.Opcode", t, 0),
        GET("WaitGate[%u].LatchedWaitInstruction.ConditionMask", t, 0),
        GET("WaitGate[%u].LatchedWaitInstruction.BlockMask", t, 0),
        GET("WaitGate[%u].LatchedWaitInstruction.SemaphoreMask", t, 0), 0, 0};
    if (is_blackhole()) {
        latched.opcode |= GET("WaitGate[%u].LatchedWaitInstruction.Opcode.STREAMWAIT", t, 0) ? STREAMWAIT : 0;
        latched.target = GET("WaitGate[%u].LatchedWaitInstruction.TargetValue", t, 0);
        latched.stream_select = GET("WaitGate[%u].LatchedWaitInstruction.StreamSelect", t, 0);
    }
    return latched;
}

static void set_latched(uint32_t t, latched_wait latched) {
    set(FIELD("WaitGate[%u].LatchedWaitInstruction.Opcode", t, 0), latched.opcode);
    set(FIELD("WaitGate[%u].LatchedWaitInstruction.ConditionMask", t, 0), latched.conditions);
    set(FIELD("WaitGate[%u].LatchedWaitInstruction.BlockMask", t, 0), latched.blocks);
    set(FIELD("WaitGate[%u].LatchedWaitInstruction.SemaphoreMask", t, 0), latched.semaphores);
    if (is_blackhole()) {
        set(FIELD("WaitGate[%u].LatchedWaitInstruction.Opcode.STREAMWAIT", t, 0), latched.opcode / STREAMWAIT);
        set(FIELD("WaitGate[%u].LatchedWaitInstruction.TargetValue", t, 0), latched.target);
        set(FIELD("WaitGate[%u].LatchedWaitInstruction.StreamSelect", t, 0), latched.stream_select);
    }
}

/* Unpacker 0 has SrcA, and Unpacker 1 SrcB. */
static const tandem_field *owner_of(uint32_t unpacker, uint32_t bank) {
    return unpacker ? FIELD("SrcB[%u].AllowedClient", bank, 0) : FIELD("SrcA[%u].AllowedClient", bank, 0);
}

/* The conditions of STALLWAIT that say: keep on waiting. Units of which nothing is in the state are idle. */
static uint32_t unmet_by_owners(void) {
    const uint32_t srca_bank = GET("MatrixUnit.SrcABank", 0, 0), srcb_bank = GET("MatrixUnit.SrcBBank", 0, 0);
    uint32_t unmet = 0;
    for (uint32_t i = 0; i < 2; i++) {
        unmet |= (uint32_t)(get(owner_of(i, GET("Unpackers[%u].SrcBank", F(141) ? 0 : i, 0))) != UNPACKERS) << i;
        unmet |= (uint32_t)(get(owner_of(i, i ? srcb_bank : srca_bank)) != MATRIX_UNIT) << (2 + i);
    }
    return unmet << (is_blackhole() ? 5 : 8);
}

/* The same of SEMWAIT. */
static uint32_t unmet_by_semaphores(uint32_t semaphores) {
    uint32_t unmet = 0, zero = 0;
    for (unsigned i = 0; i < 8; i++) {
        const int selected = semaphores >> i & 1;
        if (!selected && !F(1244)) continue;
        const uint32_t value = GET("Semaphores[%u].Value", i, 0), max = GET("Semaphores[%u].Max", i, 0);
        if (selected && value == 0) zero |= 1u << i;
        if (F(1253) && max == 0) continue;
        if (F(73) ? value > max : value >= max) unmet |= 2;
    }
    if (F(174) ? zero && zero == semaphores : zero) unmet |= 1;
    return unmet;
}

/* The low bits of one of the thread's words of configuration that STREAMWAIT has on Blackhole. */
static uint32_t stream_config(uint32_t t, uint32_t index, unsigned width) {
    uint16_t word;
    memcpy(&word, small + FIELD("ThreadConfig[%u].CFG_STATE_ID_StateID", t, 0)->byte + 2 * index, sizeof word);
    return bits(word, 0, width);
}

enum { PHASE_HI = 57, NUM_MSGS_HI = 58, STREAM_ID_SYNC_SEC = 59 }; /* words of ThreadConfig; the last is of four */

/* The same of STREAMWAIT: which stream is asked is in the configuration as it is now. */
static uint32_t unmet_by_stream(uint32_t t, latched_wait latched) {
    const uint32_t stream = stream_config(t, STREAM_ID_SYNC_SEC + latched.stream_select, 6);
    const uint32_t *registers = read_row(first_row("NocStreams") + stream); /* STREAM_CURR_PHASE, then the messages */
    return (uint32_t)(registers[0] < latched.target) | (uint32_t)(registers[1] < latched.target) << 1;
}

static uint32_t unmet_of(uint32_t t, latched_wait latched) {
    if (latched.opcode == STREAMWAIT) return unmet_by_stream(t, latched);
    return latched.opcode == SEMWAIT ? unmet_by_semaphores(latched.semaphores) : unmet_by_owners();
}

/* What an instruction of these block bits does that the current thread presents. A latched instruction whose conditions
 * are met is forgotten before; if the instruction is not done after all, nothing has happened. */
static uint32_t gate(const uint32_t *code, execute_one *execute, uint32_t block_bits) {
    static const latched_wait none;
    if (block_bits == OUTSIDE) return execute(code);
    const uint32_t t = GET("CurrentThread", 0, 0);
    const latched_wait latched = get_latched(F(1239) && block_bits == WAITS ? (t + 1) % 3 : t);
    if (latched.opcode) {
        if (!(unmet_of(t, latched) & latched.conditions)) set_latched(t, none);
        else if (latched.blocks & block_bits) return TANDEM_BLOCKED;
    }
    const uint32_t outcome = execute(code);
    if (outcome != TANDEM_DONE) set_latched(t, latched);
    return outcome;
}

/* A step of a case, and what the step before has left to be done after it. */
static uint32_t step(const uint32_t *code, execute_one *execute, uint32_t block_bits) {
    const uint32_t posted = kept.posted;
    kept.step++, kept.posted = 0;
    const uint32_t outcome = gate(code, execute, block_bits);
    post(posted);
    return outcome;
}

static uint32_t stallwait(const uint32_t *code) {
    latched_wait latched = {.opcode = STALLWAIT, .blocks = bits(code[0], 15, 9)};
    latched.conditions = bits(code[0], 0, is_blackhole() ? 13 : 15);
    if (!latched.conditions && !F(72)) latched.conditions = is_blackhole() && !F(175) ? 0x0f : 0x7f;
    if (!latched.blocks) latched.blocks = MATRIX;
    set_latched(GET("CurrentThread", 0, 0), latched);
    return TANDEM_DONE;
}

static uint32_t semwait(const uint32_t *code) {
    latched_wait latched = {SEMWAIT, bits(code[0], 0, 2), bits(code[0], 15, 9), bits(code[0], 2, 8), 0, 0};
    if (!latched.conditions) return unsupported("SEMWAIT without a condition is UndefinedBehavior");
    if (!latched.blocks) latched.blocks = F(140) ? 0x1ff : MATRIX;
    if (F(1219)) { /* the block mask to the first thread's gate */
        const uint32_t t = GET("CurrentThread", 0, 0), blocks = latched.blocks;
        latched.blocks = get_latched(t).blocks;
        set_latched(t, latched);
        set(FIELD("WaitGate[%u].LatchedWaitInstruction.BlockMask", 0, 0), blocks);
        return TANDEM_DONE;
    }
    set_latched(GET("CurrentThread", 0, 0), latched);
    return TANDEM_DONE;
}

static uint32_t streamwait(const uint32_t *code) {
    const uint32_t t = GET("CurrentThread", 0, 0), condition = bits(code[0], 3, 1);
    const uint32_t high = condition ? stream_config(t, NUM_MSGS_HI, 7) : stream_config(t, PHASE_HI, 10);
    latched_wait latched = {.opcode = STREAMWAIT, .conditions = 1u << condition, .blocks = bits(code[0], 15, 9)};
    latched.target = high << 10 | bits(code[0], 4, 10);
    latched.stream_select = bits(code[0], 0, 2);
    if (!latched.blocks) latched.blocks = MATRIX;
    set_latched(t, latched);
    return TANDEM_DONE;
}

/* ---- mutexes ----------------------------------------------------------------------------------------------------- */

/* Mutex[Index].HeldBy, which is 0 for nobody, else 1 + thread; NULL if there is none: what names it waits for ever. */
static const tandem_field *holder_of(const uint32_t *code) {
    const uint32_t index = bits(code[0], 0, 16), last = is_blackhole() ? 4 : 7;
    return index == 1 || index > last ? NULL : FIELD("Mutex[%u].HeldBy", index, 0);
}

static uint32_t atgetm(const uint32_t *code) {
    const uint32_t me = 1 + GET("CurrentThread", 0, 0);
    const tandem_field *held_by = holder_of(code);
    if (!held_by || (get(held_by) && get(held_by) != me)) return TANDEM_BLOCKED;
    set(held_by, me);
    return TANDEM_DONE;
}

static uint32_t atrelm(const uint32_t *code) {
    const tandem_field *held_by = holder_of(code);
    if (!held_by) return TANDEM_BLOCKED;
    if (get(held_by) == 1 + GET("CurrentThread", 0, 0)) set(held_by, 0);
    return TANDEM_DONE;
}

/* ---- banks of the Unpackers -------------------------------------------------------------------------------------- */

/* Gives an Unpacker's bank away, and has it begin with the other one. */
static void give_to_matrix_unit(uint32_t t, uint32_t unpacker) {
    const tandem_field *bank = FIELD("Unpackers[%u].SrcBank", unpacker, 0);
    uint32_t base = GET("ThreadConfig[%u].SRCA_SET_Base", t, 0);
    if (unpacker && !F(76)) base = GET("ThreadConfig[%u].SRCB_SET_Base", t, 0);
    if (F(1233) && unpacker && kept.has_srcb_unpack_bank) set(owner_of(1, kept.srcb_unpack_bank), MATRIX_UNIT);
    else set(owner_of(unpacker, F(176) ? GET("Unpackers[%u].SrcBank", 0, 0) : get(bank)), MATRIX_UNIT);
    set(bank, get(bank) ^ 1);
    if (F(1224) && !unpacker && !base) return;
    set(FIELD("Unpackers[%u].SrcRow[%u]", unpacker, F(75) ? 0 : t), base << 4);
}

static uint32_t setdvalid(const uint32_t *code) {
    const uint32_t t = GET("CurrentThread", 0, 0);
    if (is_blackhole()) return unsupported("SETDVALID is UnsupportedFunctionality");
    if (F(1226)) set(owner_of(0, GET("Unpackers[%u].SrcBank", 0, 0)), MATRIX_UNIT);
    if (bits(code[0], F(1204) ? 1 : 0, 1)) give_to_matrix_unit(t, 0);
    if (bits(code[0], 1, 1)) {
        const uint32_t bank = GET("Unpackers[%u].SrcBank", 1, 0);
        kept.has_srcb_unpack_bank = 0;
        give_to_matrix_unit(t, 1);
        kept.has_srcb_unpack_bank = 1, kept.srcb_unpack_bank = bank;
    }
    return TANDEM_DONE;
}

static uint32_t unpacr_nop_setdvalid(const uint32_t *code) {
    const uint32_t t = GET("CurrentThread", 0, 0), unpacker = bits(code[0], 23, 1);
    if (is_blackhole()) {
        const uint32_t s = state_id(t);
        const uint32_t bank = GET("Unpackers[%u].SrcBank", unpacker, 0);
        const uint32_t fmt = GET("Config[%u].THCON_SEC%u_REG2_Out_data_format", s, F(142) ? 0 : unpacker);
        set(unpacker ? FIELD("ImpliedSrcBFmt[%u]", bank, 0) : FIELD("ImpliedSrcAFmt[%u]", bank, 0), fmt);
    }
    give_to_matrix_unit(t, unpacker);
    if (unpacker) kept.has_srcb_unpack_bank = 0;
    return TANDEM_DONE;
}

static uint32_t unpacr_nop_zerosrc(const uint32_t *code) {
    context k, *c = &k;
    load_context(c, code);
    const unsigned how = is_blackhole() ? 4 : 3; /* BothBanks, WaitLikeUnpacr */
    const uint32_t unpacker = bits(c->code, 23, 1), bank = GET("Unpackers[%u].SrcBank", unpacker, 0);
    if (bits(c->code, how, 1)) return unsupported("BothBanks is UnsupportedFunctionality");
    uint32_t waited = unpacker ? GET("MatrixUnit.SrcBBank", 0, 0) : GET("MatrixUnit.SrcABank", 0, 0);
    if (bits(c->code, how + 1, 1) || F(74)) waited = bank;
    if (get(owner_of(unpacker, waited)) != UNPACKERS && !(F(1240) && unpacker == 0)) return TANDEM_BLOCKED;
    uint32_t value = bits(c->code, 2, 1) ? 0x7ffff : 0; /* ~0u in the 19 bits of a datum */
    if (F(1203)) value = kept.clear_value |= value;
    if (unpacker && (!is_blackhole() || F(177))) value = 0;
    for (uint32_t row = 0; row < 64; row++) {
        uint32_t *to = write_row((unpacker ? row_srcb : row_srca) + (F(143) ? waited : bank) * 64 + row);
        for (unsigned column = 0; column < 16; column++) to[column] = value;
    }
    return TANDEM_DONE;
}

static uint32_t unpacr_nop_setreg(const uint32_t *code) {
    (void)code;
    return unsupported("writing registers is UnsupportedFunctionality");
}

static uint32_t unpacr_nop_overlay_clear(const uint32_t *code) {
    (void)code;
    return unsupported("clearing a message is UnsupportedFunctionality");
}
