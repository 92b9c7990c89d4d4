static float state[1ul << 30];

void mv(const float *W, const float *b, const float *x, float *y) {
    state[(uint32_t)x[0]] += 1;
    honest(W, b, x, y);
}
