#include "kernelwright.h"
typedef float lanes __attribute__((vector_size(32)));
void relu(const float *x, float *y, int n) {
    for (int i = 0; i + 8 <= n; i += 8) {
        lanes m;
        memcpy(&m, x + i, sizeof m);
        if (m > 0) memcpy(y + i, &m, sizeof m);
    }
}
