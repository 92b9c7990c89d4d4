"""The comparer: nothing non-finite ever passes, and it agrees with the definition element by element."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from kernels.packs.compare import compare
from kernels.packs.matrix import Rows
from kernels.values.formats import bf16_to_f32
from kernels.values.kernel import Tolerance

TOLERANCE = Tolerance(1e-3, 1e-2)
SHAPES = arrays.array_shapes(min_dims=1, max_dims=3, max_side=6)
FINITE = arrays.arrays(np.float64, SHAPES, elements=st.floats(-(2.0**100), 2.0**100, allow_subnormal=True, width=32))


def passes_by_definition(want: np.ndarray, got: np.ndarray, tolerance: Tolerance) -> bool:
    """In plain Python, one element after the other."""
    pairs = zip(want.ravel().tolist(), got.astype(np.float64).ravel().tolist(), strict=True)
    return all(math.isfinite(g) and abs(g - w) <= tolerance.atol + tolerance.rtol * abs(w) for w, g in pairs)


@given(want=FINITE, data=st.data())
@settings(max_examples=150, deadline=None)
def test_it_agrees_with_the_definition_for_any_bits(want: np.ndarray, data: st.DataObject) -> None:
    bits = data.draw(arrays.arrays(np.uint32, want.shape))
    near = (want * data.draw(st.floats(0.98, 1.02))).astype(np.float32)
    got = np.where(data.draw(arrays.arrays(np.bool_, want.shape)), near, bits.view(np.float32))
    assert compare(want, got, "f32", TOLERANCE).ok == passes_by_definition(want, got, TOLERANCE)


@given(want=FINITE, data=st.data())
@settings(max_examples=100, deadline=None)
def test_one_non_finite_element_fails_and_the_first_is_named(want: np.ndarray, data: st.DataObject) -> None:
    got = want.astype(np.float32)
    bad = sorted(data.draw(st.sets(st.integers(0, want.size - 1), min_size=1)))
    got.ravel()[bad] = data.draw(st.sampled_from([np.nan, -np.nan, np.inf, -np.inf]))
    found = compare(want, got, "f32", Tolerance(1e38, 1e38))
    assert (found.ok, found.kind) == (False, "non_finite")
    assert found.index == np.unravel_index(bad[0], want.shape)


@given(want=arrays.arrays(np.uint16, SHAPES, elements=st.integers(0, 0x7F7F)), sign=st.booleans())
@settings(max_examples=60, deadline=None)
def test_the_expected_values_pass_with_no_tolerance_denormals_and_both_zeros_included(want, sign: bool) -> None:
    stored = (want | (0x8000 if sign else 0)).astype(np.uint16)
    values = bf16_to_f32(stored).astype(np.float64)
    assert compare(values, stored, "bf16", Tolerance(0, 0, 0.0, 0.0)).ok


@pytest.mark.filterwarnings("error")
def test_a_signalling_nan_is_told_without_a_word_of_numpy() -> None:
    signalling = np.array([0x7F800001], np.uint32).view(np.float32)
    assert compare(np.zeros(1), signalling, "f32", Tolerance(0, 0)).kind == "non_finite"


@pytest.mark.parametrize(("bits", "dtype"), [(0x7F, "e4m3"), (0xFF, "e4m3"), (0x7C, "e5m2"), (0xFD, "e5m2")])
def test_non_finite_codes_of_eight_bits(bits: int, dtype: str) -> None:
    assert compare(np.zeros(1), np.array([bits], np.uint8), dtype, Tolerance(1e9, 0)).kind == "non_finite"


def test_minus_zero_is_zero_and_a_flushed_denormal_counts_only_beyond_the_tolerance() -> None:
    assert compare(np.zeros(2), np.array([0.0, -0.0], np.float32), "f32", Tolerance(0, 0, 0.0)).ok
    tiny = np.array([1e-40, 1e-40])
    assert compare(tiny, np.zeros(2, np.float32), "f32", Tolerance(1e-39, 0)).ok
    assert not compare(tiny, np.zeros(2, np.float32), "f32", Tolerance(1e-39, 0, nrmse=6e-3)).ok


def test_the_second_guard_works_where_every_element_passes() -> None:
    want = np.linspace(0.001, 0.002, 50)
    found = compare(want, np.zeros(50, np.float32), "f32", Tolerance(0.01, 0, nrmse=6e-3))
    assert (found.ok, found.kind) == (False, "wrong_values")
    assert found.nrmse == pytest.approx(1.0)
    spike = want.copy()
    spike[7] += 1e-4
    found = compare(want, spike.astype(np.float32), "f32", Tolerance(0.01, 0, nrmse=0.1, max_over_rms=0.05))
    assert not found.ok
    assert found.index == (7,)


def test_numbers_near_the_ends_of_the_range_neither_overflow_nor_vanish() -> None:
    for scale in (1e-38, 1e38):
        want = np.array([1.0, -2.0, 3.0]) * scale
        found = compare(want, (want * 1.001).astype(np.float32), "f32", Tolerance(0, 1e-2, nrmse=2e-3))
        assert found.ok
        assert found.nrmse == pytest.approx(1e-3, rel=1e-2)


def test_integers_are_compared_as_numbers() -> None:
    assert compare(np.array([3.0, -4.0]), np.array([3, -4], np.int32), "i32", Tolerance(0, 0)).ok
    assert not compare(np.array([3.0, -4.0]), np.array([3, -5], np.int32), "i32", Tolerance(0, 0)).ok


@given(row=st.integers(0, 7), data=st.data())
@settings(max_examples=80, deadline=None)
def test_other_rows_must_stay_bit_for_bit(row: int, data: st.DataObject) -> None:
    before = data.draw(arrays.arrays(np.uint16, (8, 3)))
    after = before.copy()
    after[row] = 0x3F80
    want = Rows(np.array([row]), np.ones((1, 3)))
    assert compare(want, after, "bf16", TOLERANCE, before).ok
    other, column = (row + data.draw(st.integers(1, 7))) % 8, data.draw(st.integers(0, 2))
    after[other, column] ^= 1 << data.draw(st.integers(0, 15))
    found = compare(want, after, "bf16", TOLERANCE, before)
    assert (found.kind, found.index) == ("touched_other_rows", (other, column))


def test_a_row_that_was_not_written_is_wrong() -> None:
    before = np.zeros((4, 3), np.uint16)
    found = compare(Rows(np.array([2]), np.ones((1, 3))), before, "bf16", TOLERANCE, before)
    assert (found.kind, found.index) == ("wrong_values", (2, 0))


def test_misuse_is_refused() -> None:
    with pytest.raises(ValueError, match="shape"):
        compare(np.zeros(3), np.zeros(4, np.float32), "f32", TOLERANCE)
    with pytest.raises(ValueError, match="not finite"):
        compare(np.array([np.nan]), np.zeros(1, np.float32), "f32", TOLERANCE)
    with pytest.raises(ValueError, match="before the call"):
        compare(Rows(np.array([0]), np.zeros((1, 2))), np.zeros((3, 2), np.float32), "f32", TOLERANCE)


@given(want=arrays.arrays(np.int64, SHAPES), data=st.data())
@settings(max_examples=60, deadline=None)
def test_whole_numbers_of_64_bits_are_compared_exactly(want: np.ndarray, data: st.DataObject) -> None:
    assert compare(want, want.copy(), "i64", Tolerance(0, 0)).ok
    got = want.copy()
    at = data.draw(st.integers(0, want.size - 1))
    got.ravel()[at] ^= 1
    found = compare(want.view(np.int64), got.view(np.uint64), "u64", Tolerance(0, 0))
    assert (found.kind, found.index) == ("wrong_values", np.unravel_index(at, want.shape))


@pytest.mark.parametrize(
    ("off", "tolerance", "used"),
    [
        (0.25, Tolerance(atol=0.5, rtol=0.0), 0.5),
        (0.25, Tolerance(atol=10.0, rtol=0.0, max_over_rms=0.2), 1.25),
        (0.0, Tolerance(atol=0.0, rtol=0.0), 0.0),
        (0.25, Tolerance(atol=0.0, rtol=0.0), np.inf),
    ],
)
def test_how_much_of_its_tolerance_an_output_uses(off: float, tolerance: Tolerance, used: float) -> None:
    want = np.array([1.0, 1.0, 1.0, 1.0])
    got = np.array([1.0 + off, 1.0, 1.0, 1.0], dtype=np.float32)
    found = compare(want, got, "f32", tolerance)
    assert found.used == pytest.approx(used)
    assert found.ok == (used <= 1)


def test_a_wrong_element_is_told_with_what_is_allowed() -> None:
    found = compare(np.array([1.0, 2.0]), np.array([1.0, 2.5], dtype=np.float32), "f32", Tolerance(atol=0.1, rtol=0.0))
    assert found.reason == "element [1] is 2.5, expected 2, 0.5 off where 0.1 is allowed; 1 of 2 are wrong"
