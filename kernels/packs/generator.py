"""Portable value generators: any element of any tensor can be made on its own, in any language.

FNV-1a 64 of the tensor's name, mixed with the seed, seeds a splitmix64 of the element index. Byte formats take byte
(i % 8) of word (i / 8), so that 100 MB of codes cost a fraction of a second; wider formats take one word an element.
`generator.h` is the same in C. Sources: Fowler, Noll, Vo, "FNV hash" (64-bit FNV-1a); Steele, Lea, Flood, "Fast
splittable pseudorandom number generators" (splitmix64 finaliser).
"""

from collections.abc import Callable
from math import prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kernels.values.formats import E4M3_TABLE, E5M2_TABLE, FORMATS, INTEGERS, f32_to_bf16

Spec = tuple[str | float, ...]
Words = NDArray[np.uint64]

GOLDEN: Final = 0x9E3779B97F4A7C15
_MASK: Final = (1 << 64) - 1
_CHUNK: Final = 1 << 15  # words at a time: stays in the first caches
_BYTE_FORMATS: Final = ("e4m3", "e5m2", "e2m1", "i8", "u8")
_MINIFLOATS: Final = {"e4m3": (3, E4M3_TABLE), "e5m2": (2, E5M2_TABLE)}
# kind: how many numbers follow it
KINDS: Final[dict[str, int]] = {
    "uniform": 2, "reciprocal": 2, "int": 2, "ladder": 2, "constant": 1, "codes": 0,
    "e4m3_field": 2, "e4m3_field_positive": 2, "e4m3_finite": 0, "e4m3_finite_positive": 0, "e4m3_ladder": 1,
    "e5m2_field": 2, "e5m2_field_positive": 2, "e5m2_finite": 0, "e5m2_finite_positive": 0,
}  # fmt: skip


def fnv1a(name: str) -> int:
    """64-bit FNV-1a of the UTF-8 bytes."""
    state = 0xCBF29CE484222325
    for byte in name.encode():
        state = ((state ^ byte) * 0x100000001B3) & _MASK
    return state


def mix(word: int) -> int:
    """The finaliser of splitmix64."""
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
    return word ^ (word >> 31)


def key_of(name: str, seed: int) -> int:
    """Start of the splitmix64 of one tensor: mix(fnv1a(name) ^ mix(seed + GOLDEN))."""
    return mix(fnv1a(name) ^ mix((seed + GOLDEN) & _MASK))


def words(key: int, start: int, count: int) -> Words:
    """Words start .. start + count - 1: mix(key + (i + 1) * GOLDEN)."""
    state = np.arange(start + 1, start + 1 + count, dtype=np.uint64)
    state *= np.uint64(GOLDEN)
    state += np.uint64(key)
    scratch = state >> np.uint64(30)
    state ^= scratch
    state *= np.uint64(0xBF58476D1CE4E5B9)
    np.right_shift(state, np.uint64(27), out=scratch)
    state ^= scratch
    state *= np.uint64(0x94D049BB133111EB)
    np.right_shift(state, np.uint64(31), out=scratch)
    state ^= scratch
    return state


def problem_with(spec: Spec, dtype: str) -> str:
    """What is wrong with a generator for this format; "" when nothing is."""
    kind, numbers = str(spec[0]) if spec else "", spec[1:]
    if kind not in KINDS:
        return f"unknown generator {kind!r}; known: {', '.join(KINDS)}"
    if len(numbers) != KINDS[kind] or any(isinstance(n, str) for n in numbers):
        return f"generator {kind} takes {KINDS[kind]} number(s), got {list(numbers)}"
    if kind == "codes" or kind.startswith(("e4m3", "e5m2")):
        ok = dtype == kind[:4] if kind != "codes" else dtype in _BYTE_FORMATS
    else:
        ok = dtype in ("f32", "f64", "bf16") if kind != "int" else dtype in INTEGERS
    return "" if ok else f"generator {kind} does not make {dtype}"


def generate(name: str, spec: Spec, dtype: str, shape: tuple[int, ...], seed: int) -> NDArray[Any]:
    """The stored array of a tensor of this logical shape (e2m1: the last axis is halved).

    Raises: ValueError when the generator does not fit the format.
    """
    stored = FORMATS[dtype].storage_shape(shape)
    return generate_range(name, spec, dtype, 0, prod(stored), seed).reshape(stored)


