/* Tensor cores by nvcuda::wmma, one warp a tile; edges are filled with zeros. */
#include "kernelwright.h"
#include <cuda_bf16.h>
#include <cuda_pipeline.h>
#include <mma.h>
using namespace nvcuda;
#define KW_TUNE_STAGES_1 2 /* tune: 2 3 4 */
constexpr int TILE = 16;
extern "C" __global__ void gemm_bf16(const kw_bf16 *X, const kw_bf16 *W, kw_bf16 *Y, int32_t M, int32_t N, int32_t K) {
    __shared__ __nv_bfloat16 x[KW_TUNE_STAGES_1][TILE * TILE], w[KW_TUNE_STAGES_1][TILE * TILE];
    __shared__ float out[TILE * TILE];
    int tiles = (N + TILE - 1) / TILE, m0 = blockIdx.x / tiles * TILE, n0 = blockIdx.x % tiles * TILE;
    wmma::fragment<wmma::matrix_a, TILE, TILE, TILE, __nv_bfloat16, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, TILE, TILE, TILE, __nv_bfloat16, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, TILE, TILE, TILE, float> c;
    wmma::fill_fragment(c, 0.0f);
    for (int k0 = 0, s = 0; k0 < K; k0 += TILE, s ^= 1) {
        for (int i = threadIdx.x; i < TILE * TILE; i += 32) {
            int row = i / TILE, k = k0 + i % TILE;
            x[s][i] = __ushort_as_bfloat16(m0 + row < M && k < K ? X[(m0 + row) * K + k] : 0);
            w[s][i] = __ushort_as_bfloat16(n0 + row < N && k < K ? W[(n0 + row) * K + k] : 0);
        }
        __syncwarp();
        wmma::load_matrix_sync(a, x[s], TILE);
        wmma::load_matrix_sync(b, w[s], TILE);
        wmma::mma_sync(c, a, b, c);
    }
    wmma::store_matrix_sync(out, c, TILE, wmma::mem_row_major);
    __syncwarp();
    for (int i = threadIdx.x; i < TILE * TILE; i += 32)
        if (m0 + i / TILE < M && n0 + i % TILE < N) Y[(m0 + i / TILE) * N + n0 + i % TILE] = kw_f32_to_bf16(out[i]);
}

KW_LAUNCH(gemm_bf16, (M + TILE - 1) / TILE * ((N + TILE - 1) / TILE) * 32, 32);
