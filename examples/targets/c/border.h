/* The part of a shared library for tandem that is the same for every implementation: copy it as it is.
 *
 * It keeps the arena and the background, gives rows and fields by name, and defines the functions of tandem.h. One file
 * of C or C++ includes it, which defines NAME before it, and has_instruction after it; CLAIMS before it if it makes any. It
 * supposes a little-endian host.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tandem.h"

#ifndef NAME /* what reports call the implementation: at most 63 bytes */
#define NAME "unnamed"
#endif

/* What an implementation does before and after a case of several steps; nothing, if it keeps nothing. */
#ifndef BEGIN_CASE
#define BEGIN_CASE() (void)0
#define END_CASE() (void)0
#endif

/* Executes one instruction on the state; one of TANDEM_DONE, TANDEM_BLOCKED and TANDEM_UNSUPPORTED. */
typedef uint32_t execute_one(const uint32_t *code);

/* What executes an instruction of an instruction set; NULL if there is nothing. */
static execute_one *has_instruction(const char *isa, const char *instruction);

enum { MOST_ROWS = 2048, MOST_INSTRUCTIONS = 256 }; /* that one case writes; of one instruction set */

static const tandem_isa *isa;
static execute_one *instructions[MOST_INSTRUCTIONS];
static uint8_t *state, *background;          /* the arena as it is, and as it was loaded */
static uint8_t *small;                       /* the small state of the case at hand */
static uint32_t dirty[MOST_ROWS], num_dirty; /* the rows that it wrote */
static const char *reason;                   /* why it is not done, if it is not */

static inline uint64_t offset_of(uint32_t row, uint32_t *bytes) {
    const tandem_bank *bank = isa->banks;
    while (row >= bank->first_row + bank->rows) bank++;
    *bytes = bank->row_bytes;
    return bank->offset + (uint64_t)(row - bank->first_row) * bank->row_bytes;
}

/* The number of the first row of a bank, among the rows of all banks. */
static inline uint32_t first_row(const char *bank) {
    for (uint32_t i = 0; i < isa->num_banks; i++)
        if (!strcmp(isa->banks[i].name, bank)) return isa->banks[i].first_row;
    abort();
}

static inline const void *read_row(uint32_t row) {
    uint32_t bytes;
    return state + offset_of(row, &bytes);
}

/* A row to write: from here on it is reported, and put back after the case. */
static inline void *write_row(uint32_t row) {
    uint32_t i = 0, bytes;
    while (i < num_dirty && dirty[i] != row) i++;
    if (i == MOST_ROWS) abort();
    if (i == num_dirty) dirty[num_dirty++] = row;
    return state + offset_of(row, &bytes);
}

static inline uint32_t get(const tandem_field *field) {
    uint32_t word = 0;
    memcpy(&word, small + field->byte, field->word_bytes);
    return word >> field->shift & ~0u >> (32 - field->width);
}

/* The value is cut to the width of the field, so counters wrap. */
static inline void set(const tandem_field *field, uint32_t value) {
    uint32_t word = 0, mask = ~0u >> (32 - field->width);
    memcpy(&word, small + field->byte, field->word_bytes);
    word = (word & ~(mask << field->shift)) | (value & mask) << field->shift;
    memcpy(small + field->byte, &word, field->word_bytes);
}

static inline const tandem_field *find(const char *format, uint32_t i, uint32_t j) {
    char name[128];
    snprintf(name, sizeof name, format, i, j);
    for (i = 0; i < isa->num_fields; i++)
        if (!strcmp(isa->fields[i].name, name)) return &isa->fields[i];
    fprintf(stderr, "no field %s\n", name);
    abort();
}

/* A field by name; %u in it stands for i and j, below 8. A place in a file looks a name up once an instruction set. */
#define FIELD(format, i, j) __extension__({ \
    static const tandem_field *known[8][8]; \
    static const tandem_isa *of; \
    if (of != isa) memset(known, 0, sizeof known), of = isa; \
    known[i][j] ? known[i][j] : (known[i][j] = find(format, i, j)); })
#define GET(format, i, j) get(FIELD(format, i, j))

/* What an instruction returns for a case that it does not do, before it has changed anything: why, in a few words. */
static inline uint32_t unsupported(const char *why) {
    reason = why;
    return TANDEM_UNSUPPORTED;
}

/* ---- the functions of tandem.h ---------------------------------------------------------------------------------- */

uint32_t tandem_version(void) { return TANDEM_VERSION; }
uint32_t tandem_max_steps(void) { return TANDEM_MAX_STEPS; }

int32_t tandem_open(const tandem_isa *opened, char name[64], uint8_t *implemented) {
    uint32_t known = 0;
    strcpy(name, NAME);
    if (opened->num_instructions > MOST_INSTRUCTIONS) return 1;
    for (uint32_t i = 0; i < opened->num_instructions; i++) {
        instructions[i] = has_instruction(opened->name, opened->instructions[i].name);
        known += implemented[i] = instructions[i] != NULL;
    }
    isa = opened;
    state = (uint8_t *)realloc(state, isa->arena_bytes);
    background = (uint8_t *)realloc(background, isa->arena_bytes);
    return known == 0 || !state || !background;
}

