#include <math.h>

#include "kernelwright.h"

#define SIZE 256
#define HALF 128

static inline void product(const float *W, const float *x, float *u) {
    for (int i = 0; i < SIZE; i++) {
        float sum[4] = {0};
        for (int j = 0; j < SIZE; j++) sum[j % 4] += W[i * SIZE + j] * x[j];
        u[i] = sum[0] + sum[1] + sum[2] + sum[3];
    }
}

static inline void rotate(const float *u, float cosine, float sine, float *y) {
    for (int i = 0; i < HALF; i++) {
        y[i] = u[i] * cosine - u[i + HALF] * sine;
        y[i + HALF] = u[i + HALF] * cosine + u[i] * sine;
    }
}

