#include "kernelwright.h"
void copy(const float *x, float *y, int n) {
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++) y[i + k] = x[i + k];
    if (i < n) goto tail;
    return;
}
