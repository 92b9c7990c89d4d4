#define _GNU_SOURCE
#include "confine.h"

#include <errno.h>
#include <link.h>
#include <sched.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "filter.h"
#include "raw.h"

static const struct kw_range NOWHERE;

static struct kw_range after(const char *label) { return (struct kw_range){(uint64_t)label, (uint64_t)label}; }

static int find_loader(struct dl_phdr_info *info, size_t size, void *found) {
    (void)size;
    if (info->dlpi_addr != getauxval(AT_BASE)) return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uint64_t low = info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && part->p_flags & PF_X) *(struct kw_range *)found = (struct kw_range){low, low + part->p_memsz};
    }
    return 1;
}

/* Harmless in every stage: memory, time, waiting, ending. */
static void common(struct kw_filter *f, int own_threads) {
    const unsigned calls[] = {
        SYS_futex, SYS_clock_gettime, SYS_sched_yield, SYS_exit_group, SYS_exit, SYS_rt_sigreturn, SYS_munmap,
        SYS_brk, SYS_restart_syscall, SYS_sched_getaffinity, SYS_rseq,
    };
    for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++) kw_allow(f, calls[i]);
    kw_allow_value(f, SYS_madvise, 2, MADV_DONTNEED);
    kw_allow_write(f, SYS_write, after(kw_after_write));
    if (!own_threads) return;
    unsigned flags = CLONE_VM | CLONE_THREAD | CLONE_SIGHAND | CLONE_FILES;
    kw_allow_masked(f, SYS_clone, 0, flags, flags, NOWHERE);
    kw_fail(f, SYS_clone3, ENOSYS); /* its flags lie in memory, where a filter cannot look */
    kw_allow(f, SYS_set_robust_list);
    kw_allow(f, SYS_rt_sigprocmask);
}

int kw_confine_load(int own_threads) {
    static struct kw_filter f;
    struct kw_range loader = {0, 0};
    dl_iterate_phdr(find_loader, &loader);
    kw_filter_begin(&f);
    const unsigned loading[] = {
        SYS_pread64, SYS_fstat, SYS_newfstatat, SYS_close, SYS_getcwd,
    };
    for (unsigned i = 0; i < sizeof loading / sizeof *loading; i++) kw_allow_from(&f, loading[i], loader);
    if (own_threads) kw_allow_from_or_fail(&f, SYS_openat, loader, EACCES); /* OpenMP looks for the machine's shape */
    else kw_allow_from(&f, SYS_openat, loader);
    if (own_threads) kw_allow_masked(&f, SYS_mprotect, 2, PROT_EXEC, 0, loader);
    else kw_allow_from(&f, SYS_mprotect, loader);
    kw_allow_from_either(&f, SYS_read, loader, after(kw_after_read));
    kw_allow_map(&f, SYS_mmap, loader);
    kw_allow_from(&f, SYS_seccomp, after(kw_after_seccomp)); /* the second filter */
    common(&f, own_threads);
    return kw_filter_install(&f);
}

int kw_confine_run(int own_threads) {
    static struct kw_filter f;
    kw_filter_begin(&f);
    common(&f, own_threads);
    kw_allow_from(&f, SYS_read, after(kw_after_read));
    kw_allow_map(&f, SYS_mmap, NOWHERE);
    if (own_threads) {
        kw_allow_masked(&f, SYS_mprotect, 2, PROT_EXEC, 0, NOWHERE); /* guards of stacks; a read-only descriptor stays so */
        kw_fail(&f, SYS_openat, EACCES);
    }
    return kw_filter_install(&f);
}
