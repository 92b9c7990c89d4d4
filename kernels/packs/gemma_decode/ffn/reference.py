"""Feed-forward block in float64, rounded to bf16 exactly where the contract rounds."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernels.packs.regimes import activations, norm_weights, store
from kernels.values.formats import round_bf16

HIDDEN = 3840


def rms_norm(v: NDArray[np.float64]) -> NDArray[np.float64]:
    """Over the last axis."""
    return v / np.sqrt(np.mean(v * v, axis=-1, keepdims=True) + 1e-6)


def gelu_tanh(v: NDArray[np.float64]) -> NDArray[np.float64]:
    return v / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (v + 0.044715 * v**3)))


def reference(a: Mapping[str, Any]) -> dict[str, Any]:
    residual = a["residual"]
    h = round_bf16(rms_norm(residual) * a["pre_norm"])
    up = round_bf16(a["Wup"].apply(h) * a["gu"][:, None])
    gate = round_bf16(a["Wgate"].apply(h) * a["gg"][:, None])
    d = round_bf16(a["Wdown"].apply(gelu_tanh(gate) * up) * a["gd"][:, None])
    summed = round_bf16(residual + rms_norm(d) * a["post_norm"])
    return {"residual": round_bf16(summed * a["layer_scalar"][:, None])}


def inputs(rng: np.random.Generator, regime: str) -> dict[str, NDArray[Any]]:
    gu, gg, gd = 1 / rng.uniform(2048, 16384, 3)
    scalar = rng.uniform(0.25, 1.0)
    return {
        "residual": store(activations(rng, regime, (HIDDEN,), 0.0, 1.0), "bf16"),
        "pre_norm": store(norm_weights(rng, regime, (HIDDEN,), 0.0, 1.0, large=16.0), "bf16"),
        "gu": store(gu, "f32"),
        "gg": store(gg, "f32"),
        "gd": store(gd, "f32"),
        "post_norm": store(norm_weights(rng, regime, (HIDDEN,), 0.0, 1.0), "bf16"),
        "layer_scalar": store(-scalar if regime == "negative" else scalar, "bf16"),
    }
