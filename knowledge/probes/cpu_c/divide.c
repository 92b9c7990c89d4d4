/* Eight independent vector divisions, one of `count` each. */
#include "kernelwright.h"

typedef float lanes __attribute__((vector_size(32)));

void probe(uint8_t *area, int64_t bytes, int64_t count, uint64_t *out) {
    lanes a[8], total = {0};
    volatile float start = 1.0f, by = 1.0001f;
    lanes d = (lanes){0} + by;
    (void)area, (void)bytes;
    for (int k = 0; k < 8; k++) a[k] = (lanes){0} + start;
    for (int64_t i = 0; i < count; i++) {
#pragma GCC unroll 8
        for (int k = 0; k < 8; k++) a[k] = a[k] / d;
    }
    for (int k = 0; k < 8; k++) total += a[k];
    memcpy(out, &total, sizeof total);
}
