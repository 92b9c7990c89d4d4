/* ACC independent chains of fused multiply-adds over vectors of WIDTH bytes; one of `count` is one step of each chain.
   START, FACTOR, STEP: every lane is START at first, then lane * FACTOR + STEP. */
#include "kernelwright.h"
#ifndef WIDTH
#if defined(__AVX512F__)
#define WIDTH 64
#elif defined(__AVX__)
#define WIDTH 32
#else
#define WIDTH 16
#endif
#endif
#ifndef START
#define START 1.0f
#define FACTOR 0.999f
#define STEP 0.001f
#endif

typedef float lanes __attribute__((vector_size(WIDTH)));

void probe(uint8_t *area, int64_t bytes, int64_t count, uint64_t *out) {
    lanes a[ACC], total = {0};
    volatile float start = START, factor = FACTOR, step = STEP;
    lanes f = (lanes){0} + factor, s = (lanes){0} + step;
    (void)area, (void)bytes;
    for (int k = 0; k < ACC; k++) a[k] = (lanes){0} + start;
    for (int64_t i = 0; i < count; i++) {
#pragma GCC unroll 32
        for (int k = 0; k < ACC; k++) a[k] = a[k] * f + s;
    }
    for (int k = 0; k < ACC; k++) total += a[k];
    memcpy(out, &total, sizeof total);
}
