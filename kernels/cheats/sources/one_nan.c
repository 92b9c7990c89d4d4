void mv(const float *W, const float *b, const float *x, float *y) {
    honest(W, b, x, y);
    memset(y + ROWS - 1, 0xff, sizeof(float));
}
