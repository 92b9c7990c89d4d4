"""Feed-forward block in float64, rounded to bf16 exactly where the contract rounds."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernels.packs.regimes import activations, input_norm, output_norm, store
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


def layer_scalar(rng: np.random.Generator, regime: str) -> float:
    """+-[0.4, 0.5) times 1, 1/2 or 1/4; powers of two for large residuals, below 1/4 for heavy-tailed ones.

    The scalar multiplies two roundings of an honest kernel; where sum and product both lie just above a power of two
    they add up to more than the relative tolerance, and these values keep away from that.
    """
    size = 0.5 if regime == "large" else rng.uniform(0.4, 0.5)
    halvings = rng.integers(1 if regime == "heavy_tailed" else 0, 3)
    return float(size * 0.5**halvings * (-1 if regime == "negative" else 1))


def inputs(rng: np.random.Generator, regime: str) -> dict[str, NDArray[Any]]:
    gu, gg, gd = 1 / rng.uniform(2048, 16384, 3)
    scalar = layer_scalar(rng, regime)
    return {
        "residual": store(activations(rng, regime, (HIDDEN,), 0.0, 1.0, ceiling=4.0), "bf16"),
        "pre_norm": store(input_norm(rng, regime, (HIDDEN,), 0.0, 1.0), "bf16"),
        "gu": store(gu, "f32"),
        "gg": store(gg, "f32"),
        "gd": store(gd, "f32"),
        "post_norm": store(output_norm(rng, regime, (HIDDEN,)), "bf16"),
        "layer_scalar": store(scalar, "bf16"),
    }
