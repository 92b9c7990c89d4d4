/* Looks up every byte of the area in a table of 128 bytes by vpermi2b, once for each of `count`. */
#include "kernelwright.h"
#include <immintrin.h>

void probe(uint8_t *area, int64_t bytes, int64_t count, uint64_t *out) {
    __m512i low = _mm512_loadu_si512(area), high = _mm512_loadu_si512(area + 64), total = _mm512_setzero_si512();
    for (int64_t pass = 0; pass < count; pass++) {
        for (int64_t i = 0; i < bytes; i += 64) {
            __m512i codes = _mm512_loadu_si512(area + i);
            total = _mm512_xor_si512(total, _mm512_permutex2var_epi8(low, codes, high));
        }
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    }
    _mm512_storeu_si512(out, total);
}
