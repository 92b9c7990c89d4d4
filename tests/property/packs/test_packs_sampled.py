"""A sample catches a share of wrong elements with the probability that is stated, and sums refuse no honest output."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kernels.packs.compare import compare
from kernels.packs.lint import lint_kernel
from kernels.packs.loader import load_pack
from kernels.packs.matrix import BaseMatrix, Matrix, derive_slot
from kernels.packs.reference import load_reference
from kernels.packs.sampled import Sampled, picks, same_picks, sampled_of, widened
from kernels.packs.toml import PackError
from kernels.packs.weights import draw_weights
from kernels.values.formats import decode, f32_to_bf16
from kernels.values.kernel import KernelSpec, Tolerance

KERNEL = """
name = "mm"
title = "Y = X W^T"
ring_mib = 1
regimes = ["random", "one_hot", "heavy_tailed", "small"]
argument = [
  {name = "X", dtype = "bf16", shape = [24, 64], role = "input"},
  {name = "W", dtype = "bf16", shape = [80, 64], role = "weight", generate = ["uniform", -1.0, 1.0]},
  {name = "Y", dtype = "bf16", shape = [24, 80], role = "output"},
]
matrix = [{name = "B", codes = "W"}]
[tolerance.Y]
atol = 2e-3
rtol = 8e-3
nrmse = 4.6e-3
sampled = 512
sums = 2
"""
REFERENCE = """
import numpy as np

def sample(a, name, index):
    x = np.stack([one[rows] for one, rows in zip(a["X"], index[..., 0])])
    return np.einsum("bnk,bnk->bn", x, a["B"].rows(index[..., 1]))

def sums(a, name, signs):
    return a["B"].apply(signs @ a["X"])
