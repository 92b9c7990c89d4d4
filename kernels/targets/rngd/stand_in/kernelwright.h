/* The kernel header on the stand-in: two clusters, whose shares run one after the other and are counted apart. */
#ifndef KERNELWRIGHT_H
#define KERNELWRIGHT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint16_t kw_bf16;

static inline float kw_bf16_to_f32(kw_bf16 bits) {
    uint32_t word = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static inline kw_bf16 kw_f32_to_bf16(float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    if ((word & 0x7fffffffu) > 0x7f800000u) return 0x7fc0;
    return (kw_bf16)((word + 0x7fffu + ((word >> 16) & 1u)) >> 16);
}

typedef void (*kw_body)(void *context, int64_t begin, int64_t end, int thread);
void kw_parallel_for(int64_t n, int64_t chunk, kw_body body, void *context);
int kw_threads(void);

#define KW_SPAN_BEGIN(name) ((void)0)
#define KW_SPAN_END(name) ((void)0)

#endif
