"""The shared memory in which the calls of one kernel happen: prepared before each call, captured after it.

Every output is poisoned with one of several secret random patterns before a call; an inout argument is written. After
the return the outputs are copied out, and compared with that copy again before their memory is used once more, and at
the end of the reading: an output must be final at return. Inputs of call k + 1 are written after call k returned.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kernels.device.arena import Arena, Block
from kernels.device.layout import INSTANCES, Layout, Span
from kernels.values.kernel import Argument, KernelSpec

POISONS: Final = 4  # two random patterns and their complements: pattern ^ 1 differs in every bit
GLIMPSE: Final = 64 << 10  # bytes of an output that are looked at in the moment of the return
Stored = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Placement:
    """Where one call happens: slot of the ring, instances of inputs and outputs, poison pattern."""

    slot: int
    instance_in: int
    instance_out: int
    poison: int


@dataclass(frozen=True, slots=True)
class ChangedRows:
    """A `rows_only` array after a call: rows `index` differ from `background` and hold `values`."""

    background: NDArray[Any]
    index: NDArray[np.intp]
    values: NDArray[Any]

    def row(self, index: int) -> NDArray[Any]:
        """Row `index` after the call, with a leading axis of 1."""
        hit = np.flatnonzero(self.index == index)
        return self.values[hit] if len(hit) else self.background[index : index + 1]

    def whole(self) -> NDArray[Any]:
        """The array as the kernel left it."""
        out = self.background.copy()
        out[self.index] = self.values
        return out


Captured = dict[str, "NDArray[Any] | ChangedRows"]


@dataclass(slots=True)
class _Instance:
    """What is known of one instance of the outputs: the last capture, and which background lies in it."""

    captured: Captured = field(default_factory=dict)
    backgrounds: dict[str, tuple[NDArray[Any], NDArray[np.intp]]] = field(default_factory=dict)


class Bench:
    """Inputs and outputs of one kernel. Knows nothing of weights, clocks or right answers."""

    def __init__(self, arena: Arena, layout: Layout) -> None:
        self.spec: KernelSpec = layout.spec
        self.layout = layout
        self.inputs: Block = arena.allocate(f"{self.spec.name}-inputs", layout.inputs_size)
        self.outputs: Block = arena.allocate(f"{self.spec.name}-outputs", layout.outputs_size)
        self._writable = tuple(a for a in self.spec.arguments if a.writable)
        self._read = tuple(a for a in self.spec.arguments if a.role == "input")
        self._glimpsed = tuple(a for a in self._writable if not self.spec.tolerances[a.name].rows_only)
        drawn = [
            {a.name: _random_bytes(a.nbytes) for a in self._writable if a.role == "output"} for _ in range(POISONS // 2)
        ]
        self._poison = [{n: ~b if odd else b for n, b in one.items()} for one in drawn for odd in (False, True)]
        self._canary = _random_bytes(layout.widest_gap)
        self._instances = [_Instance() for _ in range(INSTANCES)]
        self._parts = [self._drawn(instance) for instance in range(INSTANCES)]
        for instance in range(INSTANCES):
            self._write_dimensions(instance)
            for argument in self._writable:
                self._write_canary(layout.output(instance, argument.name))

    def _write_dimensions(self, instance: int) -> None:
        """Sizes stay what they are: the runner cannot write here."""
        for argument in self.spec.arguments:
            if argument.role == "dimension":
                self._view(self.inputs, self.layout.input(instance, argument.name), argument)[...] = argument.value

    def _write_canary(self, span: Span) -> None:
        for low, high in ((span.page, span.offset), (span.end, span.page_end)):
            self.outputs.bytes[low:high] = self._canary[: high - low]

    def _drawn(self, instance: int) -> list[NDArray[np.uint8]]:
        """Where the next glimpse looks: somewhere else before every call."""
        return [self._part(instance, argument) for argument in self._glimpsed]

    def _part(self, instance: int, argument: Argument) -> NDArray[np.uint8]:
        span = self.layout.output(instance, argument.name)
        low = span.offset + int.from_bytes(os.urandom(8), "little") % max(1, span.nbytes - GLIMPSE + 1)
        return self.outputs.bytes[low : min(low + GLIMPSE, span.end)]

    def _view(self, block: Block, span: Span, argument: Argument) -> NDArray[Any]:
        return block.bytes[span.offset : span.end].view(argument.format.storage).reshape(argument.storage_shape)

    def output(self, instance: int, argument: Argument) -> NDArray[Any]:
        """View of an output as it lies in shared memory now."""
        return self._view(self.outputs, self.layout.output(instance, argument.name), argument)

    def before(self, place: Placement, argument: Argument, values: Stored) -> NDArray[Any]:
        """What lay in a writable argument before the call."""
        return self._pattern(place.poison, argument) if argument.role == "output" else values[argument.name]

    def _pattern(self, pattern: int, argument: Argument) -> NDArray[Any]:
        flat = self._poison[pattern][argument.name].view(argument.format.storage)
        return flat.reshape(argument.storage_shape)

    def prepare(self, place: Placement, values: Stored) -> None:
        """All that has to be done before a call."""
        self.poison(place)
        self.feed(place, values)

    def poison(self, place: Placement) -> None:
        """Fill the outputs with a pattern."""
        for argument in self._writable:
            if argument.role == "output":
                self.output(place.instance_out, argument)[...] = self._pattern(place.poison, argument)
        self._instances[place.instance_out].captured = {}
        self._parts[place.instance_out] = self._drawn(place.instance_out)

    def feed(self, place: Placement, values: Stored) -> None:
        """Write inputs and inout arguments; `values` holds their stored arrays. The last thing before a call, so that
        nobody can begin before it."""
        for argument in self._read:
            span = self.layout.input(place.instance_in, argument.name)
            self._view(self.inputs, span, argument)[...] = values[argument.name]
        for argument in self._writable:
            if argument.role == "inout":
                self._write_inout(place.instance_out, argument, values[argument.name])

    def glimpse(self, instance: int) -> list[bytes]:
        """The outputs as they are right now, a secret part of large ones: quick to take."""
        return [part.tobytes() for part in self._parts[instance]]

    def _write_inout(self, instance: int, argument: Argument, value: NDArray[Any]) -> None:
        """A large `rows_only` array keeps its background from call to call; only changed rows are restored."""
        view = self.output(instance, argument)
        known = self._instances[instance].backgrounds.pop(argument.name, None)
        if known is not None and known[0] is value:
            view[known[1]] = value[known[1]]
        else:
            view[...] = value

    def capture(self, place: Placement, values: Stored) -> Captured:
        """Copy the outputs right after the return."""
        instance = self._instances[place.instance_out]
        captured: Captured = {}
        for argument in self._writable:
            view = self.output(place.instance_out, argument)
            if self.spec.tolerances[argument.name].rows_only:
                before = self.before(place, argument, values)
                rows = changed_rows(view, before)
                captured[argument.name] = ChangedRows(before, rows, view[rows])
                instance.backgrounds[argument.name] = (before, rows)
            else:
                captured[argument.name] = view.copy()
        instance.captured = captured
        return captured

    def late(self, instance: int) -> str:
        """Name of an output that changed after it was captured; "" when all are what they were at return."""
        for argument in self._writable:
            then = self._instances[instance].captured.get(argument.name)
            if then is None:
                continue
            now = self.output(instance, argument)
            rows = isinstance(then, ChangedRows)
            if not (_equal(now[then.index], then.values) if rows else _equal(now, then)):
                return argument.name
        return ""

    def overrun(self, instance: int) -> str:
        """Says which canary was overwritten; "" when all are whole."""
        for argument in self._writable:
            span = self.layout.output(instance, argument.name)
            for side, low, high in (("before", span.page, span.offset), ("behind", span.end, span.page_end)):
                changed = np.flatnonzero(self.outputs.bytes[low:high] != self._canary[: high - low])
                if len(changed):
                    self._write_canary(span)
                    return f"{len(changed)} bytes {side} output {argument.name} were overwritten"
        return ""

    def close(self) -> None:
        self.inputs.close()
        self.outputs.close()


def _random_bytes(count: int) -> NDArray[np.uint8]:
    seed = int.from_bytes(os.urandom(16), "little")
    return np.frombuffer(np.random.default_rng(seed).bytes(count), dtype=np.uint8)


def _words(array: NDArray[Any]) -> NDArray[Any]:
    """The same bytes by row, in words as wide as they divide."""
    rows = array.reshape(len(array), -1).view(np.uint8)
    return rows.view(np.uint64) if rows.shape[1] % 8 == 0 else rows


def changed_rows(now: NDArray[Any], before: NDArray[Any]) -> NDArray[np.intp]:
    """Indices along the first axis whose bytes differ."""
    return np.flatnonzero((_words(now) != _words(before)).any(axis=1))


def _equal(a: NDArray[Any], b: NDArray[Any]) -> bool:
    """Bit for bit, NaN included."""
    return bool(np.array_equal(_flat_words(a), _flat_words(np.ascontiguousarray(b))))


def _flat_words(array: NDArray[Any]) -> NDArray[Any]:
    """The same bytes in words as wide as they divide: comparing bytes one by one takes eight times as long."""
    flat = array.reshape(-1).view(np.uint8)
    return flat.view(np.uint64) if flat.size % 8 == 0 else flat
