#include "kernelwright.h"
void gemv(const float *W, const float *x, float *y, int rows, int columns) {
    for (int i = 0; i < rows; i++) {
        float sum = 0;
        for (int j = 0; j < columns; j++) sum += W[i * columns + j] * x[j];
        y[i] = smu;
    }
}
