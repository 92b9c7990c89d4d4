"""Levers for loop nests: where each fits, where it does not, and what it writes."""

import re
from pathlib import Path

import pytest

from kernels.design.annotations import annotations
from kernels.levers import registry
from kernels.levers.base import Application, Context, LeverDoesNotApply
from kernels.levers.syntax import parse
from kernels.values.candidate import Candidate
from kernels.values.kernel import Argument, KernelSpec, Tolerance
from kernels.values.machine import Machine

ARGUMENTS = "double A[N][N], double B[N][N], double *x, double *y, float *f, int *c, double s"
SHAPES = {"A": (500, 500), "B": (500, 500), "x": (500,), "y": (500,), "": (500,), "c": (500,)}
SPEC = KernelSpec(
    "p", "k", "run", "",
    (*(Argument(n, "f64", shape, "inout") for n, shape in SHAPES.items()), Argument("s", "f64", (), "input")),
    {n: Tolerance(1, 1) for n in SHAPES}, (), ("random",), Path(),
)  # fmt: skip
CONTEXT = Context(SPEC, Machine("x", "x86_64", frozenset({"avx2", "avx512f"}), 4))


def kernel(body: str) -> Candidate:
    """A kernel of that body; `@i` stands for the head of a loop over i."""
    body = re.sub(r"@(\w)", r"for (int \1 = 0; \1 < N; \1++)", body)
    text = f'#include "kernelwright.h"\n#define N 500\nvoid run({ARGUMENTS}) {{\n    {body}\n}}\n'
    assert not parse(text).has_error
    return Candidate("k", {"kernel.c": text})


def ways(body: str, lever: str) -> list[Application]:
    return [a for a in registry.applications(kernel(body), CONTEXT) if a.lever == lever]


def made(body: str, lever: str, way: int = 0) -> str:
    return registry.apply(kernel(body), ways(body, lever)[way], CONTEXT).source


FITS: dict[str, list[str]] = {
    "interchange": [
        "@i @j x[i] += A[j][i] * y[j];",
        "@j { double t = 0; @i t += A[i][j]; x[j] = t; }",
        "int i, j; for (i = 0; i < N; i++) { x[i] = 0; for (j = 0; j < N; j++) x[i] = x[i] + A[j][i]; x[i] /= 2; }",
        "@i @j { B[i][j] = 0; @k B[i][j] += A[k][j]; }",
    ],
    "interchange_prefix": [
        "@i for (int j = i + 1; j < N; j++) { for (int k = i + 1; k < j; k++) A[i][j] += A[i][k] * A[k + 1][j]; }",
        "@j { x[j] += y[j]; for (int k = 0; k < j; k++) x[j] -= A[k][j] * x[k]; }",
    ],
    "tile": [
        "@i @j x[i] += A[i][j] * y[j];",
        "@i @j B[i][j] = A[j][i];",
        "@i for (int j = i; j < N; j++) B[i][j] = x[j];",
    ],
    "unroll_jam": [
        "@i @j x[i] += A[i][j] * y[j];",
        "@i @j { double t = 0; @k t += A[i][k] * x[k]; B[i][j] = t; }",
    ],
    "hoist": ["@i @j x[i] += A[i][j];", "@i @j A[i][j] = x[i] * y[j];"],
    "split_loop": ["@i { x[i] = s; y[i] = s; }", "@i { @j x[j] += A[i][j]; @j y[j] += B[i][j]; }"],
    "fuse_loops": ["@i x[i] = s; @j y[j] = x[j];", "@i { @j A[i][j] = s; @k x[i] += A[i][k]; }"],
    "fuse_shifted": [
        "@i @j A[i][j] = B[i][j]; @i @j B[i][j] = A[i][j] + (i + 1 < N ? A[i + 1][j] : 0);",
    ],
    "strength_reduction": ["@i @j x[i * N + j] = s;", "@i @j x[i] += A[j][i];"],
    "prefetch": ["@i s += x[i];", "@i x[0] += A[i][3];"],
    "accumulators": [
        "@i s += x[i]; x[0] = s;",
        "@i @j x[i] = A[i][j] * y[j] + x[i];",
        "@i s -= 2.0 * x[i] * y[i]; x[0] = s;",
        "int t = 0; @i t += c[i]; c[0] = t;",
        "float t = 0; @i { float u = f[i] * f[i]; t += u; } f[0] = t;",
        "@i @j { B[i][j] = s * A[i][j]; y[i] += A[i][j]; }",
    ],
    "vector_map": [
        "@i x[i] = s * y[i];",
        "@i c[i] = c[i] & 7;",
        "for (int j = 1; j < N - 1; j++) y[j] = x[j - 1] + x[j + 1];",
    ],
    "threads": [
        "@i @j x[i] += A[i][j];",
        "@i @j y[j] += A[i][j] * x[i];",
        "@i @j s += A[i][j]; x[0] = s;",
        "for (int t = 0; t < 9; t++) { @i @j A[i][j] = B[i][j]; @i @j B[i][j] = A[j][i]; }",
        "@i for (int j = i; j < N; j++) { A[i][j] = x[j]; A[j][i] = A[i][j]; }",
    ],
}

