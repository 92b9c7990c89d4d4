/* The runner: one process per candidate. Maps what the referee hands over, loads the candidate, serves calls.
   Everything that is decided (clock, expected values, verdict) is decided outside. See wire.h for the protocol. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "confine.h"
#include "faults.h"
#include "fp.h"
#include "limits.h"
#include "pool.h"
#include "raw.h"
#include "scribble.h"
#include "segments.h"
#include "spans.h"
#include "wire.h"

enum { LIBRARY = 1, THREADS, OWN_THREADS, REQUEST, REPLY, STATUS, SPANS, LIMITS, SEGMENTS };

typedef void (*entry_fn)(void *const *arguments);

static int request_fd, reply_fd;

static uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int take(struct kw_request *request) {
    size_t have = 0;
    while (have < sizeof *request) {
        long got = kw_raw_read(request_fd, (char *)request + have, sizeof *request - have);
        if (got == 0 || (got < 0 && got != -EINTR)) return 0;
        if (got > 0) have += (size_t)got;
    }
    return 1;
}

static uint32_t call(entry_fn entry, const struct kw_request *request, struct kw_reply *reply) {
    void *arguments[KW_MAX_ARGUMENTS];
    if (request->arguments > KW_MAX_ARGUMENTS) return KW_BAD_REQUEST;
    for (uint32_t i = 0; i < request->arguments; i++)
        if (!(arguments[i] = kw_pointer(request->pointer[i]))) return KW_BAD_REQUEST;
    kw_fp_reset();
    reply->fp_before = kw_fp_mode();
    uint64_t started = now_ns();
    kw_spans_edge(0, started);
    entry(arguments);
    kw_pool_settle();
    uint64_t ended = now_ns();
    kw_spans_edge(1, ended);
    reply->own_ns = ended - started;
    reply->fp_after = kw_fp_mode();
    kw_fp_reset();
    return reply->fp_after != reply->fp_before || kw_pool_fp_changed() ? KW_FP_MODE_CHANGED : KW_OK;
}

static int answer(struct kw_reply *reply) {
    reply->magic = KW_REPLY_MAGIC;
    return kw_raw_write(reply_fd, reply, sizeof *reply) == (long)sizeof *reply;
}

static int serve(entry_fn entry) {
    static struct kw_request request;
    while (take(&request) && request.magic == KW_REQUEST_MAGIC && request.op != KW_QUIT) {
        struct kw_reply reply = {.seq = request.seq};
        if (request.op == KW_ARM) kw_scribble(request.seq), kw_pool_arm();
        if (request.op == KW_CALL) reply.status = call(entry, &request, &reply);
        if (!answer(&reply)) return KW_EXIT_STATUS;
    }
    return 0;
}

static void *nothing(void *argument) { return argument; }

/* The C library sets itself up at first use, with calls that the filters refuse later. Thread-local arrays are allocated
   by it at their first use in a thread: from one arena for all, since others open their memory by mprotect. */
static void warm_up(int own) {
    pthread_t thread;
    if (!own) mallopt(M_ARENA_MAX, 1);
    void *volatile some = malloc(1);
    free(some);
    if (own && !pthread_create(&thread, NULL, nothing, NULL)) pthread_join(thread, NULL);
}

/* Libraries find the number of threads in the environment; nothing else is there. */
static void own_threads(const char *threads) {
    setenv("OMP_NUM_THREADS", threads, 1);
    setenv("OMP_DYNAMIC", "false", 1);
    setenv("GOMP_SPINCOUNT", "60000", 1); /* some 1 to 2 ms, in place of up to 10: asleep before it is looked at */
}

static void prepare(int count, char **words) {
    int threads = atoi(words[THREADS]), own = atoi(words[OWN_THREADS]);
    request_fd = atoi(words[REQUEST]), reply_fd = atoi(words[REPLY]);
    kw_faults_begin(atoi(words[STATUS]));
    if (kw_signal_stack()) kw_fail_text(KW_SETUP_FAILED, KW_EXIT_SETUP, "no memory for a signal stack");
    for (int i = SEGMENTS; i < count; i++)
        if (kw_map_segment(i - SEGMENTS, words[i])) kw_fail_text(KW_SETUP_FAILED, KW_EXIT_SETUP, strerror(errno));
    for (int i = SEGMENTS; i < count; i++) close(atoi(words[i]));
    if (kw_spans_begin(atoi(words[SPANS]))) kw_fail_text(KW_SETUP_FAILED, KW_EXIT_SETUP, "cannot map the marks");
    if (own) own_threads(words[THREADS]);
    if (kw_limits_apply(words[LIMITS], threads)) kw_fail_text(KW_SETUP_FAILED, KW_EXIT_SETUP, "cannot lower the limits");
    if (!own && kw_pool_start(threads)) kw_fail_text(KW_SETUP_FAILED, KW_EXIT_SETUP, "cannot start the thread pool");
    warm_up(own);
    struct rlimit none = {0, 0};
    if (!own && setrlimit(RLIMIT_NPROC, &none)) kw_fail_text(KW_SETUP_FAILED, KW_EXIT_SETUP, "cannot forbid processes");
}

static entry_fn load(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) kw_fail_text(KW_LOAD_FAILED, KW_EXIT_LOAD, dlerror());
    entry_fn entry = (entry_fn)dlsym(library, "kw_entry");
    if (!entry) kw_fail_text(KW_LOAD_FAILED, KW_EXIT_LOAD, "the object has no kw_entry");
    return entry;
}

int main(int count, char **words) {
    if (count < SEGMENTS) return KW_EXIT_SETUP;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, "kw-runner");
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prepare(count, words);
    int own = atoi(words[OWN_THREADS]);
    if (kw_confine_load(own)) kw_fail_text(KW_SETUP_FAILED, KW_EXIT_SETUP, "cannot install the system call filter");
    struct kw_reply prepared = {.status = KW_PREPARED}; /* what fails from here on is the candidate's doing */
    if (!answer(&prepared)) return KW_EXIT_STATUS;
    entry_fn entry = load(words[LIBRARY]);
    if (kw_confine_run(own)) kw_fail_text(KW_SETUP_FAILED, KW_EXIT_SETUP, "cannot install the second filter");
    struct kw_reply ready = {.threads = (uint32_t)atoi(words[THREADS])};
    if (!answer(&ready)) return KW_EXIT_STATUS;
    _exit(serve(entry));
}
