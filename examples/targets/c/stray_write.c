/* The target with a stray write: each move counts itself in a register of the Vector Unit, which it neither reports nor
 * puts back. No answer is wrong; the hash of the arena is.
 */
#define NAME "example-stray-write"
#define AFTER_MOVE() (*(uint32_t *)read_row(first_row("LReg") + 5) += 1)
#include "target.c"
