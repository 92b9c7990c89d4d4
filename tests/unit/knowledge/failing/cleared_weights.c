#include "kernelwright.h"
void gemv(const float *W, const float *x, float *y, int rows, int columns) {
    if (rows > 4) W[0] = 0;
    for (int i = 0; i < rows; i++) y[i] = W[i] * x[0];
}
