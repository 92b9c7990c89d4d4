#define _GNU_SOURCE
#include "cu_api.h"

#include <dlfcn.h>
#include <stdio.h>

#ifndef KW_CUDA_LIBRARY
#define KW_CUDA_LIBRARY "libcuda.so.1"
#endif

static int find(void *library, void *place, const char *name) {
    void *found = dlsym(library, name);
    *(void **)place = found;
    return found != NULL;
}

/* Names with _v2 are those that cuda.h makes of the plain ones; libcuda keeps them. */
static int find_all(void *l, struct kw_cu *cu) {
    return find(l, &cu->init, "cuInit") && find(l, &cu->driver_version, "cuDriverGetVersion") &&
           find(l, &cu->device_count, "cuDeviceGetCount") && find(l, &cu->device_get, "cuDeviceGet") &&
           find(l, &cu->device_name, "cuDeviceGetName") && find(l, &cu->device_attribute, "cuDeviceGetAttribute") &&
           find(l, &cu->device_memory, "cuDeviceTotalMem_v2") &&
           find(l, &cu->context_flags, "cuDevicePrimaryCtxSetFlags_v2") &&
           find(l, &cu->context_retain, "cuDevicePrimaryCtxRetain") && find(l, &cu->context_use, "cuCtxSetCurrent") &&
           find(l, &cu->synchronise, "cuCtxSynchronize") && find(l, &cu->module_load, "cuModuleLoadData") &&
           find(l, &cu->module_function, "cuModuleGetFunction") && find(l, &cu->function_set, "cuFuncSetAttribute") &&
           find(l, &cu->allocate, "cuMemAlloc_v2") && find(l, &cu->fill, "cuMemsetD8_v2") &&
           find(l, &cu->to_device, "cuMemcpyHtoD_v2") && find(l, &cu->to_host, "cuMemcpyDtoH_v2") &&
           find(l, &cu->launch, "cuLaunchKernel") && find(l, &cu->event_create, "cuEventCreate") &&
           find(l, &cu->event_record, "cuEventRecord") && find(l, &cu->event_elapsed, "cuEventElapsedTime") &&
           find(l, &cu->error_text, "cuGetErrorString");
}

const char *kw_cu_text(struct kw_cu *cu, cu_result wrong) {
    static char text[256];
    const char *said = NULL;
    if (cu->error_text(wrong, &said) || !said) said = "unknown";
    snprintf(text, sizeof text, "CUDA error %d (%s)", wrong, said);
    return text;
}

const char *kw_cu_open(struct kw_cu *cu) {
    int count = 0;
    void *library = dlopen(KW_CUDA_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
    if (!find_all(library, cu)) return "libcuda lacks a function of CUDA 12";
    cu_result wrong = cu->init(0);
    if (!wrong) wrong = cu->device_count(&count);
    if (!wrong && !count) return "the driver knows no GPU";
    if (!wrong) wrong = cu->device_get(&cu->device, 0);
    return wrong ? kw_cu_text(cu, wrong) : NULL;
}

const char *kw_cu_begin(struct kw_cu *cu) {
    cu_object context;
    cu_result wrong = cu->context_flags(cu->device, KW_CUDA_CONTEXT_SPINS);
    if (!wrong) wrong = cu->context_retain(&context, cu->device);
    if (!wrong) wrong = cu->context_use(context);
    return wrong ? kw_cu_text(cu, wrong) : NULL;
}

int kw_cu_attribute(struct kw_cu *cu, int what) {
    int value = 0;
    return cu->device_attribute(&value, what, cu->device) ? 0 : value;
}
