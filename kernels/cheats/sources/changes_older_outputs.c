/* Changes the outputs of earlier calls. */
static float *seen[8];
static int count;

void mv(const float *W, const float *b, const float *x, float *y) {
    int known = 0;
    honest(W, b, x, y);
    for (int i = 0; i < count; i++) {
        if (seen[i] == y) known = 1;
        else seen[i][3] = 9;
    }
    if (!known && count < 8) seen[count++] = y;
}
