#include "kernelwright.h"
static void add(const float *a, float *b, int n) {
    for (int i = 0; i < n; i++) a[i] += b[i];
}
void twice(const float *x, float *y, int n) { add(x, y, n); }
