/* CHAINS independent sums of float8 in each of two work-items. */
#include "kernelwright.h"
#define CHAINS 8

__kernel void probe(__global uint8_t *area, int64_t bytes, int64_t count, __global uint64_t *out) {
    float8 sum[CHAINS], factor = (float8)(0.999f + (float)(bytes & 1) * 0.0001f);
    for (int k = 0; k < CHAINS; k++) sum[k] = (float8)(float)(k + 1);
    for (long i = 0; i < count; i++) {
        __attribute__((opencl_unroll_hint(CHAINS)))
        for (int k = 0; k < CHAINS; k++) sum[k] = mad(sum[k], factor, factor);
    }
    float8 total = 0.0f;
    for (int k = 0; k < CHAINS; k++) total += sum[k];
    if (total.s0 + total.s1 + total.s2 + total.s3 + total.s4 + total.s5 + total.s6 + total.s7 == 1.0f) out[0] = 1;
}

KW_LAUNCH(probe, 1, 1);
