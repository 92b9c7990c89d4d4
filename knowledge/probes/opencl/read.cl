/* Reads the area `count` times, in pieces of PIECE bytes, a work-item each. */
#include "kernelwright.h"
#define ITEMS 256

__kernel void probe(__global uint8_t *area, int64_t bytes, int64_t count, __global uint64_t *out) {
    long piece = bytes / ITEMS, item = get_global_id(0);
    __global const ulong *from = (__global const ulong *)(area + item * piece);
    ulong8 a = 0, b = 0;
    for (long turn = 0; turn < count; turn++)
        for (long i = 0; i + 16 <= piece / 8; i += 16) {
            a ^= vload8(0, from + i) + (ulong8)turn;
            b ^= vload8(0, from + i + 8);
        }
    a ^= b;
    if ((a.s0 ^ a.s1 ^ a.s2 ^ a.s3 ^ a.s4 ^ a.s5 ^ a.s6 ^ a.s7) == 1) out[item & 63] = 1;
}

KW_LAUNCH(probe, ITEMS, 1);
