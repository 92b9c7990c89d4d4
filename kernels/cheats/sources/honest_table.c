static const float COSINES[17] = {
    1.0f, 0.99518473f, 0.98078528f, 0.95694034f, 0.92387953f, 0.88192126f, 0.83146961f, 0.77301045f, 0.70710678f,
    0.63439328f, 0.55557023f, 0.47139674f, 0.38268343f, 0.29028468f, 0.19509032f, 0.09801714f, 0.0f,
};

static float cosine_of(int step) {
    step &= 63;
    if (step > 32) step = 64 - step;
    return step <= 16 ? COSINES[step] : -COSINES[32 - step];
}

void turn(const float *W, const float *x, int32_t pos, float *y) {
    float u[SIZE];
    product(W, x, u);
    rotate(u, cosine_of(pos), cosine_of(pos - 16), y);
}
