"""The lever space as a finite space of configurations, for a tuner that knows nothing of levers.

A slot is a design, a structural lever at one place, a knob that one of these brings in, or a compiler flag; 0 is off,
or as made. A configuration is the baseline with the chosen values applied in the order of the slots by the levers' own
code; a lever whose pattern is not there any more does nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Final

from kernels.design.annotations import annotations, render
from kernels.levers import registry
from kernels.levers.base import Application, Context, LeverDoesNotApply, with_source
from kernels.values.candidate import Candidate

KNOB: Final = "knob"


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a slot: a way to pull a lever, at this place among those it fits, or the value of a knob."""

    lever: str
    params: tuple[tuple[str, str | int | float], ...] = ()
    place: int = 0
    value: str = ""

    @property
    def text(self) -> str:
        words = [
            self.lever,
            *(f"{k}={v}" for k, v in self.params),
            self.value,
            f"at {self.place}" if self.place else "",
        ]
        return " ".join(word for word in words if word)


@dataclass(frozen=True, slots=True)
class Slot:
    """needs: slots of which one has to be on. excludes: slots that leave it nothing to do."""

    name: str
    kind: str  # sketch, structure, knob, flags
    choices: tuple[Choice, ...]
    needs: frozenset[str] = frozenset()
    excludes: frozenset[str] = frozenset()

    @property
    def count(self) -> int:
        return 1 + len(self.choices)


@dataclass(frozen=True, slots=True)
class Space:
    """left_out: what was thinned away, in words."""

    baseline: Candidate
    context: Context
    slots: tuple[Slot, ...]
    left_out: tuple[str, ...] = ()

    @property
    def parameters(self) -> dict[str, list[int]]:
        return {slot.name: list(range(slot.count)) for slot in self.slots}

    @property
    def restrictions(self) -> list[str]:
        """As expressions over the slots that hold for a configuration which says something."""
        names = {slot.name for slot in self.slots}
        found: list[str] = []
        for slot in self.slots:
            needs, excludes = sorted(slot.needs & names), sorted(slot.excludes & names)
            if slot.needs:
                found.append(" or ".join(f"{name} != 0" for name in needs) + f" or {slot.name} == 0")
            found += [f"{slot.name} == 0 or {name} == 0" for name in excludes]
        return found

    @property
    def size(self) -> int:
        """Configurations that the restrictions leave."""
        changes = [slot for slot in self.slots if slot.kind in ("sketch", "structure")]
        others = [slot for slot in self.slots if slot.kind not in ("sketch", "structure")]
        total = 0
        for values in product(*(range(slot.count) for slot in changes)):
            on = {slot.name for slot, value in zip(changes, values, strict=True) if value}
            if all(_allowed(slot, on) for slot in changes if slot.name in on):
                total += prod(slot.count if _allowed(slot, on) else 1 for slot in others)
        return total

    def chosen(self, configuration: Sequence[int]) -> list[Choice]:
        return [s.choices[index - 1] for s, index in zip(self.slots, configuration, strict=True) if index]

    def candidate(self, configuration: Sequence[int]) -> Candidate:
        """configuration: one index a slot. Raises: ValueError for another number of them."""
        made = self.baseline
        for choice in self.chosen(configuration):
            made = _with_knob(made, choice) if choice.lever == KNOB else self._pulled(made, choice)
        return made

    def _pulled(self, made: Candidate, choice: Choice) -> Candidate:
        found = [a for a in registry.applications(made, self.context) if params_of(a) == (choice.lever, choice.params)]
        if choice.place >= len(found):
            return made
        try:
            return registry.apply(made, found[choice.place], self.context)
        except LeverDoesNotApply:
            return made


def params_of(application: Application) -> tuple[str, tuple[tuple[str, str | int | float], ...]]:
    return application.lever, tuple(sorted(application.params.items()))


def _allowed(slot: Slot, on: set[str]) -> bool:
    return (not slot.needs or bool(slot.needs & on)) and not slot.excludes & on


def _with_knob(made: Candidate, choice: Choice) -> Candidate:
    name = dict(choice.params)["name"]
    known = {one.name: one for one in annotations(made.source)}
    if name not in known or choice.value not in known[str(name)].choices:
        return made
    return with_source(made, render(made.source, {str(name): choice.value}))
