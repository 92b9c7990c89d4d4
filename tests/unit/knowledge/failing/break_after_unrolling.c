#include "kernelwright.h"
void find(const float *x, float *y, int n) {
    if (n > 0) {
        y[0] = x[0];
        if (x[0] > 1) break;
    }
    y[1] = 0;
}
