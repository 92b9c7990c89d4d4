"""A contract with weighted shapes: what it says at each, and what is refused."""

import math
from pathlib import Path

import numpy as np
import pytest

from kernels.packs.lint import lint_kernel
from kernels.packs.loader import load_pack
from kernels.packs.reference import load_reference
from kernels.packs.toml import PackError
from kernels.targets.cpu_c.trampoline import trampoline
from kernels.values.kernel import KernelSpec
from kernels.values.shapes import Shape, geometric, shares

KERNEL = """
name = "mm"
title = "Y = X W"
ring_mib = 1
operations = [2, "M", "N", 16]
regimes = ["random"]
argument = [
  {name = "X", dtype = "f32", shape = ["M", 16], role = "input"},
  {name = "W", dtype = "f32", shape = [16, "N"], role = "weight"},
  {name = "Y", dtype = "f32", shape = ["M", "N"], role = "output"},
  {name = "M", dtype = "i32", shape = [], role = "dimension"},
  {name = "N", dtype = "i32", shape = [], role = "dimension"},
]
shapes = [{name = "skinny", weight = 3, M = 2, N = 40}, {name = "wide", M = 24, N = 8}]
[tolerance.Y]
atol = 1e-5
rtol = 1e-5
"""
REFERENCE = """
def reference(a):
    assert (a["M"] == a["X"].shape[1]).all() and (a["N"] == a["W"].shape[2]).all()
    return {"Y": a["X"] @ a["W"]}
"""
BASELINE = """#include "kernelwright.h"
void mm(const float *X, const float *W, float *Y, int32_t M, int32_t N) {
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0.0f;
            for (int k = 0; k < 16; k++) sum += X[i * 16 + k] * W[k * N + j];
            Y[i * N + j] = sum;
        }
}
"""


def pack(folder: Path, kernel: str = KERNEL, reference: str = REFERENCE) -> KernelSpec:
    place = folder / "toy" / "mm"
    place.mkdir(parents=True, exist_ok=True)
    (folder / "toy" / "pack.toml").write_text('name = "toy"\ntitle = "toy"\nkernels = ["mm"]\n')
    for name, text in (("kernel.toml", kernel), ("reference.py", reference), ("baseline.c", BASELINE)):
        (place / name).write_text(text)
    return load_pack(folder / "toy").kernel("mm")


def test_each_shape_has_its_own_extents_sizes_and_operations(tmp_path: Path) -> None:
    spec = pack(tmp_path)
    first, second = spec.cases
    assert [a.shape for a in first.arguments[:3]] == [(2, 16), (16, 40), (2, 40)]
    assert [a.shape for a in second.arguments[:3]] == [(24, 16), (16, 8), (24, 8)]
    assert [a.value for a in second.arguments[3:]] == [24, 8]
    assert (first.operations, second.operations) == (2 * 2 * 40 * 16, 2 * 24 * 8 * 16)
    assert (spec.shape, spec.argument("W").shape, spec.operations) == ("skinny", (16, 40), first.operations)
    assert (second.place, second.bytes_moved) == ("shape wide (M=24, N=8)", 16 * 8 * 4)
    assert spec.prototype == "void mm(const float *X, const float *W, float *Y, int32_t M, int32_t N)"


def test_one_source_is_called_with_the_sizes_of_every_shape(tmp_path: Path) -> None:
    first, second = pack(tmp_path).cases
    assert trampoline(first) == trampoline(second)
    assert "*(const int32_t *)arguments[3], *(const int32_t *)arguments[4]" in trampoline(first)


def test_a_kernel_of_one_shape_is_its_own_only_case() -> None:
    spec = load_pack("axpy_gemv").kernel("gemv")
    assert spec.cases == (spec,)
    assert (spec.shapes, spec.shape, spec.place) == ((), "", "")


def test_the_linter_looks_at_every_shape(tmp_path: Path) -> None:
    assert lint_kernel(pack(tmp_path)) == []
    wrong = (
        REFERENCE
        + '    \n_true = reference\ndef reference(a):\n    y = _true(a)["Y"]\n    return {"Y": y * (a["M"][0] < 24)}\n'
    )
    found = [str(finding) for finding in lint_kernel(pack(tmp_path, reference=wrong))]
    assert found
    assert all("shape wide (M=24, N=8): " in text for text in found)


def test_inputs_of_a_pack_are_told_the_sizes(tmp_path: Path) -> None:
    own = "import numpy as np\n" + REFERENCE
    own += 'def inputs(rng, regime, sizes):\n    return {"X": np.full((sizes["M"], 16), sizes["N"], np.float32)}\n'
    made = [
        load_reference(case).inputs(np.random.default_rng(1), "random")["X"]
        for case in pack(tmp_path, KERNEL, own).cases
    ]
    assert [(x.shape, float(x[0, 0])) for x in made] == [((2, 16), 40.0), ((24, 16), 8.0)]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("N = 8}", "N = 8, K = 3}", "shape wide has M, N, K"),
        ("N = 8}", "N = 0}", "N must be > 0"),
        ('"wide", M', '"skinny", M', "shapes skinny"),
        ("weight = 3", "weight = -3", "weight must be finite and > 0"),
        ('shape = [16, "N"]', 'shape = [16, "O"]', "shape is [16, 'O']. Write whole numbers or M, N"),
        ("M = 24", "M = 2147483648", "M = 2147483648 fits into no i32"),
        ('{name = "N", dtype = "i32", shape = [], role = "dimension"},', "", "arguments of role dimension are M"),
        ('"i32", shape = [], role = "dimension"},\n]', '"f32", shape = [], role = "dimension"},\n]', "not f32"),
        ("shapes = [", "ignored = [", "operations: shape is [2, 'M', 'N', 16]. Write whole numbers"),
    ],
)  # fmt: skip
def test_what_contradicts_itself_is_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in KERNEL
    with pytest.raises(PackError) as caught:
        pack(tmp_path, KERNEL.replace(old, new))
    assert said in str(caught.value)


def test_the_mean_of_ratios_is_the_ratio_of_means() -> None:
    weights = shares([Shape("a", 3, {"M": 1}), Shape("b", 1, {"M": 2})])
    head, other = {"a": 200.0, "b": 50.0}, {"a": 100.0, "b": 100.0}
    assert weights == {"a": 0.75, "b": 0.25}
    ratio = geometric(head, weights) / geometric(other, weights)
    assert math.log(ratio) == pytest.approx(0.75 * math.log(2) - 0.25 * math.log(2))
    assert math.isnan(geometric({"a": 1.0, "b": 0.0}, weights))
