#include "kernelwright.h"
#include <math.h>
void softmax(const float *x, float *y, int n) {
    {
        float peak = x[0];
        for (int i = 1; i < n; i++) peak = x[i] > peak ? x[i] : peak;
    }
    float total = 0;
    for (int i = 0; i < n; i++) {
        y[i] = expf(x[i] - peak);
        total += y[i];
    }
    for (int i = 0; i < n; i++) y[i] /= total;
}
