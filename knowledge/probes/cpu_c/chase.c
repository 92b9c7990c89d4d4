/* Each load gives the offset of the next one; a call goes on where the last one ended, so that no piece of the cycle is
   read twice within a reading. One of `count` is eight loads. */
#include "kernelwright.h"

void probe(uint8_t *area, int64_t bytes, int64_t count, uint64_t *out) {
    uint64_t at = out[0];
    (void)bytes;
    for (int64_t i = 0; i < count; i++) {
#pragma GCC unroll 8
        for (int k = 0; k < 8; k++) at = *(const uint64_t *)(area + at);
    }
    out[0] = at;
}
