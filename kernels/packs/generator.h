/* The generators of generator.py in C: any element of any tensor on its own. Compile with -ffp-contract=off, or the
 * last bit of a float may differ from Python's.
 *
 *   uint64_t key = kw_gen_key("q_codes", seed);
 *   uint8_t code = kw_gen_field(kw_gen_byte(key, i), 7, 14, 3, 0);          e4m3_field 7 14
 *   float value  = (float)kw_gen_uniform(key, i, -1.0, 1.0);                uniform -1 1
 */
#ifndef KERNELWRIGHT_GENERATOR_H
#define KERNELWRIGHT_GENERATOR_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define KW_GEN_GOLDEN 0x9E3779B97F4A7C15ull

static inline uint64_t kw_gen_fnv1a(const char *name) {
    uint64_t state = 0xCBF29CE484222325ull;
    for (; *name; name++) {
        state = (state ^ (uint8_t)*name) * 0x100000001B3ull;
    }
    return state;
}

static inline uint64_t kw_gen_mix(uint64_t word) {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9ull;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBull;
    return word ^ (word >> 31);
}

static inline uint64_t kw_gen_key(const char *name, uint64_t seed) {
    return kw_gen_mix(kw_gen_fnv1a(name) ^ kw_gen_mix(seed + KW_GEN_GOLDEN));
}

static inline uint64_t kw_gen_word(uint64_t key, uint64_t index) {
    return kw_gen_mix(key + (index + 1) * KW_GEN_GOLDEN);
}

/* Stored byte `index` of a byte format before its table; kind "codes" is this byte. */
static inline uint8_t kw_gen_byte(uint64_t key, uint64_t index) {
    return (uint8_t)(kw_gen_word(key, index / 8) >> (8 * (index % 8)));
}

/* Kinds e4m3_field (3 mantissa bits) and e5m2_field (2): exponent field low..high, the sign dropped when positive. */
static inline uint8_t kw_gen_field(uint8_t raw, int low, int high, int mantissa_bits, int positive) {
    int bits = 8 - mantissa_bits - (positive ? 0 : 1);
    int chosen = (raw >> mantissa_bits) & ((1 << bits) - 1);
    int field = low + ((chosen * (high - low + 1)) >> bits);
    int sign = positive ? 0 : raw & 0x80;
    return (uint8_t)(sign | field << mantissa_bits | (raw & ((1 << mantissa_bits) - 1)));
}

/* Kinds e4m3_finite and e5m2_finite: NaN and infinity become zero of the same sign. */
static inline uint8_t kw_gen_e4m3_finite(uint8_t raw, int positive) {
    uint8_t code = positive ? raw & 0x7f : raw;
    return (code & 0x7f) == 0x7f ? code & 0x80 : code;
}

static inline uint8_t kw_gen_e5m2_finite(uint8_t raw, int positive) {
    uint8_t code = positive ? raw & 0x7f : raw;
    return (code & 0x7c) == 0x7c ? code & 0x80 : code;
}

static inline int kw_gen_rung(uint64_t row) {
    return row & 1 ? (int)(row >> 1 & 15) : 15;
}

/* Kind e4m3_ladder. */
static inline uint8_t kw_gen_e4m3_ladder(uint64_t key, uint64_t index, uint64_t columns) {
    return kw_gen_e4m3_finite(kw_gen_field(kw_gen_byte(key, index), 0, kw_gen_rung(index / columns), 3, 0), 0);
}

/* Kind int of 32 and 64 bits: low..high-1. */
static inline int64_t kw_gen_int(uint64_t key, uint64_t index, int64_t low, int64_t high) {
    return low + (int64_t)((kw_gen_word(key, index) >> 32) * (uint64_t)(high - low) >> 32);
}

/* Kind int of 8 bits. */
static inline uint8_t kw_gen_int8(uint8_t raw, int low, int high) {
    return (uint8_t)(low + (raw * (high - low) >> 8));
}

static inline double kw_gen_uniform(uint64_t key, uint64_t index, double low, double high) {
    return low + (high - low) * ((double)(kw_gen_word(key, index) >> 11) * 0x1p-53);
}

static inline double kw_gen_reciprocal(uint64_t key, uint64_t index, double low, double high) {
    return 1.0 / kw_gen_uniform(key, index, low, high);
}

static inline double kw_gen_ladder(uint64_t key, uint64_t index, double low, double high) {
    int rung = kw_gen_rung(index);
    return ldexp(kw_gen_uniform(key, index, low, high), 15 - (rung > 1 ? rung : 1));
}

/* A float argument of dtype bf16 is rounded to float, then to bf16, both to nearest even. */
static inline uint16_t kw_gen_bf16(double value) {
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

#endif
