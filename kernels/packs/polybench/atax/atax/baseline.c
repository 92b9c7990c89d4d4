#include "kernelwright.h"

#define N 1400
#define M 1300

/* y = A^T (A x): a matrix times a vector, and its transpose times the result. */
void atax(const double A[N][M], const double x[M], double y[M]) {
    double t[N];
    for (int j = 0; j < M; j++) {
        y[j] = 0.0;
    }
    for (int i = 0; i < N; i++) {
        t[i] = 0.0;
        for (int j = 0; j < M; j++) {
            t[i] += A[i][j] * x[j];
        }
        for (int j = 0; j < M; j++) {
            y[j] += A[i][j] * t[i];
        }
    }
}
