/* What a plain C grammar stumbles over: specifiers, qualifiers, loops and functions by macro, attributes behind arrays,
   ranges of cases, computed jumps, code cut in two by conditions, nested functions, statement expressions, VLAs, recursion. */
#pragma GCC push_options
#pragma GCC optimize("O2")
#define FORCE static inline __attribute__((always_inline))
#define NOALIAS __restrict__
#define EACH(i, n) for (int i = 0; i < (n); i++)
#define LARGER(a, b) ({ __typeof__(a) a_ = (a), b_ = (b); a_ > b_ ? a_ : b_; })
#define DOT(name, T) static T name(const float *a, const float *b, int n) { T s = 0; EACH(i, n) { s += (T)a[i] * b[i]; } return s; }

union word { float f; uint32_t u; };
static const int widths[4] __attribute__((aligned(64))) = {[0 ... 3] = 64};
DOT(dot_of, double)

FORCE float halves(const float *NOALIAS a, const float *NOALIAS b, int n) {
    if (n <= LARGER(widths[0], 32)) return (float)dot_of(a, b, n);
    return halves(a, b, n / 2) + halves(a + n / 2, b + n / 2, n / 2);
}
#pragma GCC pop_options

static int kind(int row) {
    switch (row) {
        case 0 ... 255: return 0;
        case 256: __attribute__((fallthrough));
        default: return 1;
    }
}

static void rows(int n, const float W[static n], const float *b, const float *x, float *y, int row) {
    static const void *const to[] = {&&first, &&second};
    float part[n / 64];
    auto float sum(int k);
    float sum(int k) { return halves(W + 64 * k, x + 64 * k, 64); }
    goto *to[kind(row)];
first:
    EACH(k, n / 64) part[k] = sum(k);
    goto done;
second:
    _Pragma("GCC ivdep") for (int k = n / 64 - 1; k >= 0; k--) part[k] = sum(k);
done:;
    union word all = {.u = 0};
#if COLUMNS > 512
    for (int k = 0; k < n / 64; k++) {
#else
    for (int k = n / 64 - 1; k >= 0; k--) {
#endif
        all.f += part[k];
    }
    y[row] = b[row] + all.f;
}

void mv(const float *W, const float *b, const float *x, float *y) {
    int row = 0;
again:
    rows(COLUMNS, W + row * COLUMNS, b, x, y, row);
    if (++row < ROWS) goto again;
}
