"""Generators: the same values in C and Python, the same on their own and in a whole, and in range."""

import ctypes
from pathlib import Path

import numpy as np
import pytest

from kernels.packs import generator
from kernels.packs.generator import Spec, fnv1a, generate, generate_range
from kernels.values.formats import E4M3_TABLE, FORMATS, decode

CASES: list[tuple[Spec, str]] = [
    (("uniform", -1.0, 1.0), "f32"), (("uniform", 0.0, 1e-3), "bf16"), (("uniform", -3.0, 7.0), "f64"),
    (("reciprocal", 2048.0, 16384.0), "f32"), (("ladder", 0.0, 1e-3), "bf16"), (("constant", 0.1), "f32"),
    (("int", -5, 90000), "i32"), (("int", 0, 32768), "i64"), (("int", -127, 128), "i8"), (("int", 0, 200), "u8"),
    (("int", -900, 900), "i16"), (("int", 0, 65536), "u16"), (("int", 7, 4000000000), "u32"), (("int", 0, 9), "u64"),
    (("codes",), "e2m1"), (("codes",), "i8"),
    (("e4m3_field", 7, 14), "e4m3"), (("e4m3_field_positive", 8, 10), "e4m3"), (("e4m3_finite",), "e4m3"),
    (("e4m3_finite_positive",), "e4m3"), (("e4m3_ladder", 96), "e4m3"),
    (("e5m2_field", 12, 20), "e5m2"), (("e5m2_field_positive", 12, 20), "e5m2"), (("e5m2_finite",), "e5m2"),
    (("e5m2_finite_positive",), "e5m2"),
]  # fmt: skip


def test_fnv1a_matches_published_vectors() -> None:
    """http://www.isthe.com/chongo/tech/comp/fnv/: 64-bit FNV-1a of "" , "a" and "foobar"."""
    assert [fnv1a(t) for t in ("", "a", "foobar")] == [0xCBF29CE484222325, 0xAF63DC4C8601EC8C, 0x85944171F73967E8]


@pytest.mark.parametrize(("spec", "dtype"), CASES, ids=str)
def test_c_makes_the_same_stored_elements(spec: Spec, dtype: str, build) -> None:
    source = (Path(generator.__file__).parent / "generator.c").read_text()
    flags = ["-ffp-contract=off", f"-I{Path(generator.__file__).parent}", "-Wall", "-Werror"]
    library = build(source, flags)
    start, count, seed = 12345, 20000, 987654321987
    want = generate_range("some.tensor", spec, dtype, start, count, seed)
    got = np.zeros(count, dtype=FORMATS[dtype].storage)
    numbers = (ctypes.c_double * 2)(*[float(n) for n in (*spec[1:], 0.0, 0.0)][:2])
    unsigned = ctypes.c_uint64
    code = library.kw_generate(
        b"some.tensor", str(spec[0]).encode(), numbers, dtype.encode(), unsigned(seed), unsigned(start),
        unsigned(count), ctypes.c_void_p(got.ctypes.data),
    )  # fmt: skip
    assert code == 0
    assert np.array_equal(want.view(np.uint8), got.view(np.uint8))


@pytest.mark.parametrize(("spec", "dtype"), CASES, ids=str)
def test_a_range_is_a_part_of_the_whole(spec: Spec, dtype: str) -> None:
    whole = generate_range("t", spec, dtype, 0, 70000, 3)
    for start, count in ((0, 1), (13, 5), (65531, 4000)):
        part = generate_range("t", spec, dtype, start, count, 3)
        assert np.array_equal(part, whole[start : start + count])


def test_names_and_seeds_make_different_tensors() -> None:
    one, two, three = (generate(n, ("uniform", 0.0, 1.0), "f32", (1000,), s) for n, s in (("a", 1), ("b", 1), ("a", 2)))
    assert not np.isin(one, two).any()
    assert not np.isin(one, three).any()


def test_the_exponent_field_is_uniform_and_every_code_of_it_occurs() -> None:
    codes = generate("w", ("e4m3_field", 7, 14), "e4m3", (1 << 18,), 5)
    counts = np.bincount(codes, minlength=256)
    assert set(np.nonzero(counts)[0]) == {c for c in range(256) if 7 <= (c >> 3 & 15) <= 14}
    assert counts[counts > 0].min() > 0.9 * (1 << 18) / 128


def test_finite_codes_are_all_finite_values_and_no_other() -> None:
    codes = generate("w", ("e4m3_finite",), "e4m3", (1 << 16,), 5)
    assert set(codes.tolist()) == {c for c in range(256) if np.isfinite(E4M3_TABLE[c])}
    positive = generate("w", ("e4m3_finite_positive",), "e4m3", (1 << 16,), 5)
    assert set(positive.tolist()) == set(range(0x7F))


def test_a_ladder_makes_every_row_count_alike() -> None:
    codes = generate("w", ("e4m3_ladder", 2048), "e4m3", (64, 2048), 5)
    scales = decode(generate("s", ("ladder", 0.5, 1.0), "bf16", (64,), 5), "bf16")
    assert set(codes.ravel().tolist()) == {c for c in range(256) if np.isfinite(E4M3_TABLE[c])}
    assert np.abs(E4M3_TABLE[codes[1]]).max() < 2.0**-6  # rung 0: zeros and subnormals only
    size = np.sqrt(np.mean(E4M3_TABLE[codes].astype(np.float64) ** 2, axis=1)) * scales
    assert size.max() / size.min() < 8


def test_an_unfit_generator_is_refused() -> None:
    with pytest.raises(ValueError, match="does not make f32"):
        generate("w", ("codes",), "f32", (4,), 1)
