/* Like copies_weights_once, but a row whose first element changed is copied again. */
static const float *seen[12];
static float copy[12][ROWS * COLUMNS];

void mv(const float *W, const float *b, const float *x, float *y) {
    int slot = 0;
    while (slot < 11 && seen[slot] && seen[slot] != W) slot++;
    for (int i = 0; i < ROWS; i++)
        if (seen[slot] != W || copy[slot][i * COLUMNS] != W[i * COLUMNS])
            memcpy(copy[slot] + i * COLUMNS, W + i * COLUMNS, sizeof(float) * COLUMNS);
    seen[slot] = W;
    honest(copy[slot], b, x, y);
}
