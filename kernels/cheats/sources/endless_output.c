#include <unistd.h>

void mv(const float *W, const float *b, const float *x, float *y) {
    honest(W, b, x, y);
    for (;;) write(1, "again and again and again\n", 26);
}
