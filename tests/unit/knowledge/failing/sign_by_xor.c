#include "kernelwright.h"
void negate(const float *x, float *y, int n, int flip) {
    for (int i = 0; i < n; i++) y[i] = x[i] ^ flip;
}
