/* Goes through the area and calls one of two functions for each byte, by its lowest bit; once for each of `count`. */
#include "kernelwright.h"

__attribute__((noinline)) static uint64_t one(uint64_t x) { return x * 3 + 1; }
__attribute__((noinline)) static uint64_t two(uint64_t x) { return x ^ 0x55; }

void probe(uint8_t *area, int64_t bytes, int64_t count, uint64_t *out) {
    uint64_t x = 1;
    for (int64_t pass = 0; pass < count; pass++)
        for (int64_t i = 0; i < bytes; i++) x = (area[i] & 1) ? one(x) : two(x);
    out[0] = x;
}
