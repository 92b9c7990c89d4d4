#include "kernelwright.h"

#define ROWS 512
#define COLUMNS 1024

static inline void honest(const float *W, const float *b, const float *x, float *y) {
    for (int i = 0; i < ROWS; i++) {
        double sum = b[i];
        for (int j = 0; j < COLUMNS; j++) sum += (double)W[i * COLUMNS + j] * x[j];
        y[i] = (float)sum;
    }
}

