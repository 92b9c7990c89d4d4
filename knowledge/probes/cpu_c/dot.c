/* Eight independent chains of a dot-product instruction on registers. HOW: 1 vpdpbusd (64 int8 products), 2 vdpbf16ps
   (32 bf16 products). One of `count` is one instruction of each chain. */
#include "kernelwright.h"
#include <immintrin.h>

void probe(uint8_t *area, int64_t bytes, int64_t count, uint64_t *out) {
    __m512i a = _mm512_loadu_si512(area), b = _mm512_loadu_si512(area + 64);
    (void)bytes;
#if HOW == 1
    __m512i sum[8], total = _mm512_setzero_si512();
    for (int k = 0; k < 8; k++) sum[k] = total;
    for (int64_t i = 0; i < count; i++) {
#pragma GCC unroll 8
        for (int k = 0; k < 8; k++) sum[k] = _mm512_dpbusd_epi32(sum[k], a, b);
    }
    for (int k = 0; k < 8; k++) total = _mm512_add_epi32(total, sum[k]);
    _mm512_storeu_si512(out, total);
#else
    __m512 sum[8], total = _mm512_setzero_ps();
    for (int k = 0; k < 8; k++) sum[k] = total;
    for (int64_t i = 0; i < count; i++) {
#pragma GCC unroll 8
        for (int k = 0; k < 8; k++) sum[k] = _mm512_dpbf16_ps(sum[k], (__m512bh)a, (__m512bh)b);
    }
    for (int k = 0; k < 8; k++) total = _mm512_add_ps(total, sum[k]);
    _mm512_storeu_ps(out, total);
#endif
}
