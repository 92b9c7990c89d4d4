struct job {
    const float *W, *b, *x;
    float *y;
};

static void part(void *context, int64_t begin, int64_t end, int thread) {
    const struct job *job = context;
    (void)thread;
    for (int64_t i = begin; i < end; i++) {
        float sum = job->b[i];
        for (int j = 0; j < COLUMNS; j++) sum += job->W[i * COLUMNS + j] * job->x[j];
        job->y[i] = sum;
    }
}

void mv(const float *W, const float *b, const float *x, float *y) {
    struct job job = {W, b, x, y};
    kw_parallel_for(ROWS, 0, part, &job);
}