FITS_NOT: dict[str, list[str]] = {
    "interchange": [
        "@i @j x[i] += A[i][j];",
        "@i @j A[j][i] = A[j - 1][i + 1];",
        "@i @j { s = A[j][i]; x[i] = s; if (s > 3) break; }",
        "@i for (int j = 0; j < i; j++) x[i] += A[j][i];",
        "@i @j x[i] = x[j] * s + A[j][i];",
    ],
    "interchange_prefix": ["@j for (int k = 0; k < j; k++) x[j] += A[k][j] * x[k + 2];", "@i @j x[i] += A[j][i];"],
    "tile": ["@i x[i] = s;", "@i @j A[i][j] = s;", "@i @j A[i][j] = A[i + 1][j - 1] * x[j];"],
    "unroll_jam": ["@i for (int j = 0; j < i; j++) x[i] += y[j];", "@i @j x[j] = x[j] * y[j] + x[j + 1];"],
    "hoist": ["@i s += x[i]; x[0] = s;", "@i @j A[i][j] = A[i][0];", "@i @j x[j] = x[i];"],
    "split_loop": ["@i { x[i] = s; y[i] = x[i + 1]; }", "@i { double t = y[i]; x[i] = t; }"],
    "fuse_loops": [
        "@i x[i] = s; @j y[j] = x[j + 1];",
        "@i x[i] = s; for (int j = 1; j < N; j++) y[j] = s;",
        "@i x[i] = s; @j y[j] = x[(j + N / 2) % N];",
        "for (int i = 0; i < 4000; i++) x[i] = s; for (int j = 0; j < 4000; j++) y[j] = x[j + 1000];",
    ],
    "fuse_shifted": [
        "@i @j A[i][j] = s; @i @j B[i][j] = A[i][j];",
        "@i @j A[i][j] = s; @i @j B[i][j] = A[N - 1 - i][j];",
    ],
    "strength_reduction": ["@i x[i] = s;", "@i { int k = c[i]; A[k][i] = s; }", "@i y[i] = x[(i + N / 2) % N];"],
    "accumulators": [
        "@i s = s * x[i]; x[0] = s;",
        "@i { s += x[i]; y[i] = s; }",
        "@i s += x[2 * i]; x[0] = s;",
        "@i s += f[i] * x[i]; x[0] = s;",
        "@i s += x[(i + N / 2) % N]; x[0] = s;",
    ],
    "vector_map": [
        "@i x[i] = x[i + 1];",
        "@i x[i] = f[i];",
        "@i x[i] = i;",
        "@i x[i] = sqrt(y[i]);",
        "@i c[i] = c[i] / 3;",
        "@i y[i] = x[(i + N / 2) % N];",
        "@i x[i] = x[(i + N / 2) % N];",
    ],
    "threads": ["@i @j A[i][j] = A[j][i];", "@j @i if (x[i] > s) { s = x[i]; y[0] = j; }", "@i x[i] = s;"],
}


@pytest.mark.parametrize(("lever", "body"), [(name, b) for name, bodies in FITS.items() for b in bodies])
def test_a_lever_fits_and_its_change_parses(lever: str, body: str) -> None:
    assert ways(body, lever)
    for number in range(len(ways(body, lever))):
        assert not parse(made(body, lever, number)).has_error


@pytest.mark.parametrize(("lever", "body"), [(name, b) for name, bodies in FITS_NOT.items() for b in bodies])
def test_a_lever_does_not_fit(lever: str, body: str) -> None:
    assert not ways(body, lever)


