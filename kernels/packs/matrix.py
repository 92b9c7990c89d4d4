"""Weight matrices of the reference: one decoded base, and the secret row permutation and column signs of each slot.

A kernel only multiplies a `[[matrix]]` with vectors, one or several a call, so slot j may hold y = P_j B (s_j x) for
one secret base B: one decode serves every copy of the ring, and the outputs of many calls are one matrix product.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kernels.values.formats import E2M1_TABLE, E4M3_TABLE, E5M2_TABLE, INTEGERS, decode
from kernels.values.kernel import KernelSpec, MatrixSpec

Stored = Mapping[str, NDArray[Any]]

_CHUNK_ELEMENTS: Final = 1 << 19  # 4 MiB of float64 at a time
_DECODE_ELEMENTS: Final = 1 << 16  # stays in the second cache
_E2M1_PAIRS: Final = np.array([[E2M1_TABLE[b & 15], E2M1_TABLE[b >> 4]] for b in range(256)], dtype=np.float32)
_TABLES: Final = {"e4m3": E4M3_TABLE, "e5m2": E5M2_TABLE}


@dataclass(frozen=True, slots=True)
class Rows:
    """Result of a `rows_only` output: call b writes row index[b] = values[b] and leaves every other row alone."""

    index: NDArray[np.int64]
    values: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Slot:
    """How one copy in the ring differs from the base: row i of the slot is row permutation[i] of the base, with its
    columns multiplied by signs (+1 or -1)."""

    permutation: NDArray[np.int64]
    signs: NDArray[np.int8]


class BaseMatrix:
    """The decoded base, float32 [rows, columns] (float64 for f64 elements)."""

    def __init__(self, values: NDArray[np.floating]) -> None:
        self.values = values

    @property
    def shape(self) -> tuple[int, int]:
        rows = len(self.values)
        return rows, self.values.size // rows

    @classmethod
    def from_stored(
        cls, kernel: KernelSpec, matrix: MatrixSpec, arrays: Stored, reuse: "BaseMatrix | None" = None
    ) -> "BaseMatrix":
        """Decode codes and scales, chunk by chunk. The product code * scale is exact or rounded once to float32;
        with `round_bf16` it is then rounded to bf16.

        reuse: a base of an earlier epoch whose memory is written over; first use of fresh pages costs more than the
        decoding (ffn: 1.6 s against 0.3 s).
        """
        codes = kernel.argument(matrix.codes)
        rows, columns = codes.shape
        dtype = np.float64 if codes.dtype == "f64" else np.float32
        out = np.empty((rows, columns), dtype=dtype) if reuse is None else reuse.values
        scales = None
        if matrix.scales is not None:
            scales = decode(arrays[matrix.scales], kernel.argument(matrix.scales).dtype).reshape(rows, -1)
        step = max(1, _DECODE_ELEMENTS // columns)
        for at in range(0, rows, step):
            part = out[at : at + step]
            _decode_into(part, arrays[codes.name][at : at + step], codes.dtype)
            if scales is not None:
                _scale(part, scales[at : at + step])
            if matrix.round_bf16:
                _round_bf16_in_place(part)
        return cls(out)


def _decode_into(out: NDArray[np.floating], stored: NDArray[Any], dtype: str) -> None:
    if dtype == "e2m1":  # one look-up makes two neighbours
        np.take(_E2M1_PAIRS.view(np.float64)[:, 0], stored, out=out.view(np.float64), mode="clip")
    elif dtype in _TABLES:
        np.take(_TABLES[dtype], stored, out=out, mode="clip")
    else:
        out[:] = decode(stored, dtype)


def _scale(part: NDArray[np.floating], scales: NDArray[Any]) -> None:
    blocks = part.reshape(part.shape[0], scales.shape[1], -1)
    blocks *= scales[:, :, None]


def _round_bf16_in_place(part: NDArray[np.floating]) -> None:
    """Nearest even, for finite values; the same as `f32_to_bf16` without its copies."""
    bits = part.view(np.uint32)
    odd = bits >> np.uint32(16)
    odd &= np.uint32(1)
    odd += np.uint32(0x7FFF)
    bits += odd
    bits &= np.uint32(0xFFFF0000)


class Matrix:
    """The operator y = M v for a batch of calls, each on its own slot. Without slots every call uses the base."""

    def __init__(self, base: BaseMatrix, slots: Sequence[Slot] | None = None) -> None:
        self.base = base
        self.slots = slots

    def apply(self, v: NDArray[np.float64]) -> NDArray[np.float64]:
        """v: float64 [B, columns], one vector a call, or [B, ..., columns], several; result float64 [B, ..., rows],
        accumulated in float64.

        Raises: ValueError when B is not the number of slots or the vectors have the wrong length.
        """
        rows, columns = self.base.shape
        calls = v.shape[0]
        if v.ndim < 2 or v.shape[-1] != columns or (self.slots is not None and len(self.slots) != calls):
            slots = "any" if self.slots is None else len(self.slots)
            raise ValueError(f"matrix {rows}x{columns} with {slots} slots cannot be applied to vectors {v.shape}")
        many = (*v.shape[:-1], rows)
        if self.slots is None:
            return np.ascontiguousarray(_product(self.base.values, v.reshape(-1, columns)).T).reshape(many)
        signs = np.stack([slot.signs for slot in self.slots]).reshape(calls, *(1 for _ in v.shape[1:-1]), columns)
        product = _product(self.base.values, (v * signs).reshape(-1, columns)).reshape(rows, calls, -1)
        return np.stack([product[slot.permutation, b].T for b, slot in enumerate(self.slots)]).reshape(many)

    def rows(self, index: NDArray[np.int64]) -> NDArray[np.float64]:
        """index: int64 [B, n]; those rows of each call's matrix, float64 [B, n, columns]."""
        if self.slots is None:
            return self.base.values[index].astype(np.float64)
        taken = [self.base.values[slot.permutation[one]] for slot, one in zip(self.slots, index, strict=True)]
        return np.stack(taken) * np.stack([slot.signs for slot in self.slots])[:, None].astype(np.float64)


