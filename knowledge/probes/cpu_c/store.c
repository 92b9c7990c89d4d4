/* Writes the area, a contiguous share a thread, once for each of `count`. STREAM: past the caches. COPY: the second half
   of a share from its first. */
#include "kernelwright.h"
#ifdef STREAM
#include <immintrin.h>
#endif

typedef uint64_t line __attribute__((vector_size(64), aligned(64), may_alias));
struct job { uint8_t *area; int64_t bytes, passes; };

static inline void put(uint8_t *to, line value) {
#ifdef STREAM
    __m128i word = _mm_set1_epi64x((long long)value[0]);
    for (int k = 0; k < 4; k++) _mm_stream_si128((__m128i *)to + k, word);
#else
    *(line *)to = value;
#endif
}

static void body(void *context, int64_t begin, int64_t end, int thread) {
    const struct job *job = context;
    int64_t share = job->bytes / kw_threads() / 512 * 512;
    (void)thread;
    for (int64_t t = begin; t < end; t++) {
        uint8_t *to = job->area + t * share;
        for (int64_t pass = 0; pass < job->passes; pass++) {
#ifdef COPY
            for (int64_t i = 0; i < share / 2; i += 64) *(line *)(to + share / 2 + i) = *(const line *)(to + i) + (uint64_t)pass;
#else
            line value = (line){0} + (uint64_t)pass;
            for (int64_t i = 0; i < share; i += 64) put(to + i, value);
#endif
            __atomic_signal_fence(__ATOMIC_SEQ_CST);
        }
    }
}

void probe(uint8_t *area, int64_t bytes, int64_t count, uint64_t *out) {
    struct job job = {area, bytes, count};
    kw_parallel_for(kw_threads(), 0, body, &job);
    out[0] = area[0];
}
