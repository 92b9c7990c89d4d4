#include "kernelwright.h"

/* One thread an element of Y. */
extern "C" __global__ void gemm_bf16(const kw_bf16 *X, const kw_bf16 *W, kw_bf16 *Y, int32_t M, int32_t N, int32_t K) {
    int at = blockIdx.x * blockDim.x + threadIdx.x, m = at / N, n = at % N;
    if (m >= M) {
        return;
    }
    float sum = 0.0f;
    for (int k = 0; k < K; k++) {
        sum += kw_bf16_to_f32(X[m * K + k]) * kw_bf16_to_f32(W[n * K + k]);
    }
    Y[m * N + n] = kw_f32_to_bf16(sum);
}

KW_LAUNCH(gemm_bf16, (M * N + 127) / 128 * 128, 128);
