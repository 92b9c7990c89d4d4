#include "kernelwright.h"

void gemm_bf16(const kw_bf16 *X, const kw_bf16 *W, kw_bf16 *Y, int32_t M, int32_t N, int32_t K) {
    for (int m = 0; m < M; m++) {
        for (int n = 0; n < N; n++) {
            float sum = 0.0f;
            for (int k = 0; k < K; k++) {
                sum += kw_bf16_to_f32(X[m * K + k]) * kw_bf16_to_f32(W[n * K + k]);
            }
            Y[m * N + n] = kw_f32_to_bf16(sum);
        }
    }
}
