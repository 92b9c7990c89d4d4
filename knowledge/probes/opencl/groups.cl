/* GROUPS work-groups of ITEMS work-items that do nothing. */
#include "kernelwright.h"
#ifndef ITEMS
#define ITEMS 1
#endif
#define GROUPS 65536

__kernel void probe(__global uint8_t *area, int64_t bytes, int64_t count, __global uint64_t *out) {
    if (count < 0) out[0] = bytes;
}

KW_LAUNCH(probe, GROUPS * ITEMS, ITEMS);
