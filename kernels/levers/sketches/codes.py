"""What a decode table is: an integer, a small float, or just a table; and C texts that compute its values."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class MiniFloat:
    """Sign, 7 - mantissa exponent bits, mantissa bits: value = 2^(exponent - bias) * 1.mantissa, with subnormals."""

    mantissa: int
    bias: int


def mini_float(values: NDArray[np.float64]) -> MiniFloat | None:
    """The small float whose finite values these are; codes with NaN or infinity may be anything."""
    for mantissa in range(1, 7):
        one = 2.0**mantissa
        for bias in range(1, 1 << (7 - mantissa)):
            if values[1] == 2.0 ** (1 - bias) / one and _matches(values, mantissa, bias):
                return MiniFloat(mantissa, bias)
    return None


def _matches(values: NDArray[np.float64], mantissa: int, bias: int) -> bool:
    codes = np.arange(256)
    exponent, fraction = (codes & 127) >> mantissa, codes & ((1 << mantissa) - 1)
    subnormal = fraction * 2.0 ** (1 - bias - mantissa)
    normal = (1 + fraction / 2.0**mantissa) * 2.0 ** (exponent - float(bias))
    wanted = np.where(exponent == 0, subnormal, normal) * np.where(codes > 127, -1.0, 1.0)
    known = np.isfinite(values)
    return bool((values[known] == wanted[known]).all())


def integer_kind(values: NDArray[np.float64]) -> str:
    """ "int8_t" or "uint8_t" when the value is the byte read as that integer, else ""."""
    codes = np.arange(256, dtype=np.float64)
    if np.array_equal(values, codes):
        return "uint8_t"
    return "int8_t" if np.array_equal(values, np.where(codes > 127, codes - 256, codes)) else ""


def as_small_integers(values: NDArray[np.float64]) -> tuple[NDArray[np.int64], int] | None:
    """(integers in int8, k) with value = integer * 2^-k, or None."""
    if not np.isfinite(values).all():
        return None
    for k in range(-8, 24):
        scaled = values * 2.0**k
        if np.array_equal(scaled, np.round(scaled)):
            fits = np.abs(scaled).max() <= 127
            return (scaled.astype(np.int64), k) if fits else None
    return None


def float_literals(values: NDArray[np.float64]) -> str:
    """Lines of a C initialiser with every value exactly as f32."""
    texts = [_literal(float(v)) for v in values]
    return ",\n    ".join(", ".join(texts[i : i + 8]) for i in range(0, len(texts), 8))


def _literal(value: float) -> str:
    if math.isnan(value):
        return '__builtin_nanf("")'
    if math.isinf(value):
        return "-__builtin_inff()" if value < 0 else "__builtin_inff()"
    single = float(np.float32(value))
    return f"{single!r}f" if abs(single) >= 1e-4 or single == 0 else f"{single.hex()}f"


def power_of_two(exponent: int) -> str:
    """2^exponent as a C literal of type float."""
    return f"0x1p{exponent}f"
