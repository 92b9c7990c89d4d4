/* What a kernel may use beside the C library's mathematics: bf16, the harness's thread pool, marks for the profiler. */
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

/* Round to nearest, ties to even; NaN stays a quiet NaN. */
static inline kw_bf16 kw_f32_to_bf16(float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    if ((word & 0x7fffffffu) > 0x7f800000u) return 0x7fc0;
    return (kw_bf16)((word + 0x7fffu + ((word >> 16) & 1u)) >> 16);
}

/* Called with disjoint ranges that cover [0, n); thread is 0 .. kw_threads() - 1. */
typedef void (*kw_body)(void *context, int64_t begin, int64_t end, int thread);

/* chunk 0: one contiguous share per thread; chunk > 0: shares of that size, taken as threads get free.
   Returns when all of it is done. Called from within a body it runs serially. */
void kw_parallel_for(int64_t n, int64_t chunk, kw_body body, void *context);

int kw_threads(void);

/* KW_SPAN_BEGIN(up); ... KW_SPAN_END(up); The name is an identifier. Empty in timed builds. */
#ifdef KW_PROFILE
void kw_span(const char *name, int begins);
#define KW_SPAN_BEGIN(name) kw_span(#name, 1)
#define KW_SPAN_END(name) kw_span(#name, 0)
#else
#define KW_SPAN_BEGIN(name) ((void)0)
#define KW_SPAN_END(name) ((void)0)
#endif

#endif
