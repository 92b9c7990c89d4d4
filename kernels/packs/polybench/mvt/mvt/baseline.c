#include "kernelwright.h"

#define N 1000

/* x1 = x1 + A y1 and x2 = x2 + A^T y2. */
void mvt(double x1[N], double x2[N], const double y1[N], const double y2[N], const double A[N][N]) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            x1[i] = x1[i] + A[i][j] * y1[j];
        }
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            x2[i] = x2[i] + A[j][i] * y2[j];
        }
    }
}
