#define _GNU_SOURCE
#include "spans.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "pool.h"

static struct kw_spans *spans;
static _Atomic(const void *) known[KW_SPAN_NAMES];
static atomic_uint names, bodies;

static uint64_t tick(void) {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    uint64_t value;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
    return value;
#endif
}

/* By the address of the literal; two threads that meet a new name at once may give it two numbers. name NULL: the next
   "parallel N". */
static uint32_t number_of(const void *key, const char *name) {
    unsigned count = atomic_load_explicit(&names, memory_order_acquire);
    for (unsigned i = 0; i < count && i < KW_SPAN_NAMES; i++)
        if (atomic_load_explicit(&known[i], memory_order_relaxed) == key) return i;
    unsigned mine = atomic_fetch_add(&names, 1);
    if (mine >= KW_SPAN_NAMES) return KW_SPAN_NAMES - 1;
    if (name) strncpy(spans->name[mine], name, KW_SPAN_NAME_BYTES - 1);
    else snprintf(spans->name[mine], KW_SPAN_NAME_BYTES, "parallel %u", atomic_fetch_add(&bodies, 1) + 1);
    atomic_store(&known[mine], key);
    return mine;
}

static void mark(const void *key, const char *name, int begins) {
    if (!spans || kw_thread >= KW_SPAN_THREADS) return;
    uint64_t at = spans->thread[kw_thread].count++;
    if (at >= KW_SPAN_MARKS) return;
    struct kw_mark *one = &spans->thread[kw_thread].mark[at];
    one->name = number_of(key, name), one->begins = (uint32_t)begins, one->tick = tick();
}

__attribute__((visibility("default"))) void kw_span(const char *name, int begins);
void kw_span(const char *name, int begins) { mark(name, name, begins); }

void kw_spans_share(const void *body, int begins) { mark(body, NULL, begins); }

int kw_spans_begin(int fd) {
    if (fd < 0) return 0;
    void *memory = mmap(NULL, sizeof *spans, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    if (memory == MAP_FAILED) return -1;
    spans = memory;
    spans->magic = KW_SPANS_MAGIC;
    return close(fd);
}

void kw_spans_edge(int end, uint64_t clock_ns) {
    if (!spans) return;
    if (!end)
        for (int i = 0; i < KW_SPAN_THREADS; i++) spans->thread[i].count = 0;
    spans->names = atomic_load(&names) < KW_SPAN_NAMES ? atomic_load(&names) : KW_SPAN_NAMES;
    spans->clock[end] = clock_ns, spans->tick[end] = tick();
}