def generate_range(name: str, spec: Spec, dtype: str, start: int, count: int, seed: int) -> NDArray[Any]:
    """Stored elements start .. start + count - 1 of the flat tensor, the same whatever the range.

    Raises: ValueError when the generator does not fit the format.
    """
    wrong = problem_with(spec, dtype)
    if wrong:
        raise ValueError(f"tensor {name}: {wrong}")
    key = key_of(name, seed)
    if spec[0] == "e4m3_ladder":
        raw = _bytes(key, np.arange(256, dtype=np.uint8), start, count)
        return _climb(raw, start, int(spec[1]))
    if dtype in _BYTE_FORMATS:
        return _bytes(key, byte_table(spec, dtype), start, count).view(FORMATS[dtype].storage)
    out = np.empty(count, dtype=FORMATS[dtype].storage)
    make = _maker(spec, dtype)
    for at in range(0, count, _CHUNK):
        out[at : at + _CHUNK] = make(words(key, start + at, min(_CHUNK, count - at)), start + at)
    return out


def rung(row: NDArray[np.int64]) -> NDArray[np.int64]:
    """Largest exponent field in a row of a ladder: 15 in even rows, 0 to 15 in turn in odd ones.

    A row of rung 0 holds only zeros and subnormals; `ladder` scales such rows up, so that they count as much as others.
    """
    return np.where(row & 1, (row >> 1) & 15, 15)


def _climb(raw: NDArray[np.uint8], start: int, columns: int) -> NDArray[np.uint8]:
    out = np.empty_like(raw)
    for at in range(0, len(raw), 8 * _CHUNK):
        part = raw[at : at + 8 * _CHUNK]
        row = np.arange(start + at, start + at + len(part), dtype=np.int64) // columns
        np.take(_LADDER, rung(row) * 256 + part, out=out[at : at + len(part)], mode="clip")
    return out


def _bytes(key: int, table: NDArray[np.uint8], start: int, count: int) -> NDArray[np.uint8]:
    first, last = start // 8, (start + count + 7) // 8
    out = np.empty((last - first) * 8, dtype=np.uint8)
    plain = bool(np.array_equal(table, np.arange(256)))
    for at in range(first, last, _CHUNK):
        stop = min(at + _CHUNK, last)
        raw = words(key, at, stop - at).astype("<u8", copy=False).view(np.uint8)
        target = out[(at - first) * 8 : (stop - first) * 8]
        if plain:
            target[:] = raw
        else:
            np.take(table, raw, out=target, mode="clip")
    return out[start - first * 8 :][:count]


def byte_table(spec: Spec, dtype: str) -> NDArray[np.uint8]:
    """The stored byte that each of the 256 random bytes becomes.

    The exponent field takes bits 3 and up, as high as the sign is not needed; the mantissa the bits below.
    """
    kind, raw = str(spec[0]), np.arange(256)
    if kind == "codes":
        return raw.astype(np.uint8)
    if kind == "int":
        low, high = int(spec[1]), int(spec[2])
        return (low + ((raw * (high - low)) >> 8)).astype(np.int64).astype(np.uint8)
    mantissa_bits, values = _MINIFLOATS[dtype]
    positive = kind.endswith("_positive")
    if "_finite" in kind:
        codes = (raw & 0x7F) if positive else raw
        return np.where(np.isfinite(values[codes]), codes, codes & 0x80).astype(np.uint8)
    return _field_table(raw, int(spec[1]), int(spec[2]), mantissa_bits, positive=positive)


def _field_table(raw: NDArray[Any], low: int, high: int, mantissa_bits: int, *, positive: bool) -> NDArray[np.uint8]:
    bits = 8 - mantissa_bits - (0 if positive else 1)
    chosen = (raw >> mantissa_bits) & ((1 << bits) - 1)
    field = low + ((chosen * (high - low + 1)) >> bits)
    sign = 0 if positive else raw & 0x80
    return (sign | (field << mantissa_bits) | (raw & ((1 << mantissa_bits) - 1))).astype(np.uint8)


_LADDER: Final = np.concatenate([_field_table(np.arange(256), 0, top, 3, positive=False) for top in range(16)])
_LADDER[np.isnan(E4M3_TABLE[_LADDER])] &= 0x80


def _maker(spec: Spec, dtype: str) -> Callable[[Words, int], NDArray[Any]]:
    kind, low = str(spec[0]), float(spec[1])
    high = float(spec[2]) if len(spec) > 2 else low

    def whole(w: Words, _: int) -> NDArray[np.int64]:
        scaled = (w >> np.uint64(32)) * np.uint64(int(high) - int(low))
        return int(low) + (scaled >> np.uint64(32)).astype(np.int64)

    def real(w: Words, start: int) -> NDArray[np.floating]:
        value = low + (high - low) * ((w >> np.uint64(11)).astype(np.float64) * 2.0**-53)
        if kind == "ladder":
            top = rung(np.arange(start, start + len(w), dtype=np.int64))
            value = np.ldexp(value, 15 - np.maximum(top, 1))
        return 1.0 / value if kind == "reciprocal" else value

    if kind == "int":
        return whole
    return (lambda w, start: f32_to_bf16(real(w, start))) if dtype == "bf16" else real
