/* CUDA's own calculator, a case a line: capability, threads and shared bytes of a multiprocessor, shared bytes of a block,
   then the kernel's threads a block, registers, shared bytes, barriers. Prints the blocks at once on a multiprocessor. */
#include <stddef.h>
#include <stdio.h>

#include "cuda_occupancy.h"

int main(void) {
    int v[9];
    while (scanf("%d %d %d %d %d %d %d %d %d", v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6, v + 7, v + 8) == 9) {
        cudaOccDeviceProp chip = {.computeMajor = v[0], .computeMinor = v[1], .maxThreadsPerBlock = 1024,
                                  .maxThreadsPerMultiprocessor = v[2], .regsPerBlock = 65536,
                                  .regsPerMultiprocessor = 65536, .warpSize = 32, .sharedMemPerBlock = 49152,
                                  .sharedMemPerMultiprocessor = v[3], .numSms = 1, .sharedMemPerBlockOptin = v[4],
                                  .reservedSharedMemPerBlock = v[0] >= 8 ? 1024 : 0};
        cudaOccFuncAttributes kernel = {.maxThreadsPerBlock = 1024, .numRegs = v[6],
                                        .partitionedGCConfig = PARTITIONED_GC_OFF,
                                        .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
                                        .maxDynamicSharedSizeBytes = v[4], .numBlockBarriers = v[8]};
        cudaOccDeviceState state = {.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED};
        cudaOccResult found = {0};
        if (cudaOccMaxActiveBlocksPerMultiprocessor(&found, &chip, &kernel, &state, v[5], v[7])) return 1;
        printf("%d\n", found.activeBlocksPerMultiprocessor);
    }
    return 0;
}
