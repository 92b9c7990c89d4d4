"""Foreign C functions: what is read of them, what becomes of their text, and what counts as right."""

from math import sqrt

import numpy as np
import pytest

from kernels.packs.foreign.arguments import Declared
from kernels.packs.foreign.signature import Parameter, functions_of
from kernels.packs.foreign.sizes import size_of
from kernels.packs.foreign.source import baseline_text
from kernels.packs.foreign.tolerances import Seen, longest_sum, tolerance_of
from kernels.packs.plain import one_by_one
from kernels.values.kernel import Argument, Role


def parameter(text: str, before: str = "") -> Parameter:
    return functions_of(f"{before}\nvoid f({text}) {{ }}")["f"].parameters[0]


@pytest.mark.parametrize(
    ("text", "dtype", "dims"),
    [
        ("double x", "f64", ()),
        ("const float *restrict x", "f32", ("",)),
        ("double A[3][4][N]", "f64", ("3", "4", "N")),
        ("unsigned char (*A)[7]", "u8", ("", "7")),
        ("long unsigned int n", "u64", ()),
        ("short int *s", "i16", ("",)),
        ("char c[]", "i8", ("",)),
    ],
)
def test_types_and_extents_are_read(text: str, dtype: str, dims: tuple[str, ...]) -> None:
    found = parameter(text)
    assert (found.dtype, found.dims, found.odd) == (dtype, dims, "")


def test_typedefs_are_followed_to_a_plain_type() -> None:
    assert parameter("real x[4]", "typedef float single;\ntypedef single real;").dtype == "f32"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("double **A", "pointer to pointers"),
        ("double *A[4]", "pointer to pointers"),
        ("long double x", "has type long double"),
        ("struct point p", "has type struct point"),
        ("void (*f)(int)", "no array, pointer or number"),
    ],
)
def test_what_cannot_be_an_argument_says_why(text: str, why: str) -> None:
    assert why in parameter(text).odd


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("N", 12), ("2*N + 1", 25), ("(N / 5) * M", 6), ("1 << 4", 16), ("300L", 300), ("N / 0", None), ("Z", None),
        ("1.5", None),
    ],
)  # fmt: skip
def test_sizes_are_worked_out(text: str, value: int | None) -> None:
    assert size_of(text, {"N": 12, "M": "N - 9"}) == value


def declared(name: str, role: Role, *dims: str, dtype: str = "f32", ctype: str = "REAL") -> Declared:
    shape = (8,) * len(dims)
    return Declared(Argument(name, dtype, shape, role), Parameter(name, ctype, dtype, dims), None, False)


FOREIGN = """#include <stdio.h>
#include <math.h>
static void scale(const REAL *x, REAL y[8]);
#define TWICE(v) (double_of(v))
static REAL unused[4];
static REAL half(REAL v) { return v / 2; }
static REAL double_of(REAL v) { return v + v; }
/* the kernel */
static void scale(const REAL *x /* in */, REAL y[8])
{
#pragma scop
    for (int i = 0; i < 8; i++) y[i] = sqrt(TWICE(x[i]));
#pragma endscop
}
int main(void) { printf("%f", half(unused[0])); return 0; }
"""


def test_the_baseline_keeps_what_the_function_reaches_and_nothing_else() -> None:
    arguments = (declared("x", "input", ""), declared("y", "output", "8"))
    made = baseline_text(FOREIGN, "scale", arguments, {}, lambda name: name == "math.h")
    assert made.left_out == (
        "unused", "half", "main", "#include <stdio.h>", "#pragma scop", "#pragma endscop",
    )  # fmt: skip
    assert "static void scale" not in made.text
    assert "static REAL double_of" in made.text
    assert "void scale(const float *x, float y[8])" in made.text
    assert "printf" not in made.text
    assert made.text.startswith('#include "kernelwright.h"')


def test_parameters_that_fit_the_contract_stay_as_they_are_written() -> None:
    source = "void scale(const float (*x)[8], float *restrict y) { y[0] = x[0][0]; }\n"
    arguments = (declared("x", "input", "", "8"), declared("y", "output", ""))
    assert source in baseline_text(source, "scale", arguments, {"N": 3}, lambda name: True).text


def test_sizes_that_the_source_uses_become_macros() -> None:
    source = "void fill(float y[N]) { for (int i = 0; i < N; i++) y[i] = i; }\n"
    made = baseline_text(source, "fill", (declared("y", "output", "N"),), {"N": 8, "M": 9}, lambda name: True)
    assert "#define N 8" in made.text
    assert "#define M" not in made.text


def test_tolerances_come_from_the_format_and_the_length_of_the_sums() -> None:
    output = Argument("y", "f32", (10,), "output")
    found = tolerance_of(output, 400, Seen(rms=2.0, peak=3.0))
    assert found.nrmse == pytest.approx(8 * sqrt(400) * 2**-24, rel=0.1)
    assert found.atol == pytest.approx(32 * sqrt(400) * 2**-24 * 2.0, rel=0.1)
    assert tolerance_of(Argument("n", "i32", (10,), "output"), 400, Seen(1.0, 1.0)).atol == 0.0


def test_the_longest_sum_is_estimated_from_the_shapes() -> None:
    matrix, total = Argument("A", "f32", (40, 30), "weight"), Argument("s", "f32", (1,), "output")
    assert longest_sum(Argument("y", "f32", (40,), "output"), [matrix]) == 40
    assert longest_sum(total, [matrix, total]) == 1200


@pytest.mark.parametrize("kind", ["array", "dict", "in place"])
def test_a_reference_of_one_call_serves_many(kind: str) -> None:
    def scaled(x, factor):
        if kind == "in place":
            x *= factor
            return None
        return {"x": x * factor} if kind == "dict" else x * factor

    calls = {"x": np.arange(6.0).reshape(2, 3), "factor": np.array([2.0, 3.0])}
    found = one_by_one(scaled, ("x",))(calls)["x"]
    assert np.array_equal(found, [[0, 2, 4], [9, 12, 15]])
    assert calls["x"][1, 2] == 5.0
