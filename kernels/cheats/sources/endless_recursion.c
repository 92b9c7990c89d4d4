static __attribute__((noinline)) int deeper(volatile int *from) {
    volatile int here[64] = {0};
    here[0] = *from + 1;
    return deeper(here) + here[1];
}

void mv(const float *W, const float *b, const float *x, float *y) {
    volatile int start = 0;
    honest(W, b, x, y);
    y[0] += (float)deeper(&start);
}
