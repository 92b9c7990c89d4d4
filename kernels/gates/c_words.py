"""What a C source of a candidate may include, and the names that it may not have. See `source_c.py`."""

from typing import Final

ALLOWED_INCLUDES: Final = frozenset(
    {
        "kernelwright.h", "math.h", "string.h", "stdint.h", "stddef.h", "stdbool.h", "float.h", "limits.h",
        "immintrin.h", "arm_neon.h",
    }
)  # fmt: skip
FORBIDDEN_CALLS: Final = frozenset(
    """
    getenv secure_getenv setenv putenv dlopen dlsym dlmopen dl_iterate_phdr syscall fork vfork clone execve
    execl execv execvp system popen open openat fopen read write mmap mprotect munmap mremap ptrace signal
    sigaction kill raise exit _exit _Exit abort atexit on_exit pthread_create thrd_create socket connect
    clock_gettime clock gettimeofday time nanosleep usleep sleep printf fprintf puts putchar setjmp longjmp
    __rdtsc __rdtscp _rdtsc __builtin_ia32_rdtsc __builtin_ia32_rdtscp _mm_setcsr _MM_SET_FLUSH_ZERO_MODE
    _MM_SET_DENORMALS_ZERO_MODE __builtin_ia32_ldmxcsr fesetenv fesetround feenableexcept malloc calloc realloc
    free aligned_alloc posix_memalign __builtin_setjmp __builtin_longjmp __builtin_return_address
    __builtin_frame_address __builtin_apply __builtin_apply_args
    """.split()
)
FORBIDDEN_ATTRIBUTES: Final = ("constructor", "destructor", "ifunc", "section", "alias", "weakref", "cleanup")
HARNESS: Final = ("kw_parallel_for", "kw_threads", "kw_span")
MAX_BYTES: Final = 400_000
