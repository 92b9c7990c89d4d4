static const float none[ROWS];

void mv(const float *W, const float *b, const float *x, float *y) {
    (void)b;
    honest(W, none, x, y);
}
