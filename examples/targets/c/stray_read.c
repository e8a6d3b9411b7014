/* The target with a stray read: the last of eight rows comes from the row behind the block, and from no row that the
 * instruction names. Whoever hands over just the rows of a case could not tell; here every row has contents of its own.
 */
#define NAME "example-stray-read"
#define SRCA_ROW(bank, src_row, rows, step) \
    (64 * (bank) + (((src_row) & (64 - (rows))) + (step) + ((step) == 7)) % 64)
#include "target.c"
