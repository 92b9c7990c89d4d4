#ifndef KW_POOL_H
#define KW_POOL_H

/* Starts threads - 1 helpers, each pinned to a CPU of its own at creation; the caller is thread 0 and is pinned too. They
   have made their first system calls when this returns. 0 on success. */
int kw_pool_start(int threads);
/* Wakes the helpers; they spin for a bounded time, so that the next parallel loop meets them awake. */
void kw_pool_arm(void);
/* Waits for helpers that are still at work: a kernel may have left a parallel loop by a jump. */
void kw_pool_settle(void);
/* 1 when a helper left the floating-point mode changed since the last call of this function. */
int kw_pool_fp_changed(void);
/* 0 in the main thread and in threads that are not of the pool. */
extern _Thread_local int kw_thread;
#endif
