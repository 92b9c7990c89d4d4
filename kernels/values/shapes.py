"""The shapes that one kernel is judged at, each with its weight: what one number says of all of them.

One source serves every shape: it gets the sizes as arguments, as the functions of a GEMM library do. Ratios of times of
different shapes are averaged by the weighted geometric mean, the only mean for which the ratio of two means is the mean
of the ratios (source: Fleming and Wallace, "How not to lie with statistics: the correct way to summarize benchmark
results", CACM 29 (1986) 3).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shape:
    """weight: beside those of the other shapes, > 0. sizes: value of every dimension, by the argument's name."""

    name: str
    weight: float
    sizes: Mapping[str, int]

    def __post_init__(self) -> None:
        if not (math.isfinite(self.weight) and self.weight > 0):
            raise ValueError(f"shape {self.name}: its weight must be finite and > 0, got {self.weight}")
        bad = [name for name, size in self.sizes.items() if size <= 0]
        if bad:
            raise ValueError(f"shape {self.name}: {bad[0]} must be > 0, got {self.sizes[bad[0]]}")

    @property
    def text(self) -> str:
        """`decode (M=1, N=1024)`."""
        return f"{self.name} ({', '.join(f'{name}={size}' for name, size in self.sizes.items())})"


def shares(shapes: Sequence[Shape]) -> dict[str, float]:
    """The weight of each shape by name, scaled so that their sum is 1."""
    whole = sum(shape.weight for shape in shapes)
    return {shape.name: shape.weight / whole for shape in shapes}


def geometric(values: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """exp(sum of w log v): the weighted geometric mean. weights: by the same names, of sum 1.

    Not a number when a value is not, or is not above 0: what cannot be read at one shape cannot be read.
    """
    if not all(math.isfinite(values[name]) and values[name] > 0 for name in weights):
        return math.nan
    return math.exp(math.fsum(weight * math.log(values[name]) for name, weight in weights.items()))
