#define _GNU_SOURCE
#include "cu_confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "raw.h"

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif
#define MOST 128
#define LENGTH(list) (sizeof(list) / sizeof *(list))

static struct sock_filter code[MOST];
static unsigned count;

static void put(uint16_t what, uint32_t k, uint8_t yes, uint8_t no) {
    if (count < MOST) code[count] = (struct sock_filter){what, yes, no, k};
    count++;
}

static void load(uint32_t offset) { put(BPF_LD | BPF_W | BPF_ABS, offset, 0, 0); }
static void answer(uint32_t verdict) { put(BPF_RET | BPF_K, verdict, 0, 0); }

static void begin(void) {
    count = 0;
    load(offsetof(struct seccomp_data, arch));
    put(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    answer(SECCOMP_RET_KILL_PROCESS);
    load(offsetof(struct seccomp_data, nr));
}

static void refuse(uint32_t call) {
    put(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1);
    answer(SECCOMP_RET_TRAP);
}

/* Refuses when all of the bits `unless` are clear, or any of the bits `if_any` is set, in the low word of an argument. */
static void refuse_bits(uint32_t call, unsigned argument, uint32_t if_any, uint32_t unless) {
    put(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4);
    load((uint32_t)(offsetof(struct seccomp_data, args) + 8u * argument));
    put(BPF_JMP | BPF_JSET | BPF_K, if_any ? if_any : unless, if_any ? 0 : 1, if_any ? 1 : 0);
    answer(SECCOMP_RET_TRAP);
    answer(SECCOMP_RET_ALLOW);
}

static int install(void) {
    answer(SECCOMP_RET_ALLOW);
    if (count > MOST) return -1;
    struct sock_fprog program = {.len = (unsigned short)count, .filter = code};
    return (int)kw_raw_seccomp(SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}

int kw_cu_confine_load(void) {
    const uint32_t refused[] = {
        SYS_execve,  SYS_execveat,         SYS_ptrace,         SYS_process_vm_readv, SYS_process_vm_writev,
        SYS_socket,  SYS_socketpair,       SYS_connect,        SYS_bind,             SYS_listen,
        SYS_accept,  SYS_accept4,          SYS_bpf,            SYS_mount,            SYS_umount2,
        SYS_chroot,  SYS_pivot_root,       SYS_setns,          SYS_unshare,          SYS_init_module,
        SYS_finit_module, SYS_kexec_load,  SYS_perf_event_open, SYS_userfaultfd,     SYS_keyctl,
        SYS_add_key, SYS_request_key,
#ifdef SYS_fork
        SYS_fork,    SYS_vfork,
#endif
    };
    begin();
    for (unsigned i = 0; i < LENGTH(refused); i++) refuse(refused[i]);
    return install();
}

int kw_cu_confine_run(void) {
    begin();
    put(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1); /* its flags cannot be seen: the C library falls back to clone */
    answer(SECCOMP_RET_ERRNO | ENOSYS);
    refuse_bits(SYS_clone, 0, 0, CLONE_THREAD);
    refuse_bits(SYS_openat, 2, O_CREAT | O_TRUNC | O_APPEND, 0);
    return install();
}
