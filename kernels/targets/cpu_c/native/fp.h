/* Floating-point mode of the calling thread: rounding, exceptions, flushing of denormals; never the sticky flags. */
#ifndef KW_FP_H
#define KW_FP_H
#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>

static inline uint32_t kw_fp_mode(void) {
    uint16_t x87;
    __asm__ volatile("fnstcw %0" : "=m"(x87));
    return (_mm_getcsr() & 0xffc0u) | (uint32_t)x87 << 16;
}

static inline void kw_fp_reset(void) {
    __asm__ volatile("fninit");
    _mm_setcsr(0x1f80u);
}
#else
static inline uint32_t kw_fp_mode(void) {
    uint64_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    return (uint32_t)mode;
}

static inline void kw_fp_reset(void) { __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0)); }
#endif
#endif
