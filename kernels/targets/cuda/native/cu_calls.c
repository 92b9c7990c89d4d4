#define _GNU_SOURCE
#include "cu_calls.h"

#include "cu_memory.h"
#include "segments.h"

static cu_object began, ended[KW_LAUNCHES];
static int marked;

void kw_cu_calls_begin(struct kw_cu *cu, const struct kw_program *p, int each) {
    marked = each;
    kw_memory_check(cu, cu->event_create(&began, KW_CUDA_EVENT_DEFAULT), "cuEventCreate");
    for (unsigned k = 0; k < p->launches; k++)
        kw_memory_check(cu, cu->event_create(&ended[k], KW_CUDA_EVENT_DEFAULT), "cuEventCreate");
}

/* cuLaunchKernel wants the address of each value. */
static int set_arguments(struct kw_program *p, const struct kw_request *request, cu_pointer *value, void **address) {
    if (request->arguments != p->arguments) return 0;
    for (unsigned i = 0; i < p->arguments; i++) {
        struct kw_cu_argument *one = &p->argument[i];
        value[i] = one->kind == KW_BUFFER ? kw_memory_at(request->pointer[i]) : 0;
        address[i] = one->kind == KW_CONSTANT ? (void *)one->value : (void *)&value[i];
        if (one->kind == KW_SCALAR) address[i] = kw_pointer(request->pointer[i]);
        if (!address[i] || (one->kind == KW_BUFFER && !value[i])) return 0;
    }
    for (unsigned i = 0; i < p->scratches; i++) {
        value[p->arguments + i] = kw_memory_scratch(i);
        address[p->arguments + i] = &value[p->arguments + i];
    }
    return 1;
}

static uint64_t since(struct kw_cu *cu, cu_object event) {
    float ms = 0;
    kw_memory_check(cu, cu->event_elapsed(&ms, began, event), "cuEventElapsedTime");
    return (uint64_t)((double)ms * 1e6);
}

uint32_t kw_cu_call(struct kw_cu *cu, struct kw_program *p, const struct kw_request *request,
                    struct kw_cu_times *times) {
    cu_pointer value[KW_MAX_ARGUMENTS + KW_SCRATCHES];
    void *address[KW_MAX_ARGUMENTS + KW_SCRATCHES];
    if (!set_arguments(p, request, value, address)) return KW_BAD_REQUEST;
    kw_memory_check(cu, cu->event_record(began, NULL), "cuEventRecord");
    for (unsigned k = 0; k < p->launches; k++) {
        struct kw_launch *one = &p->launch[k];
        kw_memory_check(
            cu, cu->launch(one->function, one->blocks, 1, 1, one->threads, 1, 1, one->shared, NULL, address, NULL),
            "cuLaunchKernel");
        if (marked || k + 1 == p->launches)
            kw_memory_check(cu, cu->event_record(ended[k], NULL), "cuEventRecord");
    }
    kw_memory_check(cu, cu->synchronise(), "a launched kernel");
    for (unsigned k = marked ? 0 : p->launches - 1; k < p->launches; k++) times->ended[k] = since(cu, ended[k]);
    return KW_OK;
}
