static void part(void *context, int64_t begin, int64_t end, int thread) {
    (void)context, (void)begin, (void)end;
    for (volatile int i = thread;; i++) ;
}

void mv(const float *W, const float *b, const float *x, float *y) {
    honest(W, b, x, y);
    kw_parallel_for(kw_threads(), 0, part, 0);
}
