/* Reads the area, a contiguous share a thread, once for each of `count`. PREFETCH: bytes ahead, 0 for none; OFFSET: of
   the first byte from a line. */
#include "kernelwright.h"
#ifndef PREFETCH
#define PREFETCH 0
#endif
#ifndef OFFSET
#define OFFSET 0
#endif

typedef uint64_t line __attribute__((vector_size(64), aligned(1), may_alias));
struct job { const uint8_t *area; int64_t bytes, passes; uint64_t *out; };

static void body(void *context, int64_t begin, int64_t end, int thread) {
    const struct job *job = context;
    int64_t share = job->bytes / kw_threads() / 512 * 512;
    line a = {0}, b = {0}, c = {0}, d = {0};
    for (int64_t t = begin; t < end; t++) {
        const uint8_t *from = job->area + t * share + OFFSET;
        for (int64_t pass = 0; pass < job->passes; pass++) {
            for (int64_t i = 0; i + 256 + OFFSET <= share; i += 256) {
#if PREFETCH
#pragma GCC unroll 4
                for (int k = 0; k < 4; k++) __builtin_prefetch(from + i + PREFETCH + 64 * k, 0, 3);
#endif
                a += *(const line *)(from + i);
                b += *(const line *)(from + i + 64);
                c += *(const line *)(from + i + 128);
                d += *(const line *)(from + i + 192);
            }
            __atomic_signal_fence(__ATOMIC_SEQ_CST);
        }
    }
    a += b + c + d;
    job->out[thread & 7] = a[0] + a[1] + a[2] + a[3] + a[4] + a[5] + a[6] + a[7];
}

void probe(uint8_t *area, int64_t bytes, int64_t count, uint64_t *out) {
    struct job job = {area, bytes, count, out};
    kw_parallel_for(kw_threads(), 0, body, &job);
}
