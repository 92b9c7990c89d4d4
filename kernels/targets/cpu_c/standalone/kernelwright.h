/* Stand-alone form of the kernel header: the same names, with a small pthread pool of its own.
   Link with -lpthread. Set KW_THREADS in the environment to choose the number of threads. */
#ifndef KERNELWRIGHT_H
#define KERNELWRIGHT_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

#define KW_SPAN_BEGIN(name)
#define KW_SPAN_END(name)

typedef void (*kw_body)(void *context, int64_t begin, int64_t end, int thread);

#define KW_MAX_THREADS 64

static struct {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    atomic_uint generation;
    atomic_int working;
    atomic_llong next;
    int threads;
    kw_body body;
    void *context;
    int64_t n, chunk;
} kw_pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};

static inline void kw_pool_share(int thread) {
    int64_t n = kw_pool.n;
    if (kw_pool.chunk <= 0) {
        int64_t begin = n * thread / kw_pool.threads, end = n * (thread + 1) / kw_pool.threads;
        if (begin < end) kw_pool.body(kw_pool.context, begin, end, thread);
        return;
    }
    for (;;) {
        int64_t begin = atomic_fetch_add(&kw_pool.next, kw_pool.chunk);
        if (begin >= n) return;
        int64_t end = begin + kw_pool.chunk < n ? begin + kw_pool.chunk : n;
        kw_pool.body(kw_pool.context, begin, end, thread);
    }
}

static inline void *kw_pool_helper(void *argument) {
    int thread = (int)(intptr_t)argument;
    unsigned seen = 0;
    for (;;) {
        for (int spin = 0; spin < 200000 && atomic_load(&kw_pool.generation) == seen; spin++) sched_yield();
        pthread_mutex_lock(&kw_pool.lock);
        while (atomic_load(&kw_pool.generation) == seen) pthread_cond_wait(&kw_pool.wake, &kw_pool.lock);
        seen = atomic_load(&kw_pool.generation);
        pthread_mutex_unlock(&kw_pool.lock);
        kw_pool_share(thread);
        atomic_fetch_sub(&kw_pool.working, 1);
    }
    return NULL;
}

static inline int kw_threads(void) {
    if (kw_pool.threads) return kw_pool.threads;
    const char *asked = getenv("KW_THREADS");
    long n = asked ? atol(asked) : sysconf(_SC_NPROCESSORS_ONLN);
    kw_pool.threads = n < 1 ? 1 : n > KW_MAX_THREADS ? KW_MAX_THREADS : (int)n;
    for (int t = 1; t < kw_pool.threads; t++) {
        pthread_t helper;
        pthread_create(&helper, NULL, kw_pool_helper, (void *)(intptr_t)t);
        pthread_detach(helper);
    }
    return kw_pool.threads;
}

static inline void kw_parallel_for(int64_t n, int64_t chunk, kw_body body, void *context) {
    int threads = kw_threads();
    pthread_mutex_lock(&kw_pool.lock);
    kw_pool.n = n, kw_pool.chunk = chunk, kw_pool.body = body, kw_pool.context = context;
    atomic_store(&kw_pool.next, 0);
    atomic_store(&kw_pool.working, threads - 1);
    atomic_fetch_add(&kw_pool.generation, 1);
    pthread_cond_broadcast(&kw_pool.wake);
    pthread_mutex_unlock(&kw_pool.lock);
    kw_pool_share(0);
    while (atomic_load(&kw_pool.working) > 0) sched_yield();
}
#endif
