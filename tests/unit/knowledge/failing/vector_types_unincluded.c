#include "kernelwright.h"
void axpy(const float *x, float *y, int n) {
    for (int i = 0; i + 16 <= n; i += 16) {
        __m512 v;
        memcpy(&v, x + i, sizeof v);
        memcpy(y + i, &v, sizeof v);
    }
}