"""


def pack(folder: Path, kernel: str = KERNEL, reference: str = REFERENCE) -> KernelSpec:
    place = folder / "toy" / "mm"
    place.mkdir(parents=True, exist_ok=True)
    (folder / "toy" / "pack.toml").write_text('name = "toy"\ntitle = "toy"\nkernels = ["mm"]\n')
    (place / "kernel.toml").write_text(kernel)
    (place / "reference.py").write_text(reference)
    (place / "baseline.c").write_text(
        "#include <stdint.h>\ntypedef uint16_t kw_bf16;\nvoid mm(const kw_bf16 *X, const kw_bf16 *W, kw_bf16 *Y) {}\n"
    )
    return load_pack(folder / "toy").kernel("mm")


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> KernelSpec:
    return pack(tmp_path_factory.mktemp("packs"))


def known(spec: KernelSpec, seed: int, regime: str = "random") -> tuple[Sampled, np.ndarray]:
    """What a reference says of one call on a secret slot, and the whole output in float64, worked out here."""
    rng = np.random.default_rng(seed)
    base = draw_weights(spec, seed)
    arrays, slots = derive_slot(spec, base, rng)
    call = load_reference(spec).inputs(rng, regime)
    matrices = {"B": Matrix(BaseMatrix.from_stored(spec, spec.matrices[0], base), [slots["B"]])}
    found = load_reference(spec).expected([call], matrices, picks(spec, rng, 1))["Y"]
    assert isinstance(found, Sampled)
    whole = decode(call["X"], "bf16").astype(np.float64) @ decode(arrays["W"], "bf16").astype(np.float64).T
    return found.of(0), whole


def test_a_sample_and_sums_are_those_of_the_whole(spec: KernelSpec) -> None:
    want, whole = known(spec, 1)
    assert (want.index.shape, want.signs.shape, want.sums.shape) == ((512, 2), (2, 24), (2, 80))
    np.testing.assert_allclose(want.values, whole[tuple(want.index.T)], atol=1e-12)
    np.testing.assert_allclose(want.sums, want.signs @ whole, atol=1e-12)


@settings(max_examples=60, deadline=None)
@example(seed=715384077, cut=True, regime="one_hot")  # one row counts: 16 of its elements are in the sample
@given(
    seed=st.integers(0, 1 << 30), cut=st.booleans(),
    regime=st.sampled_from(["random", "one_hot", "heavy_tailed", "small"]),
)  # fmt: skip
def test_honest_rounding_passes_whichever_way(spec: KernelSpec, seed: int, regime: str, cut: bool) -> None:
    want, whole = known(spec, seed, regime)
    rounded = f32_to_bf16(whole)
    if cut:
        rounded = (whole.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    before = np.random.default_rng(seed).integers(0, 1 << 16, whole.shape, dtype=np.uint16)
    assert compare(want, rounded, "bf16", spec.tolerances["Y"], before).reason == ""


def test_limits_on_ratios_of_rms_are_as_wide_as_the_sample_is_narrow(spec: KernelSpec) -> None:
    one, level = np.zeros(512), np.full(512, -3.0)
    one[7] = 2.0
    tolerance = Tolerance(2e-3, 8e-3, nrmse=0.1, max_over_rms=0.2)
    wide, narrow = widened(tolerance, one), widened(tolerance, level)
    assert (wide.nrmse, wide.max_over_rms) == pytest.approx((0.5, 1.0))
    assert (narrow.nrmse, narrow.max_over_rms) == pytest.approx((0.1 * (1 + 4 / 512**0.5), 0.2 * (1 + 4 / 512**0.5)))
    assert (wide.atol, wide.rtol, widened(tolerance, np.zeros(3))) == (2e-3, 8e-3, tolerance)
    want, whole = known(spec, 3)
    noisy = whole + np.random.default_rng(3).normal(0, 7e-3 * np.sqrt(np.mean(whole**2)), whole.shape)
    coarse = Tolerance(1.0, 1.0, nrmse=spec.tolerances["Y"].nrmse)
    assert "nrmse" in compare(want, f32_to_bf16(noisy), "bf16", coarse).reason


@pytest.mark.parametrize(("share", "places"), [(0.02, 64), (0.005, 128), (0.002, 512)])
def test_a_wrong_share_is_caught_as_often_as_stated(share: float, places: int) -> None:
    """1 - (1 - p)^n within four standard deviations of 1500 calls."""
    rng, shape, calls = np.random.default_rng(5), (50, 100), 1500
    tolerance = Tolerance(1e-6, 0.0)
    count = round(share * shape[0] * shape[1])
    caught = 0
    for _ in range(calls):
        index = rng.integers(0, shape, (places, 2))
        got = np.zeros(shape)
        got.reshape(-1)[rng.choice(got.size, count, replace=False)] = 1.0
        want = Sampled(index, np.zeros(places), np.empty((0, shape[0])), np.empty((0, shape[1])))
        caught += not compare(want, got, "f64", tolerance).ok
    stated = 1 - (1 - share) ** places
    assert abs(caught / calls - stated) < 4 * math.sqrt(stated * (1 - stated) / calls)


def test_what_a_sample_misses_is_seen_by_sums(spec: KernelSpec) -> None:
    tolerance = spec.tolerances["Y"]
    for seed in range(20):
        want, whole = known(spec, seed)
        missed = np.ones(whole.shape, dtype=bool)
        missed[tuple(want.index.T)] = False
        at = tuple(int(i) for i in np.argwhere(missed)[seed])
        wrong = whole.copy()
        wrong[at] += 16 * math.sqrt(24) * 0.2
        found = compare(want, f32_to_bf16(wrong), "bf16", tolerance)
        assert "added up with random signs" in found.reason
        blocked = whole.copy()
        blocked[missed] = 0.0  # right in every place of the sample
        assert not compare(want, f32_to_bf16(blocked), "bf16", tolerance).ok


def test_every_element_is_looked_at_for_what_it_held_and_whether_it_is_finite(spec: KernelSpec) -> None:
    want, whole = known(spec, 3)
    before = np.random.default_rng(1).integers(0, 1 << 16, whole.shape, dtype=np.uint16)
    missed = np.ones(whole.shape, dtype=bool)
    missed[tuple(want.index.T)] = False
    right, tolerance = f32_to_bf16(whole), spec.tolerances["Y"]
    left = np.where(missed, before, right)
    bare = Sampled(want.index, want.values, want.signs[:0], want.sums[:0])
    still = compare(bare, np.where(np.isfinite(decode(left, "bf16")), left, right), "bf16", tolerance, before)
    assert "what they were before the call" in still.reason
    strange = right.copy()
    strange[tuple(np.argwhere(missed)[0])] = 0x7F80
    assert compare(bare, strange, "bf16", tolerance, before).kind == "non_finite"


def test_the_places_are_secret_and_of_each_call_its_own(spec: KernelSpec) -> None:
    one = picks(spec, np.random.default_rng(1), 3)["Y"]
    assert not np.array_equal(one.index[0], one.index[1])
    assert not np.array_equal(one.index, picks(spec, np.random.default_rng(2), 3)["Y"].index)
    same = same_picks(spec, 0, 3)["Y"]
    assert np.array_equal(same.index[0], same.index[2])
    assert sampled_of(spec) == {"Y": 512}


def test_the_linter_looks_at_a_sample(spec: KernelSpec, tmp_path: Path) -> None:
    assert lint_kernel(spec) == []
    flat = REFERENCE.replace("return np.einsum(", "return 0 * np.einsum(")
    assert any("spread" in finding.kind for finding in lint_kernel(pack(tmp_path, KERNEL, flat)))


def test_sums_that_contradict_the_sample_are_refused(tmp_path: Path) -> None:
    other = REFERENCE.replace('signs @ a["X"]', '2 * signs @ a["X"]')
    found = [str(finding) for finding in lint_kernel(pack(tmp_path, KERNEL, other))]
    assert any("sums() contradicts sample()" in text for text in found)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("sampled = 512", "sampled = 0", "sums go with sampled"),
        ("nrmse = 4.6e-3", "max_over_rms = 0.1", "without rows_only"),
        ("sampled = 512", "sampled = -1", "sampled -1"),
    ],
)
def test_a_contract_that_asks_for_no_sample_is_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(PackError) as caught:
        pack(tmp_path, KERNEL.replace(old, new))
    assert said in str(caught.value)


def test_a_reference_without_a_sample_is_named(tmp_path: Path) -> None:
    found = [str(one) for one in lint_kernel(pack(tmp_path, KERNEL, "def reference(a):\n    return {}\n"))]
    assert any("nothing says what is in a sample of Y" in text for text in found)
