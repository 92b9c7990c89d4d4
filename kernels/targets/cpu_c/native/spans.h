/* Marks of a profiled build: KW_SPAN_BEGIN and KW_SPAN_END of the kernel header, per thread, for one call. */
#ifndef KW_SPANS_H
#define KW_SPANS_H
#include <stdint.h>

#define KW_SPANS_MAGIC 0x4b575350u
#define KW_SPAN_NAMES 64
#define KW_SPAN_NAME_BYTES 32
#define KW_SPAN_MARKS 4096
#define KW_SPAN_THREADS 64

struct kw_mark {
    uint64_t tick;
    uint32_t name, begins;
};

/* The shared memory that the referee reads; kernels/sandbox/spans.py has the same layout. Ticks become nanoseconds by
   the two (clock, tick) pairs that were taken around the call. */
struct kw_spans {
    uint32_t magic, names;
    uint64_t clock[2], tick[2];
    char name[KW_SPAN_NAMES][KW_SPAN_NAME_BYTES];
    struct {
        uint64_t count; /* may be more than KW_SPAN_MARKS: the rest was not kept */
        struct kw_mark mark[KW_SPAN_MARKS];
    } thread[KW_SPAN_THREADS];
};

/* Maps the memory; a negative descriptor means that nothing is recorded. 0 on success. */
int kw_spans_begin(int fd);
/* A thread begins or ends its share of a parallel loop: a span "parallel N", N the same for the same body. The first one
   of a body is marked before helpers see it. Nothing where nothing is recorded. */
void kw_spans_share(const void *body, int begins);
/* At the start (0) and at the end (1) of a call. */
void kw_spans_edge(int end, uint64_t clock_ns);
#endif
