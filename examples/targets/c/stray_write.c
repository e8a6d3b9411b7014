/* The target with a stray write: each move counts itself in a register of the Vector Unit, which it neither reports nor
 * puts back. No answer is wrong; the hash of the arena is.
 */
#define NAME "example-stray-write"
#define AFTER_MOVE() (*(uint32_t *)(state + offset_of(first_row("LReg") + 5, &(uint32_t){0})) += 1)
#include "target.c"
