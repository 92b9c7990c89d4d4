#include "kernelwright.h"
struct job { const float *x; float *y; };
void run(const float *x, float *y) {
    struct job job = 0;
    job.x = x;
    job.y = y;
    y[0] = job.x[0];
}
