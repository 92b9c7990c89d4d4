#define _GNU_SOURCE
#include "cl_api.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define PLATFORMS 16

static int find(void *library, void *place, const char *name) {
    void *found = dlsym(library, name);
    *(void **)place = found;
    return found != NULL;
}

static int find_all(void *l, struct kw_cl *cl) {
    return find(l, &cl->get_platforms, "clGetPlatformIDs") && find(l, &cl->platform_info, "clGetPlatformInfo") &&
           find(l, &cl->get_devices, "clGetDeviceIDs") && find(l, &cl->device_info, "clGetDeviceInfo") &&
           find(l, &cl->create_context, "clCreateContext") && find(l, &cl->create_queue, "clCreateCommandQueue") &&
           find(l, &cl->create_buffer, "clCreateBuffer") &&
           find(l, &cl->program_from_source, "clCreateProgramWithSource") &&
           find(l, &cl->program_from_binary, "clCreateProgramWithBinary") && find(l, &cl->build, "clBuildProgram") &&
           find(l, &cl->build_info, "clGetProgramBuildInfo") && find(l, &cl->program_info, "clGetProgramInfo") &&
           find(l, &cl->create_kernel, "clCreateKernel") && find(l, &cl->set_argument, "clSetKernelArg") &&
           find(l, &cl->enqueue, "clEnqueueNDRangeKernel") && find(l, &cl->finish, "clFinish") &&
           find(l, &cl->event_time, "clGetEventProfilingInfo") && find(l, &cl->release_event, "clReleaseEvent");
}

static int is_pocl(struct kw_cl *cl, cl_object platform) {
    char name[256] = "";
    cl->platform_info(platform, CL_PLATFORM_NAME, sizeof name, name, NULL);
    return strstr(name, "Portable Computing") != NULL;
}

const char *kw_cl_open(struct kw_cl *cl) {
    cl_object platforms[PLATFORMS];
    uint32_t count = 0, devices = 0;
    setenv("OCL_ICD_VENDORS", KW_OPENCL_VENDORS, 1);
    setenv("PYOPENCL_HOME", KW_OPENCL_HOME, 1); /* where the loader that pyopencl brings looks for its drivers */
    void *library = dlopen(KW_OPENCL_LIBRARY, RTLD_NOW | RTLD_GLOBAL);
    if (!library) return dlerror();
    if (!find_all(library, cl)) return "the OpenCL library lacks a function of OpenCL 1.2";
    if (cl->get_platforms(PLATFORMS, platforms, &count)) return "the OpenCL library knows no platform";
    for (uint32_t i = 0; i < count && i < PLATFORMS; i++) {
        cl->platform = platforms[i];
        if (!is_pocl(cl, platforms[i])) continue;
        if (!cl->get_devices(platforms[i], CL_DEVICE_TYPE_CPU, 1, &cl->device, &devices) && devices) return NULL;
    }
    return "PoCL is not among the OpenCL platforms";
}
