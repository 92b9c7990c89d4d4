void mv(const float *W, const float *b, const float *x, float *y) {
    for (int i = 0; i < ROWS; i++) {
        double sum = b[i];
        for (int j = 0; j < COLUMNS; j++) {
            uint32_t bits;
            float w;
            memcpy(&bits, W + i * COLUMNS + j, sizeof bits);
            bits = (bits + 0x8000u) & 0xffff0000u;
            memcpy(&w, &bits, sizeof w);
            sum += (double)w * x[j];
        }
        y[i] = (float)sum;
    }
}
