/* A fault, a forbidden system call or a used-up limit becomes one record outside, then the process ends. */
#define _GNU_SOURCE
#include "faults.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "raw.h"
#include "segments.h"
#include "wire.h"

#define STACK_BYTES 65536
#define ROOM (32u << 20)

static int status_fd = -1;

static _Noreturn void end(const struct kw_status *record, const char *text, int code) {
    if (kw_raw_write(status_fd, record, sizeof *record) < 0) _exit(KW_EXIT_STATUS);
    if (record->length && kw_raw_write(status_fd, text, record->length) < 0) _exit(KW_EXIT_STATUS);
    _exit(code);
}

_Noreturn void kw_fail_text(uint32_t kind, int code, const char *text) {
    struct kw_status record = {.magic = KW_STATUS_MAGIC, .kind = kind, .segment = -1, .length = (uint32_t)strlen(text)};
    end(&record, text, code);
}

static uint32_t access_of(const ucontext_t *context) {
#if defined(__x86_64__)
    return context->uc_mcontext.gregs[REG_ERR] & 2 ? KW_WRITES : KW_READS;
#else
    const struct _aarch64_ctx *part = (const void *)context->uc_mcontext.__reserved;
    for (; part->magic && part->size; part = (const void *)((const char *)part + part->size))
        if (part->magic == ESR_MAGIC) return ((const struct esr_context *)part)->esr & 64 ? KW_WRITES : KW_READS;
    return KW_UNKNOWN;
#endif
}

/* The address space is used up: what looked like a wild pointer may be a failed allocation. */
static int no_room(void) {
    void *room = mmap(NULL, ROOM, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) return 1;
    munmap(room, ROOM);
    return 0;
}

static void on_signal(int number, siginfo_t *info, void *context) {
    struct kw_status record = {.magic = KW_STATUS_MAGIC, .kind = KW_FAULT, .signal = (uint32_t)number, .segment = -1};
    if (number == SIGSYS) {
        record.kind = info->si_syscall == SYS_mmap ? KW_NO_MEMORY : KW_FORBIDDEN;
        record.number = info->si_syscall;
    } else if (number == SIGXCPU) {
        record.kind = KW_TIME_LIMIT;
    } else {
        record.address = (uint64_t)info->si_addr;
        record.access = number == SIGSEGV || number == SIGBUS ? access_of(context) : KW_UNKNOWN;
        record.segment = kw_segment_at(record.address, &record.offset);
        if (record.segment < 0 && number == SIGSEGV && no_room()) record.kind = KW_NO_MEMORY;
    }
    end(&record, "", KW_EXIT_FAULT);
}

/* Referenced by objects that are compiled with -fstack-protector. */
__attribute__((visibility("default"))) _Noreturn void __stack_chk_fail(void);
_Noreturn void __stack_chk_fail(void) { kw_fail_text(KW_STACK_SMASHED, KW_EXIT_FAULT, ""); }

int kw_signal_stack(void) {
    void *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED) return -1;
    stack_t alternate = {.ss_sp = stack, .ss_size = STACK_BYTES};
    return sigaltstack(&alternate, NULL);
}

void kw_faults_begin(int fd) {
    status_fd = fd;
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGXCPU};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sigaction(numbers[i], &action, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a full log swallows what is written */
}
