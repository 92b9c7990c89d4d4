#include "kernelwright.h"

/* One work-item an element of Y. */
__kernel void gemm_bf16(
    __global const kw_bf16 *X, __global const kw_bf16 *W, __global kw_bf16 *Y, int32_t M, int32_t N, int32_t K
) {
    int at = get_global_id(0), m = at / N, n = at % N;
    if (m >= M) {
        return;
    }
    float sum = 0.0f;
    for (int k = 0; k < K; k++) {
        sum += kw_bf16_to_f32(X[m * K + k]) * kw_bf16_to_f32(W[n * K + k]);
    }
    Y[m * N + n] = kw_f32_to_bf16(sum);
}

KW_LAUNCH(gemm_bf16, (M * N + 63) / 64 * 64, 64);
