"""`pack import` up to its draft: what it reads, and what it says of files that do not fit together."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.importing.reading import Asked, draft_of
from app.settings import UsageError
from kernels.packs.foreign.draft import Draft
from kernels.packs.toml import PackError
from kernels.targets.base import TargetError
from kernels.targets.cpu_c.target import CpuC

SOURCE = """#include "own.h"
#define COLS 6
static void hidden(int *p) { *p = 1; }
real total(real *x) { return x[0]; }
void mv(int rows, real A[ROWS][COLS], const real *x, real *y) {
    for (int i = 0; i < rows; i++) y[i] = A[i][0] * x[0];
}
void odd(real **A) { A[0][0] = 1; }
void count(const unsigned char *codes, int *seen) { seen[0] = codes[0]; }
"""
SHAPES = """[sizes]
ROWS = 4
rows = 4
[arguments]
A = {}
x = { shape = ["COLS"], range = [0.0, 2.0] }
y = { shape = ["ROWS"], role = "out", reduction = "COLS" }
"""


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> CpuC:
    try:
        return CpuC(tmp_path_factory.mktemp("cache"))
    except TargetError as error:
        raise pytest.skip.Exception(str(error)) from error


@pytest.fixture
def asked(tmp_path: Path) -> Asked:
    (tmp_path / "headers").mkdir()
    (tmp_path / "headers" / "own.h").write_text("typedef float real;\n")
    (tmp_path / "foreign.c").write_text(SOURCE)
    (tmp_path / "shapes.toml").write_text(SHAPES)
    return Asked(
        tmp_path / "foreign.c", "mv", tmp_path / "shapes.toml", tmp_path / "pack", folders=(tmp_path / "headers",)
    )


def edited(asked: Asked, old: str, new: str) -> Asked:
    assert old in SHAPES
    asked.shapes.write_text(SHAPES.replace(old, new, 1))
    return asked


def test_a_function_is_read_with_sizes_as_macros_and_as_parameters(asked: Asked, target: CpuC) -> None:
    draft: Draft = draft_of(asked, target)
    rows, matrix, vector, out = draft.arguments
    assert (rows.role, rows.value, rows.dtype) == ("constant", 4, "i32")
    assert (matrix.shape, matrix.dtype) == ((4, 6), "f32")
    assert vector.generate == ("uniform", 0.0, 2.0)
    assert (out.role, draft.outputs[0].reduction) == ("output", 6)
    assert set(draft.headers) == {"own.h", "headers/own.h"}
    assert "#define ROWS 4" in draft.baseline.text
    assert draft.baseline.left_out == ("hidden", "total", "odd", "count")


def test_large_arrays_that_are_only_read_become_weights(asked: Asked, target: CpuC) -> None:
    edited(asked, "ROWS = 4\nrows = 4", "ROWS = 40000\nrows = 40000")
    assert [a.role for a in draft_of(asked, target).arguments] == ["constant", "weight", "input", "output"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("A = {}\n", "", r"says nothing of A\. Add A = "),
        ("A = {}", "A = {}\nB = {}", "has B, the function does not"),
        ("A = {}", 'A = { dtype = "f23" }', "dtype is 'f23'. Use one of f32"),
        ("A = {}", 'A = { dtype = "double" }', "dtype is double, the function has real, which is f32"),
        ("A = {}", "A = { shape = [4, 7] }", r"shape \[4, 7\], and C declares A\[4\]\[6\]"),
        ("A = {}", 'A = { role = "both" }', "role is 'both'. Use one of"),
        ("A = {}", "A = { range = [2, 1] }", "Write two numbers"),
        ("A = {}", "A = { shpae = [1] }", "unknown key shpae"),
        ('shape = ["COLS"], ', "", r"C says \[\] only. Add its extents"),
        ('["COLS"]', '["COLZ"]', r"'COLZ' is no size. Add it to \[sizes\]"),
        ("rows = 4", "COLS = 7\nrows = 4", "COLS is 7 there, and the source defines it as 6"),
        ("ROWS = 4", "ROWS = 0", "ROWS is 0. Write a whole number above 0"),
    ],
)
def test_a_shapes_file_that_does_not_fit_is_told_so(asked: Asked, target: CpuC, old: str, new: str, said: str) -> None:
    with pytest.raises(PackError, match=said):
        draft_of(edited(asked, old, new), target)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("matvec", "the file defines hidden, total, mv, odd, count. Give one of them"),
        ("hidden", "says nothing of p"),
        ("total", "it returns real; a kernel returns nothing"),
        ("odd", "parameter A is a pointer to pointers"),
        ("count", "says nothing of codes, seen"),
    ],
)
def test_a_function_that_cannot_be_a_kernel_is_told_why(asked: Asked, target: CpuC, function: str, said: str) -> None:
    with pytest.raises(PackError, match=said):
        draft_of(replace(asked, function=function), target)


def test_whole_numbers_need_a_range(asked: Asked, target: CpuC) -> None:
    asked.shapes.write_text('[arguments]\ncodes = { shape = [9] }\nseen = { shape = [9], role = "out" }\n')
    with pytest.raises(PackError, match=r"no range for whole numbers \(u8\). Add range"):
        draft_of(replace(asked, function="count"), target)


def test_what_is_not_there_is_named(asked: Asked, target: CpuC, tmp_path: Path) -> None:
    with pytest.raises(PackError, match=r"own\.h: No such file.*give --include"):
        draft_of(replace(asked, folders=()), target)
    with pytest.raises(UsageError, match="there is no such folder"):
        draft_of(replace(asked, folders=(tmp_path / "nowhere",)), target)
    with pytest.raises(UsageError, match=r"C file .*other\.c: No such file"):
        draft_of(replace(asked, file=tmp_path / "other.c"), target)


def test_flags_that_name_files_or_start_threads_are_refused(asked: Asked, target: CpuC) -> None:
    with pytest.raises(PackError, match="flag '-fplugin=x' is not allowed"):
        draft_of(replace(asked, flags=("-fplugin=x",)), target)
    with pytest.raises(PackError, match="Leave the flag out"):
        draft_of(replace(asked, flags=("-fopenmp",)), target)


def test_parameters_behind_macros_are_written_out(asked: Asked, target: CpuC) -> None:
    asked.file.write_text(SOURCE.replace("real A[ROWS][COLS]", "real TABLE(A, ROWS, COLS)"))
    (asked.folders[0] / "own.h").write_text("typedef float real;\n#define TABLE(v, a, b) v[a + 0][b + 0]\n")
    draft = draft_of(asked, target)
    assert draft.arguments[1].shape == (4, 6)
    assert "const float A[4 + 0][6 + 0], const float *x, float *y" in draft.baseline.text
