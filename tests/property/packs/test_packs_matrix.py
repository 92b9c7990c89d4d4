"""The operator of a derived slot equals a plain decode of its stored arrays."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.packs.generator import generate
from kernels.packs.matrix import BaseMatrix, Matrix, derive_slot
from kernels.values.formats import decode, round_bf16
from kernels.values.kernel import Argument, KernelSpec, MatrixSpec

CODES = {
    "e4m3": ("e4m3_finite",), "e5m2": ("e5m2_field", 8, 20), "e2m1": ("codes",), "i8": ("codes",), "u8": ("codes",),
    "f32": ("uniform", -1.0, 1.0), "bf16": ("uniform", -1.0, 1.0), "f64": ("uniform", -1.0, 1.0),
    "i32": ("int", -(1 << 20), 1 << 20),
}  # fmt: skip
SCALES = {"e4m3": ("e4m3_finite_positive",), "bf16": ("uniform", 0.1, 1.0), "f32": ("uniform", 0.1, 1.0)}


def make_spec(dtype: str, rows: int, blocks: int, scales: str, *, round_bf16: bool) -> KernelSpec:
    arguments = [Argument("W", dtype, (rows, blocks * 4), "weight", CODES[dtype])]
    if scales:
        arguments.append(Argument("S", scales, (rows, blocks), "weight", SCALES[scales]))
    matrix = MatrixSpec("M", "W", "S" if scales else None, round_bf16)
    return KernelSpec("p", "k", "k", "k", tuple(arguments), {}, (matrix,), ("random",), Path())


def plain(spec: KernelSpec, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """Stored arrays to a float64 matrix, written the slow way."""
    codes = spec.argument("W")
    values = decode(arrays["W"], codes.dtype).astype(np.float64)
    if spec.matrices[0].scales is not None:
        scale = decode(arrays["S"], spec.argument("S").dtype).astype(np.float64)
        values = values * np.repeat(scale, codes.shape[1] // scale.shape[1], axis=1)
    return round_bf16(values) if spec.matrices[0].round_bf16 else values


@given(
    dtype=st.sampled_from(sorted(CODES)), scales=st.sampled_from(["", *SCALES]), rows=st.integers(1, 40),
    blocks=st.integers(1, 12), calls=st.integers(1, 5), rounded=st.booleans(), seed=st.integers(0, 1 << 30),
)  # fmt: skip
@settings(max_examples=120, deadline=None)
def test_apply_equals_the_plain_decode_of_the_slot(
    dtype: str, scales: str, rows: int, blocks: int, calls: int, rounded: bool, seed: int
) -> None:
    spec = make_spec(dtype, rows, blocks, scales, round_bf16=rounded and dtype != "f64")
    base = {a.name: generate(a.name, a.generate, a.dtype, a.shape, seed) for a in spec.weights}
    before = {name: array.copy() for name, array in base.items()}
    rng = np.random.default_rng(seed)
    copies = [derive_slot(spec, base, rng) for _ in range(calls)]
    v = rng.standard_normal((calls, blocks * 4))
    got = Matrix(BaseMatrix.from_stored(spec, spec.matrices[0], base), [slots["M"] for _, slots in copies]).apply(v)
    want = np.stack([plain(spec, arrays) @ v[b] for b, (arrays, _) in enumerate(copies)])
    assert np.allclose(got, want, rtol=1e-6, atol=1e-6 * np.abs(want).max())
    assert all(np.array_equal(base[name], before[name]) for name in base)


def test_slots_differ_and_can_be_written_in_place() -> None:
    spec = make_spec("e2m1", 64, 8, "e4m3", round_bf16=True)
    base = {a.name: generate(a.name, a.generate, a.dtype, a.shape, 1) for a in spec.weights}
    out = {name: np.zeros_like(array) for name, array in base.items()}
    arrays, _ = derive_slot(spec, base, np.random.default_rng(1), out)
    other, _ = derive_slot(spec, base, np.random.default_rng(2))
    assert arrays["W"] is out["W"]
    assert not np.array_equal(arrays["W"], other["W"])
    assert not np.array_equal(arrays["S"], other["S"])


def test_the_memory_of_an_older_base_can_be_reused() -> None:
    spec = make_spec("e4m3", 32, 8, "bf16", round_bf16=True)
    first, second = (
        {a.name: generate(a.name, a.generate, a.dtype, a.shape, seed) for a in spec.weights} for seed in (1, 2)
    )
    old = BaseMatrix.from_stored(spec, spec.matrices[0], first)
    new = BaseMatrix.from_stored(spec, spec.matrices[0], second, old)
    assert new.values is old.values
    assert np.array_equal(new.values, plain(spec, second))


def test_a_wrong_number_of_vectors_is_refused() -> None:
    spec = make_spec("f32", 4, 2, "", round_bf16=False)
    base = {"W": generate("W", CODES["f32"], "f32", (4, 8), 1)}
    _, slots = derive_slot(spec, base, np.random.default_rng(1))
    matrix = Matrix(BaseMatrix.from_stored(spec, spec.matrices[0], base), [slots["M"]])
    with pytest.raises(ValueError, match="cannot be applied"):
        matrix.apply(np.zeros((2, 8)))
