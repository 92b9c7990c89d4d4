#include "kernelwright.h"

#define N 1048576

extern "C" __global__ void axpy(float a, const float *x, const float *y, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = a * x[i] + y[i];
}

KW_LAUNCH(axpy, N, 128);
