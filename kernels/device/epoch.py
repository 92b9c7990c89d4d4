"""Weights of one kernel for some minutes: a secret base, and a ring of copies that differ from it in secret ways.

Slot j of the ring holds y = P_j B (s_j x) for every `[[matrix]]`, with a row permutation P_j and column signs s_j drawn
from the operating system's randomness; all other weights are drawn afresh per slot. An epoch ends by time, never by a
build. Between pairs two rows of a slot are swapped in place, so that no slot is ever quite what it was.
"""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kernels.device.layout import Layout
from kernels.packs.generator import generate
from kernels.packs.loader import WeightRegime, generators
from kernels.packs.matrix import BaseMatrix, Slot, derive_slot
from kernels.values.kernel import KernelSpec

Stored = Mapping[str, NDArray[Any]]


def secret_rng() -> np.random.Generator:
    """A generator seeded by 256 bits of the operating system's randomness."""
    return np.random.default_rng(int.from_bytes(os.urandom(32), "little"))


def secret_seed() -> int:
    """64 secret bits."""
    return int.from_bytes(os.urandom(8), "little")


class Base:
    """The secret base of all matrices of a kernel, decoded on first use."""

    def __init__(self, spec: KernelSpec, weights: WeightRegime) -> None:
        self._spec = spec
        chosen = generators(spec, weights)
        self.stored: Stored = {name: _draw(spec, name, chosen[name]) for name in matrix_arguments(spec)}
        self._decoded: dict[str, BaseMatrix] = {}

    @staticmethod
    def decoded_bytes(spec: KernelSpec) -> int:
        """Memory that decoding takes."""
        return sum(_size(spec, m.codes) * (8 if _wide(spec, m.codes) else 4) for m in spec.matrices)

    @property
    def decoded(self) -> bool:
        return bool(self._decoded)

    def matrices(self) -> dict[str, BaseMatrix]:
        """The decoded base of each matrix, by name."""
        if not self._decoded:
            self._decoded = {m.name: BaseMatrix.from_stored(self._spec, m, self.stored) for m in self._spec.matrices}
        return self._decoded

    def forget(self) -> None:
        """Give the decoded matrices back; the next use decodes again."""
        self._decoded = {}


def matrix_arguments(spec: KernelSpec) -> tuple[str, ...]:
    """Weight arguments that belong to a `[[matrix]]`."""
    return tuple(name for m in spec.matrices for name in (m.codes, m.scales) if name is not None)


def _wide(spec: KernelSpec, name: str) -> bool:
    return spec.argument(name).dtype == "f64"


def _size(spec: KernelSpec, name: str) -> int:
    rows, columns = spec.argument(name).shape
    return rows * columns


def _draw(spec: KernelSpec, name: str, kind: tuple[str | float, ...]) -> NDArray[Any]:
    argument = spec.argument(name)
    return generate(name, kind, argument.dtype, argument.shape, secret_seed())


@dataclass(frozen=True, slots=True)
class SlotState:
    """What a slot holds at one moment; immutable, so that a call can keep it until its outputs are checked.

    vectors: stored arrays of the weights that belong to no matrix.
    """

    base: Base
    slots: Mapping[str, Slot]
    vectors: Stored


class Epoch:
    """Fills slots `first .. first + count - 1` of a mapped ring and keeps their states."""

    def __init__(
        self, layout: Layout, memory: NDArray[np.uint8], first: int, count: int, weights: WeightRegime = "generated"
    ) -> None:
        start = time.monotonic()
        self.started = start
        self.first = first
        self.spec = layout.spec
        self._layout = layout
        self._memory = memory
        self._weights: Final[WeightRegime] = weights
        self._rng = secret_rng()
        self.base = Base(layout.spec, weights)
        self.states = [self._fill(first + j) for j in range(count)]
        self.setup_seconds = time.monotonic() - start

    def state(self, slot: int) -> SlotState:
        return self.states[slot - self.first]

    def age(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self.started

    def array(self, slot: int, name: str) -> NDArray[Any]:
        """View of one weight argument in the ring, in its stored type and shape."""
        argument = self._layout.spec.argument(name)
        span = self._layout.weight(slot, name)
        flat = self._memory[span.offset : span.end].view(argument.format.storage)
        return flat.reshape(argument.storage_shape)

    def _fill(self, slot: int) -> SlotState:
        spec = self._layout.spec
        views = {name: self.array(slot, name) for name in matrix_arguments(spec)}
        _, slots = derive_slot(spec, self.base.stored, self._rng, views)
        chosen = generators(spec, self._weights)
        vectors: dict[str, NDArray[Any]] = {}
        for argument in spec.weights:
            if argument.name not in views:
                vectors[argument.name] = _draw(spec, argument.name, chosen[argument.name])
                self.array(slot, argument.name)[...] = vectors[argument.name]
        return SlotState(self.base, slots, vectors)

    def disturb(self, slot: int) -> None:
        """Swap two random rows of every matrix, and of every vector, of this slot. Only between pairs."""
        state = self.state(slot)
        slots = {
            m.name: self._swap_matrix(slot, m.codes, m.scales, state.slots[m.name]) for m in self._layout.spec.matrices
        }
        vectors = {name: self._swap_vector(slot, name, array) for name, array in state.vectors.items()}
        self.states[slot - self.first] = SlotState(state.base, slots, vectors)

    def _swap_matrix(self, slot: int, codes: str, scales: str | None, state: Slot) -> Slot:
        rows = len(state.permutation)
        i, j = self._rng.integers(0, rows, 2)
        for name in (codes, scales):
            if name is not None:
                _swap(self.array(slot, name), i, j)
        permutation = state.permutation.copy()
        _swap(permutation, i, j)
        return Slot(permutation, state.signs)

    def _swap_vector(self, slot: int, name: str, array: NDArray[Any]) -> NDArray[Any]:
        if not array.ndim or len(array) < 2:
            return array
        i, j = self._rng.integers(0, len(array), 2)
        _swap(self.array(slot, name), i, j)
        changed = array.copy()
        _swap(changed, i, j)
        return changed


def _swap(array: NDArray[Any], i: np.int64, j: np.int64) -> None:
    array[[i, j]] = array[[j, i]]
