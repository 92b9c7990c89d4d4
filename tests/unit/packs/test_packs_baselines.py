"""The shipped C baselines against their float64 references, at full size, in every value regime."""

import numpy as np
import pytest

from kernels.packs.compare import Comparison, compare
from kernels.packs.loader import WeightRegime, baseline, find_kernel, has_uniform_codes
from kernels.packs.matrix import Matrix, Rows, derive_slot
from kernels.packs.reference import load_reference
from kernels.packs.sampled import Sampled
from kernels.packs.weights import decode_bases, draw_weights, plain_weights
from kernels.values.kernel import KernelSpec


def compare_all(spec: KernelSpec, source: str, call, weights: WeightRegime, seed: int) -> dict[str, Comparison]:
    """The worst comparison of each regime, on a derived slot."""
    reference, base = load_reference(spec), draw_weights(spec, seed, weights)
    rng = np.random.default_rng(seed)
    slot, slots = derive_slot(spec, base, rng)
    stored = {**base, **slot}
    calls = [reference.inputs(rng, regime) for regime in spec.regimes]
    plain = {name: stored[name] for name in plain_weights(spec)}
    matrices = {name: Matrix(decoded, [slots[name]] * len(calls)) for name, decoded in decode_bases(spec, base).items()}
    expected = reference.expected([{**c, **plain} for c in calls], matrices)
    found = {}
    for b, regime in enumerate(spec.regimes):
        got = call(spec, source, {**stored, **calls[b]})
        for name, want in expected.items():
            assert not isinstance(want, Sampled)
            one = Rows(want.index[b : b + 1], want.values[b : b + 1]) if isinstance(want, Rows) else want[b]
            found[f"{regime} {name}"] = compare(
                one, got[name], spec.argument(name).dtype, spec.tolerances[name], calls[b].get(name)
            )
    return found


LOOPS = ["atax", "bicg", "mvt", "gemver", "gesummv", "jacobi_2d", "correlation", "nussinov"]


@pytest.mark.parametrize("name", ["axpy", "gemv", "qkv", "attn_out", "ffn", *LOOPS])
def test_the_baseline_is_right_in_every_regime(name: str, call) -> None:
    spec = find_kernel(name)[1]
    found = compare_all(spec, baseline(spec).source, call, "generated", 3)
    assert {k: c.reason for k, c in found.items() if not c.ok} == {}


@pytest.mark.parametrize("name", ["attn_out", pytest.param("qkv", marks=pytest.mark.long), "ffn"])
def test_the_baseline_is_right_on_the_weights_of_a_promotion(name: str, call) -> None:
    spec = find_kernel(name)[1]
    assert has_uniform_codes(spec)
    found = compare_all(spec, baseline(spec).source, call, "uniform_codes", 4)
    assert {k: c.reason for k, c in found.items() if not c.ok} == {}


DROPS_SUBNORMALS = "#define E4M3_OF(code) (((code) & 0x78) ? E4M3[code] : 0.0f)\n"


def test_a_decode_that_drops_subnormals_fails_only_on_the_weights_of_a_promotion(call) -> None:
    spec = find_kernel("attn_out")[1]
    honest = baseline(spec).source
    source = honest.replace("E4M3[codes[row * COLUMNS + column]]", "E4M3_OF(codes[row * COLUMNS + column])")
    source = source.replace("static float inverse_rms", DROPS_SUBNORMALS + "static float inverse_rms", 1)
    assert source.count("E4M3_OF") == 2
    assert all(c.ok for c in compare_all(spec, source, call, "generated", 5).values())
    assert not any(c.ok for c in compare_all(spec, source, call, "uniform_codes", 5).values())


EIGHT_BITS = """static void eight_bits(float *v, int n) {
    float top = 0.0f;
    for (int i = 0; i < n; i++) top = fmaxf(top, fabsf(v[i]));
    for (int i = 0; i < n; i++) v[i] = roundf(v[i] * 127.0f / top) * top / 127.0f;
}
static float inverse_rms"""


@pytest.mark.parametrize(
    ("name", "before"), [("attn_out", "    for (int row = 0"), pytest.param("qkv", "    project(q_codes")]
)
def test_eight_bit_activations_fail_under_heavy_tails(name: str, before: str, call) -> None:
    spec = find_kernel(name)[1]
    source = baseline(spec).source.replace("static float inverse_rms", EIGHT_BITS, 1)
    size = "COLUMNS" if name == "attn_out" else "HIDDEN"
    source = source.replace(before, f"    eight_bits(h, {size});\n{before}", 1 if name == "attn_out" else -1)
    found = compare_all(spec, source, call, "generated", 6)
    assert not any(c.ok for key, c in found.items() if key.startswith("heavy_tailed"))


def test_a_flushed_half_fails_in_ffn(call) -> None:
    """e2m1 has one subnormal, 0.5; a process that flushes denormals loses it in a decode by bit shifts."""
    spec = find_kernel("ffn")[1]
    source = baseline(spec).source.replace("0.0f, 0.5f", "0.0f, 0.0f").replace("-0.0f, -0.5f", "-0.0f, -0.0f")
    found = compare_all(spec, source, call, "generated", 7)
    assert [key for key, c in found.items() if c.ok] == []
