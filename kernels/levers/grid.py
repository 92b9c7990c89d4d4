"""Over what the result of a lever can be varied: the knobs that it leaves open."""

from collections.abc import Iterable
from typing import Final

from kernels.design.annotations import Annotation, annotations
from kernels.levers.tunables import PREFIX, TunableLever, idle
from kernels.values.candidate import Candidate

ANY: Final = TunableLever().name


def turns_knobs(lever: str) -> bool:
    """Whether all that it does is to turn knobs of the head."""
    return lever.startswith(PREFIX)


def open_knobs(base: Candidate, made: Candidate, lever: str) -> tuple[Annotation, ...]:
    """Of `made`, which the lever made of `base`: all knobs of the design for a tunable, else those that the lever
    brought in. () for a lever without a grid."""
    before = set() if turns_knobs(lever) else {one.name for one in annotations(base.source)}
    return tuple(one for one in annotations(made.source) if one.name not in before)


def turned(around: Candidate, made: Candidate) -> tuple[Annotation, ...]:
    """Knobs of `made` whose values are not those of `around`."""
    before = {one.name: one.value for one in annotations(around.source)}
    return tuple(one for one in annotations(made.source) if before.get(one.name) != one.value)


def in_vain(around: Candidate, made: Candidate) -> bool:
    """Whether a knob is turned that does nothing as the others stand."""
    values = {one.name: one.value for one in annotations(made.source)}
    return any(idle(one, values) for one in turned(around, made))


def lever_of(knobs: Iterable[Annotation]) -> str:
    """The tunable lever that turns these: that of their word, or the one for any."""
    words = {one.knob for one in knobs}
    return PREFIX + words.pop() if len(words) == 1 else ANY
