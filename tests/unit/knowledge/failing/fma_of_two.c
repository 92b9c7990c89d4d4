#include "kernelwright.h"
#include <immintrin.h>
void mac(const float *x, float *y) {
    __m256 a = _mm256_loadu_ps(x), b = _mm256_loadu_ps(y);
    _mm256_storeu_ps(y, _mm256_fmadd_ps(a, b));
}
