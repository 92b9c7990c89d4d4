#include "kernelwright.h"
static float dot(const float *a, const float *b, int n) {
    float s = 0;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}
void mv(const float *W, const float *x, float *y, int n) {
    for (int i = 0; i < n; i++) y[i] = dot(W + i * n, x);
}
