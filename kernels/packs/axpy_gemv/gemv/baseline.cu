#include "kernelwright.h"

#define ROWS 2048
#define COLUMNS 2048

extern "C" __global__ void gemv(const float *W, const float *x, float *y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int column = 0; column < COLUMNS; column++) {
        sum += W[row * COLUMNS + column] * x[column];
    }
    y[row] = sum;
}

KW_LAUNCH(gemv, ROWS, 128);
