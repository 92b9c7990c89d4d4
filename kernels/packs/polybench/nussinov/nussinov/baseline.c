#include "kernelwright.h"

#define N 250

/* Bases are 0 to 3; two of them pair when they add up to 3 (A 0, C 1, G 2, U 3). */
static int32_t pairs(int8_t one, int8_t other) {
    return one + other == 3 ? 1 : 0;
}

static int32_t larger(int32_t a, int32_t b) {
    return a > b ? a : b;
}

/* Nussinov's algorithm: table[i][j] is the largest number of nested pairs in bases i to j. Neighbours do not pair, and
   below the diagonal there is nothing. */
void nussinov(const int8_t seq[N], int32_t table[N][N]) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            table[i][j] = 0;
        }
    }
    for (int i = N - 1; i >= 0; i--) {
        for (int j = i + 1; j < N; j++) {
            table[i][j] = larger(table[i][j], table[i][j - 1]);
            table[i][j] = larger(table[i][j], table[i + 1][j]);
            if (i < j - 1) {
                table[i][j] = larger(table[i][j], table[i + 1][j - 1] + pairs(seq[i], seq[j]));
            }
            for (int k = i + 1; k < j; k++) {
                table[i][j] = larger(table[i][j], table[i][k] + table[k + 1][j]);
            }
        }
    }
}
