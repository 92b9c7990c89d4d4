#include "kernelwright.h"
void rope(const float *x, float *y, float position, int n) {
    float turn = position % 64;
    for (int i = 0; i < n; i++) y[i] = x[i] * turn;
}
