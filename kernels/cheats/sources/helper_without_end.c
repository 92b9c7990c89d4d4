/* A helper calls itself without end, once the work is done. */
static volatile int sink;

static int deeper(int n) {
    volatile char frame[4096];
    frame[n & 4095] = (char)n;
    return deeper(n + 1) + frame[7];
}

static void part(void *context, int64_t begin, int64_t end, int thread) {
    (void)context, (void)begin, (void)end;
    if (thread) sink = deeper(0);
}

void mv(const float *W, const float *b, const float *x, float *y) {
    honest(W, b, x, y);
    kw_parallel_for(kw_threads(), 0, part, 0);
}
