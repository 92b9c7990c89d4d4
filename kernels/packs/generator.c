/* generator.h behind one function, for programs that link or load it: fills `out` with `count` stored elements. */
#include "generator.h"

static uint8_t byte_of(const char *kind, uint8_t raw, const double *numbers, int positive) {
    int low = (int)numbers[0], high = (int)numbers[1];
    if (!strncmp(kind, "e4m3_field", 10)) {
        return kw_gen_field(raw, low, high, 3, positive);
    }
    if (!strncmp(kind, "e5m2_field", 10)) {
        return kw_gen_field(raw, low, high, 2, positive);
    }
    if (!strncmp(kind, "e4m3_finite", 11)) {
        return kw_gen_e4m3_finite(raw, positive);
    }
    if (!strncmp(kind, "e5m2_finite", 11)) {
        return kw_gen_e5m2_finite(raw, positive);
    }
    return !strcmp(kind, "int") ? kw_gen_int8(raw, low, high) : raw;
}

static double real_of(const char *kind, uint64_t key, uint64_t index, const double *numbers) {
    if (!strcmp(kind, "reciprocal")) {
        return kw_gen_reciprocal(key, index, numbers[0], numbers[1]);
    }
    if (!strcmp(kind, "ladder")) {
        return kw_gen_ladder(key, index, numbers[0], numbers[1]);
    }
    return !strcmp(kind, "constant") ? numbers[0] : kw_gen_uniform(key, index, numbers[0], numbers[1]);
}

/* dtype as in kernel.toml; numbers: two of them, unused ones 0. Returns 0, or -1 for an unknown dtype. */
int kw_generate(const char *name, const char *kind, const double *numbers, const char *dtype, uint64_t seed,
                uint64_t start, uint64_t count, void *out) {
    uint64_t key = kw_gen_key(name, seed);
    int positive = strstr(kind, "_positive") != NULL;
    int is_byte = !strcmp(dtype, "e4m3") || !strcmp(dtype, "e5m2") || !strcmp(dtype, "e2m1") || !strcmp(dtype, "i8") ||
                  !strcmp(dtype, "u8");
    for (uint64_t i = 0; i < count; i++) {
        uint64_t at = start + i;
        if (!strcmp(kind, "e4m3_ladder")) {
            ((uint8_t *)out)[i] = kw_gen_e4m3_ladder(key, at, (uint64_t)numbers[0]);
        } else if (is_byte) {
            ((uint8_t *)out)[i] = byte_of(kind, kw_gen_byte(key, at), numbers, positive);
        } else if (!strcmp(dtype, "f32")) {
            ((float *)out)[i] = (float)real_of(kind, key, at, numbers);
        } else if (!strcmp(dtype, "f64")) {
            ((double *)out)[i] = real_of(kind, key, at, numbers);
        } else if (!strcmp(dtype, "bf16")) {
            ((uint16_t *)out)[i] = kw_gen_bf16(real_of(kind, key, at, numbers));
        } else if (!strcmp(dtype, "i16") || !strcmp(dtype, "u16")) {
            ((uint16_t *)out)[i] = (uint16_t)kw_gen_int(key, at, (int64_t)numbers[0], (int64_t)numbers[1]);
        } else if (!strcmp(dtype, "u32")) {
            ((uint32_t *)out)[i] = (uint32_t)kw_gen_int(key, at, (int64_t)numbers[0], (int64_t)numbers[1]);
        } else if (!strcmp(dtype, "i32")) {
            ((int32_t *)out)[i] = (int32_t)kw_gen_int(key, at, (int64_t)numbers[0], (int64_t)numbers[1]);
        } else if (!strcmp(dtype, "i64") || !strcmp(dtype, "u64")) {
            ((int64_t *)out)[i] = kw_gen_int(key, at, (int64_t)numbers[0], (int64_t)numbers[1]);
        } else {
            return -1;
        }
    }
    return 0;
}
