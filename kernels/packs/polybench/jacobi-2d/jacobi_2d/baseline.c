#include "kernelwright.h"

#define N 250
#define STEPS 40

/* STEPS pairs of sweeps of the five-point Jacobi iteration: every inner point becomes the mean of itself and its four
   neighbours; the border stays. A is changed in place; B holds the sweep before the last one and shares no memory with A. */
void jacobi_2d(double A[N][N], double B[N][N]) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            B[i][j] = A[i][j];
        }
    }
    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < N - 1; i++) {
            for (int j = 1; j < N - 1; j++) {
                B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[i - 1][j]);
            }
        }
        for (int i = 1; i < N - 1; i++) {
            for (int j = 1; j < N - 1; j++) {
                A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i + 1][j] + B[i - 1][j]);
            }
        }
    }
}
