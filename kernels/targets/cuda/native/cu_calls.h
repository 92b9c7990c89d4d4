/* One call: every launch given to the GPU between two events, the whole device waited for, its errors read. */
#ifndef KW_CU_CALLS_H
#define KW_CU_CALLS_H
#include "cu_api.h"
#include "cu_program.h"
#include "wire.h"

/* Nanoseconds by CUDA's events from the first launch on: when each launch ended. Without marks only the last one. */
struct kw_cu_times {
    uint64_t ended[KW_LAUNCHES];
};

/* each: an event behind every launch, for a profiled run. Ends the process when something is wrong. */
void kw_cu_calls_begin(struct kw_cu *cu, const struct kw_program *program, int each);
/* KW_OK, or KW_BAD_REQUEST for arguments that are none. Any error of the device ends the process with its last words. */
uint32_t kw_cu_call(struct kw_cu *cu, struct kw_program *program, const struct kw_request *request,
                    struct kw_cu_times *times);
#endif
