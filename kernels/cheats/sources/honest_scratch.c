/* Static scratch memory that is written before it is read in every call is no cache. */
static float copy[COLUMNS], partial[ROWS][4];

static void part(void *context, int64_t begin, int64_t end, int thread) {
    const float *W = context;
    (void)thread;
    for (int64_t i = begin; i < end; i++)
        for (int p = 0; p < 4; p++) {
            float sum = 0;
            for (int j = p; j < COLUMNS; j += 4) sum += W[i * COLUMNS + j] * copy[j];
            partial[i][p] = sum;
        }
}

void mv(const float *W, const float *b, const float *x, float *y) {
    memcpy(copy, x, sizeof copy);
    kw_parallel_for(ROWS, 16, part, (void *)W);
    for (int i = 0; i < ROWS; i++) y[i] = b[i] + partial[i][0] + partial[i][1] + partial[i][2] + partial[i][3];
}
