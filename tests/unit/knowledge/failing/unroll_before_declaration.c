#include "kernelwright.h"
void total(const float *x, float *y, int n) {
    float s = 0;
#pragma GCC unroll 8
    int i = 0;
    for (; i < n; i++) s += x[i];
    y[0] = s;
}
