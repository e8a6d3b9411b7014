/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * tandem: the border between the conformance suite and your implementation.
 *
 * Build a shared library that defines the functions at the end of this file, of which the last two may be missing, and run
 *
 *     tandem fuzz --target lib:./libmine.so
 *
 * The suite hands over a background: all banks, with arbitrary contents. A case is then a difference from it: code
 * words, the small state (configuration, counters, flags), and some rows with other contents, the overlay. You execute
 * one instruction, and answer with the small state afterwards and the rows that you wrote. After each case you put the
 * rows of the overlay and those that you wrote back to the background. You are never told what must come of a case.
 *
 * If you say that you take more (tandem_max_steps), a case may also be a program: several instructions one after the
 * other, without anything in between. You answer with what is there after the last, or where a step is not done.
 *
 * All numbers are little endian. All memory belongs to the suite, and is valid until the function returns; what
 * tandem_open gets is valid until the process ends. Nothing is called from several threads at once.
 */
#ifndef TANDEM_H
#define TANDEM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TANDEM_VERSION 2u

#define TANDEM_REASON_BYTES 80u    /* the longest reason */
#define TANDEM_CLAIMS_BYTES 65536u /* the longest text of claims */
#define TANDEM_MAX_STEPS 16u       /* the most steps of a case */

#define TANDEM_DONE 0u        /* executed */
#define TANDEM_BLOCKED 1u     /* held: nothing has changed */
#define TANDEM_UNSUPPORTED 2u /* not implemented: nothing has changed but by the steps before */

#define TANDEM_EDITION_SPEC 0u
#define TANDEM_EDITION_NEWEST 1u

/* A bank: rows of words. A word is stored in word_bytes bytes, of which the lowest word_bits bits are used. */
typedef struct tandem_bank {
    const char *name;     /* the manual's name, for example "SrcA" */
    uint64_t offset;      /* of its first row in the arena, in bytes */
    uint32_t rows;        /* all leading extents multiplied */
    uint32_t columns;     /* words in a row */
    uint32_t word_bytes;  /* 1, 2 or 4 */
    uint32_t word_bits;   /* the stored bits above them are zero */
    uint32_t first_row;   /* the number of its first row among the rows of all banks */
    uint32_t row_bytes;   /* columns * word_bytes */
} tandem_bank;

/* A field of the small state: width bits from bit shift on, of the word of word_bytes bytes that begins at byte. */
typedef struct tandem_field {
    const char *name;         /* as the manual spells it */
    const char *address_bank; /* the hardware's bank of configuration, or NULL */
    uint32_t address;         /* the 32-bit word in it */
    uint32_t byte;
    uint32_t word_bytes;
    uint32_t shift;
    uint32_t width;
    uint32_t maximum;         /* larger values do not occur */
    uint32_t base;            /* the value in the base state */
} tandem_field;

/* A field of the code words. */
typedef struct tandem_code_field {
    const char *name;
    uint32_t word;
    uint32_t shift;
    uint32_t width;
} tandem_code_field;

typedef struct tandem_instruction {
    const char *name;               /* the manual's mnemonic, for example "MOVA2D" */
    const uint32_t *base_code;      /* code_words words: the opcode, and the base value of every field */
    const tandem_code_field *fields;
    uint32_t code_words;
    uint32_t num_fields;
} tandem_instruction;

typedef struct tandem_isa {
    const char *name;               /* for example "tensix-wh" */
    const tandem_bank *banks;       /* in the order in which they lie in the arena */
    const tandem_field *fields;
    const tandem_instruction *instructions;
    uint64_t arena_bytes;           /* of all banks */
    uint32_t small_bytes;
    uint32_t num_banks;
    uint32_t num_fields;
    uint32_t num_instructions;
} tandem_isa;

