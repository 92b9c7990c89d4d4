/* expf of every f32 of the area, added up, once for each of `count`. */
#include "kernelwright.h"
#include <math.h>

void probe(uint8_t *area, int64_t bytes, int64_t count, uint64_t *out) {
    const float *x = (const float *)area;
    float total = 0;
    for (int64_t pass = 0; pass < count; pass++) {
        for (int64_t i = 0; i < bytes / 4; i++) total += expf(x[i]);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    }
    memcpy(out, &total, sizeof total);
}
