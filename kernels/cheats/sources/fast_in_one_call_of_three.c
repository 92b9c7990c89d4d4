/* Right in every call; fast in one of three, which is all that a lower quartile looks at, and slow in the others. */
static int calls;
static volatile int waste;

void mv(const float *W, const float *b, const float *x, float *y) {
    for (int i = 0; i < ROWS; i++) {
        float sum[16] = {0}, whole = b[i];
        for (int j = 0; j < COLUMNS; j += 16)
            for (int k = 0; k < 16; k++) sum[k] += W[i * COLUMNS + j + k] * x[j + k];
        for (int k = 0; k < 16; k++) whole += sum[k];
        y[i] = whole;
    }
    if (calls++ % 3)
        for (int i = 0; i < 3000000; i++) waste = i;
}
