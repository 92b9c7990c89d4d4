/* Every thread adds to a word of its own, `count` thousands of times. APART: bytes between the words. */
#include "kernelwright.h"

struct job { uint8_t *area; int64_t times; };

static void body(void *context, int64_t begin, int64_t end, int thread) {
    const struct job *job = context;
    (void)thread;
    for (int64_t t = begin; t < end; t++) {
        volatile uint64_t *word = (volatile uint64_t *)(job->area + t * APART);
        for (int64_t i = 0; i < job->times * 1000; i++) *word += 1;
    }
}

void probe(uint8_t *area, int64_t bytes, int64_t count, uint64_t *out) {
    struct job job = {area, count};
    (void)bytes;
    kw_parallel_for(kw_threads(), 0, body, &job);
    out[0] = *(uint64_t *)area;
}
