"""The pack of bf16 GEMMs: its baseline at every shape, what its tolerance refuses, and a matrix with many vectors."""

from pathlib import Path

import numpy as np
import pytest

from kernels.packs.compare import compare
from kernels.packs.generator import generate
from kernels.packs.lint import lint_kernel
from kernels.packs.loader import baseline, load_pack
from kernels.packs.matrix import BaseMatrix, Matrix, derive_slot
from kernels.packs.reference import load_reference
from kernels.values.formats import decode, f32_to_bf16
from kernels.values.kernel import Argument, KernelSpec, MatrixSpec

SPEC = load_pack("gemm_bf16").kernel("gemm")
CASES = {case.shape: case for case in SPEC.cases}


def test_it_has_skinny_shapes_and_shapes_that_no_tile_divides() -> None:
    sizes = {shape.name: shape.sizes for shape in SPEC.shapes}
    assert sizes["decode_1"]["M"] == 1
    assert all(sizes[name]["M"] % 8 and sizes[name]["N"] % 64 for name in ("edge_17", "edge_33"))
    assert SPEC.shapes[0].weight > SPEC.shapes[2].weight
    assert CASES["edge_33"].operations == 2 * 33 * 777 * 520


@pytest.mark.parametrize("shape", sorted(CASES))
def test_the_baseline_is_right_at_every_shape(shape: str, call) -> None:
    case, rng = CASES[shape], np.random.default_rng(7)
    regimes = ("random", "heavy_tailed", "small")
    calls = [load_reference(case).inputs(rng, regime) for regime in regimes]
    weights = generate("W", ("uniform", -0.25, 0.25), "bf16", case.argument("W").shape, 5)
    base = {"B": Matrix(BaseMatrix.from_stored(case, case.matrices[0], {"W": weights}))}
    want = load_reference(case).expected(calls, base)["Y"]
    assert isinstance(want, np.ndarray)
    sizes = {a.name: np.array(int(a.value)) for a in case.arguments if a.value is not None}
    for b, one in enumerate(calls):
        got = call(case, baseline(SPEC).source, {**one, "W": weights, **sizes})["Y"]
        assert compare(want[b], got, "bf16", case.tolerances["Y"]).reason == ""


@pytest.mark.parametrize("regime", ["random", "large", "small"])
def test_terms_left_out_are_refused_and_both_ways_of_rounding_pass(regime: str) -> None:
    case = CASES["edge_17"]
    x = decode(load_reference(case).inputs(np.random.default_rng(3), regime)["X"], "bf16").astype(np.float64)
    w = decode(generate("W", ("uniform", -0.25, 0.25), "bf16", case.argument("W").shape, 5), "bf16").astype(np.float64)
    want, tolerance = x @ w.T, case.tolerances["Y"]
    cut = (want.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    assert compare(want, f32_to_bf16(want), "bf16", tolerance).ok
    assert compare(want, cut, "bf16", tolerance).ok
    assert not compare(want, f32_to_bf16(x[:, :-1] @ w[:, :-1].T), "bf16", tolerance).ok


def test_the_linter_has_nothing_to_say_of_it() -> None:
    assert lint_kernel(SPEC) == []


def test_a_matrix_takes_several_vectors_a_call() -> None:
    arguments = (Argument("W", "bf16", (6, 8), "weight"),)
    spec = KernelSpec("p", "k", "k", "k", arguments, {}, (MatrixSpec("B", "W"),), ("random",), Path())
    rng = np.random.default_rng(1)
    base = {"W": generate("W", ("uniform", -1.0, 1.0), "bf16", (6, 8), 3)}
    made = [derive_slot(spec, base, rng) for _ in range(2)]
    matrix = Matrix(BaseMatrix.from_stored(spec, spec.matrices[0], base), [slots["B"] for _, slots in made])
    vectors = rng.standard_normal((2, 5, 8))
    got = matrix.apply(vectors)
    for b, (arrays, _) in enumerate(made):
        np.testing.assert_allclose(got[b], vectors[b] @ decode(arrays["W"], "bf16").astype(np.float64).T, atol=1e-12)
    np.testing.assert_allclose(got[:, 2], matrix.apply(vectors[:, 2]), atol=1e-12)
    with pytest.raises(ValueError, match="cannot be applied"):
        matrix.apply(vectors[:, :, :7])
