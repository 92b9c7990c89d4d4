#define _GNU_SOURCE
#include "limits.h"

#include <stdint.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "segments.h"

#define THREAD_BYTES (80ull << 20) /* a helper's stack and what malloc may reserve for it */
#define OPEN_FILES 64

static uint64_t next(const char **word) {
    char *rest;
    uint64_t value = strtoull(*word, &rest, 10);
    *word = *rest ? rest + 1 : rest;
    return value;
}

/* The soft limit tells (a signal that is caught), the hard one ends. Never above what we were given. */
static int lower(int what, uint64_t soft, uint64_t hard) {
    struct rlimit now, wanted = {soft, hard};
    if (getrlimit(what, &now)) return -1;
    if (wanted.rlim_max > now.rlim_max) wanted.rlim_max = now.rlim_max;
    if (wanted.rlim_cur > wanted.rlim_max) wanted.rlim_cur = wanted.rlim_max;
    return setrlimit(what, &wanted);
}

static int drop_capabilities(void) {
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {{0}};
    return (int)syscall(SYS_capset, &head, none);
}

int kw_limits_apply(const char *word, int threads) {
    uint64_t space = next(&word) + kw_mapped() + THREAD_BYTES * (uint64_t)threads, cpu = next(&word);
    uint64_t file = next(&word), realtime = next(&word), stack = next(&word);
#ifdef KW_SANITIZE
    space = RLIM_INFINITY; /* the shadow memory reserves terabytes and uses few of them */
#endif
    return lower(RLIMIT_AS, space, space) || lower(RLIMIT_CPU, cpu, cpu + 2) || lower(RLIMIT_FSIZE, file, file) ||
           lower(RLIMIT_RTTIME, realtime, realtime + realtime / 4) || lower(RLIMIT_STACK, stack, stack) ||
           lower(RLIMIT_CORE, 0, 0) || lower(RLIMIT_NOFILE, OPEN_FILES, OPEN_FILES) || drop_capabilities();
}
