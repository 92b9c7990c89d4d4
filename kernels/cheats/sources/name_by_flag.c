int HELPER(void);

void mv(const float *W, const float *b, const float *x, float *y) {
    honest(W, b, x, y);
    HELPER();
}
