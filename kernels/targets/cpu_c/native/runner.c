/* The runner: one process per candidate. Maps what the referee hands over, loads the candidate, serves calls.
   Everything that is decided (clock, expected values, verdict) is decided outside. See wire.h for the protocol. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "confine.h"
#include "pool.h"
#include "wire.h"

#define MAX_SEGMENTS 8
#define PAGE 4096u

static unsigned char *segment_base[MAX_SEGMENTS];
static uint64_t segment_size[MAX_SEGMENTS];
static int segment_writable[MAX_SEGMENTS];
static int request_fd, reply_fd, status_fd;

static void say(uint32_t kind, uint64_t a, uint64_t b) {
    struct kw_status record = {KW_STATUS_MAGIC, kind, a, b};
    if (write(status_fd, &record, sizeof record) < 0) _exit(KW_EXIT_STATUS);
}

static void on_fault(int number, siginfo_t *info, void *context) {
    (void)context;
    uint64_t address = (uint64_t)info->si_addr, segment = KW_NO_SEGMENT, offset = address;
    for (int i = 0; i < MAX_SEGMENTS; i++) {
        uint64_t base = (uint64_t)segment_base[i];
        if (base && address >= base && address < base + segment_size[i]) segment = (uint64_t)i, offset = address - base;
    }
    if (number == SIGSYS) say(KW_FORBIDDEN, (uint64_t)info->si_syscall, 0);
    else say(KW_FAULT, (uint64_t)number << 56 | segment, offset);
    _exit(KW_EXIT_FAULT);
}

static void install_handlers(void) {
    static unsigned char stack[65536];
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternate, NULL);
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGSYS};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sigaction(numbers[i], &action, NULL);
}

/* A segment's word: fd:size:r or fd:size:w:offset+length,offset+length,... with guard pages between the regions. */
static int map_segment(int index, char *word) {
    char *rest;
    int fd = (int)strtol(word, &rest, 10);
    uint64_t size = strtoull(rest + 1, &rest, 10);
    int writable = rest[1] == 'w', access = writable ? PROT_READ | PROT_WRITE : PROT_READ;
    unsigned char *base = mmap(NULL, size, writable ? PROT_NONE : access, MAP_SHARED, fd, 0);
    if (base == MAP_FAILED) return -1;
    if (!writable) madvise(base, size, MADV_HUGEPAGE);
    for (rest += 2; writable && *rest; ) {
        uint64_t offset = strtoull(rest + 1, &rest, 10), length = strtoull(rest + 1, &rest, 10);
        if (mprotect(base + offset, (length + PAGE - 1) / PAGE * PAGE, access)) return -1;
    }
    segment_base[index] = base, segment_size[index] = size, segment_writable[index] = writable;
    return 0;
}

static void touch_all(void) {
    volatile unsigned char sink = 0;
    for (int i = 0; i < MAX_SEGMENTS; i++) {
        if (!segment_base[i] || segment_writable[i]) continue;
        for (uint64_t at = 0; at < segment_size[i]; at += PAGE) sink += segment_base[i][at];
    }
    (void)sink;
}

typedef void (*entry_fn)(void *const *arguments);

static uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int take(struct kw_request *request) {
    size_t have = 0;
    while (have < sizeof *request) {
        ssize_t got = read(request_fd, (char *)request + have, sizeof *request - have);
        if (got == 0) return 0;
        if (got < 0 && errno != EINTR) return 0;
        if (got > 0) have += (size_t)got;
    }
    return 1;
}

static uint32_t call(entry_fn entry, const struct kw_request *request, struct kw_reply *reply) {
    void *arguments[KW_MAX_ARGUMENTS];
    if (request->arguments > KW_MAX_ARGUMENTS) return KW_BAD_REQUEST;
    for (uint32_t i = 0; i < request->arguments; i++) {
        uint64_t segment = request->pointer[i] >> 56, offset = request->pointer[i] & ((1ull << 56) - 1);
        if (segment >= MAX_SEGMENTS || !segment_base[segment] || offset >= segment_size[segment]) return KW_BAD_REQUEST;
        arguments[i] = segment_base[segment] + offset;
    }
    kw_fp_reset();
    reply->fp_before = kw_fp_mode();
    uint64_t started = now_ns();
    entry(arguments);
    reply->own_ns = now_ns() - started;
    reply->fp_after = kw_fp_mode();
    kw_fp_reset();
    return reply->fp_after != reply->fp_before || kw_pool_fp_changed() ? KW_FP_MODE_CHANGED : KW_OK;
}

static int serve(entry_fn entry) {
    static struct kw_request request;
    while (take(&request) && request.magic == KW_REQUEST_MAGIC && request.op != KW_QUIT) {
        struct kw_reply reply = {.magic = KW_REPLY_MAGIC, .seq = request.seq};
        if (request.op == KW_ARM) kw_pool_arm();
        if (request.op == KW_CALL) reply.status = call(entry, &request, &reply);
        if (write(reply_fd, &reply, sizeof reply) != sizeof reply) return KW_EXIT_STATUS;
    }
    return 0;
}

static int fail(uint32_t kind, int code, const char *text) {
    say(kind, 0, strlen(text));
    if (write(status_fd, text, strlen(text)) < 0) return KW_EXIT_STATUS;
    return code;
}

int main(int count, char **words) {
    if (count < 7) return KW_EXIT_SETUP;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    request_fd = atoi(words[3]), reply_fd = atoi(words[4]), status_fd = atoi(words[5]);
    for (int i = 6; i < count && i - 6 < MAX_SEGMENTS; i++)
        if (map_segment(i - 6, words[i])) return fail(KW_SETUP_FAILED, KW_EXIT_SETUP, strerror(errno));
    for (int i = 6; i < count && i - 6 < MAX_SEGMENTS; i++) close(atoi(words[i]));
    touch_all();
    install_handlers();
    if (kw_pool_start(atoi(words[2]))) return fail(KW_SETUP_FAILED, KW_EXIT_SETUP, "cannot start the thread pool");
    if (kw_confine_load()) return fail(KW_SETUP_FAILED, KW_EXIT_SETUP, "cannot install the system call filter");
    void *library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) return fail(KW_LOAD_FAILED, KW_EXIT_LOAD, dlerror());
    entry_fn entry = (entry_fn)dlsym(library, "kw_entry");
    if (!entry) return fail(KW_LOAD_FAILED, KW_EXIT_LOAD, "the object has no kw_entry");
    if (kw_confine_run(reply_fd, status_fd)) return fail(KW_SETUP_FAILED, KW_EXIT_SETUP, "cannot install the filter");
    struct kw_reply ready = {.magic = KW_REPLY_MAGIC};
    if (write(reply_fd, &ready, sizeof ready) != sizeof ready) return KW_EXIT_STATUS;
    _exit(serve(entry));
}
