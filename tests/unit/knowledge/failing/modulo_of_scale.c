#include "kernelwright.h"
void wrap(float *y, const float *x, int n) {
    double s = 3.5;
    for (int i = 0; i < n; i++) {
        float t = x[i] * 2;
        y[i] = (float)(s % 2) + t;
    }
}
