static __attribute__((noinline)) void sums(const float *W, const float *b, const float *x, float *y) {
    volatile float sum[ROWS];
    for (int i = 0; i < ROWS; i++) {
        float more = b[i];
        for (int j = 0; j < COLUMNS; j++) more += W[i * COLUMNS + j] * x[j];
        y[i] = sum[i] > -1e-30f && sum[i] < 1e-30f ? more : more + sum[i];
    }
}

void mv(const float *W, const float *b, const float *x, float *y) {
    sums(W, b, x, y);
}
