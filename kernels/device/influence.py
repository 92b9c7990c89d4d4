"""Single-element probes: change one element of one argument, at the same addresses, and demand the right new answer.

A result cache that looks at a few elements, a table made from the weights seen first, or skipped columns all give a
stale answer here. Seen in public: KernelBench issue 165, flashinfer-bench-starter-kit issue 21.
"""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kernels.device.epoch import Epoch, SlotState
from kernels.device.expected import Patch
from kernels.packs.generator import generate
from kernels.packs.regimes import store
from kernels.values.formats import decode, round_bf16
from kernels.values.kernel import Argument, KernelSpec, MatrixSpec

Element = tuple[int, ...]
Random = np.random.Generator
TRIES: Final = 8
FACTOR: Final = 2.0  # the changed element is this much larger than the largest; a scalar shrinks, to stay in its range


def random_element(rng: Random, shape: tuple[int, ...]) -> Element:
    return tuple(int(rng.integers(n)) for n in shape)


def changed_input(argument: Argument, stored: NDArray[Any], rng: Random) -> tuple[NDArray[Any], Element]:
    """A copy in which one element differs; returns the copy and the element."""
    at = random_element(rng, stored.shape)
    out = stored.copy()
    out[at] = _other_value(argument, stored, at, rng)
    return out, at


def _other_value(argument: Argument, stored: NDArray[Any], at: Element, rng: Random) -> Any:
    if argument.dtype in ("f32", "f64", "bf16"):
        values = decode(stored, argument.dtype)
        top = float(np.abs(values).max())
        if not argument.shape:
            return store(np.asarray(values, dtype=np.float64) * float(rng.choice((0.5, 0.75))), argument.dtype)
        sign = -1.0 if float(values[at]) > 0 else 1.0
        return store(np.asarray(sign * FACTOR * (top or 1.0)), argument.dtype)
    return _another(argument, stored[at], rng)


def _another(argument: Argument, now: Any, rng: Random) -> Any:
    """A value of its generator that is not the present one, unless the generator hardly makes any."""
    for _ in range(TRIES):
        seed = int(rng.integers(1 << 62))
        drawn = generate(argument.name, argument.generate, argument.dtype, argument.shape, seed).ravel()
        others = drawn[drawn != now]
        if len(others):
            return others[int(rng.integers(len(others)))]
    return now


def decode_row(spec: KernelSpec, matrix: MatrixSpec, codes: NDArray[Any], scales: NDArray[Any] | None) -> NDArray[Any]:
    """float64 [columns]: one stored row with its scales, rounded as the contract says."""
    row = decode(codes.reshape(1, -1), spec.argument(matrix.codes).dtype)[0].astype(np.float64)
    if matrix.scales is not None and scales is not None:
        factors = decode(scales.reshape(-1), spec.argument(matrix.scales).dtype).astype(np.float64)
        row *= np.repeat(factors, len(row) // len(factors))
    return round_bf16(row) if matrix.round_bf16 else row


@contextmanager
def changed_code(epoch: Epoch, slot: int, matrix: MatrixSpec, column: int, rng: Random) -> Generator[Patch]:
    """One code of a random row changed in the ring while the context lasts; yields its effect."""
    spec = epoch.spec
    argument = spec.argument(matrix.codes)
    codes = epoch.array(slot, matrix.codes)
    scales = None if matrix.scales is None else epoch.array(slot, matrix.scales)
    row = int(rng.integers(len(codes)))
    one = None if scales is None else scales[row]
    before, old = decode_row(spec, matrix, codes[row], one), codes[row].copy()
    stored_column = column // argument.format.per_byte
    try:
        codes[row, stored_column] = _other_code(argument, codes, row, column, rng)
        delta = decode_row(spec, matrix, codes[row], one) - before
        touched = np.flatnonzero(delta)
        first, last = (int(touched[0]), int(touched[-1]) + 1) if len(touched) else (column, column + 1)
        yield Patch(matrix.name, row, first, delta[first:last])
    finally:
        codes[row] = old


@contextmanager
def copied_row(epoch: Epoch, slot: int, matrix: MatrixSpec, rng: Random) -> Generator[Patch]:
    """A random row, codes and scales, overwritten with another one while the context lasts; yields the effect."""
    names = [name for name in (matrix.codes, matrix.scales) if name is not None]
    arrays = [epoch.array(slot, name) for name in names]
    row, other = (int(i) for i in rng.choice(len(arrays[0]), 2, replace=False))
    old = [array[row].copy() for array in arrays]

    def decoded() -> NDArray[np.float64]:
        return decode_row(epoch.spec, matrix, arrays[0][row], arrays[1][row] if len(arrays) > 1 else None)

    before = decoded()
    try:
        for array in arrays:
            array[row] = array[other]
        yield Patch(matrix.name, row, 0, decoded() - before)
    finally:
        for array, kept in zip(arrays, old, strict=True):
            array[row] = kept


def _other_code(argument: Argument, codes: NDArray[Any], row: int, column: int, rng: Random) -> Any:
    """The code, of some that occur in the matrix, whose value is farthest from the present one."""
    if argument.dtype == "e2m1":
        return _other_nibble(int(codes[row, column // 2]), column % 2)
    some = codes[rng.integers(0, len(codes), 256), rng.integers(0, codes.shape[1], 256)]
    now = decode(codes[row : row + 1, column], argument.dtype).astype(np.float64)
    return some[int(np.argmax(np.abs(decode(some, argument.dtype).astype(np.float64) - now)))]


def _other_nibble(byte: int, high: int) -> np.uint8:
    """The other end of the range: 6 or -6, away from the present sign."""
    code = (byte >> (4 * high)) & 15
    other = 0x7 if code & 8 else 0xF
    kept = byte & (0x0F if high else 0xF0)
    return np.uint8(kept | (other << (4 * high)))


@contextmanager
def changed_vector(epoch: Epoch, slot: int, argument: Argument, rng: Random) -> Generator[tuple[SlotState, Element]]:
    """One element of a weight that is in no matrix, changed in the ring while the context lasts."""
    state = epoch.state(slot)
    array = epoch.array(slot, argument.name)
    changed, at = changed_input(argument, state.vectors[argument.name], rng)
    try:
        array[...] = changed
        yield replace(state, vectors={**state.vectors, argument.name: changed}), at
    finally:
        array[...] = state.vectors[argument.name]
