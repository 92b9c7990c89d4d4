/* The few functions of CUDA's driver that the harness calls, found in libcuda at run time: nothing of CUDA is needed to
   build it. Types and constants as in cuda.h, whose values never change; a test compares them where that header is. */
#ifndef KW_CU_API_H
#define KW_CU_API_H
#include <stddef.h>
#include <stdint.h>

typedef int cu_result; /* CUresult */
typedef int cu_device; /* CUdevice */
typedef struct kw_cu_object *cu_object; /* context, module, function, stream, event */
typedef uint64_t cu_pointer;            /* CUdeviceptr */

#define KW_CUDA_SUCCESS 0
#define KW_CUDA_OUT_OF_MEMORY 2
#define KW_CUDA_ECC_UNCORRECTABLE 214
#define KW_CUDA_ILLEGAL_ADDRESS 700
#define KW_CUDA_OUT_OF_RESOURCES 701
#define KW_CUDA_LAUNCH_TIMEOUT 702
#define KW_CUDA_ASSERT 710
#define KW_CUDA_HARDWARE_STACK_ERROR 714
#define KW_CUDA_ILLEGAL_INSTRUCTION 715
#define KW_CUDA_MISALIGNED_ADDRESS 716
#define KW_CUDA_INVALID_ADDRESS_SPACE 717
#define KW_CUDA_INVALID_PC 718
#define KW_CUDA_LAUNCH_FAILED 719

#define KW_CUDA_THREADS_A_BLOCK 1
#define KW_CUDA_CLOCK_KHZ 13
#define KW_CUDA_MULTIPROCESSORS 16
#define KW_CUDA_MEMORY_KHZ 36
#define KW_CUDA_BUS_BITS 37
#define KW_CUDA_L2_BYTES 38
#define KW_CUDA_THREADS_A_MULTIPROCESSOR 39
#define KW_CUDA_MAJOR 75
#define KW_CUDA_MINOR 76
#define KW_CUDA_SHARED_A_MULTIPROCESSOR 81
#define KW_CUDA_REGISTERS_A_MULTIPROCESSOR 82
#define KW_CUDA_SHARED_A_BLOCK_OPTED_IN 97

#define KW_CUDA_FUNCTION_DYNAMIC_SHARED 8
#define KW_CUDA_FUNCTION_CARVEOUT 9
#define KW_CUDA_CARVEOUT_MOST_SHARED 100
#define KW_CUDA_CONTEXT_SPINS 1
#define KW_CUDA_EVENT_DEFAULT 0

struct kw_cu {
    cu_result (*init)(unsigned);
    cu_result (*driver_version)(int *);
    cu_result (*device_count)(int *);
    cu_result (*device_get)(cu_device *, int);
    cu_result (*device_name)(char *, int, cu_device);
    cu_result (*device_attribute)(int *, int, cu_device);
    cu_result (*device_memory)(size_t *, cu_device);
    cu_result (*context_flags)(cu_device, unsigned);
    cu_result (*context_retain)(cu_object *, cu_device);
    cu_result (*context_use)(cu_object);
    cu_result (*synchronise)(void);
    cu_result (*module_load)(cu_object *, const void *);
    cu_result (*module_function)(cu_object *, cu_object, const char *);
    cu_result (*function_set)(cu_object, int, int);
    cu_result (*allocate)(cu_pointer *, size_t);
    cu_result (*fill)(cu_pointer, unsigned char, size_t);
    cu_result (*to_device)(cu_pointer, const void *, size_t);
    cu_result (*to_host)(void *, cu_pointer, size_t);
    cu_result (*launch)(cu_object, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, cu_object,
                        void **, void **);
    cu_result (*event_create)(cu_object *, unsigned);
    cu_result (*event_record)(cu_object, cu_object);
    cu_result (*event_elapsed)(float *, cu_object, cu_object);
    cu_result (*error_text)(cu_result, const char **);
    cu_device device;
};

/* Loads libcuda and takes its first device, without a context. NULL, or what is wrong. */
const char *kw_cu_open(struct kw_cu *cu);
/* A context on the device, current in this thread; it spins while it waits. NULL, or what is wrong. */
const char *kw_cu_begin(struct kw_cu *cu);
/* What the driver says of an error; never NULL. */
const char *kw_cu_text(struct kw_cu *cu, cu_result wrong);
/* 0 when the driver does not say. */
int kw_cu_attribute(struct kw_cu *cu, int what);
#endif
