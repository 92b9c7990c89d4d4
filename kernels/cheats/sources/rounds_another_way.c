#include <fenv.h>

void mv(const float *W, const float *b, const float *x, float *y) {
    fesetround(FE_TOWARDZERO);
    honest(W, b, x, y);
}
