/* The OpenCL runner: one process per candidate. Starts OpenCL, maps what the referee hands over, loads the candidate's
   program, serves calls. Everything that is decided is decided outside. The protocol is that of wire.h; its own
   nanoseconds are those of the device's events, from the start of the first launch to the end of the last. */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "cl_api.h"
#include "cl_calls.h"
#include "cl_confine.h"
#include "cl_marks.h"
#include "cl_program.h"
#include "faults.h"
#include "fp.h"
#include "limits.h"
#include "raw.h"
#include "scribble.h"
#include "segments.h"
#include "wire.h"

enum { LIBRARY = 1, THREADS, OWN_THREADS, REQUEST, REPLY, STATUS, SPANS, LIMITS, SEGMENTS };

static int request_fd, reply_fd;
static struct kw_cl cl;
static struct kw_program program;
static cl_object context, queue;

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

static uint32_t call(const struct kw_request *request, struct kw_reply *reply) {
    struct kw_cl_times times;
    kw_fp_reset();
    reply->fp_before = kw_fp_mode();
    uint64_t started = now_ns();
    uint32_t status = kw_cl_call(&cl, context, queue, &program, request, &times);
    uint64_t ended = now_ns();
    reply->fp_after = kw_fp_mode();
    kw_fp_reset();
    if (status != KW_OK) return status;
    reply->own_ns = times.ended[program.launches - 1] - times.began[0];
    kw_cl_marks_write(&program, &times, started, ended);
    return reply->fp_after != reply->fp_before ? KW_FP_MODE_CHANGED : KW_OK;
}

static int answer(struct kw_reply *reply) {
    reply->magic = KW_REPLY_MAGIC;
    return kw_raw_write(reply_fd, reply, sizeof *reply) == (long)sizeof *reply;
}

static int serve(void) {
    static struct kw_request request;
    while (take(&request) && request.magic == KW_REQUEST_MAGIC && request.op != KW_QUIT) {
        struct kw_reply reply = {.seq = request.seq};
        if (request.op == KW_ARM) kw_scribble(request.seq);
        if (request.op == KW_CALL) reply.status = call(&request, &reply);
        if (!answer(&reply)) return KW_EXIT_STATUS;
    }
    return 0;
}

static void must(const char *wrong) {
    if (wrong) kw_fail_text(KW_SETUP_FAILED, KW_EXIT_SETUP, wrong);
}

/* PoCL finds the number of its threads in the environment; one thread a CPU, each on its own. */
static void start_opencl(const char *threads) {
    int32_t wrong;
    setenv("POCL_MAX_PTHREAD_COUNT", threads, 1);
    setenv("POCL_AFFINITY", "1", 1);
    setenv("POCL_CACHE_DIR", KW_OPENCL_CACHE, 1);
    must(kw_cl_open(&cl));
    context = cl.create_context(NULL, 1, &cl.device, NULL, NULL, &wrong);
    must(wrong ? "no OpenCL context" : NULL);
    queue = cl.create_queue(context, cl.device, CL_QUEUE_PROFILING_ENABLE, &wrong);
    must(wrong ? "no OpenCL command queue" : NULL);
}

static void prepare(int count, char **words) {
    int threads = atoi(words[THREADS]);
    request_fd = atoi(words[REQUEST]), reply_fd = atoi(words[REPLY]);
    mallopt(M_ARENA_MAX, 1); /* others open their memory by mprotect, which is refused later */
    kw_faults_begin(atoi(words[STATUS]));
    must(kw_signal_stack() ? "no memory for a signal stack" : NULL);
    start_opencl(words[THREADS]);
    kw_faults_begin(atoi(words[STATUS])); /* once more: the compiler within PoCL has put handlers of its own there */
    for (int i = SEGMENTS; i < count; i++)
        if (kw_map_segment(i - SEGMENTS, words[i])) must(strerror(errno));
    for (int i = SEGMENTS; i < count; i++) close(atoi(words[i]));
    must(kw_cl_marks_begin(atoi(words[SPANS])) ? "cannot map the marks" : NULL);
    must(kw_limits_apply(words[LIMITS], threads) ? "cannot lower the limits" : NULL);
    struct rlimit none = {0, 0};
    must(setrlimit(RLIMIT_NPROC, &none) ? "cannot forbid processes" : NULL);
}

static void load(const char *path) {
    const char *wrong = kw_program_read(&program, path);
    if (!wrong) wrong = kw_program_load(&program, &cl, context);
    if (!wrong) wrong = kw_program_pin(KW_OPENCL_CACHE);
    if (wrong) kw_fail_text(KW_LOAD_FAILED, KW_EXIT_LOAD, wrong);
}

int main(int count, char **words) {
    if (count < SEGMENTS) return KW_EXIT_SETUP;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, "kw-runner");
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prepare(count, words);
    must(kw_cl_confine_load() ? "cannot install the system call filter" : NULL);
    struct kw_reply prepared = {.status = KW_PREPARED}; /* what fails from here on is the candidate's doing */
    if (!answer(&prepared)) return KW_EXIT_STATUS;
    load(words[LIBRARY]);
    if (kw_cl_confine_run()) kw_fail_text(KW_SETUP_FAILED, KW_EXIT_SETUP, "cannot install the second filter");
    struct kw_reply ready = {.threads = (uint32_t)atoi(words[THREADS])};
    if (!answer(&ready)) return KW_EXIT_STATUS;
    _exit(serve());
}
