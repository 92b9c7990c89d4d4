"""The calls of a correctness check beyond its regimes. All return executed calls; `check.py` judges them together."""

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from kernels.device.bench import Captured, ChangedRows, Placement, Stored
from kernels.device.calls import Caller, Misconduct
from kernels.device.epoch import Epoch
from kernels.device.expected import Answer, Done
from kernels.device.influence import changed_code, changed_input, changed_vector, copied_row
from kernels.device.station import Station
from kernels.values.kernel import Argument, MatrixSpec

LATE_S: Final = 0.25
LATE_CALLS: Final = (4, 64)
MOSTLY: Final = 1000  # times its kernel from which a call, as one that is a job, counts by all that it takes
SETTLE_S: Final = 0.005


def same_bits(a: Captured, b: Captured) -> str:
    """Name of the first output that differs; "" when all bits agree."""
    for name, one in a.items():
        other = b[name]
        if isinstance(one, ChangedRows) and isinstance(other, ChangedRows):
            same = np.array_equal(one.index, other.index) and one.values.tobytes() == other.values.tobytes()
        elif not isinstance(one, ChangedRows) and not isinstance(other, ChangedRows):
            same = one.tobytes() == other.tobytes()
        else:
            same = False
        if not same:
            return name
    return ""


@dataclass(slots=True)
class Probes:
    """changes: per argument a call, and the calls that differ from it in a change of this argument alone."""

    station: Station
    caller: Caller
    epoch: Epoch
    changes: dict[str, list[Done]] = field(default_factory=dict)

    @property
    def _rng(self) -> np.random.Generator:
        return self.station.rng

    def regimes(self, each: int, epoch: Epoch, slots: Sequence[int]) -> list[Done]:
        """Every regime `each` times in secret order, round and round the slots."""
        labels = [regime for regime in self.station.spec.regimes for _ in range(each)]
        self._rng.shuffle(labels)
        return [
            self.caller.call(epoch, self.caller.place(slots[i % len(slots)]), self.station.activations(label), label)
            for i, label in enumerate(labels)
        ]

    def again(self, call: Done) -> Done:
        """The same call at the same addresses, with another poison.

        Raises: Misconduct when the bits differ.
        """
        place = replace(call.place, poison=call.place.poison ^ 1)
        second = self.caller.call(self.epoch, place, call.values, f"{call.label}, called again")
        name = same_bits(call.captured, second.captured)
        if name and not _keeps(second, name):
            raise Misconduct("nondeterministic", f"output {name} differs between two calls on the same inputs")
        return second

    def contents(self, call: Done) -> Done:
        """The same addresses with new contents."""
        regime = str(self._rng.choice(self.station.spec.regimes))
        values = self.station.activations(regime)
        return self.caller.call(self.epoch, call.place, values, f"{regime}, same addresses with new contents")

    def element(self, argument: Argument) -> list[Done]:
        """One element of an input or inout argument changed after a call at the same addresses."""
        place, values = self._fresh(self.station.activations("random"))
        first = self.caller.call(self.epoch, place, values, "random")
        changed, at = changed_input(argument, values[argument.name], self._rng)
        label = f"after a change of element {list(at)} of {argument.name}"
        second = self.caller.call(self.epoch, place, {**values, argument.name: changed}, label)
        self.changes[argument.name] = [first, second]
        return [first, second]

    def _fresh(self, values: Stored) -> tuple[Placement, Stored]:
        return self.caller.place(int(self._rng.integers(self.station.slots))), values

    def vector(self, argument: Argument) -> list[Done]:
        """One element of a weight that is in no matrix changed in place."""
        place, values = self._fresh(self.station.activations("random"))
        first = self.caller.call(self.epoch, place, values, "random")
        with changed_vector(self.epoch, place.slot, argument, self._rng) as (state, at):
            label = f"after a change of element {list(at)} of {argument.name}"
            second = replace(self.caller.call(self.epoch, place, values, label), state=state)
        self.changes[argument.name] = [first, second]
        return [first, second]

    def code(self, matrix: MatrixSpec, call: Done, answer: Answer) -> list[Done]:
        """One code changed in place, in a column that this call multiplies with something large; then a whole row."""
        known = answer.vectors.get(matrix.name)
        vectors = np.ones(self.station.spec.argument(matrix.codes).shape[1]) if known is None else np.abs(known)
        vector = vectors.reshape(-1, vectors.shape[-1]).max(axis=0)
        column = int(self._rng.choice(np.flatnonzero(vector >= vector.max() / 2)))
        first = self.caller.call(self.epoch, call.place, call.values, call.label)
        done = [first]
        slot = call.place.slot
        for what, change in (
            ("a change of one code", changed_code(self.epoch, slot, matrix, column, self._rng)),
            ("a copy of another row", copied_row(self.epoch, slot, matrix, self._rng)),
        ):
            with change as patch:
                label = f"after {what} in row {patch.row} of {matrix.codes}"
                done.append(replace(self.caller.call(self.epoch, call.place, call.values, label), patches=(patch,)))
        self.changes[matrix.codes] = done
        return done

    def late(self, typical_ns: float) -> list[Done]:
        """Many more calls; one of them, drawn at random, and the last are returned. Seen in public: llm.c pull 852."""
        spent_ns = statistics.median(self.caller.spent_ns)
        if spent_ns > MOSTLY * typical_ns:
            typical_ns = spent_ns
        count = int(np.clip(LATE_S * 1e9 / max(typical_ns, 1.0), *LATE_CALLS))
        lap, kept = self.station.lap(), {int(self._rng.integers(count)), count - 1}
        done: list[Done] = []
        for i in range(count):
            values = self.station.activations(str(self._rng.choice(self.station.spec.regimes)))
            place = self.caller.place(lap[i % len(lap)])
            call = self.caller.call(self.epoch, place, values, f"call {i + 1} of {count} more")
            if i in kept:
                done.append(call)
        self.caller.contender.runner.thaw()
        time.sleep(SETTLE_S)
        self.caller.finish()
        return done


def _keeps(call: Done, name: str) -> bool:
    """Whether the output still holds what was there before the call: not written, which the values will show."""
    got = call.captured[name]
    return not isinstance(got, ChangedRows) and got.tobytes() == call.before[name].tobytes()
