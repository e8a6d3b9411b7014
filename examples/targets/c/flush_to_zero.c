/* The target that computes with the floats of its host, and whose library sets FTZ and DAZ of MXCSR when it is loaded,
 * as one that was linked with -ffast-math does. Without that its conversion is right; with it all denormals of HF are
 * zero, also where the control register asks to keep them.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <xmmintrin.h>

__attribute__((constructor)) static void flush_denormals(void) { _mm_setcsr(_mm_getcsr() | 0x8040); }

static uint32_t f_to_hf_by_host(uint32_t f, int keep_denormals) {
    uint32_t sign = f >> 16 & 0x8000, magnitude = f & 0x7fffffff, hf;
    volatile float value, rounded; /* volatile: nothing is computed at compile time, or twice as precisely */
    if (magnitude > 0x7f800000) return sign | 0x7e00 | (magnitude >> 13 & 0x1ff);
    if (magnitude >= 0x477ff000) return sign | 0x7c00; /* 65520, from where on HF is infinite */
    memcpy((void *)&value, &magnitude, 4);
    /* Adding a power of two leaves as many bits of the value as HF has there; taking it away again changes none. */
    float power = magnitude < 0x38800000 ? 0.5f : ldexpf(1, (int)(magnitude >> 23) - 127 + 13);
    rounded = value + power;
    rounded = rounded - power;
    rounded = rounded * 0x1p-112f; /* now the exponent has the bias of HF, and denormals of F are those of HF */
    memcpy(&magnitude, (const void *)&rounded, 4);
    hf = magnitude >> 13;
    return sign | (hf < 0x400 && !keep_denormals ? 0 : hf);
}

#define NAME "example-flush-to-zero"
#define F_TO_HF f_to_hf_by_host
#pragma GCC diagnostic ignored "-Wunused-function" /* the conversion of target.c */
#include "target.c"
