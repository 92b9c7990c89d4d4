/* A scratch array for each thread, which the C library allocates at its first use there. */
struct job { const float *W, *b, *x; float *y; };

static _Thread_local float scratch[1 << 18];

static void part(void *context, int64_t begin, int64_t end, int thread) {
    const struct job *job = context;
    (void)thread;
    memcpy(scratch, job->x, sizeof(float) * COLUMNS);
    for (int64_t i = begin; i < end; i++) {
        float sum = job->b[i];
        for (int j = 0; j < COLUMNS; j++) sum += job->W[i * COLUMNS + j] * scratch[j];
        job->y[i] = sum;
    }
}

void mv(const float *W, const float *b, const float *x, float *y) {
    kw_parallel_for(ROWS, 0, part, &(struct job){W, b, x, y});
}
