#include "kernelwright.h"

#define ROWS 512
#define COLUMNS 1024

/* Column by column, which is slow: whatever is tried here is not refused for being slower than this. */
void mv(const float *W, const float *b, const float *x, float *y) {
    for (int row = 0; row < ROWS; row++) {
        y[row] = b[row];
    }
    for (int column = 0; column < COLUMNS; column++) {
        for (int row = 0; row < ROWS; row++) {
            y[row] += W[row * COLUMNS + column] * x[column];
        }
    }
}
