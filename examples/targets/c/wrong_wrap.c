/* The target whose row numbers wrap wrongly: SrcRow runs on into what lies behind its bank of SrcA. */
#define NAME "example-wrong-wrap"
#define SRCA_ROW(bank, src_row, rows, step) (64 * (bank) + ((src_row) & (128 - (rows))) + (step))
#include "target.c"
