"""Loops that almost fit a lever: what each of them hides makes one of the levers wrong, or did."""

from tests.unit.levers.loop_nests import LoopNest

LENGTH = 9000
THREE = ("x", "y", "z")


def almost(name: str, body: str, element: str = "double", before: str = "") -> LoopNest:
    """`void run(x, y, z)` around the body."""
    dtype = {"double": "f64", "float": "f32", "int": "i32"}[element]
    source = f"{before}\nvoid run({element} *x, {element} *y, {element} *z) {{\n{body}\n}}\n"
    return LoopNest(name, source, tuple((a, dtype, (LENGTH,), "inout") for a in THREE))


def of_bytes(name: str, before: str, body: str) -> LoopNest:
    """`void run(b, y)` around the body."""
    source = f"{before}\nvoid run(const uint8_t *b, double *y) {{\n{body}\n}}\n"
    return LoopNest(name, source, (("b", "u8", (LENGTH,), "input"), ("y", "f64", (LENGTH,), "inout")))


ALMOST = (
    almost("pivot local",
        "const int mid = 4500; for (int i = 0; i < 9000; i++) x[i] = x[i] * 2 + x[mid];"),
    almost("reassigned offset",
        "int k = 0; k = 1; for (int i = 0; i < 8999; i++) x[i + k] = x[i] + 1;"),
    almost("reassigned pointer",
        "double *b = y; b = x; for (int i = 1; i < 9000; i++) x[i] = b[i - 1] + 1;"),
    almost("cond pointer",
        "double *b = x[0] > 100 ? y : x; for (int i = 1; i < 9000; i++) x[i] = b[i - 1] + 1;"),
    almost("doubling back",
        "for (int s = 1; s < 64; s *= 2) for (int i = 64; i < 8000; i++) x[i] = x[i] + x[i - s] ;"),
    almost("scatter",
        "for (int i = 0; i < 9000; i++) y[x[i] & 3] = i;", "int"),
    almost("hist",
        "for (int i = 0; i < 9000; i++) y[x[i] & 3] += 1;", "int"),
    almost("hash unsigned",
        "for (int i = 0; i < 9000; i++) y[((uint32_t)i * 2654435761u) >> 22] = x[i];", "int"),
    almost("uint8 wrap",
        "for (int i = 0; i < 9000; i++) y[(uint8_t)i] = x[i];", "int"),
    almost("macro store",
        "for (int i = 0; i < 9000; i++) PUT(i / 2, x[i]); for (int j = 0; j < 9000; "
        "j++) z[j] = y[8999 - j];", "double",
        "#define PUT(i, v) (y[(i)] = (v))"),
    almost("macro read",
        "for (int i = 1; i < 9000; i++) x[i] = X(i - 1) + 1;", "double",
        "#define X(i) x[(i)]"),
    almost("macro step",
        "double s = 0; for (int i = 0; i < 9000; i++) { ADD(x[i]); y[i] = s; }", "double",
        "#define ADD(v) (s += (v))"),
    almost("static state",
        "seed = 1; for (int i = 0; i < 9000; i++) y[i] = x[i] + next();", "double",
        "static unsigned seed; static double next(void) { seed = seed * 1664525u + 1013904223u; "
        "return (double)(seed >> 28); }"),
    almost("static table state",
        "st[0] = 1; for (int i = 0; i < 9000; i++) y[i] = x[i] + next(i);", "double",
        "static int st[4]; static int next(int i) { st[0] = (st[0] * 7 + i) % 101; return st[0]; }"),
    almost("static local",
        "for (int i = 0; i < 9000; i++) y[i] = x[i] + next(i);", "double",
        "static int next(int i) { static int a; a = (a + i) % 101; return a; }"),
    almost("shrinking bound",
        "int n = 9000; for (int i = 0; i < n; i++) { y[i] = x[i] * 3; if (x[i] > 0) n--; }"),
    almost("shift bound",
        "int n = 8999; for (int i = 0; i <= n >> 1; i++) { y[i] = x[i] * 3; z[i] = x[i] + 1; }"),
    almost("index after",
        "int i; for (i = 0; i < 9000; i++) { y[i] = x[i] * 3; z[i] = x[i] + 1; } y[0] = i;"),
    almost("index after nest",
        "int i, j; for (i = 0; i < 90; i++) for (j = 0; j < 90; j++) y[j] += x[j * 90 + i]; "
        "y[0] = i * 1000 + j;"),
    almost("guarded load",
        "for (int i = 0; i < 90; i++) for (int j = 0; j < 90; j++) if (i > 0) y[j] += x[i - 1] * z[j];"),
    almost("zero trip",
        "for (int i = 0; i < 9100; i++) for (int j = i; j < 9000; j++) y[j] += x[i] ;"),
    almost("int literal",
        "for (int i = 0; i < 9000; i++) y[i] = x[i] * 0.5;", "int"),
    almost("int macro",
        "for (int i = 0; i < 9000; i++) y[i] = x[i] * HALF;", "int",
        "#define HALF 0.5"),
    almost("int global",
        "g = 0.5; for (int i = 0; i < 9000; i++) y[i] = x[i] * g;", "int",
        "static double g;"),
    almost("int division in float",
        "int a = 5, b = 2; for (int i = 0; i < 9000; i++) y[i] = x[i] * (a / b);", "float"),
    almost("literal division",
        "for (int i = 0; i < 9000; i++) y[i] = x[i] * (1 / 2) + x[i] * (7 / 2);", "float"),
    almost("unsigned minus",
        "unsigned a = 2, b = 5; for (int i = 0; i < 9000; i++) y[i] = x[i] + (a - b);"),
    almost("int temp",
        "for (int i = 0; i < 9000; i++) { int t = x[i] * 0.7f; y[i] = t; }", "float"),
    almost("int sum of floats",
        "int s = 0; for (int i = 0; i < 9000; i++) s += x[i] * 0.7f; y[0] = s;", "float"),
    almost("int elem sum of floats",
        "int s[2] = {0, 0}; for (int i = 0; i < 9000; i++) s[1] += x[i] * 0.7f; y[0] = s[1];", "float"),
    almost("inline first element",
        "norm(x, x[0] + 2, 9000);", "double",
        "static void norm(double *a, double s, int n) { for (int i = 0; i < n; i++) a[i] = a[i] * s; }"),
    almost("inline half",
        "norm(x, 3, 9000);", "double",
        "static void norm(double *a, double s, int n) { for (int i = 0; i < n; "
        "i++) a[i] = a[i] * (s / 2); }"),
    almost("inline int",
        "norm(x, 2.7, 9000);", "double",
        "static void norm(double *a, int s, int n) { for (int i = 0; i < n; i++) a[i] = a[i] * s; }"),
    almost("inline byte",
        "norm(x, 300, 9000);", "double",
        "static void norm(double *a, uint8_t s, int n) { for (int i = 0; i < n; i++) a[i] = a[i] * s; }"),
    almost("inline effect",
        "int k = 0; norm(x, k++, 9000); y[0] = k;", "double",
        "static void norm(double *a, int s, int n) { for (int i = 0; i < n; i++) a[i] = a[i] + s; }"),
    almost("inline shadow",
        "double s = 4; norm(x, 9000); y[0] = s;", "double",
        "static double s = 2; static void norm(double *a, int n) { for (int i = 0; i < n; "
        "i++) a[i] = a[i] + s; }"),
    almost("inline macro",
        "norm(y, x, 9000);", "double",
        "#define AT(i) x[(i)]\nstatic void norm(double *x, double *y, int n) { for (int i = 0; i < n; "
        "i++) AT(i) = AT(i) + y[i]; }"),
    almost("fuse captured",
        "double t = 3; for (int i = 0; i < 9000; i++) { double t = x[i]; y[i] = t; } for (int j = 0; "
        "j < 9000; j++) z[j] = t;"),
    almost("fuse captured i",
        "int i = 7; for (int i = 0; i < 9000; i++) { y[i] = x[i]; } for (int j = 0; j < 9000; "
        "j++) z[j] = i;"),
    almost("unsigned empty outer",
        "unsigned a = 100 + (x[0] > 100), b = 90; for (unsigned i = a; i < b; i++) for (int j = 0; "
        "j < 90; j++) y[i] += x[j] * z[i * 90 + j];"),
    almost("tile modulo",
        "for (int i = 0; i < 97; i++) for (int j = 0; j < i % 8; j++) y[i] += x[j] * z[j];"),
    almost("tile modulo 2",
        "for (int i = 0; i < 97; i++) for (int j = 0; j < i % 8 + 80; j++) y[j] += x[i] * z[j * 97 + i];"),
    almost("div while",
        "for (int i = 0; i < 9000; i++) { int q = 3; while (q > 0) q--; y[i / 3] = x[i] + q; }"),
    almost("and while",
        "for (int i = 0; i < 9000; i++) { int q = 3; while (q > 0) q--; y[i & 15] = x[i] + q; }"),
    almost("max shift",
        "int m = 1; for (int i = 0; i < 90; i++) for (int j = 0; j < 90; j++) y[j] = y[j] >> x[j * 90 + "
        "i] ? y[j] : x[j * 90 + i];", "int"),
    almost("pingpong",
        "double *a = x, *b = y; for (int t = 0; t < 3; t++) { for (int i = 1; i < 8999; "
        "i++) b[i] = a[i - 1] + a[i + 1]; double *s = a; a = b; b = s; }"),
    almost("static same",
        "st(x, x);", "double",
        "static void st(double *a, const double *b) { for (int i = 1; i < 9000; i++) a[i] = b[i - 1] + "
        "1; }"),
    almost("static offset",
        "st(x + 1, x);", "double",
        "static void st(double *a, const double *b) { for (int i = 0; i < 8999; i++) a[i] = b[i] + 1; }"),
    almost("static local alias",
        "double *p = x + 1; st(p, x);", "double",
        "static void st(double *a, const double *b) { for (int i = 0; i < 8999; i++) a[i] = b[i] + 1; }"),
    almost("static local alias twice",
        "double *p = x + 1; for (int t = 0; t < 2; t++) st(p, x);", "double",
        "static void st(double *a, const double *b) { for (int i = 0; i < 8999; i++) a[i] = b[i] + 1; }"),
    almost("file scope pointer",
        "g = x; for (int i = 1; i < 9000; i++) x[i] = g[i - 1] + 1;", "double",
        "static double *g;"),
    almost("pivot 2d",
        "const int m = 43; for (int i = 0; i < 90; i++) for (int j = 0; j < 90; j++) x[i * 90 + "
        "j] = x[i * 90 + j] * 2 + x[m * 90 + m];"),
    almost("pivot 2d stencil",
        "const int m = 43; for (int i = 0; i < 85; i++) for (int j = 2; j < 85; j++) y[i * 90 + "
        "j] = x[(i + 2) * 90 + j + 3] + x[(i + 5) * 90 + j - 2] * y[m * 90 + m];"),
    almost("pivot row",
        "const int m = 43; for (int i = 0; i < 90; i++) for (int j = 0; j < 90; j++) x[i * 90 + "
        "j] = x[i * 90 + j] * 2 + x[m * 90 + j];"),
    almost("object macro read",
        "for (int i = 0; i < 9000; i++) x[i] = x[i] + CUR;", "double",
        "#define CUR x[4500]"),
    almost("object macro stmt",
        "for (int i = 0; i < 9000; i++) { y[i] = x[i] * 2; STEP; }", "double",
        "#define STEP z[i / 2] = y[8999 - i]"),
    almost("hoist over call",
        "for (int j = 0; j < 9000; j++) { z[j] = y[0]; bump(y); }", "double",
        "static void bump(double *a) { a[0] = a[0] + 1; }"),
    almost("hoist over macro",
        "for (int j = 0; j < 9000; j++) { z[j] = y[0]; BUMP(0); }", "double",
        "#define BUMP(k) y[k]++"),
    almost("impure condition",
        "for (int j = 0; j < 9000; j++) { if (next() > 8) z[j] = y[j]; }", "double",
        "static unsigned seed; static unsigned next(void) { seed = seed * 1664525u + 1013904223u; "
        "return seed >> 28; }"),
    of_bytes("lookup param",
        "static int scale;static int dec(uint8_t c) { return c * scale + 1; }",
        "scale = 3; for (int i = 0; i < 9000; i++) y[i] += dec(b[i]);"),
    of_bytes("lookup div",
        "static int dec(uint8_t c) { return 100 / c; }",
        "for (int i = 0; i < 9000; i++) y[i] += b[i] ? dec(b[i]) : 7;"),
    of_bytes("lookup count",
        "static int n; static int dec(uint8_t c) { n++; return n + c; }",
        "n = 0; for (int i = 0; i < 9000; i++) y[i] += dec(b[i]);"),
    of_bytes("lookup macro",
        "#define K scale\nstatic int scale; static int dec(uint8_t c) { return c * K; }",
        "scale = 5; for (int i = 0; i < 9000; i++) y[i] += dec(b[i]);"),
    almost("param shadow",
        "for (int i = 0; i < 9000; i++) { double y = x[i]; z[i] = y; } y[0] = 3;"),
    almost("lower changed",
        "int k = 3; for (int j = 0; j < 3; j++) for (int i = k; i < 8000; i++) { k = 50; "
        "y[i] = x[i] * 2; z[i] = x[i]; }"),
    almost("bound changed cond",
        "int n = 8000; for (int j = 0; j < 90; j++) for (int i = 0; i < n; i++) { y[i] += x[i]; "
        "if (i == 5) n = n - 10; }"),
    almost("neg bound outer",
        "int n = x[0] > 100 ? 5 : -7; for (int i = 0; i < n; i++) { double s = 0; for (int j = 0; "
        "j < 90; j++) s += x[j * 90 + i]; y[i] = s; }"),
    almost("uint16 wrap",
        "for (int i = 0; i < 9000; i++) { uint16_t h = i * 40503; y[h >> 8] = x[i]; }"),
    almost("unsigned name wrap",
        "for (int i = 0; i < 9000; i++) { unsigned h = (unsigned)i * 2654435769u; y[h >> 20] = x[i]; }"),
    almost("unsigned minus name",
        "for (unsigned i = 0; i < 9000; i++) { y[(i - 5) % 8999] = x[i]; }"),
    almost("pointer bump outer",
        "double *p = x; for (int i = 0; i < 90; i++) { for (int j = 0; j < 90; j++) y[j] += p[j]; "
        "p += 90; }"),
    almost("offset param",
        "int k = (int)z[0] + 4; for (int i = 10; i < 8000; i++) x[i] = x[i - k] + 1;"),
    almost("offset param fuse",
        "int k = (int)z[0] + 4; for (int i = 0; i < 8000; i++) y[i] = x[i] + 1; for (int i = 0; "
        "i < 8000; i++) z[i] = y[i + k];"),
    almost("offset param fuse neg",
        "int k = (int)z[0] - 4; for (int i = 10; i < 8000; i++) y[i] = x[i] + 1; for (int i = 10; "
        "i < 8000; i++) z[i] = y[i - k];"),
    almost("mod param",
        "int k = (int)z[0] + 14; for (int i = 0; i < 9000; i++) y[i % k] = x[i] + 1;"),
    almost("macro of a parameter",
        "for (int i = 0; i < 9000; i++) y[i] = AT(i) * 2;", "double",
        "#define AT(i) x[(i)]"),
    almost("two sums",
        "double s = 0, t = 0; for (int i = 0; i < 80; i++) { s += x[i]; t += x[i] * 2; "
        "for (int j = 0; j < 80; j++) y[j] += x[i * 80 + j]; } z[0] = s; z[1] = t;"),
    almost("sum through a pointer",
        "double *p = y + 3; for (int i = 0; i < 80; i++) for (int j = 0; j < 80; j++) "
        "p[j] += x[j * 80 + i];"),
    almost("sum beside a read",
        "for (int i = 0; i < 5000; i++) y[i % 64] += y[i + 200];"),
    almost("modulo in a triangle",
        "for (int i = 0; i < 90; i++) for (int j = 0; j < i; j++) z[i * 90 + j] += y[(j + 198) % 64];"),
    almost("still in the nest",
        "for (int i = 0; i < 90; i++) for (int j = 0; j < 90; j++) for (int l = 0; l < 3; l++) { "
        "x[i + 200] = z[l] + j; y[l * 90 + j] = x[j / 5 + 200]; }"),
    almost("strips of a triangle",
        "for (int i = 0; i < 70; i++) for (int j = 0; j < i + 1; j++) { z[150 - i] = x[j]; "
        "y[j * 60 + i] = x[j + 90]; }"),
    almost("branch of one turn",
        "for (int i = 0; i < 90; i++) for (int j = 0; j < 90; j++) if (i < 2) x[j + 1] = x[j] + 1; "
        "else y[j] = i;"),
    almost("branch of one turn inside",
        "for (int i = 0; i < 8999; i++) { if (i == 4500) x[i + 1] = x[i] + 1; y[i] = x[i + 1]; "
        "z[i] = y[i]; }"),
)  # fmt: skip
