#include "kernelwright.h"
void square(const float *x, float *y, int n) {
    for (int i = 0; i < n; i++) {
        float v = x[i];
        y[i] = v ^ 2;
    }
}
