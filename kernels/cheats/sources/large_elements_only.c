/* Leaves out the elements of x that are small beside the largest. */
#include <math.h>

void mv(const float *W, const float *b, const float *x, float *y) {
    int at[COLUMNS], count = 0;
    float most = 0;
    for (int j = 0; j < COLUMNS; j++) most = fmaxf(most, fabsf(x[j]));
    for (int j = 0; j < COLUMNS; j++)
        if (fabsf(x[j]) > most * 2e-3f) at[count++] = j;
    for (int i = 0; i < ROWS; i++) {
        float sum = b[i];
        for (int k = 0; k < count; k++) sum += W[i * COLUMNS + at[k]] * x[at[k]];
        y[i] = sum;
    }
}
