/* Hopes that the number of timed calls is worked out from the warm-up. */
static int calls;

void mv(const float *W, const float *b, const float *x, float *y) {
    if (calls++ == 0)
        for (volatile long i = 0; i < 20000000; i++) ;
    honest(W, b, x, y);
}
