#include "kernelwright.h"
#include <immintrin.h>
__attribute__((target("no-avx2"))) void add8(const int *x, int *y) {
    for (int i = 0; i < 64; i += 8) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(x + i));
        _mm256_storeu_si256((__m256i *)(y + i), _mm256_add_epi32(a, a));
    }
}
