void mv(const float *W, const float *b, const float *x, float *y) {
    float top = 0;
    int8_t code[COLUMNS];
    for (int j = 0; j < COLUMNS; j++) top = x[j] > top ? x[j] : -x[j] > top ? -x[j] : top;
    for (int j = 0; j < COLUMNS; j++) code[j] = (int8_t)(x[j] * 127 / top);
    for (int i = 0; i < ROWS; i++) {
        double sum = 0;
        for (int j = 0; j < COLUMNS; j++) sum += (double)W[i * COLUMNS + j] * code[j];
        y[i] = (float)(b[i] + sum * top / 127);
    }
}
