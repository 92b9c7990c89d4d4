#include "kernelwright.h"
void pick(const float *x, float *y, int n, int small) {
    switch (n) {
    case small: y[0] = x[0]; break;
    default: y[0] = 0;
    }
}
