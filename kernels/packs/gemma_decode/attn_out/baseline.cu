#include "kernelwright.h"

#define ROWS 3840
#define COLUMNS 4096
#define EPSILON 1e-6f

/* OCP fp8 e4m3: sign, 4 exponent bits, 3 mantissa bits; 0x7f and 0xff are NaN. */
__constant__ float E4M3[256] = {
    0.0f, 0.001953125f, 0.00390625f, 0.005859375f, 0.0078125f, 0.009765625f, 0.01171875f, 0.013671875f,
    0.015625f, 0.017578125f, 0.01953125f, 0.021484375f, 0.0234375f, 0.025390625f, 0.02734375f, 0.029296875f,
    0.03125f, 0.03515625f, 0.0390625f, 0.04296875f, 0.046875f, 0.05078125f, 0.0546875f, 0.05859375f,
    0.0625f, 0.0703125f, 0.078125f, 0.0859375f, 0.09375f, 0.1015625f, 0.109375f, 0.1171875f,
    0.125f, 0.140625f, 0.15625f, 0.171875f, 0.1875f, 0.203125f, 0.21875f, 0.234375f,
    0.25f, 0.28125f, 0.3125f, 0.34375f, 0.375f, 0.40625f, 0.4375f, 0.46875f,
    0.5f, 0.5625f, 0.625f, 0.6875f, 0.75f, 0.8125f, 0.875f, 0.9375f,
    1.0f, 1.125f, 1.25f, 1.375f, 1.5f, 1.625f, 1.75f, 1.875f,
    2.0f, 2.25f, 2.5f, 2.75f, 3.0f, 3.25f, 3.5f, 3.75f,
    4.0f, 4.5f, 5.0f, 5.5f, 6.0f, 6.5f, 7.0f, 7.5f,
    8.0f, 9.0f, 10.0f, 11.0f, 12.0f, 13.0f, 14.0f, 15.0f,
    16.0f, 18.0f, 20.0f, 22.0f, 24.0f, 26.0f, 28.0f, 30.0f,
    32.0f, 36.0f, 40.0f, 44.0f, 48.0f, 52.0f, 56.0f, 60.0f,
    64.0f, 72.0f, 80.0f, 88.0f, 96.0f, 104.0f, 112.0f, 120.0f,
    128.0f, 144.0f, 160.0f, 176.0f, 192.0f, 208.0f, 224.0f, 240.0f,
    256.0f, 288.0f, 320.0f, 352.0f, 384.0f, 416.0f, 448.0f, (0.0f / 0.0f),
    -0.0f, -0.001953125f, -0.00390625f, -0.005859375f, -0.0078125f, -0.009765625f, -0.01171875f, -0.013671875f,
    -0.015625f, -0.017578125f, -0.01953125f, -0.021484375f, -0.0234375f, -0.025390625f, -0.02734375f, -0.029296875f,
    -0.03125f, -0.03515625f, -0.0390625f, -0.04296875f, -0.046875f, -0.05078125f, -0.0546875f, -0.05859375f,
    -0.0625f, -0.0703125f, -0.078125f, -0.0859375f, -0.09375f, -0.1015625f, -0.109375f, -0.1171875f,
    -0.125f, -0.140625f, -0.15625f, -0.171875f, -0.1875f, -0.203125f, -0.21875f, -0.234375f,
    -0.25f, -0.28125f, -0.3125f, -0.34375f, -0.375f, -0.40625f, -0.4375f, -0.46875f,
    -0.5f, -0.5625f, -0.625f, -0.6875f, -0.75f, -0.8125f, -0.875f, -0.9375f,
    -1.0f, -1.125f, -1.25f, -1.375f, -1.5f, -1.625f, -1.75f, -1.875f,
    -2.0f, -2.25f, -2.5f, -2.75f, -3.0f, -3.25f, -3.5f, -3.75f,
    -4.0f, -4.5f, -5.0f, -5.5f, -6.0f, -6.5f, -7.0f, -7.5f,
    -8.0f, -9.0f, -10.0f, -11.0f, -12.0f, -13.0f, -14.0f, -15.0f,
    -16.0f, -18.0f, -20.0f, -22.0f, -24.0f, -26.0f, -28.0f, -30.0f,
    -32.0f, -36.0f, -40.0f, -44.0f, -48.0f, -52.0f, -56.0f, -60.0f,
    -64.0f, -72.0f, -80.0f, -88.0f, -96.0f, -104.0f, -112.0f, -120.0f,
    -128.0f, -144.0f, -160.0f, -176.0f, -192.0f, -208.0f, -224.0f, -240.0f,
    -256.0f, -288.0f, -320.0f, -352.0f, -384.0f, -416.0f, -448.0f, -(0.0f / 0.0f),
};

static __device__ float round_bf16(float value) { return kw_bf16_to_f32(kw_f32_to_bf16(value)); }

static __device__ float inverse_rms(const float *v, int n) {
    float sum = 0.0f;
    for (int i = 0; i < n; i++) {
        sum += v[i] * v[i];
    }
    return 1.0f / sqrtf(sum / (float)n + EPSILON);
}

extern "C" __global__ void project(const kw_bf16 *x, const uint8_t *codes, const kw_bf16 *scales,
                                   const kw_bf16 *post_norm, kw_bf16 *residual, float *y, float *factor) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int column = 0; column < COLUMNS; column++) {
        sum += E4M3[codes[row * COLUMNS + column]] * kw_bf16_to_f32(x[column]);
    }
    y[row] = round_bf16(sum * kw_bf16_to_f32(scales[row]));
}

extern "C" __global__ void measure(const kw_bf16 *x, const uint8_t *codes, const kw_bf16 *scales,
                                   const kw_bf16 *post_norm, kw_bf16 *residual, float *y, float *factor) {
    factor[0] = inverse_rms(y, ROWS);
}

extern "C" __global__ void attn_out(const kw_bf16 *x, const uint8_t *codes, const kw_bf16 *scales,
                                    const kw_bf16 *post_norm, kw_bf16 *residual, float *y, float *factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float added = y[i] * factor[0] * kw_bf16_to_f32(post_norm[i]);
    residual[i] = kw_f32_to_bf16(kw_bf16_to_f32(residual[i]) + added);
}

KW_SCRATCH(y, ROWS * 4);
KW_SCRATCH(factor, 4);
KW_LAUNCH(project, ROWS, 128);
KW_LAUNCH(measure, 1, 1);
KW_LAUNCH(attn_out, ROWS, 128);
