#include "kernelwright.h"
void two(const float *x, float *y, int n) {
    float s = 0;
    for (int i = 0; i < n; i++) s += x[i];
    float s = 1;
    for (int i = 0; i < n; i++) y[i] = x[i] / s;
}
