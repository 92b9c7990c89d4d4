#include "kernelwright.h"
void gemv(const float *W, const float *x, float *y, int rows, int columns) {
    int n = rows;
    float buffer[n] = {1.0f};
    for (int i = 0; i < n; i++) y[i] = buffer[i] + W[i] * x[columns - 1];
}
