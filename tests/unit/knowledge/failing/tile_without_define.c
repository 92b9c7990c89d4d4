#include "kernelwright.h"
void gemv(const float *W, const float *x, float *y, int rows, int columns) {
    for (int b = 0; b < columns; b += TILE)
        for (int i = 0; i < rows; i++)
            for (int j = b; j < columns; j++) y[i] += W[i * columns + j] * x[j];
}
