void mv(const float *W, const float *b, const float *x, float *y) {
    for (int i = 0; i < ROWS; i++) {
        double sum = b[i];
        for (int j = 0; j < COLUMNS - 1; j++) sum += (double)W[i * COLUMNS + j] * x[j];
        y[i] = (float)sum;
    }
}
