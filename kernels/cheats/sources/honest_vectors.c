typedef float wide __attribute__((vector_size(32), aligned(4), may_alias));

void mv(const float *W, const float *b, const float *x, float *y) {
    for (int i = 0; i < ROWS; i += 4) {
        wide sum[4] = {{0}};
        for (int j = 0; j < COLUMNS; j += 8)
            for (int k = 0; k < 4; k++) sum[k] += *(const wide *)(W + (i + k) * COLUMNS + j) * *(const wide *)(x + j);
        for (int k = 0; k < 4; k++) {
            y[i + k] = b[i + k];
            for (int lane = 0; lane < 8; lane++) y[i + k] += sum[k][lane];
        }
    }
}
