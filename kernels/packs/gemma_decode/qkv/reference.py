"""q, k and v of one token in float64, rounded to bf16 exactly where the contract rounds."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernels.packs.matrix import Rows
from kernels.packs.regimes import activations, input_norm, output_norm, store
from kernels.values.formats import round_bf16

POSITIONS, RING, THETA, HEAD = 32768, 1024, 1e4, 256
VERY_SMALL = 2.0**-14  # on top of the regime: so that the epsilons of both norms show
Wide = NDArray[np.float64]


def rms_norm(v: Wide) -> Wide:
    """Over the last axis."""
    return v / np.sqrt(np.mean(v * v, axis=-1, keepdims=True) + 1e-6)


def rotate(u: Wide, cos: Wide, sin: Wide) -> Wide:
    """u: [B, heads, 256]; the two halves of a head are the two coordinates of each rotated pair."""
    swapped = np.roll(u, HEAD // 2, axis=-1)
    return u * cos[:, None, :] + swapped * sin[:, None, :]


def reference(a: Mapping[str, Any]) -> dict[str, Any]:
    h = round_bf16(rms_norm(a["x"]) * a["input_norm"])
    calls, cos, sin = len(h), a["rope_cos"], a["rope_sin"]
    q, k, v = (round_bf16(a[m].apply(h)).reshape(calls, -1, HEAD) for m in ("Wq", "Wk", "Wv"))
    q = rotate(rms_norm(q) * a["q_norm"][:, None, :], cos, sin)
    k = rotate(rms_norm(k) * a["k_norm"][:, None, :], cos, sin)
    row = a["pos"] % RING
    return {
        "q_out": round_bf16(q).reshape(calls, 8, 2, HEAD),
        "k_cache": Rows(row, round_bf16(k)),
        "v_cache": Rows(row, round_bf16(rms_norm(v))),
    }


def inputs(rng: np.random.Generator, regime: str) -> dict[str, NDArray[Any]]:
    return inputs_at(rng, regime, "pos", int(rng.integers(POSITIONS)))


def inputs_at(rng: np.random.Generator, regime: str, _: str, pos: int) -> dict[str, NDArray[Any]]:
    """At one position, the only argument with a domain."""
    angles = np.tile(pos * THETA ** (-2 * np.arange(HEAD // 2) / HEAD), 2)
    sines = np.sin(angles)
    sines[: HEAD // 2] *= -1
    x = activations(rng, regime, (3840,), 0.0, 1.0)
    return {
        "x": store(x * VERY_SMALL if regime == "small" else x, "bf16"),
        "pos": store(pos, "i32"),
        "rope_cos": store(np.cos(angles), "f32"),
        "rope_sin": store(sines, "f32"),
        "input_norm": store(input_norm(rng, regime, (3840,), 0.75, 1.25), "bf16"),
        "q_norm": store(output_norm(rng, regime, (HEAD,)), "bf16"),
        "k_norm": store(output_norm(rng, regime, (HEAD,)), "bf16"),
        "k_cache": _any_cache(rng),
        "v_cache": _any_cache(rng),
    }


_BACKGROUND: list[NDArray[np.uint16]] = []


def _any_cache(rng: np.random.Generator) -> NDArray[np.uint16]:
    """Arbitrary finite bf16 of size below 2, drawn once a process: no output depends on it."""
    if not _BACKGROUND:
        bits = rng.integers(0, 1 << 64, RING * 2048 // 4, dtype=np.uint64).view(np.uint16)
        bits &= np.uint16(0xBFFF)
        bits.flags.writeable = False
        _BACKGROUND.append(bits.reshape(RING, 8, HEAD))
    return _BACKGROUND[0]
