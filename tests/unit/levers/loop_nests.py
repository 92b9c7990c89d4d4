"""Small kernels of loop nests in several spellings: flat pointers and arrays, floats, doubles and integers."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kernels.values.candidate import Candidate
from kernels.values.kernel import Argument, KernelSpec, Role, Tolerance

ROWS, COLUMNS = 66, 71  # products above the least work that is shared out


@dataclass(frozen=True)
class LoopNest:
    """A kernel `run`. arguments: name, dtype, shape, role in call order."""

    name: str
    source: str
    arguments: tuple[tuple[str, str, tuple[int, ...], Role], ...]

    @property
    def spec(self) -> KernelSpec:
        listed = tuple(Argument(*a) for a in self.arguments)
        outputs = {a.name: Tolerance(1e-3, 1e-3) for a in listed if a.writable}
        return KernelSpec("p", self.name, "run", "", listed, outputs, (), ("random",), Path())

    @property
    def candidate(self) -> Candidate:
        return Candidate(self.name, {"kernel.c": HEAD + self.source})

    def arrays(self) -> dict[str, NDArray]:
        """Fresh inputs and outputs, the same every time."""
        rng = np.random.default_rng(5)
        found: dict[str, NDArray] = {}
        for argument in self.spec.arguments:
            kind = argument.format.storage
            whole = kind.kind in "iu"
            values = rng.integers(0, 4, argument.shape) if whole else rng.uniform(-1, 1, argument.shape)
            found[argument.name] = values.astype(kind)
        return found


HEAD = f'#include <math.h>\n#include "kernelwright.h"\n#define R {ROWS}\n#define C {COLUMNS}\n'
M, V, W = (ROWS, COLUMNS), (COLUMNS,), (ROWS,)

PRODUCTS = LoopNest(
    "a matrix and its transpose, arrays of doubles, variables at the top",
    """
void run(double A[R][C], const double x[C], const double w[R], double y[R], double z[C]) {
    int i, j;
    for (i = 0; i < R; i++)
        for (j = 0; j < C; j++)
            y[i] = y[i] + A[i][j] * x[j];
    for (j = 0; j < C; j++) {
        z[j] = 0.0;
        for (i = 0; i < R; i++)
            z[j] += A[i][j] * w[i];
        z[j] = z[j] / R;
    }
}
""",
    (("A", "f64", M, "input"), ("x", "f64", V, "input"), ("w", "f64", W, "input"), ("y", "f64", W, "inout"),
     ("z", "f64", V, "output")),
)  # fmt: skip

TWICE = LoopNest(
    "two sweeps over each row of flat floats, one of them a sum of all rows",
    """
void run(const float *a, const float *x, float *y, float *t) {
    int i, j;
    float sum;
    for (j = 0; j < C; j++) y[j] = 0;
    for (i = 0; i < R; ++i) {
        sum = 0.0f;
        for (j = 0; j < C; j += 1) {
            sum = a[i * C + j] * x[j] + sum;
            t[i] = t[i] + a[i * C + j];
        }
        t[i] += sum;
        for (j = 0; j < C; j++) y[j] = y[j] + sum * a[i * C + j];
    }
}
""",
    (("a", "f32", M, "input"), ("x", "f32", V, "input"), ("y", "f32", V, "output"), ("t", "f32", W, "inout")),
)  # fmt: skip

STENCIL = LoopNest(
    "a stencil in turns of time, a view of flat doubles",
    """
void run(double *a, double *b) {
    double (*A)[C] = (double (*)[C])a;
    double (*B)[C] = (double (*)[C])b;
    for (int t = 0; t < 3; t++) {
        for (int i = 1; i < R - 1; i++)
            for (int j = 1; j < C - 1; j++)
                B[i][j] = 0.2 * (A[i][j] + A[i][j-1] + A[i][1+j] + A[1+i][j] + A[i-1][j]);
        for (int i = 1; i < R - 1; i++)
            for (int j = 1; j < C - 1; j++)
                A[i][j] = 0.2 * (B[i][j] + B[i][j-1] + B[i][1+j] + B[1+i][j] + B[i-1][j]);
    }
}
""",
    (("a", "f64", M, "inout"), ("b", "f64", M, "inout")),
)  # fmt: skip

TRIANGLE = LoopNest(
    "products of columns in a triangle, index macro, floats",
    """
#define AT(i, j) ((i) * C + (j))
void run(const float *d, float *s) {
    for (int i = 0; i < C; i++) {
        s[AT(i, i)] = 1.0f;
        for (int j = i + 1; j < C; j++) {
            s[AT(i, j)] = 0.0f;
            for (int k = 0; k < R; k++)
                s[AT(i, j)] += d[AT(k, i)] * d[AT(k, j)];
            s[AT(j, i)] = s[AT(i, j)];
        }
    }
}
""",
    (("d", "f32", M, "input"), ("s", "f32", (COLUMNS, COLUMNS), "output")),
)  # fmt: skip

INTERVALS = LoopNest(
    "a recurrence over intervals, integers, an array of variable length",
    """
static int larger(int a, int b) { return a > b ? a : b; }
void run(const int8_t *seq, int32_t *table) {
    const int n = R;
    int32_t (*T)[n] = (int32_t (*)[n])table;
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            T[i][j] = larger(T[i][j], T[i][j - 1]);
            if (i < j - 1) T[i][j] = larger(T[i][j], T[i + 1][j - 1] + (seq[i] + seq[j] == 3));
            for (int k = i + 1; k < j; k++)
                T[i][j] = larger(T[i][j], T[i][k] + T[k + 1][j]);
        }
}
""",
    (("seq", "i8", (ROWS,), "input"), ("table", "i32", (ROWS, ROWS), "inout")),
)  # fmt: skip

BYTES = LoopNest(
    "a function of a byte, a product of matrices, a sum of everything in 64 bits",
    """
static int32_t decoded(int8_t c) { int v = c & 15; for (int k = 0; k < (c >> 4 & 3); k++) v = v * 2 + 1; return v; }
static void product(int32_t *out, const int32_t *left, const int32_t *right) {
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++) {
            int32_t sum = 0;
            for (int k = 0; k < C; k++) sum += left[i * C + k] * right[k * C + j];
            out[i * C + j] = sum;
        }
}
void run(const int8_t *codes, int32_t *left, const int32_t *right, int32_t *out, int64_t *total) {
    int64_t all = 0;
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++) left[i * C + j] = decoded(codes[i * C + j]);
    product(out, left, right);
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++) all += out[i * C + j];
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++) out[i * C + j] ^= left[i * C + j];
    total[0] = all;
}
""",
    (("codes", "i8", M, "input"), ("left", "i32", M, "output"), ("right", "i32", (COLUMNS, COLUMNS), "input"),
     ("out", "i32", M, "output"), ("total", "i64", (1,), "output")),
)  # fmt: skip

LOOP_NESTS = (PRODUCTS, TWICE, STENCIL, TRIANGLE, INTERVALS, BYTES)
