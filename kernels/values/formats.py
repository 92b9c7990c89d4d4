"""Number formats of kernel arguments: how they are stored, named in C, and decoded.

Sources: bfloat16 is the upper half of IEEE binary32; e4m3 and e5m2 are the OCP 8-bit formats (Open Compute Project,
"8-bit Floating Point Specification" 1.0; e4m3 has no infinity, 0x7f and 0xff are NaN); e2m1 is the element format of
OCP MX and NVFP4, two codes a byte, low nibble first.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

INTEGERS: Final = ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64")


@dataclass(frozen=True, slots=True)
class Format:
    """One element format. `per_byte` is the number of elements that share one byte (1 except for e2m1)."""

    name: str
    storage: np.dtype
    c_type: str
    per_byte: int = 1

    @property
    def whole(self) -> bool:
        """Whether its elements are plain integers: results are then compared exactly."""
        return self.name in INTEGERS

    def storage_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Shape of the stored array for this logical shape; the last axis shrinks for packed formats."""
        if self.per_byte == 1 or not shape:
            return shape
        return (*shape[:-1], shape[-1] // self.per_byte)


FORMATS: Final[dict[str, Format]] = {
    f.name: f
    for f in (
        Format("f32", np.dtype("<f4"), "float"),
        Format("f64", np.dtype("<f8"), "double"),
        Format("bf16", np.dtype("<u2"), "kw_bf16"),
        Format("i8", np.dtype("i1"), "int8_t"),
        Format("u8", np.dtype("u1"), "uint8_t"),
        Format("i16", np.dtype("<i2"), "int16_t"),
        Format("u16", np.dtype("<u2"), "uint16_t"),
        Format("i32", np.dtype("<i4"), "int32_t"),
        Format("u32", np.dtype("<u4"), "uint32_t"),
        Format("i64", np.dtype("<i8"), "int64_t"),
        Format("u64", np.dtype("<u8"), "uint64_t"),
        Format("e4m3", np.dtype("u1"), "uint8_t"),
        Format("e5m2", np.dtype("u1"), "uint8_t"),
        Format("e2m1", np.dtype("u1"), "uint8_t", per_byte=2),
    )
}


def bf16_to_f32(bits: NDArray[np.uint16]) -> NDArray[np.float32]:
    """Exact."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def f32_to_bf16(values: NDArray[np.floating]) -> NDArray[np.uint16]:
    """Round to nearest, ties to even; NaN stays a quiet NaN."""
    single = np.ascontiguousarray(values, dtype=np.float32)
    bits = single.view(np.uint32)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(single), np.uint16(0x7FC0), rounded)


def round_bf16(values: NDArray[np.floating]) -> NDArray[np.float64]:
    """The nearest bf16 of each value, as float64 (through float32, as the kernels do)."""
    return bf16_to_f32(f32_to_bf16(values)).astype(np.float64)


def _minifloat_table(exponent_bits: int, mantissa_bits: int, *, finite_only: bool) -> NDArray[np.float32]:
    bias = (1 << (exponent_bits - 1)) - 1
    table = np.empty(256, dtype=np.float32)
    for code in range(256):
        exponent = (code >> mantissa_bits) & ((1 << exponent_bits) - 1)
        mantissa = code & ((1 << mantissa_bits) - 1)
        top = (1 << exponent_bits) - 1
        if exponent == 0:
            value = mantissa * 2.0 ** (1 - bias - mantissa_bits)
        elif finite_only and exponent == top and mantissa == (1 << mantissa_bits) - 1:
            value = np.nan
        elif not finite_only and exponent == top:
            value = np.inf if mantissa == 0 else np.nan
        else:
            value = (1 + mantissa / (1 << mantissa_bits)) * 2.0 ** (exponent - bias)
        table[code] = -value if code & 0x80 else value
    return table


E4M3_TABLE: Final = _minifloat_table(4, 3, finite_only=True)
E5M2_TABLE: Final = _minifloat_table(5, 2, finite_only=False)
E2M1_TABLE: Final = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6], dtype=np.float32)


def decode(stored: NDArray, dtype: str) -> NDArray:
    """Stored array to float32 (float64 for f64; integers stay integers). e2m1 doubles the last axis.

    Raises: KeyError for an unknown format.
    """
    match dtype:
        case "bf16":
            return bf16_to_f32(stored)
        case "e4m3":
            return E4M3_TABLE[stored]
        case "e5m2":
            return E5M2_TABLE[stored]
        case "e2m1":
            pairs = np.stack((E2M1_TABLE[stored & 15], E2M1_TABLE[stored >> 4]), axis=-1)
            return pairs.reshape(*stored.shape[:-1], stored.shape[-1] * 2)
        case _:
            return stored.view(FORMATS[dtype].storage)
