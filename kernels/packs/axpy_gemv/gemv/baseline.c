#include "kernelwright.h"

#define ROWS 2048
#define COLUMNS 2048

void gemv(const float *W, const float *x, float *y) {
    for (int row = 0; row < ROWS; row++) {
        float sum = 0.0f;
        for (int column = 0; column < COLUMNS; column++) {
            sum += W[row * COLUMNS + column] * x[column];
        }
        y[row] = sum;
    }
}
