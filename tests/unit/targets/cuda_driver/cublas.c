/* A cuBLAS of the tests, over the memory of their driver: a product of bf16 matrices, column by column, sums in float.
   With WRONG it leaves the last term out, with FAILS it refuses. */
#include <stdint.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

static int made;

static float value(uint16_t bits) {
    uint32_t word = (uint32_t)bits << 16;
    float f;
    memcpy(&f, &word, sizeof f);
    return f;
}

static uint16_t rounded(float f) {
    uint32_t word;
    memcpy(&word, &f, sizeof word);
    return (uint16_t)((word + 0x7fffu + ((word >> 16) & 1u)) >> 16);
}

EXPORT int cublasCreate_v2(void **handle) { return *handle = &made, 0; }
EXPORT int cublasGetVersion_v2(void *handle, int *version) { return *version = 130100, handle != &made; }

EXPORT int cublasGemmEx(void *handle, int ta, int tb, int m, int n, int k, const float *alpha, const uint16_t *a, int at,
                        int lda, const uint16_t *b, int bt, int ldb, const float *beta, uint16_t *c, int ct, int ldc,
                        int compute, int algorithm) {
#ifdef FAILS
    return 15;
#endif
    if (handle != &made || ta != 1 || tb != 0 || at != 14 || bt != 14 || ct != 14 || compute != 68 || algorithm != -1)
        return 7;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            float sum = 0;
#ifdef WRONG
            for (int l = 0; l < k - 1; l++)
#else
            for (int l = 0; l < k; l++)
#endif
                sum += value(a[(size_t)i * lda + l]) * value(b[(size_t)j * ldb + l]);
            c[(size_t)j * ldc + i] = rounded(*alpha * sum + (*beta ? *beta * value(c[(size_t)j * ldc + i]) : 0));
        }
    return 0;
}
