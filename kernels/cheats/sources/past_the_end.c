void mv(const float *W, const float *b, const float *x, float *y) {
    honest(W, b, x, y);
    for (int i = ROWS; i < ROWS + 16; i++) ((volatile float *)y)[i] = 0;
}
