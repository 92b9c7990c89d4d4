void mv(const float *W, const float *b, const float *x, float *y) {
    volatile int zero = 0;
    honest(W, b, x, y);
    y[0] += (float)(7777 / zero);
}
