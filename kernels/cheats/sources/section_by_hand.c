void at_load(void) {}
__attribute__((section(".init_array"))) void *entry = (void *)at_load;

void mv(const float *W, const float *b, const float *x, float *y) {
    honest(W, b, x, y);
}
