/* Decodes every byte (or 16-bit word) of the area to f32 and adds the values up, once for each of `count`.
   HOW: 1 int8 to f32; 2 bf16 to f32; 3 a table of 256 f32, one load an element. */
#include "kernelwright.h"
#define INT8 1
#define BF16 2
#define TABLE 3

#if HOW == TABLE
static float table[256];
#endif

void probe(uint8_t *area, int64_t bytes, int64_t count, uint64_t *out) {
    float sums[64] = {0};
#if HOW == TABLE
    for (int i = 0; i < 256; i++) table[i] = (float)i - 128.0f;
#endif
    for (int64_t pass = 0; pass < count; pass++) {
#if HOW == INT8
        const int8_t *codes = (const int8_t *)area;
        for (int64_t i = 0; i < bytes; i += 64)
            for (int k = 0; k < 64; k++) sums[k] += (float)codes[i + k];
#elif HOW == BF16
        const kw_bf16 *codes = (const kw_bf16 *)area;
        for (int64_t i = 0; i < bytes / 2; i += 64)
            for (int k = 0; k < 64; k++) sums[k] += kw_bf16_to_f32(codes[i + k]);
#else
        for (int64_t i = 0; i < bytes; i += 64)
            for (int k = 0; k < 64; k++) sums[k] += table[area[i + k]];
#endif
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    }
    float total = 0;
    for (int k = 0; k < 64; k++) total += sums[k];
    memcpy(out, &total, sizeof total);
}
