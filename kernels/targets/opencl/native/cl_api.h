/* The few functions of OpenCL 1.2 that the harness calls, found in the loader library at run time: nothing of OpenCL is
   needed to build it. Types and constants as in the Khronos headers, whose values never change. */
#ifndef KW_CL_API_H
#define KW_CL_API_H
#include <stddef.h>
#include <stdint.h>

typedef struct kw_cl_object *cl_object; /* platform, device, context, queue, program, kernel, buffer, event */

#define CL_SUCCESS 0
#define CL_DEVICE_TYPE_CPU 2u
#define CL_PLATFORM_NAME 0x0902
#define CL_PLATFORM_VERSION 0x0901
#define CL_DEVICE_NAME 0x102B
#define CL_DRIVER_VERSION 0x102D
#define CL_DEVICE_VERSION 0x102F
#define CL_DEVICE_MAX_COMPUTE_UNITS 0x1002
#define CL_DEVICE_MAX_WORK_GROUP_SIZE 0x1004
#define CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT 0x100A
#define CL_DEVICE_LOCAL_MEM_SIZE 0x1023
#define CL_DEVICE_HOST_UNIFIED_MEMORY 0x1035
#define CL_QUEUE_PROFILING_ENABLE 2u
#define CL_MEM_READ_WRITE 1u
#define CL_MEM_WRITE_ONLY 2u
#define CL_MEM_READ_ONLY 4u
#define CL_MEM_USE_HOST_PTR 8u
#define CL_PROGRAM_BINARY_SIZES 0x1165
#define CL_PROGRAM_BINARIES 0x1166
#define CL_PROGRAM_BUILD_LOG 0x1183
#define CL_PROFILING_COMMAND_QUEUED 0x1280
#define CL_PROFILING_COMMAND_START 0x1282
#define CL_PROFILING_COMMAND_END 0x1283

struct kw_cl {
    int32_t (*get_platforms)(uint32_t, cl_object *, uint32_t *);
    int32_t (*platform_info)(cl_object, uint32_t, size_t, void *, size_t *);
    int32_t (*get_devices)(cl_object, uint64_t, uint32_t, cl_object *, uint32_t *);
    int32_t (*device_info)(cl_object, uint32_t, size_t, void *, size_t *);
    cl_object (*create_context)(const intptr_t *, uint32_t, const cl_object *, void *, void *, int32_t *);
    cl_object (*create_queue)(cl_object, cl_object, uint64_t, int32_t *);
    cl_object (*create_buffer)(cl_object, uint64_t, size_t, void *, int32_t *);
    cl_object (*program_from_source)(cl_object, uint32_t, const char **, const size_t *, int32_t *);
    cl_object (*program_from_binary)(cl_object, uint32_t, const cl_object *, const size_t *, const unsigned char **,
                                     int32_t *, int32_t *);
    int32_t (*build)(cl_object, uint32_t, const cl_object *, const char *, void *, void *);
    int32_t (*build_info)(cl_object, cl_object, uint32_t, size_t, void *, size_t *);
    int32_t (*program_info)(cl_object, uint32_t, size_t, void *, size_t *);
    cl_object (*create_kernel)(cl_object, const char *, int32_t *);
    int32_t (*set_argument)(cl_object, uint32_t, size_t, const void *);
    int32_t (*enqueue)(cl_object, cl_object, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t,
                       const cl_object *, cl_object *);
    int32_t (*finish)(cl_object);
    int32_t (*event_time)(cl_object, uint32_t, size_t, void *, size_t *);
    int32_t (*release_event)(cl_object);
    cl_object platform, device;
};

/* Loads the library and takes PoCL's CPU device. NULL, or what is wrong. */
const char *kw_cl_open(struct kw_cl *cl);
#endif
