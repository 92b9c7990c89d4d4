#include "kernelwright.h"
void scaled(const float *x, float *y, float scale, int n) {
    for (int i = 0; i < n; i++) y[i] = x[i] * scale[i / 16];
}
