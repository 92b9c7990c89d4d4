/* Stores a word and loads it again, each time from what was loaded; one of `count` is eight of these. */
#include "kernelwright.h"

void probe(uint8_t *area, int64_t bytes, int64_t count, uint64_t *out) {
    volatile uint64_t *word = (volatile uint64_t *)area;
    uint64_t x = 1;
    (void)bytes;
    for (int64_t i = 0; i < count; i++) {
#pragma GCC unroll 8
        for (int k = 0; k < 8; k++) {
            *word = x;
            x = *word + 1;
        }
    }
    out[0] = x;
}