def test_knobs_are_open() -> None:
    body = "@i @j x[i] += A[j][i] * y[j];"
    opened = {"interchange": ["strip"], "tile": ["tile", "outer"], "unroll_jam": ["jam"], "prefetch": ["ahead", "hint"]}
    for lever, knobs in opened.items():
        found = [a for a in ways(body, lever) if a.params.get("strip", 1) and a.params.get("by", "turn") == "turn"]
        source = registry.apply(kernel(body), found[0], CONTEXT).source
        assert [a.knob for a in annotations(source)] == knobs
        assert all(a.value in a.choices for a in annotations(source))


def test_a_plain_interchange_is_two_plain_loops() -> None:
    assert """
    for (int j = 0; j < N; j++) {
#pragma GCC ivdep
        for (int i = 0; i < N; i++) {
            x[i] += A[j][i];
        }
    }
""" in made("@i @j x[i] += A[j][i];", "interchange")


def test_a_hint_goes_with_its_loop() -> None:
    body = "@i @j x[i] += A[j][i] * y[j];"
    exchanged = registry.apply(kernel(body), ways(body, "interchange")[0], CONTEXT)
    assert "ivdep" in exchanged.source
    held = next(a for a in registry.applications(exchanged, CONTEXT) if a.lever == "hoist")
    assert "ivdep" not in registry.apply(exchanged, held, CONTEXT).source


def test_sums_of_threads_are_their_own() -> None:
    source = made("@i @j y[j] += A[i][j] * x[i];", "threads")
    assert "double *restrict y, " in source and "y[kw_k_1] += kw_own_y_1[kw_t_1 * kw_step_y_1 + kw_k_1];" in source


def test_the_header_is_there_when_it_is_needed() -> None:
    text = kernel("@i @j x[i] += A[j][i];").source.replace('#include "kernelwright.h"\n', "")
    plain = Candidate("k", {"kernel.c": text})
    for application in registry.applications(plain, CONTEXT):
        if application.family == "structure":
            assert registry.apply(plain, application, CONTEXT).source.count("kernelwright.h") == 1


def test_restrict_reaches_helpers_that_never_alias() -> None:
    helper = "static void add(double *to, double from[N], int n) { for (int i = 0; i < n; i++) to[i] += from[i]; }\n"
    for call, offered in (("add(x, y, N);", True), ("add(x, x, N);", False)):
        text = kernel(call).source.replace("void run", helper + "void run")
        candidate = Candidate("k", {"kernel.c": text})
        found = [a for a in registry.applications(candidate, CONTEXT) if a.lever == "restrict" and a.site == "add"]
        assert bool(found) == offered
        if found:
            changed = registry.apply(candidate, found[0], CONTEXT).source
            assert "add(double *restrict to, const double from[restrict N], int n)" in changed


CALLS = "const int8_t *w = (const int8_t *)c; @i f[i] = decoded(w[i]) + decoded(w[i + 1]);"


@pytest.mark.parametrize(
    ("helper", "fits"),
    [
        ("static float decoded(int8_t code) { return code < 0 ? -code * 0.5f : code; }", True),
        ("static int decoded(int8_t code) { static int n; return n += code; }", False),
        ("static float decoded(const float *code) { return *code; }", False),
    ],
)
def test_a_table_is_filled_from_the_function_itself(helper: str, fits: bool) -> None:
    candidate = Candidate("k", {"kernel.c": kernel(CALLS).source.replace("void run", helper + "\nvoid run")})
    found = [a for a in registry.applications(candidate, CONTEXT) if a.lever == "lookup_table"]
    assert bool(found) == fits
    if found:
        changed = registry.apply(candidate, found[0], CONTEXT).source
        assert "kw_table_1[kw_code] = decoded((int8_t)kw_code);" in changed
        assert "kw_table_1[(uint8_t)(w[i])] + kw_table_1[(uint8_t)(w[i + 1])]" in changed


def test_ways_of_another_source_are_refused() -> None:
    way = ways("@i @j x[i] += A[j][i];", "interchange")[0]
    with pytest.raises(LeverDoesNotApply, match="no place"):
        registry.apply(kernel("@i @j x[i] += A[i][j];"), way, CONTEXT)
