/* What an OpenCL kernel may use beside OpenCL C: the names of the contract's types, bf16, and how it is launched. */
#ifndef KERNELWRIGHT_H
#define KERNELWRIGHT_H

typedef char int8_t;
typedef uchar uint8_t;
typedef short int16_t;
typedef ushort uint16_t;
typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;
typedef ulong uint64_t;
typedef ushort kw_bf16;

inline float kw_bf16_to_f32(kw_bf16 bits) { return as_float((uint)bits << 16); }

/* Round to nearest, ties to even; NaN stays a quiet NaN. */
inline kw_bf16 kw_f32_to_bf16(float value) {
    uint word = as_uint(value);
    if ((word & 0x7fffffffu) > 0x7f800000u) return 0x7fc0;
    return (kw_bf16)((word + 0x7fffu + ((word >> 16) & 1u)) >> 16);
}

/* A call of the kernel is its launches, in the order of the source. global: work-items; local: of them in a group.
   All numbers are whole, of constants, macros and the contract's dimensions, with + - * / % << >> and brackets. Every
   launched function takes the contract's arguments in order, then the scratch buffers in order. */
#define KW_LAUNCH(function, global, local)
/* A buffer of so many bytes that lasts from launch to launch; what it holds at the start of a call is not said. */
#define KW_SCRATCH(name, bytes)

#endif
