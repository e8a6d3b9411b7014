#ifndef TANDEM_PLAIN_1
#define TANDEM_PLAIN_1
#include <stdint.h>

/* A bank of the state: every word is `base` in the base state, but for the base rows. */
struct tandem_bank {
    const char *name;
    uint32_t rows, columns, bits, base;
};

/* A field of the small state: width in bits, largest value, value in the base state. */
struct tandem_field_kind {
    const char *name;
    uint32_t width, max, base;
};

/* A value of a field, or the mask of its bits that count; `field` is its place among the fields. */
struct tandem_field {
    uint32_t field, value;
};

/* The words of a row, as many as its bank has columns, or masks of their bits that count. */
struct tandem_row {
    uint32_t bank, row;
    const uint32_t *words;
};

/* What a state names: fields and rows. */
struct tandem_state {
    const struct tandem_field *fields;
    uint32_t num_fields;
    const struct tandem_row *rows;
    uint32_t num_rows;
};

/* An instruction that is run. One that waits does nothing: software has to wait there. */
struct tandem_step {
    const char *instruction, *text;
    uint32_t waits;
    const uint32_t *code;
    uint32_t num_code;
};

enum { TANDEM_DONE = 0, TANDEM_BLOCKED = 1, TANDEM_SURVIVE = 2 };
enum { TANDEM_EDITION_SPEC = 1, TANDEM_EDITION_NEWEST = 2 };

/* A test. `before` is against the base state and `expected` against `before`; what is not named is unchanged.
 * Every bit is compared, but where `care` names a field or a row: there only the bits that it sets. */
struct tandem_test {
    const char *id;
    uint32_t editions; /* TANDEM_EDITION_SPEC, TANDEM_EDITION_NEWEST or both */
    uint32_t edition;  /* the edition that numbers the cell: 0 is spec, 1 is newest */
    uint32_t cell;
    uint32_t outcome; /* TANDEM_DONE, TANDEM_BLOCKED or TANDEM_SURVIVE */
    const char *contested; /* why hardware is not to be asked, or a null pointer */
    const char *breaks; /* the rule of scheduling that no wait keeps, or a null pointer */
    const struct tandem_step *steps;
    uint32_t num_steps;
    const uint32_t *flags; /* places among the flag names */
    uint32_t num_flags;
    struct tandem_state before, expected, care;
};

/* All tests of a file, with what their numbers mean. */
struct tandem_vectors {
    const char *isa, *instruction, *digest;
    const struct tandem_bank *banks;
    uint32_t num_banks;
    const struct tandem_field_kind *fields;
    uint32_t num_fields;
    const struct tandem_row *base_rows;
    uint32_t num_base_rows;
    const char *const *flag_names;
    uint32_t num_flag_names;
    const struct tandem_test *tests;
    uint32_t num_tests;
};
#endif
