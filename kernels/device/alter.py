"""Secret changes of the weights for the length of one timed call, so that whatever was kept of them is stale then.

In some rows of every matrix a piece, between one cache line and half a row, becomes that of another row; in every other
weight a piece is turned round. A kernel that reads what it is given cannot tell; one that works from a copy, a table or
another slot, or looks at a few elements to find out whether they changed, gives a wrong answer. How many rows and how
much of them differs from call to call: whoever samples misses one small piece, and many large ones change every output.
All timed calls get the same writes, so that neither a clock nor the cache tells which of them are changed; for most the
last write before the call puts everything back.
Seen in public: gpu-mode/kernelbot pull 501, flashinfer-bench-starter-kit issue 21, karpathy/llm.c pull 851.
"""

import math
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kernels.device.epoch import Epoch, SlotState, matrix_arguments
from kernels.device.expected import Done
from kernels.values.formats import decode, round_bf16
from kernels.values.kernel import KernelSpec, MatrixSpec

LINE: Final = 64
SHARE: Final = 32  # at most one row in so many is changed
Stored = NDArray[Any]
Random = np.random.Generator


@dataclass(frozen=True)
class Piece:
    """A `Change`: columns first .. of some rows of one matrix, before and after, as they were stored. Its effect is
    worked out when it is asked for, which is not between timed calls."""

    spec: KernelSpec
    of: MatrixSpec
    row: NDArray[np.intp]
    first: int
    before: Stored
    after: Stored
    scales: Stored | None

    @property
    def matrix(self) -> str:
        return self.of.name

    @cached_property
    def delta(self) -> NDArray[np.float64]:
        """[rows, columns]."""
        return self._values(self.after) - self._values(self.before)

    def _values(self, codes: Stored) -> NDArray[np.float64]:
        values = decode(codes, self.spec.argument(self.of.codes).dtype).astype(np.float64)
        if self.scales is not None and self.of.scales is not None:
            factors = decode(self.scales, self.spec.argument(self.of.scales).dtype).astype(np.float64)
            values *= np.repeat(factors, values.shape[1] // factors.shape[1], axis=1)
        return round_bf16(values) if self.of.round_bf16 else values


def log_uniform(rng: Random, most: int) -> int:
    """1 .. most, every order of magnitude alike."""
    return min(most, int(math.exp(rng.uniform(0, math.log(most + 1)))))


@contextmanager
def altered(epoch: Epoch, slot: int, rng: Random, *, stays: bool) -> Generator[Callable[[Done], Done]]:
    """Change the weights of a slot while the context lasts; yields what notes the changes in a call made meanwhile.

    stays: else they are put back before the call, and there is nothing to note.
    """
    spec, state = epoch.spec, epoch.state(slot)
    with ExitStack() as stack:
        pieces = tuple(stack.enter_context(_piece(epoch, slot, matrix, rng, stays)) for matrix in spec.matrices)
        changed = stack.enter_context(_turned(epoch, slot, state, rng, stays))

        def noted(call: Done) -> Done:
            other = replace(call, state=changed, patches=(*call.patches, *pieces))
            return other if stays else call

        yield noted


@contextmanager
def _piece(epoch: Epoch, slot: int, matrix: MatrixSpec, rng: Random, stays: bool) -> Generator[Piece]:
    codes = epoch.array(slot, matrix.codes)
    rows, columns = codes.shape
    unit, block = _unit(epoch.spec, matrix, codes)
    length = unit * log_uniform(rng, max(1, columns // unit // 2))
    first = unit * int(rng.integers((columns - length) // unit + 1))
    which = np.unique(rng.integers(0, rows, log_uniform(rng, max(1, rows // SHARE))))
    others = (which + rng.integers(1, rows, len(which))) % rows
    per_byte = epoch.spec.argument(matrix.codes).format.per_byte
    before, after = codes[which, first : first + length], codes[others, first : first + length]
    scales = _scales(epoch, slot, matrix, which, slice(first * per_byte // block, (first + length) * per_byte // block))
    try:
        for content in _writes(before, after, stays):
            codes[which, first : first + length] = content
        yield Piece(epoch.spec, matrix, which, first * per_byte, before, after, scales)
    finally:
        codes[which, first : first + length] = before


def _unit(spec: KernelSpec, matrix: MatrixSpec, codes: Stored) -> tuple[int, int]:
    """(stored elements of a cache line and of whole blocks of scales, columns of a block). A short row is one unit."""
    argument = spec.argument(matrix.codes)
    per_row = 1 if matrix.scales is None else int(np.prod(spec.argument(matrix.scales).shape[1:]))
    block = argument.shape[1] // per_row
    stored_block = max(1, block // argument.format.per_byte) if per_row > 1 else 1
    unit = math.lcm(max(1, LINE // codes.itemsize), stored_block)
    whole = int(codes.shape[1])
    return (whole if whole % unit else unit), block


def _scales(epoch: Epoch, slot: int, matrix: MatrixSpec, rows: NDArray[np.intp], blocks: slice) -> Stored | None:
    """[rows, blocks] of the scales of a piece; one column when there is one scale a row."""
    if matrix.scales is None:
        return None
    scales = epoch.array(slot, matrix.scales)
    return scales[rows, blocks] if scales.ndim == 2 and scales.shape[1] > 1 else scales[rows].reshape(len(rows), 1)


def _writes(before: Stored, after: Stored, stays: bool) -> tuple[Stored, Stored, Stored]:
    """What is written in front of a call, one over the other: as much, and of the same sizes, in either case."""
    return (before, after, after) if stays else (after, after, before)


@contextmanager
def _turned(epoch: Epoch, slot: int, state: SlotState, rng: Random, stays: bool) -> Generator[SlotState]:
    """The state with a piece of every weight outside the matrices turned round."""
    inside = matrix_arguments(epoch.spec)
    vectors = {name: array for name, array in state.vectors.items() if array.ndim and name not in inside}
    parts = {name: _part(array.size, rng) for name, array in vectors.items()}
    try:
        for name, part in parts.items():
            now = vectors[name].reshape(-1)[part]
            for content in _writes(now, now[::-1], stays):
                epoch.array(slot, name).reshape(-1)[part] = content
        yield replace(state, vectors={**state.vectors, **{n: _reversed(vectors[n], parts[n]) for n in parts}})
    finally:
        for name, part in parts.items():
            epoch.array(slot, name).reshape(-1)[part] = vectors[name].reshape(-1)[part]


def _part(size: int, rng: Random) -> slice:
    length = min(size, 1 + log_uniform(rng, max(1, size // 2)))
    first = int(rng.integers(size - length + 1))
    return slice(first, first + length)


def _reversed(array: Stored, part: slice) -> Stored:
    out = array.copy()
    out.reshape(-1)[part] = array.reshape(-1)[part][::-1]
    return out
