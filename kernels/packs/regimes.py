"""Value regimes of activations and norm weights: what a kernel must get right besides uniform noise.

random: uniform. one_hot: one element of a vector is not zero. heavy_tailed: log-normal sizes over about six decades,
random signs. large, small: uniform times 64 and 2^-10 (so that an epsilon of 1e-6 shows). negative: minus the sizes.

Only audits draw the others, which no gate shows a candidate: zeros; level: one value everywhere; alternating: signs in
turn; sparse: seven of eight are zero; sorted: from the least to the largest; block: only one half is not zero.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kernels.values.formats import FORMATS, f32_to_bf16

AUDIT_REGIMES: Final = ("zeros", "level", "alternating", "sparse", "sorted", "block")
LARGE: Final = 64.0
SMALL: Final = 2.0**-10


def store(values: Any, dtype: str) -> NDArray[Any]:
    """The stored array of float values: rounded to f32, f64 or bf16 (through f32), or cast to an integer format."""
    if dtype == "bf16":
        wide = np.asarray(values, dtype=np.float32)
        return f32_to_bf16(wide).reshape(wide.shape)
    return np.asarray(values).astype(FORMATS[dtype].storage)


def activations(
    rng: np.random.Generator, regime: str, shape: tuple[int, ...], low: float, high: float, ceiling: float = np.inf
) -> NDArray[np.float64]:
    """float64 values of this shape; `low` and `high` bound the regime `random`, `ceiling` the sizes of heavy tails.

    Raises: ValueError for an unknown regime.
    """
    plain = rng.uniform(low, high, shape)
    match regime:
        case "random":
            return plain
        case "one_hot":
            return _one_hot(rng, shape, low, high)
        case "heavy_tailed":
            sizes = np.exp(1.5 * rng.standard_normal(shape)) * max(abs(low), abs(high)) / 4
            sizes = np.minimum(sizes, ceiling)
            return np.asarray(np.where(rng.random(shape) < 0.5, -sizes, sizes))
        case "large":
            return plain * LARGE
        case "small":
            return plain * SMALL
        case "negative":
            return -np.abs(plain)
    if regime in AUDIT_REGIMES:
        return _patterned(rng, regime, plain)
    raise ValueError(f"unknown regime {regime!r}")


def _patterned(rng: np.random.Generator, regime: str, plain: NDArray[np.float64]) -> NDArray[np.float64]:
    flat, place = np.ravel(plain).copy(), np.arange(np.size(plain))
    match regime:
        case "zeros":
            flat[:] = 0.0
        case "level":
            flat[:] = flat[rng.integers(flat.size)]
        case "alternating":
            flat = np.abs(flat) * (1 - 2 * (place % 2))
        case "sparse":
            flat[rng.random(flat.size) < 7 / 8] = 0.0
        case "sorted":
            flat.sort()
        case "block":
            flat[(place < flat.size // 2) == bool(rng.integers(2))] = 0.0
    return flat.reshape(np.shape(plain))


def _one_hot(rng: np.random.Generator, shape: tuple[int, ...], low: float, high: float) -> NDArray[np.float64]:
    size = max(abs(low), abs(high))
    flat = np.zeros(max(1, int(np.prod(shape))))
    flat[rng.integers(flat.size)] = rng.uniform(size / 4, size)
    return flat.reshape(shape)


def input_norm(
    rng: np.random.Generator, regime: str, shape: tuple[int, ...], low: float, high: float
) -> NDArray[np.float64]:
    """Weights of a norm before a matrix: log-normal up to `high` in `heavy_tailed`; 16 times as large in `large`,
    `small` and `one_hot`, so that what follows stands far above the epsilon of the next norm.

    Raises: ValueError for an unknown regime.
    """
    plain = rng.uniform(low, high, shape)
    match regime:
        case "heavy_tailed":
            return np.minimum(np.exp(1.5 * rng.standard_normal(shape)) * high / 16, high)
        case "large" | "small" | "one_hot":
            return plain * 16
        case "negative":
            return -plain
    if regime == "random" or regime in AUDIT_REGIMES:
        return plain
    raise ValueError(f"unknown regime {regime!r}")


def output_norm(rng: np.random.Generator, regime: str, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Weights of a norm after a matrix: U[0, 1) in `random`.

    They scale what bf16 rounded before them: one honest rounding the other way is 2^-7 of the element, so under an
    absolute tolerance they stay below 1, and above 3/4 where a few of them would carry the rms of the output.
    Raises: ValueError for an unknown regime.
    """
    if regime == "random" or regime in AUDIT_REGIMES:
        return rng.uniform(0, 1, shape)
    match regime:
        case "one_hot" | "heavy_tailed":
            return rng.uniform(0.75, 1, shape)
        case "large":
            return rng.uniform(0, 0.5, shape)
        case "small":
            return rng.uniform(0.5, 1, shape) * SMALL
        case "negative":
            return -rng.uniform(0, 1, shape)
    raise ValueError(f"unknown regime {regime!r}")