def _product(base: NDArray[np.floating], v: NDArray[np.float64]) -> NDArray[np.float64]:
    """base @ v^T as [rows, B] in float64, a chunk of rows at a time."""
    rows, columns = base.shape
    step = max(1, _CHUNK_ELEMENTS // columns)
    wide = np.empty((min(step, rows), columns))
    right = np.ascontiguousarray(v.T)
    out = np.empty((rows, v.shape[0]))
    for at in range(0, rows, step):
        part = base[at : at + step]
        chunk = wide[: len(part)]
        np.copyto(chunk, part)
        np.matmul(chunk, right, out=out[at : at + step])
    return out


def derive_slot(
    spec: KernelSpec, base: Stored, rng: np.random.Generator, out: Stored | None = None
) -> tuple[dict[str, NDArray[Any]], dict[str, Slot]]:
    """A secret copy: per matrix rows permuted (codes and scales together) and column signs flipped in the codes.

    base: stored arrays of all matrix arguments. out: where to write them, e.g. views of the ring; made when absent.
    Returns: stored arrays by argument, and the `Slot` by matrix name.
    """
    arrays: dict[str, NDArray[Any]] = {}
    slots: dict[str, Slot] = {}
    for matrix in spec.matrices:
        codes = spec.argument(matrix.codes)
        permutation = rng.permutation(codes.shape[0])
        signs = _draw_signs(base[codes.name], codes.dtype, codes.shape[1], rng)
        arrays[codes.name] = _permuted(base[codes.name], permutation, out, codes.name)
        _flip(arrays[codes.name], codes.dtype, signs)
        if matrix.scales is not None:
            arrays[matrix.scales] = _permuted(base[matrix.scales], permutation, out, matrix.scales)
        slots[matrix.name] = Slot(permutation, signs)
    return arrays, slots


def _permuted(array: NDArray[Any], permutation: NDArray[np.int64], out: Stored | None, name: str) -> NDArray[Any]:
    return np.take(array, permutation, axis=0, out=None if out is None else out[name], mode="clip")


def _draw_signs(codes: NDArray[Any], dtype: str, columns: int, rng: np.random.Generator) -> NDArray[np.int8]:
    """+1 or -1 a column; always +1 where the format cannot be negated: unsigned, or a column with the least integer."""
    signs = (1 - 2 * rng.integers(0, 2, columns)).astype(np.int8)
    if dtype in ("u8", "u16", "u32", "u64"):
        signs[:] = 1
    elif dtype in INTEGERS:
        signs[(codes == np.iinfo(codes.dtype).min).any(axis=0)] = 1
    return signs


def _flip(codes: NDArray[Any], dtype: str, signs: NDArray[np.int8]) -> None:
    negative = signs < 0
    if dtype in INTEGERS:
        codes *= signs.astype(codes.dtype)
        return
    if dtype == "e2m1":
        mask = (negative[0::2] * 0x08 + negative[1::2] * 0x80).astype(np.uint8)
    else:
        bits = np.dtype(f"u{codes.dtype.itemsize}")
        mask = negative.astype(bits) << bits.type(8 * codes.dtype.itemsize - 1)
    raw = codes.view(mask.dtype)
    for at in range(0, len(raw), 256):
        raw[at : at + 256] ^= mask
