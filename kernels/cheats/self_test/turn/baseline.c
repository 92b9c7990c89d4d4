#include <math.h>

#include "kernelwright.h"

#define SIZE 256

/* Column by column, which is slow: whatever is tried here is not refused for being slower than this. */
void turn(const float *W, const float *x, int32_t pos, float *y) {
    volatile float u[SIZE];
    for (int row = 0; row < SIZE; row++) {
        u[row] = 0.0f;
    }
    for (int column = 0; column < SIZE; column++) {
        for (int row = 0; row < SIZE; row++) {
            u[row] += W[row * SIZE + column] * x[column];
        }
    }
    float angle = 6.2831853f * (float)(pos & 63) / 64.0f;
    float cosine = cosf(angle), sine = sinf(angle);
    for (int i = 0; i < SIZE / 2; i++) {
        y[i] = u[i] * cosine - u[i + SIZE / 2] * sine;
        y[i + SIZE / 2] = u[i + SIZE / 2] * cosine + u[i] * sine;
    }
}
