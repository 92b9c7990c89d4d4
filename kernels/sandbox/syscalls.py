"""Names of the system calls that kernels try; numbers from the kernel's tables of x86-64 and the generic table."""

import platform
from typing import Final

_X86_64: Final = {
    0: "read", 1: "write", 2: "open", 3: "close", 4: "stat", 5: "fstat", 8: "lseek", 9: "mmap", 10: "mprotect",
    13: "rt_sigaction", 14: "rt_sigprocmask", 16: "ioctl", 20: "writev", 22: "pipe", 25: "mremap", 28: "madvise",
    32: "dup", 33: "dup2", 34: "pause", 35: "nanosleep", 37: "alarm", 39: "getpid", 41: "socket", 42: "connect",
    53: "socketpair", 56: "clone", 57: "fork", 58: "vfork", 59: "execve", 61: "wait4", 62: "kill", 83: "mkdir",
    85: "creat", 87: "unlink", 96: "gettimeofday", 101: "ptrace", 131: "sigaltstack", 157: "prctl", 158: "arch_prctl",
    160: "setrlimit", 186: "gettid", 200: "tkill", 203: "sched_setaffinity", 228: "clock_gettime",
    230: "clock_nanosleep", 234: "tgkill", 257: "openat", 262: "newfstatat", 272: "unshare", 273: "set_robust_list",
    298: "perf_event_open", 302: "prlimit64", 310: "process_vm_readv", 311: "process_vm_writev", 317: "seccomp",
    318: "getrandom", 319: "memfd_create", 322: "execveat", 329: "pkey_mprotect", 425: "io_uring_setup",
    435: "clone3",
}  # fmt: skip
_GENERIC: Final = {
    25: "fcntl", 29: "ioctl", 56: "openat", 57: "close", 59: "pipe2", 62: "lseek", 63: "read", 64: "write",
    66: "writev", 79: "newfstatat", 80: "fstat", 93: "exit", 99: "set_robust_list", 101: "nanosleep",
    115: "clock_nanosleep", 117: "ptrace", 122: "sched_setaffinity", 129: "kill", 130: "tkill", 131: "tgkill",
    132: "sigaltstack", 134: "rt_sigaction", 135: "rt_sigprocmask", 164: "setrlimit", 167: "prctl", 172: "getpid",
    178: "gettid", 198: "socket", 199: "socketpair", 203: "connect", 216: "mremap", 220: "clone", 221: "execve",
    222: "mmap", 226: "mprotect", 233: "madvise", 241: "perf_event_open", 261: "prlimit64", 277: "seccomp",
    278: "getrandom", 279: "memfd_create", 281: "execveat", 288: "pkey_mprotect", 425: "io_uring_setup",
    435: "clone3",
}  # fmt: skip


def name_of(number: int) -> str:
    """ "mprotect (10)", or the number alone."""
    table = _X86_64 if platform.machine() == "x86_64" else _GENERIC
    return f"{table[number]} ({number})" if number in table else f"number {number}"
