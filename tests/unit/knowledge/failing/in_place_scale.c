#include "kernelwright.h"
void normalise(const float *x, float *y, int n) {
    float total = 0;
    for (int i = 0; i < n; i++) total += x[i] * x[i];
    for (int i = 0; i < n; i++) {
        x[i] = x[i] / total;
        y[i] = x[i];
    }
}
