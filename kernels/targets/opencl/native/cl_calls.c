#include "cl_calls.h"

#include <stdio.h>

#include "faults.h"
#include "segments.h"

#define BUFFERS 4096 /* a power of two; a ring has at most 128 slots of at most 32 arguments */

/* Buffers by address and argument, made when an address is first seen; OpenCL copies nothing. */
static struct {
    const void *at;
    unsigned argument;
    cl_object buffer;
} known[BUFFERS];

static void check(int32_t wrong, const char *what) {
    char text[96];
    if (wrong == CL_SUCCESS) return;
    snprintf(text, sizeof text, "%s fails with OpenCL error %d", what, (int)wrong);
    kw_fail_text(KW_LOAD_FAILED, KW_EXIT_FAULT, text);
}

static cl_object buffer_at(struct kw_cl *cl, cl_object context, const struct kw_program *p, unsigned argument,
                           void *at) {
    const struct kw_cl_argument *one = &p->argument[argument];
    uint64_t access = (one->writable ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY) | CL_MEM_USE_HOST_PTR;
    uint64_t hash = ((uint64_t)at >> 6) * 0x9e3779b97f4a7c15ull + argument * 0x85ebca6bull;
    unsigned i = (unsigned)(hash >> 52);
    for (unsigned tries = 0; tries < BUFFERS; tries++, i = (i + 1) & (BUFFERS - 1)) {
        if (known[i].buffer && known[i].at == at && known[i].argument == argument) return known[i].buffer;
        if (known[i].buffer) continue;
        int32_t wrong;
        known[i].buffer = cl->create_buffer(context, access, one->size, at, &wrong);
        check(wrong, "clCreateBuffer");
        known[i].at = at, known[i].argument = argument;
        return known[i].buffer;
    }
    kw_fail_text(KW_LOAD_FAILED, KW_EXIT_FAULT, "more buffers than the runner keeps");
}

static int set_arguments(struct kw_cl *cl, cl_object context, struct kw_program *p, const struct kw_request *request) {
    if (request->arguments != p->arguments) return 0;
    for (unsigned i = 0; i < p->arguments; i++) {
        const struct kw_cl_argument *one = &p->argument[i];
        void *at = kw_pointer(request->pointer[i]);
        if (one->kind == KW_CONSTANT) continue;
        if (!at) return 0;
        cl_object buffer = one->kind == KW_BUFFER ? buffer_at(cl, context, p, i, at) : NULL;
        const void *value = one->kind == KW_BUFFER ? (const void *)&buffer : at;
        size_t size = one->kind == KW_BUFFER ? sizeof buffer : one->size;
        for (unsigned k = 0; k < p->launches; k++)
            check(cl->set_argument(p->launch[k].kernel, i, size, value), "clSetKernelArg");
    }
    return 1;
}

static uint64_t time_of(struct kw_cl *cl, cl_object event, uint32_t what) {
    uint64_t value = 0;
    check(cl->event_time(event, what, sizeof value, &value, NULL), "clGetEventProfilingInfo");
    return value;
}

uint32_t kw_cl_call(struct kw_cl *cl, cl_object context, cl_object queue, struct kw_program *p,
                    const struct kw_request *request, struct kw_cl_times *times) {
    cl_object event[KW_LAUNCHES];
    if (!set_arguments(cl, context, p, request)) return KW_BAD_REQUEST;
    for (unsigned k = 0; k < p->launches; k++) {
        struct kw_launch *one = &p->launch[k];
        check(cl->enqueue(queue, one->kernel, 1, NULL, &one->global, &one->local, 0, NULL, &event[k]),
              "clEnqueueNDRangeKernel");
    }
    check(cl->finish(queue), "clFinish");
    times->queued = time_of(cl, event[0], CL_PROFILING_COMMAND_QUEUED);
    for (unsigned k = 0; k < p->launches; k++) {
        times->began[k] = time_of(cl, event[k], CL_PROFILING_COMMAND_START);
        times->ended[k] = time_of(cl, event[k], CL_PROFILING_COMMAND_END);
        check(cl->release_event(event[k]), "clReleaseEvent");
    }
    return KW_OK;
}
