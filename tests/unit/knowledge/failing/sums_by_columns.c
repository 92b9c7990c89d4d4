#include "kernelwright.h"
void gemv(const float *W, const float *x, float *y, int rows, int columns) {
    float sums[columns] = {0};
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) sums[j] += W[i * columns + j] * x[j];
    y[0] = sums[0];
}
