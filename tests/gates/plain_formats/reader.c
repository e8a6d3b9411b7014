/* Prints the tests of an exported header; VECTORS is the name of its struct. */
#include <inttypes.h>
#include <stdio.h>

#include "vectors.h"

static void words(const uint32_t *from, uint32_t count) {
    for (uint32_t at = 0; at < count; at++) printf(" %" PRIx32, from[at]);
    printf("\n");
}

static void state(unsigned number, const struct tandem_state *state) {
    for (uint32_t at = 0; at < state->num_fields; at++)
        printf("field %u %" PRIx32 " %" PRIx32 "\n", number, state->fields[at].field, state->fields[at].value);
    for (uint32_t at = 0; at < state->num_rows; at++) {
        const struct tandem_row *row = &state->rows[at];
        printf("row %u %" PRIx32 " %" PRIx32, number, row->bank, row->row);
        words(row->words, VECTORS.banks[row->bank].columns);
    }
}

int main(void) {
    const struct tandem_vectors *all = &VECTORS;
    for (uint32_t at = 0; at < all->num_banks; at++) {
        const struct tandem_bank *bank = &all->banks[at];
        printf("bank %" PRIx32 " %" PRIx32 " %" PRIx32 " %" PRIx32 "\n", bank->rows, bank->columns, bank->bits, bank->base);
    }
    for (uint32_t at = 0; at < all->num_fields; at++)
        printf("kind %" PRIx32 " %" PRIx32 " %" PRIx32 "\n", all->fields[at].width, all->fields[at].max, all->fields[at].base);
    for (uint32_t at = 0; at < all->num_base_rows; at++) {
        const struct tandem_row *row = &all->base_rows[at];
        printf("base %" PRIx32 " %" PRIx32, row->bank, row->row);
        words(row->words, all->banks[row->bank].columns);
    }
    for (uint32_t at = 0; at < all->num_tests; at++) {
        const struct tandem_test *test = &all->tests[at];
        printf("test %s %" PRIx32 " %" PRIx32 " %" PRIx32 " %" PRIx32, test->id, test->editions, test->edition, test->cell,
               test->outcome);
        printf(" %d %d\n", test->contested != 0, test->breaks != 0);
        for (uint32_t step = 0; step < test->num_steps; step++) {
            printf("step %" PRIx32, test->steps[step].waits);
            words(test->steps[step].code, test->steps[step].num_code);
            printf("of %s %s\n", test->steps[step].instruction, test->steps[step].text);
        }
        for (uint32_t flag = 0; flag < test->num_flags; flag++)
            printf("flag %" PRIx32 " %s\n", test->flags[flag], all->flag_names[test->flags[flag]]);
        state(0, &test->before);
        state(1, &test->expected);
        state(2, &test->care);
    }
    return 0;
}
