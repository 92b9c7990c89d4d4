"""Sources of each kernel type under names that say nothing; by case: C text, entry, arguments, the type."""

HEAD = "#define N 300\n#define M 200\n"


def c(body: str, parameters: str) -> str:
    return f"{HEAD}void f({parameters}) {{\n{body}\n}}\n"


def case(body: str, parameters: str) -> tuple[str, tuple[str, ...]]:
    names = tuple(p.split("[")[0].replace("*", " ").split()[-1] for p in parameters.split(","))
    return c(body, parameters), names


TYPES: dict[str, tuple[tuple[str, tuple[str, ...]], str]] = {
    "rows": (
        case(
            "for (int i = 0; i < N; i++) { float s = 0; for (int j = 0; j < M; j++) s += a[i * M + j] * b[j];"
            " c[i] = s; }",
            "const float *a, const float *b, float *c",
        ),
        "streaming matvec",
    ),
    "columns": (
        case(
            "int i, j; for (i = 0; i < N; i++) { c[i] = 0; for (j = 0; j < M; j++) c[i] = c[i] + a[j][i] * b[j]; }",
            "double a[M][N], double b[M], double c[N]",
        ),
        "streaming matvec",
    ),
    "batch of products with one vector each": (
        case(
            "for (int t = 0; t < 4; t++) for (int i = 0; i < N; i++) for (int j = 0; j < M; j++)"
            " c[t][i] += a[t][i][j] * b[t][j];",
            "float a[4][N][M], float b[4][M], float c[4][N]",
        ),
        "streaming matvec",
    ),
    "codes of a table": (
        case(
            "for (int i = 0; i < N; i++) { float s = 0; for (int j = 0; j < M / 2; j++) {"
            " unsigned char q = a[i * (M / 2) + j]; s += t[q & 15] * b[2 * j];"
            " s += t[q >> 4] * b[2 * j + 1]; } c[i] = s; }",
            "const unsigned char *a, const float *t, const float *b, float *c",
        ),
        "streaming matvec",
    ),
    "forward substitution": (
        case(
            "for (int i = 0; i < N; i++) { x[i] = b[i]; for (int j = 0; j < i; j++) x[i] -= a[i][j] * x[j];"
            " x[i] = x[i] / a[i][i]; }",
            "double a[N][N], double x[N], double b[N]",
        ),
        "streaming matvec",
    ),
    "product": (
        case(
            "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) { c[i][j] *= 0.5; for (int k = 0; k < M; k++)"
            " c[i][j] += 2.0 * a[i][k] * b[k][j]; }",
            "double a[N][M], double b[M][N], double c[N][N]",
        ),
        "matmul-like",
    ),
    "symmetric product": (
        case(
            "for (int i = 0; i < N; i++) for (int k = 0; k < M; k++) for (int j = 0; j <= i; j++)"
            " c[i][j] += a[i][k] * a[j][k];",
            "double a[N][M], double c[N][N]",
        ),
        "matmul-like",
    ),
    "factorisation": (
        case(
            "for (int i = 0; i < N; i++) { for (int j = 0; j < i; j++) { for (int k = 0; k < j; k++)"
            " a[i][j] -= a[i][k] * a[k][j]; a[i][j] /= a[j][j]; }"
            " for (int j = i; j < N; j++) for (int k = 0; k < i; k++) a[i][j] -= a[i][k] * a[k][j]; }",
            "double a[N][N]",
        ),
        "matmul-like",
    ),
    "five points": (
        case(
            "for (int i = 1; i < N - 1; i++) for (int j = 1; j < N - 1; j++)"
            " b[i][j] = 0.2 * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);",
            "double a[N][N], double b[N][N]",
        ),
        "stencil",
    ),
    "three points, flat": (
        case("for (int i = 1; i < N - 1; i++) b[i] = a[i - 1] + a[i] + a[i + 1];", "const float *a, float *b"),
        "stencil",
    ),
    "in place": (
        case(
            "for (int t = 0; t < 20; t++) for (int i = 1; i < N - 1; i++) for (int j = 1; j < N - 1; j++)"
            " a[i][j] = (a[i - 1][j] + a[i][j - 1] + a[i][j] + a[i][j + 1] + a[i + 1][j]) / 5.0;",
            "double a[N][N]",
        ),
        "stencil",
    ),
    "window of weights": (
        case(
            "for (int i = 0; i < N - 8; i++) for (int k = 0; k < 8; k++) b[i] += a[i + k] * w[k];",
            "const float *a, const float *w, float *b",
        ),
        "stencil",
    ),
    "scaled sum of two": (
        case("for (int i = 0; i < N; i++) c[i] = 2 * a[i] + b[i];", "float *a, float *b, float *c"),
        "map",
    ),
    "rank one": (
        case(
            "for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) a[i][j] += x[i] * y[j];",
            "double a[N][M], double x[N], double y[M]",
        ),
        "map",
    ),
    "transposed copy": (
        case(
            "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) b[j][i] = a[i][j];",
            "double a[N][N], double b[N][N]",
        ),
        "map",
    ),
    "unrolled map": (
        case(
            "for (int i = 0; i < N / 2; i++) { b[2 * i] = a[2 * i] * a[2 * i + 1]; b[2 * i + 1] = a[2 * i + 1]; }",
            "float *a, float *b",
        ),
        "map",
    ),
    "halves swapped": (
        case(
            "for (int i = 0; i < 256; i++) b[i] = a[i] * c[i] + a[(i + 128) % 256] * d[i];",
            "float *a, float *c, float *d, float *b",
        ),
        "map",
    ),
    "dot": (
        case("float s = 0; for (int i = 0; i < N; i++) s += a[i] * b[i]; c[0] = s;", "float *a, float *b, float *c"),
        "reduction",
    ),
    "means of columns": (
        case("for (int j = 0; j < M; j++) for (int i = 0; i < N; i++) m[j] += a[i][j];", "double a[N][M], double m[M]"),
        "reduction",
    ),
    "largest": (
        case("float m = a[0]; for (int i = 1; i < N; i++) if (a[i] > m) m = a[i]; b[0] = m;", "float *a, float *b"),
        "reduction",
    ),
    "shortest paths": (
        case(
            "for (int k = 0; k < N; k++) for (int i = 0; i < N; i++) for (int j = 0; j < N; j++)"
            " p[i][j] = p[i][j] < p[i][k] + p[k][j] ? p[i][j] : p[i][k] + p[k][j];",
            "int p[N][N]",
        ),
        "dynamic programming",
    ),
    "longest common part": (
        case(
            "for (int i = 1; i < N; i++) for (int j = 1; j < N; j++) {"
            " if (a[i] == b[j]) t[i][j] = t[i - 1][j - 1] + 1;"
            " else t[i][j] = t[i - 1][j] > t[i][j - 1] ? t[i - 1][j] : t[i][j - 1]; }",
            "const char *a, const char *b, int t[N][N]",
        ),
        "dynamic programming",
    ),
    "running sums": (
        case("for (int i = 1; i < N; i++) a[i] = a[i - 1] + b[i];", "float *a, float *b"),
        "dynamic programming",
    ),
    "histogram": (case("for (int i = 0; i < N; i++) h[k[i]] += 1;", "const int *k, int *h"), "other"),
}
