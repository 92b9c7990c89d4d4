/* System call filters (seccomp-bpf) of the runner. Both stay for good; the kernel takes the stricter answer. */
#define _GNU_SOURCE
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#define ARCHITECTURE 0
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define WHEN(number, value) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), ANSWER(value)
#define PROLOGUE                                                                                     \
    LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0), ANSWER(SECCOMP_RET_KILL_PROCESS), \
        LOAD(nr), BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 0, 1), ANSWER(SECCOMP_RET_KILL_PROCESS)
#define DENY SECCOMP_RET_TRAP
#define ALLOW SECCOMP_RET_ALLOW

static int install(struct sock_filter *code, size_t count) {
    struct sock_fprog program = {.len = (unsigned short)count, .filter = code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return -1;
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}

int kw_confine_load(void) {
    struct sock_filter code[] = {
        PROLOGUE,
        WHEN(SYS_clone, DENY), WHEN(SYS_clone3, DENY), WHEN(SYS_execve, DENY), WHEN(SYS_execveat, DENY),
#ifdef SYS_fork
        WHEN(SYS_fork, DENY), WHEN(SYS_vfork, DENY),
#endif
        WHEN(SYS_socket, DENY), WHEN(SYS_socketpair, DENY), WHEN(SYS_connect, DENY), WHEN(SYS_bind, DENY),
        WHEN(SYS_ptrace, DENY), WHEN(SYS_process_vm_readv, DENY), WHEN(SYS_process_vm_writev, DENY),
        WHEN(SYS_kill, DENY), WHEN(SYS_tkill, DENY), WHEN(SYS_tgkill, DENY), WHEN(SYS_setsid, DENY),
        WHEN(SYS_unshare, DENY), WHEN(SYS_setns, DENY), WHEN(SYS_mount, DENY), WHEN(SYS_perf_event_open, DENY),
        WHEN(SYS_bpf, DENY), WHEN(SYS_memfd_create, DENY), WHEN(SYS_prlimit64, DENY), WHEN(SYS_setrlimit, DENY),
        WHEN(SYS_sched_setscheduler, DENY), WHEN(SYS_sched_setaffinity, DENY), WHEN(SYS_clock_settime, DENY),
        WHEN(SYS_unlinkat, DENY), WHEN(SYS_renameat2, DENY), WHEN(SYS_ftruncate, DENY), WHEN(SYS_io_uring_setup, DENY),
#ifdef SYS_open
        WHEN(SYS_open, DENY), WHEN(SYS_creat, DENY), WHEN(SYS_unlink, DENY), WHEN(SYS_rename, DENY),
#endif
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 4),
        LOAD(args[2]), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, 0, 1), ANSWER(DENY),
        ANSWER(ALLOW),
        ANSWER(ALLOW),
    };
    return install(code, sizeof code / sizeof *code);
}

int kw_confine_run(int reply_fd, int status_fd) {
    struct sock_filter code[] = {
        PROLOGUE,
        WHEN(SYS_futex, ALLOW), WHEN(SYS_read, ALLOW), WHEN(SYS_clock_gettime, ALLOW), WHEN(SYS_sched_yield, ALLOW),
        WHEN(SYS_exit_group, ALLOW), WHEN(SYS_exit, ALLOW), WHEN(SYS_rt_sigreturn, ALLOW), WHEN(SYS_munmap, ALLOW),
        WHEN(SYS_brk, ALLOW), WHEN(SYS_madvise, ALLOW), WHEN(SYS_restart_syscall, ALLOW),
        WHEN(SYS_sched_getaffinity, ALLOW), WHEN(SYS_rseq, ALLOW),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 0, 6), LOAD(args[0]), WHEN((unsigned)reply_fd, ALLOW),
        WHEN((unsigned)status_fd, ALLOW), ANSWER(SECCOMP_RET_ERRNO | EBADF),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 4), LOAD(args[4]), WHEN(0xffffffffu, ALLOW), ANSWER(DENY),
        ANSWER(DENY),
    };
    return install(code, sizeof code / sizeof *code);
}
