"""Expected values of executed calls, and the comparison with what the runner left behind.

All calls of a batch share one matrix product per matrix (and per epoch). `Watched` remembers the vectors that the
reference multiplied, so that the influence probe can choose a weight that matters, and adds the effect of single
weights that were changed in the ring for one call.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from kernels.device.bench import Captured, ChangedRows, Placement, Stored
from kernels.device.epoch import SlotState, secret_rng
from kernels.packs.compare import compare
from kernels.packs.matrix import Matrix, Rows, Slot
from kernels.packs.reference import Reference
from kernels.packs.sampled import Sampled, picks
from kernels.packs.sampled import Wanted as Output
from kernels.values.kernel import Argument, KernelSpec

BATCH_BYTES: Final = 256 << 20  # of decoded arguments at a time


class Change(Protocol):
    """Weights that were changed for one call: columns `first ..` of `row`, one or several, grew by `delta`."""

    @property
    def matrix(self) -> str: ...

    @property
    def row(self) -> int | NDArray[np.intp]: ...

    @property
    def first(self) -> int: ...

    @property
    def delta(self) -> NDArray[np.float64]: ...


@dataclass(frozen=True, slots=True)
class Patch:
    """A `Change` of one row."""

    matrix: str
    row: int
    first: int
    delta: NDArray[np.float64]


@dataclass(slots=True, eq=False)
class Done:
    """One executed call: what it was given, what it left behind, how long it took by the referee's clock in ns."""

    place: Placement
    state: SlotState
    values: Stored
    before: Stored
    captured: Captured
    elapsed_ns: float
    own_ns: float
    label: str = ""
    patches: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """The first output of a call that is not right."""

    kind: str
    reason: str


class Watched(Matrix):
    """A `Matrix` that remembers its vectors and adds the patches of each call."""

    def __init__(self, name: str, calls: Sequence[Done]) -> None:
        slots: list[Slot] = [call.state.slots[name] for call in calls]
        super().__init__(calls[0].state.base.matrices()[name], slots)
        self.seen: NDArray[np.float64] | None = None
        self._patches = [(b, p) for b, call in enumerate(calls) for p in call.patches if p.matrix == name]

    @override
    def apply(self, v: NDArray[np.float64]) -> NDArray[np.float64]:
        self.seen = v
        product = super().apply(v)
        for b, patch in self._patches:
            part = v[b][..., patch.first : patch.first + patch.delta.shape[-1]]
            product[b][..., patch.row] += (patch.delta @ part.T).T
        return product

    @override
    def rows(self, index: NDArray[np.int64]) -> NDArray[np.float64]:
        found = super().rows(index)
        for b, patch in self._patches:
            last = patch.first + patch.delta.shape[-1]
            for row, delta in zip(np.atleast_1d(patch.row), np.atleast_2d(patch.delta), strict=True):
                found[b, index[b] == row, patch.first : last] += delta
        return found


Wanted = dict[str, "Output"]


@dataclass(slots=True)
class Answer:
    """Expected outputs of one call, and the vector that each matrix was applied to.

    used: by output, the share of its tolerance that the call used up, once `fault` has compared them.
    """

    wanted: Wanted
    vectors: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    used: dict[str, float] = field(default_factory=dict)


