#include "kernelwright.h"
struct layer { const float *weights; int n; };
void apply(const float *x, float *y, int n) {
    struct layer layer = {x, n};
    for (int i = 0; i < layer.n; i++) y[i] = layer.weigths[i];
}
