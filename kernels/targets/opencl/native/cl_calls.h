/* One call: arguments set, every launch enqueued and waited for, its events read. */
#ifndef KW_CL_CALLS_H
#define KW_CL_CALLS_H
#include "cl_api.h"
#include "cl_program.h"
#include "wire.h"

/* Nanoseconds by the device's own clock: when the call was enqueued, and each launch began and ended. */
struct kw_cl_times {
    uint64_t queued, began[KW_LAUNCHES], ended[KW_LAUNCHES];
};

/* KW_OK, or KW_BAD_REQUEST for arguments that are none. Any error of OpenCL ends the process with its last words. */
uint32_t kw_cl_call(struct kw_cl *cl, cl_object context, cl_object queue, struct kw_program *program,
                    const struct kw_request *request, struct kw_cl_times *times);
#endif
