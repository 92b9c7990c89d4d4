"""Finds the slots of a kernel's lever space: what fits its baseline, what one more change opens, and thins that."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from app.bench.search.space import KNOB, Choice, Slot, Space, params_of
from kernels.design.annotations import annotations
from kernels.levers import registry
from kernels.levers.base import Application, Context, LeverDoesNotApply
from kernels.values.candidate import Candidate

LIMIT: Final = 300_000  # configurations: what the tuner's Bayesian strategy lists and predicts in about a second
CHANGES: Final = 10  # designs and structural levers: their combinations are counted one by one
ORDER: Final = ("sketch", "structure", KNOB, "flags")


@dataclass(slots=True)
class _Found:
    """A slot in the making. at_baseline: whether it fits there; after: slots that it fits after."""

    kind: str
    choices: list[Choice] = field(default_factory=list)
    at_baseline: bool = False
    after: set[str] = field(default_factory=set)

    def add(self, choice: Choice) -> None:
        if choice not in self.choices:
            self.choices.append(choice)


def space_of(baseline: Candidate, context: Context, limit: int = LIMIT) -> Space:
    """Blocks for a moment: every structural lever is pulled once. The same kernel gives the same space."""
    found: dict[str, _Found] = {}
    first = list(_changes(baseline, context))
    for name, application, choice in first:
        slot = found.setdefault(name, _Found(application.family))
        slot.add(choice)
        slot.at_baseline = True
    for name, application, _ in first:
        _look_behind(found, name, application, baseline, context)
    flags = [a for a in registry.applications(baseline, context) if a.family == "flags"]
    if flags:
        found["flags"] = _Found("flags", [Choice(*params_of(a)) for a in flags], at_baseline=True)
    slots = [_slot(name, one, found) for name, one in found.items()]
    slots.sort(key=lambda slot: ORDER.index(slot.kind))
    return _thinned(Space(baseline, context, tuple(slots)), limit)


def _changes(candidate: Candidate, context: Context) -> Iterator[tuple[str, Application, Choice]]:
    """Designs and structural levers that fit, with the slot of each: all designs share one, as do the parameters of a
    lever at one place."""
    places: Counter[tuple[object, ...]] = Counter()
    for application in registry.applications(candidate, context):
        if application.family in ("sketch", "structure"):
            key = params_of(application)
            place = places[key]
            places[key] += 1
            name = "design" if application.family == "sketch" else f"{application.lever}_{place}"
            yield name, application, Choice(*key, place)


def _look_behind(
    found: dict[str, _Found], name: str, application: Application, baseline: Candidate, context: Context
) -> None:
    """What the candidate that this makes has open: levers, and knobs."""
    try:
        made = registry.apply(baseline, application, context)
    except LeverDoesNotApply:
        return
    for behind, other, choice in _changes(made, context):
        if behind != name and other.family == "structure":
            slot = found.setdefault(behind, _Found("structure"))
            slot.add(choice)
            slot.after.add(name)
    before = {one.name for one in annotations(baseline.source)}
    for knob in annotations(made.source):
        slot = found.setdefault(knob.name, _Found(KNOB))
        slot.at_baseline |= knob.name in before
        slot.after.add(name)
        for value in knob.choices:
            if value != knob.value:
                slot.add(Choice(KNOB, (("name", knob.name),), value=value))


def _slot(name: str, one: _Found, found: dict[str, _Found]) -> Slot:
    """What fits the baseline but not after another change is excluded by that one, which comes first."""
    needs = frozenset() if one.at_baseline else frozenset(one.after)
    excludes = frozenset[str]()
    if one.kind == "structure" and one.at_baseline:
        names = list(found)
        earlier = [n for n in names[: names.index(name)] if found[n].kind in ("sketch", "structure")]
        excludes = frozenset(n for n in earlier if found[n].at_baseline and n not in one.after)
    return Slot(name, one.kind, tuple(one.choices), needs, excludes)


def _thinned(space: Space, limit: int) -> Space:
    """Structural slots beyond the limit go, the last ones first; then every second value of the longest knob, until the
    space is small enough."""
    changes = [slot for slot in space.slots if slot.kind in ("sketch", "structure")]
    gone = {slot.name for slot in changes[CHANGES:]}
    space = _without(space, gone)
    while space.size > limit:
        longest = max(space.slots, key=lambda slot: len(slot.choices) if slot.kind == KNOB else 0)
        if len(longest.choices) < 2 or longest.kind != KNOB:
            knobs = [slot for slot in space.slots if slot.kind == KNOB] or list(space.slots)
            space = _without(space, {knobs[-1].name})
            continue
        kept = replace(longest, choices=longest.choices[::2])
        slots = tuple(kept if slot is longest else slot for slot in space.slots)
        values = " ".join(choice.value for choice in longest.choices[1::2])
        space = replace(space, slots=slots, left_out=(*space.left_out, f"{longest.name}: {values}"))
    return space


def _without(space: Space, gone: set[str]) -> Space:
    """A slot that needed one of these goes too, unless another one opens it."""
    while gone:
        left = tuple(slot for slot in space.slots if slot.name not in gone)
        space = replace(space, slots=left, left_out=(*space.left_out, *sorted(gone)))
        names = {slot.name for slot in left}
        gone = {slot.name for slot in left if slot.needs and not slot.needs & names}
    return space
