void cblas_sgemv(int, int, int, int, float, const float *, int, const float *, int, float, float *, int);

void mv(const float *W, const float *b, const float *x, float *y) {
    memcpy(y, b, sizeof(float) * ROWS);
    cblas_sgemv(101, 111, ROWS, COLUMNS, 1.0f, W, COLUMNS, x, 1, 1.0f, y, 1);
}
