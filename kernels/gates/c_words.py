"""What a C source of a candidate may include, and the names that it may not have. See `c_rules.py`."""

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
    __builtin_frame_address __builtin_apply __builtin_apply_args __builtin_return __builtin_thread_pointer
    __builtin_unwind_init __builtin_eh_return __builtin_dwarf_cfa __builtin_extract_return_addr
    __builtin_frob_return_addr __builtin___clear_cache __rdpmc __builtin_ia32_rdpmc _mm_getcsr
    __builtin_ia32_stmxcsr
    """.split()
)
COMPILER_NAMES: Final = frozenset(
    name for name in FORBIDDEN_CALLS if name.startswith("_") and name not in ("_exit", "_Exit")
)
FORBIDDEN_ATTRIBUTES: Final = (
    "constructor", "destructor", "ifunc", "section", "alias", "weakref", "cleanup", "symver",
    "patchable_function_entry", "naked", "interrupt", "no_callee_saved_registers",
)  # fmt: skip
BUILDS: Final = frozenset(
    {
        "KW_PROFILE", "__OPTIMIZE__", "__OPTIMIZE_SIZE__", "__NO_INLINE__", "__SANITIZE_ADDRESS__",
        "__SANITIZE_THREAD__", "__has_include", "__has_include_next", "__has_embed", "__TIME__", "__DATE__",
        "__TIMESTAMP__",
    }
)  # fmt: skip
PRAGMAS: Final = frozenset(
    """
    ivdep unroll novector optimize target push_options pop_options reset_options diagnostic visibility
    """.split()
)
DIRECTIVES: Final = frozenset("pragma undef error warning if ifdef ifndef elif else endif".split())
ASSEMBLY: Final = frozenset({"asm", "__asm__", "__asm"})
HARNESS: Final = ("kw_parallel_for", "kw_threads", "kw_span")
MAX_BYTES: Final = 400_000
