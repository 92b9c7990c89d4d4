#include "kernelwright.h"

#include <math.h>

#define M 240
#define N 260

/* Pearson's correlation of the M columns of N observations. The data are standardised in place: each column to mean 0
   and sum of squares 1. No column is constant. */
void correlation(double data[N][M], double mean[M], double stddev[M], double corr[M][M]) {
    for (int j = 0; j < M; j++) {
        mean[j] = 0.0;
        for (int i = 0; i < N; i++) {
            mean[j] += data[i][j];
        }
        mean[j] /= N;
    }
    for (int j = 0; j < M; j++) {
        stddev[j] = 0.0;
        for (int i = 0; i < N; i++) {
            stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
        }
        stddev[j] = sqrt(stddev[j] / N);
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++) {
            data[i][j] = (data[i][j] - mean[j]) / (sqrt((double)N) * stddev[j]);
        }
    }
    for (int i = 0; i < M; i++) {
        corr[i][i] = 1.0;
        for (int j = i + 1; j < M; j++) {
            corr[i][j] = 0.0;
            for (int k = 0; k < N; k++) {
                corr[i][j] += data[k][i] * data[k][j];
            }
            corr[j][i] = corr[i][j];
        }
    }
}
