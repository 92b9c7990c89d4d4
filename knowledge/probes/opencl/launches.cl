/* Launches of one work-item that do nothing, one behind the other. */
#include "kernelwright.h"

__kernel void probe(__global uint8_t *area, int64_t bytes, int64_t count, __global uint64_t *out) {
    if (count < 0) out[0] = bytes;
}

KW_LAUNCH(probe, 1, 1);
KW_LAUNCH(probe, 1, 1);
KW_LAUNCH(probe, 1, 1);
KW_LAUNCH(probe, 1, 1);
KW_LAUNCH(probe, 1, 1);
KW_LAUNCH(probe, 1, 1);
KW_LAUNCH(probe, 1, 1);
KW_LAUNCH(probe, 1, 1);
KW_LAUNCH(probe, 1, 1);
KW_LAUNCH(probe, 1, 1);
KW_LAUNCH(probe, 1, 1);
KW_LAUNCH(probe, 1, 1);
KW_LAUNCH(probe, 1, 1);
KW_LAUNCH(probe, 1, 1);
KW_LAUNCH(probe, 1, 1);
KW_LAUNCH(probe, 1, 1);
