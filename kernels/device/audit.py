"""The calls of an audit: regimes that no gate draws, points where folds were found, and a part of every domain.

Inputs and weights are secret and fresh as in every check; what an audit adds is where it looks.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kernels.device.auditing import Audit
from kernels.device.bench import Stored
from kernels.device.calls import Caller
from kernels.device.epoch import Epoch
from kernels.device.expected import Answer, Done, Fault, fault
from kernels.device.station import Station
from kernels.packs.domains import Point, Sweep, domains_of, unswept
from kernels.packs.matrix import Rows
from kernels.packs.sampled import Sampled
from kernels.values.kernel import Argument

BATCH: Final = 48  # calls that are made before their outputs are checked
EACH: Final = 2  # calls of every regime and of every known point


@dataclass(frozen=True, slots=True)
class Look:
    """One call, and the value of a domain that it was made at."""

    call: Done
    point: Point | None = None


@dataclass(slots=True)
class AuditCalls:
    """Makes the calls of one audit, a batch at a time. control: calls who is right by definition. facts: what it
    covered, and the "point" at which it found a fault."""

    station: Station
    caller: Caller
    epoch: Epoch
    plan: Audit
    control: Caller | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    _kept: Stored | None = None

    def first_fault(self, made: list[Done]) -> Fault | None:
        """The first wrong output at which the control is right. made: takes every call that was made.

        Raises: RunnerFailed, Misconduct, PackError.
        """
        for looks in self.batches():
            made += [look.call for look in looks]
            answers = self.station.oracle.answers([look.call for look in looks])
            for look, answer in zip(looks, answers, strict=True):
                found = self._fault(look.call, answer)
                if found is not None:
                    self.facts["point"] = look.point
                    return found
        return None

    def _fault(self, call: Done, answer: Answer) -> Fault | None:
        """A call says nothing where the reference has no answer or a kernel that is right by definition is wrong."""
        wanted = [w.values if isinstance(w, (Rows, Sampled)) else w for w in answer.wanted.values()]
        if not all(np.isfinite(values).all() for values in wanted):
            self.caller.findings.add(f"void, the reference is not finite: {call.label}")
            return None
        found = fault(self.station.spec, call, answer)
        if found is None or self.control is None:
            return found
        again = self.control.call(self.epoch, call.place, call.values, call.label)
        if fault(self.station.spec, again, answer) is None:
            return found
        self.caller.findings.add(f"void, the baseline is wrong there as well: {found.reason}")
        return None

    def batches(self) -> Iterator[list[Look]]:
        """Raises: RunnerFailed, Misconduct, PackError."""
        blocked = unswept(self.station.oracle.reference)
        swept = bool(domains_of(self.station.spec)) and not blocked
        if blocked:
            self.facts["unswept"] = list(blocked)
        if swept:
            yield from self._at_points()
        if self.plan.regimes:
            yield self._regimes()
        if swept:
            yield from self._sweep()

    def _regimes(self) -> list[Look]:
        """A regime that the pack's own `inputs` does not know is left out, and named."""
        looks: list[Look] = []
        unknown: set[str] = set()
        for regime in self.station.spec.audit_regimes * EACH:
            try:
                values = self.station.activations(regime)
            except ValueError:
                unknown.add(regime)
            else:
                looks.append(Look(self._call(values, regime)))
        self.facts["audit_regimes"] = [r for r in self.station.spec.audit_regimes if r not in unknown]
        if unknown:
            self.facts["unknown_regimes"] = sorted(unknown)
        return looks

    def _at_points(self) -> Iterator[list[Look]]:
        """Known points; those of arguments that this kernel does not have are not for it."""
        scalars = {d.argument.name: d.argument for d in domains_of(self.station.spec) if not d.argument.shape}
        for name, value in self.plan.points:
            if name in scalars:
                stored = np.asarray(value, dtype=scalars[name].format.storage)
                yield [self._at(scalars[name], stored) for _ in range(EACH)]

    def _sweep(self) -> Iterator[list[Look]]:
        """The next calls of the sweep until the time is over, one batch at least; after the last there are none."""
        sweep = Sweep(domains_of(self.station.spec), self.plan.seed)
        at, until = min(self.plan.start, len(sweep)), time.monotonic() + self.plan.seconds
        told = {"from": at, "to": at, "of": len(sweep), "whole": all(d.whole for d in sweep.domains)}
        self.facts["sweep"] = told
        while at < len(sweep) and (at == told["from"] or time.monotonic() < until) and self.plan.seconds > 0:
            stop = min(at + BATCH, len(sweep))
            yield [self._at(*sweep.call(i)) for i in range(at, stop)]
            at = told["to"] = stop

    def _at(self, argument: Argument, value: NDArray[Any]) -> Look:
        station = self.station
        regime = str(station.rng.choice(station.spec.regimes))
        values = station.oracle.reference.inputs_at(station.rng, regime, argument, value)
        if argument.shape:
            return Look(self._call(values, f"{regime}, a part of the domain of {argument.name}"))
        return Look(self._call(values, f"{regime}, {argument.name} = {value}"), (argument.name, int(value)))

    def _call(self, values: Stored, label: str) -> Done:
        """Large `rows_only` arrays stay what they are during an epoch."""
        slot = int(self.station.rng.integers(self.station.slots))
        return self.caller.call(self.epoch, self.caller.place(slot), {**values, **self._backgrounds()}, label)

    def _backgrounds(self) -> Stored:
        if self._kept is None:
            names = {name for name, tolerance in self.station.spec.tolerances.items() if tolerance.rows_only}
            drawn = self.station.activations(self.station.spec.regimes[0]) if names else {}
            self._kept = {name: value for name, value in drawn.items() if name in names}
        return self._kept
