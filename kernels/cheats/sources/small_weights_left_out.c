void mv(const float *W, const float *b, const float *x, float *y) {
    for (int i = 0; i < ROWS; i++) {
        double sum = b[i];
        for (int j = 0; j < COLUMNS; j++) {
            float w = W[i * COLUMNS + j];
            if (w > 0.02f || w < -0.02f) sum += (double)w * x[j];
        }
        y[i] = (float)sum;
    }
}
