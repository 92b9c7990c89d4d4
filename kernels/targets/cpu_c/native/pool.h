#ifndef KW_POOL_H
#define KW_POOL_H
#include <stdint.h>

/* Starts threads - 1 helpers, each pinned to a CPU of its own at creation; the caller is thread 0. 0 on success. */
int kw_pool_start(int threads);
/* Wakes the helpers; they spin for a bounded time, so that the next parallel loop meets them awake. */
void kw_pool_arm(void);
/* 1 when a helper left the floating-point mode changed since the last call of this function. */
int kw_pool_fp_changed(void);
uint32_t kw_fp_mode(void);
void kw_fp_reset(void);
#endif
