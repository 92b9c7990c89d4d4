/* The harness's pinned thread pool behind kw_parallel_for: helpers spin for a bounded time, then sleep on a futex. */
#define _GNU_SOURCE
#include "pool.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "faults.h"
#include "fp.h"
#include "scribble.h"
#include "spans.h"

#define MAX_THREADS 256
#define SPIN_NS 3000000
#define SPINS_BEFORE_YIELD 20000
#define EXPORTED __attribute__((visibility("default")))

typedef void (*body_fn)(void *context, int64_t begin, int64_t end, int thread);

static struct {
    _Alignas(64) atomic_uint generation;
    _Alignas(64) atomic_int working;
    _Alignas(64) atomic_llong next;
    _Alignas(64) atomic_int sleepers;
    _Alignas(64) int threads;
    body_fn body;
    void *context;
    int64_t n, chunk;
    atomic_int fp_changed, started;
} pool = {.threads = 1};

_Thread_local int kw_thread;
static _Thread_local int inside;

static void relax(void) {
#if defined(__x86_64__)
    _mm_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void share(int thread) {
    int64_t n = pool.n, chunk = pool.chunk;
    inside = 1;
    if (chunk <= 0) {
        int64_t begin = n * thread / pool.threads, end = n * (thread + 1) / pool.threads;
        if (begin < end) pool.body(pool.context, begin, end, thread);
    } else {
        int64_t begin;
        while ((begin = atomic_fetch_add_explicit(&pool.next, chunk, memory_order_relaxed)) < n)
            pool.body(pool.context, begin, begin + chunk < n ? begin + chunk : n, thread);
    }
    inside = 0;
}

static unsigned await_generation(unsigned seen) {
    int64_t until = now_ns() + SPIN_NS;
    for (unsigned i = 1;; i++) {
        unsigned now = atomic_load_explicit(&pool.generation, memory_order_acquire);
        if (now != seen) return now;
        relax();
        if (i % 512 || now_ns() < until) continue;
        atomic_fetch_add(&pool.sleepers, 1);
        syscall(SYS_futex, &pool.generation, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
        atomic_fetch_sub(&pool.sleepers, 1);
        until = now_ns() + SPIN_NS;
    }
}

static void *helper(void *argument) {
    int thread = kw_thread = (int)(intptr_t)argument;
    unsigned seen = 0;
    (void)kw_signal_stack(); /* without it only an overflow of this stack goes unexplained */
    atomic_fetch_add(&pool.started, 1);
    for (;;) {
        seen = await_generation(seen);
        if (!pool.body) {
            kw_scribble(seen);
        } else {
            kw_fp_reset();
            uint32_t before = kw_fp_mode();
            kw_spans_share((const void *)pool.body, 1);
            share(thread);
            kw_spans_share((const void *)pool.body, 0);
            if (kw_fp_mode() != before) atomic_store(&pool.fp_changed, 1);
        }
        atomic_fetch_sub_explicit(&pool.working, 1, memory_order_release);
    }
    return NULL;
}

static void publish(body_fn body, void *context, int64_t n, int64_t chunk) {
    pool.body = body, pool.context = context, pool.n = n, pool.chunk = chunk;
    atomic_store_explicit(&pool.next, 0, memory_order_relaxed);
    atomic_store_explicit(&pool.working, pool.threads - 1, memory_order_relaxed);
    atomic_fetch_add(&pool.generation, 1);
    if (atomic_load(&pool.sleepers)) syscall(SYS_futex, &pool.generation, FUTEX_WAKE_PRIVATE, MAX_THREADS, NULL, NULL, 0);
}

/* In real time a helper may need the very CPU that waits for it: so yield now and then. */
static void join(void) {
    for (unsigned i = 1; atomic_load_explicit(&pool.working, memory_order_acquire) > 0; i++) {
        relax();
        if (i % SPINS_BEFORE_YIELD == 0) sched_yield();
    }
}

EXPORTED void kw_parallel_for(int64_t n, int64_t chunk, body_fn body, void *context) {
    if (n <= 0) return;
    if (inside) {
        body(context, 0, n, kw_thread);
        return;
    }
    kw_spans_share((const void *)body, 1);
    if (pool.threads > 1) {
        publish(body, context, n, chunk);
        share(0);
    } else {
        inside = 1;
        body(context, 0, n, kw_thread);
        inside = 0;
    }
    kw_spans_share((const void *)body, 0);
    join();
}

void kw_pool_settle(void) {
    if (pool.threads > 1) join();
}

EXPORTED int kw_threads(void) { return pool.threads; }

void kw_pool_arm(void) {
    if (pool.threads == 1) return;
    publish(NULL, NULL, 0, 0);
    join();
}

int kw_pool_fp_changed(void) { return atomic_exchange(&pool.fp_changed, 0); }

static int nth_cpu(const cpu_set_t *allowed, int n) {
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, allowed) && n-- == 0) return cpu;
    return -1;
}

int kw_pool_start(int threads) {
    cpu_set_t allowed, one;
    if (threads < 1 || threads > MAX_THREADS || sched_getaffinity(0, sizeof allowed, &allowed)) return -1;
    for (int thread = 0; thread < threads; thread++) {
        int cpu = nth_cpu(&allowed, thread);
        CPU_ZERO(&one);
        if (cpu >= 0) CPU_SET(cpu, &one);
        if (thread == 0) {
            if (cpu >= 0) sched_setaffinity(0, sizeof one, &one);
            continue;
        }
        pthread_attr_t attributes;
        pthread_t id;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, 8u << 20);
        if (cpu >= 0) pthread_attr_setaffinity_np(&attributes, sizeof one, &one);
        int failed = pthread_create(&id, &attributes, helper, (void *)(intptr_t)thread);
        pthread_attr_destroy(&attributes);
        if (failed) return -1;
    }
    while (atomic_load(&pool.started) < threads - 1) sched_yield();
    pool.threads = threads;
    return 0;
}
