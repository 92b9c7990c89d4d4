/* What a CUDA kernel may use beside CUDA C++ and its device headers: bf16, and how it is launched. */
#ifndef KERNELWRIGHT_H
#define KERNELWRIGHT_H

#include <stddef.h>
#include <stdint.h>

typedef uint16_t kw_bf16; /* the same bits as __nv_bfloat16 */

static __device__ __forceinline__ float kw_bf16_to_f32(kw_bf16 bits) { return __uint_as_float((uint32_t)bits << 16); }

/* Round to nearest, ties to even; NaN stays a quiet NaN. */
static __device__ __forceinline__ kw_bf16 kw_f32_to_bf16(float value) {
    uint32_t word = __float_as_uint(value);
    if ((word & 0x7fffffffu) > 0x7f800000u) return 0x7fc0;
    return (kw_bf16)((word + 0x7fffu + ((word >> 16) & 1u)) >> 16);
}

/* A call of the kernel is its launches, in the order of the source:

       KW_LAUNCH(function, threads, block);          threads in all, and of them in a block
       KW_LAUNCH(function, threads, block, shared);  with that many bytes of dynamic shared memory

   Grids have one dimension. All numbers are whole, of constants, macros, constexpr variables and the contract's
   dimensions, with + - * / % << >> and brackets. Every launched
   function is `extern "C" __global__ void` and takes the contract's arguments in order, then the scratch buffers. */
#define KW_LAUNCH(function, ...) static_assert(true, "")
/* A buffer of so many bytes that lasts from launch to launch; what it holds at the start of a call is not said. */
#define KW_SCRATCH(name, bytes) static_assert(true, "")

#endif