int32_t tandem_load(const uint8_t *arena) {
    return memcpy(state, arena, isa->arena_bytes), memcpy(background, arena, isa->arena_bytes), 0;
}

static void give_reason(uint32_t i, tandem_answers *answers) {
    const uint32_t n = answers->reasons++, begin = n ? answers->reason_end[n - 1] : 0;
    const uint32_t all = (uint32_t)strlen(reason), length = all < TANDEM_REASON_BYTES ? all : TANDEM_REASON_BYTES;
    memcpy(answers->reason_text + begin, reason, length);
    answers->reason_case[n] = i, answers->reason_end[n] = begin + length;
}

static void put_back(uint32_t row) {
    uint32_t bytes;
    uint64_t offset = offset_of(row, &bytes);
    memcpy(state + offset, background + offset, bytes);
}

int32_t tandem_execute(const tandem_batch *batch, tandem_answers *answers) {
    const uint32_t *code = batch->code;
    const uint8_t *overlay = batch->overlay_data;
    uint32_t overlay_row = 0, rows = 0, bytes;
    uint64_t used = 0;
    for (answers->cases = 0; answers->cases < batch->cases; answers->cases++) {
        const uint32_t i = answers->cases, first = overlay_row;
        uint64_t size = 0;
        for (; overlay_row < batch->overlay_end[i]; overlay_row++, overlay += bytes) {
            uint64_t offset = offset_of(batch->overlay_row[overlay_row], &bytes);
            memcpy(state + offset, overlay, bytes);
        }
        small = answers->small_after + (uint64_t)i * isa->small_bytes;
        memcpy(small, batch->small_before + (uint64_t)i * isa->small_bytes, isa->small_bytes);
        num_dirty = 0, reason = NULL;
        BEGIN_CASE();
        uint32_t outcome = TANDEM_DONE, done = 0;
        for (uint32_t step = 0; step < batch->steps; step++, done += outcome == TANDEM_DONE) {
            const uint32_t number = step ? batch->then[step - 1] : batch->instruction;
            if (outcome == TANDEM_DONE) outcome = instructions[number](code);
            code += isa->instructions[number].code_words;
        }
        END_CASE();
        answers->outcome[i] = outcome;
        if (batch->steps > 1) answers->done[i] = done;
        for (uint32_t row = 0; row < num_dirty; row++, size += bytes) offset_of(dirty[row], &bytes);
        int fits = num_dirty <= answers->dirty_rows_capacity - rows && size <= answers->dirty_bytes_capacity - used;
        for (uint32_t row = 0; row < num_dirty && fits; row++, used += bytes) {
            uint64_t offset = offset_of(dirty[row], &bytes);
            memcpy(answers->dirty_data + used, state + offset, bytes);
            answers->dirty_row[rows++] = dirty[row];
        }
        for (uint32_t row = 0; row < num_dirty; row++) put_back(dirty[row]);
        for (uint32_t row = first; row < overlay_row; row++) put_back(batch->overlay_row[row]);
        if (!fits) break;
        answers->dirty_end[i] = rows;
        if (reason) give_reason(i, answers);
    }
    return 0;
}

/* Eight bytes at a time: table[k] is what a byte does that k more bytes follow. */
uint32_t tandem_arena_hash(void) {
    static uint32_t table[8][256];
    uint32_t hash = ~0u;
    for (uint32_t i = 0; i < 256 && table[0][255] == 0; i++) {
        table[0][i] = i;
        for (int bit = 0; bit < 8; bit++) table[0][i] = table[0][i] >> 1 ^ (table[0][i] & 1 ? 0xedb88320u : 0);
    }
    for (uint32_t k = 1; k < 8 && table[7][255] == 0; k++)
        for (uint32_t i = 0; i < 256; i++) table[k][i] = table[k - 1][i] >> 8 ^ table[0][table[k - 1][i] & 0xff];
    uint64_t at = 0, word;
    for (; at + 8 <= isa->arena_bytes; at += 8) {
        memcpy(&word, state + at, 8);
        word ^= hash;
        hash = 0;
        for (int k = 0; k < 8; k++) hash ^= table[7 - k][word >> 8 * k & 0xff];
    }
    for (; at < isa->arena_bytes; at++) hash = hash >> 8 ^ table[0][(hash ^ state[at]) & 0xff];
    return ~hash;
}

#ifndef RESET /* what forgets whatever is kept between cases: here nothing is */
#define RESET() (void)0
#endif

void tandem_reset(void) { RESET(); }

#ifndef CLAIMS /* a TOML document: what it says that it does not do */
#define CLAIMS ""
#endif

uint32_t tandem_claims(char *text) { return memcpy(text, CLAIMS, sizeof CLAIMS - 1), sizeof CLAIMS - 1; }
