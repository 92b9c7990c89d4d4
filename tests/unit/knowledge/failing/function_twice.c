#include "kernelwright.h"
static float first(const float *x) { return x[0]; }
static float first(const float *x) { return x[0] + 0.0f; }
void f(const float *x, float *y) { y[0] = first(x); }
