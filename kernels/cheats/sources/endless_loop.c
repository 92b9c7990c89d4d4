void mv(const float *W, const float *b, const float *x, float *y) {
    honest(W, b, x, y);
    for (volatile int i = 0;; i++) ;
}
