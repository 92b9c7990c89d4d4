/* A chain of dependent integer additions and rotations of one cycle each; one of `count` is 16 of them. */
#include "kernelwright.h"

void probe(uint8_t *area, int64_t bytes, int64_t count, uint64_t *out) {
    volatile uint64_t start = 3;
    uint64_t x = start, y = start | 1;
    (void)area, (void)bytes;
    for (int64_t i = 0; i < count; i++) {
#pragma GCC unroll 8
        for (int k = 0; k < 8; k++) {
            x ^= y;
            x += y;
        }
    }
    out[0] = x;
}
