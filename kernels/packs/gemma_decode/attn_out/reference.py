"""Output projection of attention in float64, rounded to bf16 exactly where the contract rounds."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernels.packs.regimes import activations, output_norm, store
from kernels.values.formats import round_bf16


def reference(a: Mapping[str, Any]) -> dict[str, Any]:
    x = a["x"].reshape(len(a["x"]), -1)
    y = round_bf16(a["W"].apply(x))
    y /= np.sqrt(np.mean(y * y, axis=-1, keepdims=True) + 1e-6)
    return {"residual": round_bf16(a["residual"] + y * a["post_norm"])}


def inputs(rng: np.random.Generator, regime: str) -> dict[str, NDArray[Any]]:
    return {
        "x": store(activations(rng, regime, (8, 2, 256), -1.0, 1.0), "bf16"),
        "post_norm": store(output_norm(rng, regime, (3840,)), "bf16"),
        "residual": store(activations(rng, regime, (3840,), 0.0, 1.0, ceiling=4.0), "bf16"),
    }
