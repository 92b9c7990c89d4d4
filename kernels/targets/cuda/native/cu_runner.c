/* The CUDA runner: one process per candidate. Starts the driver, maps what the referee hands over, loads the candidate's
   cubin, serves calls. Everything that is decided is decided outside. The protocol is that of wire.h with two requests
   more: KW_STAGE before a call, KW_FETCH after it, so that copies lie outside of what the referee times. Its own
   nanoseconds are those of CUDA's events, from before the first launch to behind the last. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "cu_api.h"
#include "cu_calls.h"
#include "cu_confine.h"
#include "cu_marks.h"
#include "cu_memory.h"
#include "cu_program.h"
#include "faults.h"
#include "limits.h"
#include "raw.h"
#include "segments.h"
#include "wire.h"

enum { LIBRARY = 1, THREADS, OWN_THREADS, REQUEST, REPLY, STATUS, SPANS, LIMITS, SEGMENTS };

static int request_fd, reply_fd;
static struct kw_cu cu;
static struct kw_program program;

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
    static struct kw_cu_times times;
    uint64_t started = now_ns();
    uint32_t status = kw_cu_call(&cu, &program, request, &times);
    uint64_t ended = now_ns();
    if (status != KW_OK) return status;
    reply->own_ns = times.ended[program.launches - 1];
    kw_cu_marks_write(&program, &times, started, ended);
    return KW_OK;
}

static int answer(struct kw_reply *reply) {
    reply->magic = KW_REPLY_MAGIC;
    return kw_raw_write(reply_fd, reply, sizeof *reply) == (long)sizeof *reply;
}

static int serve(void) {
    static struct kw_request request;
    while (take(&request) && request.magic == KW_REQUEST_MAGIC && request.op != KW_QUIT) {
        struct kw_reply reply = {.seq = request.seq};
        if (request.op == KW_STAGE) reply.status = kw_memory_stage(&cu, &program, &request);
        if (request.op == KW_CALL) reply.status = call(&request, &reply);
        if (request.op == KW_FETCH) reply.status = kw_memory_fetch(&cu, &program, &request);
        if (!answer(&reply)) return KW_EXIT_STATUS;
    }
    return 0;
}

static void must(const char *wrong) {
    if (wrong) kw_fail_text(KW_SETUP_FAILED, KW_EXIT_SETUP, wrong);
}

static uint64_t size_in(const char *word) {
    const char *colon = strchr(word, ':');
    return colon ? strtoull(colon + 1, NULL, 10) : 0;
}

static void start_cuda(int count, char **words) {
    setenv("CUDA_MODULE_LOADING", "EAGER", 1); /* nothing is loaded at a first launch */
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    must(kw_cu_open(&cu));
    must(kw_cu_begin(&cu));
    for (int i = SEGMENTS; i < count; i++) kw_memory_mirror(&cu, (unsigned)(i - SEGMENTS), size_in(words[i]));
}

static void prepare(int count, char **words) {
    request_fd = atoi(words[REQUEST]), reply_fd = atoi(words[REPLY]);
    kw_faults_begin(atoi(words[STATUS]));
    must(kw_signal_stack() ? "no memory for a signal stack" : NULL);
    start_cuda(count, words);
    kw_faults_begin(atoi(words[STATUS])); /* once more: the driver may have put handlers of its own there */
    for (int i = SEGMENTS; i < count; i++)
        if (kw_map_segment(i - SEGMENTS, words[i])) must(strerror(errno));
    for (int i = SEGMENTS; i < count; i++) close(atoi(words[i]));
    must(kw_cu_marks_begin(atoi(words[SPANS])) ? "cannot map the marks" : NULL);
    must(kw_limits_apply(words[LIMITS], 1) ? "cannot lower the limits" : NULL);
}

static void load(const char *path, int marked) {
    const char *wrong = kw_program_read(&program, path);
    if (!wrong) wrong = kw_program_load(&program, &cu);
    if (wrong) kw_fail_text(KW_LOAD_FAILED, KW_EXIT_LOAD, wrong);
    kw_memory_begin(&cu, &program);
    kw_cu_calls_begin(&cu, &program, marked);
}

int main(int count, char **words) {
    if (count < SEGMENTS || count > SEGMENTS + KW_MAX_SEGMENTS) return KW_EXIT_SETUP;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, "kw-runner");
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prepare(count, words);
    must(kw_cu_confine_load() ? "cannot install the system call filter" : NULL);
    struct kw_reply prepared = {.status = KW_PREPARED}; /* what fails from here on is the candidate's doing */
    if (!answer(&prepared)) return KW_EXIT_STATUS;
    load(words[LIBRARY], atoi(words[SPANS]) >= 0);
    if (kw_cu_confine_run()) kw_fail_text(KW_SETUP_FAILED, KW_EXIT_SETUP, "cannot install the second filter");
    struct kw_reply ready = {.threads = 1};
    if (!answer(&ready)) return KW_EXIT_STATUS;
    _exit(serve());
}
