#include "kernelwright.h"

#define N 1048576

__kernel void axpy(float a, __global const float *x, __global const float *y, __global float *out) {
    int i = get_global_id(0);
    out[i] = a * x[i] + y[i];
}

KW_LAUNCH(axpy, N, 64);
