/* The target that keeps state from the previous case: it reads the bank of SrcA that the last move should have read, as
 * if the change of banks came one instruction late. Every case is right if it comes first.
 */
#include <stdint.h>

static uint32_t kept_bank(uint32_t bank);

#define NAME "example-kept-state"
#define SRCA_ROW(bank, src_row, rows, step) (64 * kept_bank(bank) + ((src_row) & (64 - (rows))) + (step))
#define AFTER_MOVE() (last_bank = (int)bank)
#define RESET() (last_bank = -1)
static int last_bank = -1;
#include "target.c"

static uint32_t kept_bank(uint32_t bank) { return last_bank < 0 ? bank : (uint32_t)last_bank; }
