#include "kernelwright.h"
#include <immintrin.h>
void sum8(const float *x, float *y, int n) {
    __m256 acc = 0;
    for (int i = 0; i + 8 <= n; i += 8) acc = _mm256_add_ps(acc, _mm256_loadu_ps(x + i));
    _mm256_storeu_ps(y, acc);
}
