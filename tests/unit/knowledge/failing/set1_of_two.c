#include "kernelwright.h"
#include <immintrin.h>
void fill(float *y) { _mm256_storeu_ps(y, _mm256_set1_ps(1.0f, 2.0f)); }