def _batches(spec: KernelSpec, calls: Sequence[Done]) -> Iterator[list[int]]:
    """Indices of calls that share a base, in batches whose decoded arguments fit into `BATCH_BYTES`."""
    one = 8 * sum(int(np.prod(a.shape)) for a in spec.arguments if not _matrix_argument(spec, a))
    size = max(1, BATCH_BYTES // max(one, 1))
    bases = {id(call.state.base): call.state.base for call in calls}
    for key in bases:
        mine = [i for i, call in enumerate(calls) if id(call.state.base) == key]
        for at in range(0, len(mine), size):
            yield mine[at : at + size]


def _matrix_argument(spec: KernelSpec, argument: Argument) -> bool:
    rows_only = argument.writable and spec.tolerances[argument.name].rows_only
    return rows_only or any(argument.name in (m.codes, m.scales) for m in spec.matrices)


class Oracle:
    """Computes expected values; the places of a sample are drawn here, when the calls are over. decode_seconds,
    seconds: what decoding and the reference itself cost so far."""

    def __init__(self, reference: Reference) -> None:
        self.reference = reference
        self.seconds = 0.0
        self.decode_seconds = 0.0
        self._rng = secret_rng()

    def answers(self, calls: Sequence[Done]) -> list[Answer]:
        """Expected outputs of each call, in order.

        Raises: PackError when the pack's reference is at fault.
        """
        start = time.monotonic()
        found: dict[int, Answer] = {}
        for base in {id(call.state.base): call.state.base for call in calls}.values():
            base.matrices()
        self.decode_seconds += time.monotonic() - start
        start = time.monotonic()
        for batch in _batches(self.reference.spec, calls):
            found.update(zip(batch, self._batch([calls[i] for i in batch]), strict=True))
        self.seconds += time.monotonic() - start
        return [found[i] for i in range(len(calls))]

    def _batch(self, calls: Sequence[Done]) -> list[Answer]:
        spec = self.reference.spec
        watched = {m.name: Watched(m.name, calls) for m in spec.matrices}
        stored = [{**call.state.vectors, **call.values} for call in calls]
        whole = self.reference.expected(stored, watched, picks(spec, self._rng, len(calls)))
        return [
            Answer(
                {name: _one(output, b) for name, output in whole.items()},
                {name: matrix.seen[b] for name, matrix in watched.items() if matrix.seen is not None},
            )
            for b in range(len(calls))
        ]


def _one(output: Output, b: int) -> Output:
    if isinstance(output, Sampled):
        return output.of(b)
    return Rows(output.index[b : b + 1], output.values[b]) if isinstance(output, Rows) else output[b]


def fault(spec: KernelSpec, call: Done, answer: Answer) -> Fault | None:
    """The first output of this call that is wrong; None when all are right."""
    for argument in spec.arguments:
        if argument.writable:
            found = _output_fault(spec, argument, call, answer)
            if found is not None:
                return found
    return None


def _output_fault(spec: KernelSpec, argument: Argument, call: Done, answer: Answer) -> Fault | None:
    want = answer.wanted[argument.name]
    got, before, tolerance = call.captured[argument.name], call.before[argument.name], spec.tolerances[argument.name]
    where = f"{argument.name}, {call.label}: " if call.label else f"{argument.name}: "
    if isinstance(want, Rows) and isinstance(got, ChangedRows):
        row = int(want.index[0])
        other = [int(i) for i in got.index if i != row]
        if other:
            return Fault("wrong_values", f"{where}row {other[0]} changed; only row {row} may")
        got, before = got.row(row), before[row : row + 1]
        want = Rows(np.zeros(1, dtype=np.int64), want.values)
    elif isinstance(got, ChangedRows):
        got = got.whole()
    result = compare(want, got, argument.dtype, tolerance, before)
    answer.used[argument.name] = result.used
    if result.ok:
        return None
    if result.index is not None and _unchanged(got, before, argument, result.index, isinstance(want, Rows)):
        return Fault("not_written", f"{where}still holds what was there before the call; {result.reason}")
    return Fault("non_finite" if result.kind == "non_finite" else "wrong_values", where + result.reason)


def _unchanged(got: NDArray[Any], before: NDArray[Any], argument: Argument, index: tuple[int, ...], rows: bool) -> bool:
    """Whether the bytes that hold this element are those from before the call. A packed byte holds two elements."""
    at = (0, *index[1:]) if rows else index
    if argument.format.per_byte > 1 and at:
        at = (*at[:-1], at[-1] // argument.format.per_byte)
    return bool(got[at].tobytes() == before[at].tobytes())