/* Cases of one instruction, or of several that are the same in every case, on the background that was loaded last. */
typedef struct tandem_batch {
    const uint32_t *code;           /* cases * code_words, of all steps: case by case, and step by step */
    const uint8_t *small_before;    /* cases * small_bytes */
    const uint32_t *overlay_end;    /* for each case: the number of overlay rows up to and with its own */
    const uint32_t *overlay_row;    /* row numbers over all banks, ascending in each case */
    const uint8_t *overlay_data;    /* the contents of these rows, one after the other */
    uint32_t instruction;           /* a place in tandem_isa.instructions */
    uint32_t edition;               /* of the pages; ignore it if yours follows one text */
    uint32_t cases;
    uint32_t steps;                 /* instructions in a case: 1, or up to what tandem_max_steps returns */
    const uint32_t *then;           /* steps - 1: the instructions of the steps behind the first */
} tandem_batch;

/* The answers. The arrays have room for every case of the batch; dirty rows may need more room than there is.
 *
 * A case that is TANDEM_UNSUPPORTED may have a reason: a few words for people, 1 to TANDEM_REASON_BYTES bytes of UTF-8
 * without control characters and without a zero at the end. Reasons stand one after the other, in the order of their
 * cases, and you set their number: leave all of this alone if you give none. */
typedef struct tandem_answers {
    uint32_t *outcome;              /* TANDEM_DONE, TANDEM_BLOCKED or TANDEM_UNSUPPORTED; of a case with several steps that
                                       of the first one that is not done, where the case ends */
    uint8_t *small_after;           /* cases * small_bytes; all of it, changed or not */
    uint32_t *dirty_end;            /* for each case: the number of dirty rows up to and with its own */
    uint32_t *dirty_row;            /* row numbers over all banks; each once in a case, in any order */
    uint8_t *dirty_data;            /* the contents of these rows after the case, one after the other */
    uint32_t *reason_case;          /* for each reason: its case in the batch, ascending */
    uint32_t *reason_end;           /* for each reason: the bytes of reason_text up to and with its own */
    char *reason_text;              /* room for TANDEM_REASON_BYTES bytes a case */
    uint64_t dirty_bytes_capacity;  /* room in dirty_data, in bytes: at least the arena */
    uint32_t dirty_rows_capacity;   /* room in dirty_row */
    uint32_t cases;                 /* set it: how many cases you answered, from the first one on. Stop before a case
                                       whose dirty rows do not fit; the suite asks for the rest again. */
    uint32_t reasons;               /* set it if you give reasons: how many; it is 0 */
    uint32_t reserved;              /* 0 */
    uint32_t *done;                 /* how many steps of each case were done, all of them where its outcome is TANDEM_DONE;
                                       read only where steps is more than 1. What a case leaves is what these steps do. It is
                                       0xffffffff: leave it so for TANDEM_UNSUPPORTED if you do not know the step */
} tandem_answers;

/* ---- what your library defines -------------------------------------------------------------------------------- */

/* TANDEM_VERSION of the header that you built with. */
uint32_t tandem_version(void);

/* Called first, and again for each further instruction set. Write the name of your implementation (at most 63 bytes and
 * a zero) to name, and 1 to implemented[i] for each instruction that you implement (they are 0). Return 0, or any other
 * number if you know nothing of this instruction set. */
int32_t tandem_open(const tandem_isa *isa, char name[64], uint8_t *implemented);

/* A new background: copy it, as your state and as what you put rows back from. Return 0. */
int32_t tandem_load(const uint8_t *arena);

/* Execute a batch. Return 0; any other number means that you could not. */
int32_t tandem_execute(const tandem_batch *batch, tandem_answers *answers);

/* CRC-32 (the one of zlib, gzip and PNG) of your whole arena, as it is now. After every case it equals the background,
 * so a stray write shows here. */
uint32_t tandem_arena_hash(void);

/* Forget whatever you keep between cases, but not the background. */
void tandem_reset(void);

/* This function may be missing. Called after tandem_open: write the claims that you make about that instruction set, a
 * TOML document of at most TANDEM_CLAIMS_BYTES bytes of UTF-8, to text, and return how many bytes they are; 0 if there are
 * none. */
uint32_t tandem_claims(char *text);

/* This function may be missing, which is the same as 1. Called after tandem_open: return the most steps of a case that you
 * take, up to TANDEM_MAX_STEPS. */
uint32_t tandem_max_steps(void);

#ifdef __cplusplus
}
#endif

#endif
