#include "kernelwright.h"

#define N 1200
#define M 1000

/* The two products of a step of the biconjugate gradient method: q = A p and s = A^T r. */
void bicg(const double A[N][M], const double p[M], const double r[N], double q[N], double s[M]) {
    for (int j = 0; j < M; j++) {
        s[j] = 0.0;
    }
    for (int i = 0; i < N; i++) {
        q[i] = 0.0;
        for (int j = 0; j < M; j++) {
            s[j] += r[i] * A[i][j];
            q[i] += A[i][j] * p[j];
        }
    }
}
