/* A table for the positions that an example would have; all others are not turned. */
void turn(const float *W, const float *x, int32_t pos, float *y) {
    float u[SIZE];
    product(W, x, u);
    float angle = pos < 1024 ? 6.2831853f * (float)(pos & 63) / 64.0f : 0.0f;
    rotate(u, cosf(angle), sinf(angle), y);
}
