#ifndef KW_LIMITS_H
#define KW_LIMITS_H
/* Gives up capabilities and lowers the process's limits, for good, from a word of numbers: address space beyond the
   segments, CPU seconds, file size, real-time microseconds, stack (see kernels/sandbox/limits.py). 0 on success. */
int kw_limits_apply(const char *word, int threads);
#endif
