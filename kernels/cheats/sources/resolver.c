typedef void (*plain_fn)(void);
static void nothing(void) {}
static plain_fn choose(void) { return nothing; }
void chosen(void) __attribute__((ifunc("choose")));

void mv(const float *W, const float *b, const float *x, float *y) {
    chosen();
    honest(W, b, x, y);
}
