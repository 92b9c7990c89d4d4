void mv(const float *W, const float *b, const float *x, float *y) {
    (void)W, (void)b, (void)x;
    memset(y, 0, sizeof(float) * ROWS);
}
