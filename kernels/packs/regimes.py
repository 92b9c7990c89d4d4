"""Value regimes of activations and norm weights: what a kernel must get right besides uniform noise.

random: uniform. one_hot: one element of a vector is not zero. heavy_tailed: log-normal sizes over about six decades,
random signs. large, small: uniform times 64 and 2^-10 (so that an epsilon of 1e-6 shows). negative: minus the sizes.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kernels.values.formats import FORMATS, f32_to_bf16

LARGE: Final = 64.0
SMALL: Final = 2.0**-10


def store(values: Any, dtype: str) -> NDArray[Any]:
    """The stored array of float values: rounded to f32, f64 or bf16 (through f32), or cast to an integer format."""
    if dtype == "bf16":
        wide = np.asarray(values, dtype=np.float32)
        return f32_to_bf16(wide).reshape(wide.shape)
    return np.asarray(values).astype(FORMATS[dtype].storage)


def activations(
    rng: np.random.Generator, regime: str, shape: tuple[int, ...], low: float, high: float
) -> NDArray[np.float64]:
    """float64 values of this shape; `low` and `high` bound the regime `random`.

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
            return np.asarray(np.where(rng.random(shape) < 0.5, -sizes, sizes))
        case "large":
            return plain * LARGE
        case "small":
            return plain * SMALL
        case "negative":
            return -np.abs(plain)
    raise ValueError(f"unknown regime {regime!r}")


def _one_hot(rng: np.random.Generator, shape: tuple[int, ...], low: float, high: float) -> NDArray[np.float64]:
    size = max(abs(low), abs(high))
    flat = np.zeros(max(1, int(np.prod(shape))))
    flat[rng.integers(flat.size)] = rng.uniform(size / 4, size)
    return flat.reshape(shape)


def norm_weights(
    rng: np.random.Generator, regime: str, shape: tuple[int, ...], low: float, high: float, large: float = 1.0
) -> NDArray[np.float64]:
    """Weights of a norm. They scale the error of everything before them, so an absolute tolerance bounds them:
    `large` is the factor of the regime `large`, heavy tails end at `high`, and one_hot leaves them uniform.

    Raises: ValueError for an unknown regime.
    """
    plain = rng.uniform(low, high, shape)
    match regime:
        case "random" | "one_hot":
            return plain
        case "heavy_tailed":
            return np.minimum(np.exp(1.5 * rng.standard_normal(shape)) * high / 16, high)
        case "large":
            return plain * large
        case "small":
            return plain / 64
        case "negative":
            return -plain
    raise ValueError(f"unknown regime {regime!r}")
