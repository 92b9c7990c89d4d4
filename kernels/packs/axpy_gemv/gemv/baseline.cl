#include "kernelwright.h"

#define ROWS 2048
#define COLUMNS 2048

__kernel void gemv(__global const float *W, __global const float *x, __global float *y) {
    int row = get_global_id(0);
    float sum = 0.0f;
    for (int column = 0; column < COLUMNS; column++) {
        sum += W[row * COLUMNS + column] * x[column];
    }
    y[row] = sum;
}

KW_LAUNCH(gemv, ROWS, 64);
