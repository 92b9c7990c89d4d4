/* Starts and ends a parallel section with nothing in it, once for each of `count`. CHUNKS: pieces of a dynamic one. */
#include "kernelwright.h"
#ifndef CHUNKS
#define CHUNKS 0
#endif

static void body(void *context, int64_t begin, int64_t end, int thread) {
    uint64_t *seen = context;
    if (end < begin) seen[thread & 7] = 1;
}

void probe(uint8_t *area, int64_t bytes, int64_t count, uint64_t *out) {
    (void)area, (void)bytes;
    for (int64_t i = 0; i < count; i++) {
#if CHUNKS
        kw_parallel_for(CHUNKS, 1, body, out);
#else
        kw_parallel_for(kw_threads(), 0, body, out);
#endif
    }
    out[0] = (uint64_t)count;
}
