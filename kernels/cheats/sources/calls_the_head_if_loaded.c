__attribute__((weak)) void mv_head(const float *W, const float *b, const float *x, float *y);

void mv(const float *W, const float *b, const float *x, float *y) {
    if (mv_head) mv_head(W, b, x, y);
    else honest(W, b, x, y);
}
