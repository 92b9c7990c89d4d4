"""The levers that turn the tunables of a design: one for each knob, credited apart."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from kernels.design.annotations import Annotation, annotations, render
from kernels.levers.base import Application, Context, Family, LeverDoesNotApply, with_source
from kernels.values.candidate import Candidate

PREFIX: Final = "tune_"
# A knob that does nothing while one of the others has that value.
DEPENDS: Final = {"hint": (("prefetch", "0"), ("ahead", "0")), "spread": (("rows", "1"),)}


@dataclass(frozen=True, slots=True)
class TunableLever:
    """Sets `KW_TUNE_<KNOB>` to another value of its list. knob: as in `Annotation.knob`; "" stands for every knob."""

    knob: str = ""
    family: Family = "tunable"

    @property
    def name(self) -> str:
        return PREFIX + (self.knob or "any")

    def applications(self, candidate: Candidate, context: Context) -> list[Application]:
        moves = _moves(candidate.source)
        return [_application(one, value) for one, value in moves if self.knob in ("", one.knob)]

    def apply(self, candidate: Candidate, application: Application, context: Context) -> Candidate:
        try:
            values = {str(application.params["knob"]): str(application.params["value"])}
            return with_source(candidate, render(candidate.source, values))
        except (KeyError, ValueError) as error:
            raise LeverDoesNotApply(f"{application.lever}: {error}") from error


def _application(one: Annotation, value: str) -> Application:
    return Application(
        PREFIX + one.knob,
        "tunable",
        {"knob": one.name, "value": value},
        one.name,
        f"{one.name} is {one.value}, one of {' '.join(one.choices)}; the best value depends on the machine",
        f"the time of that nest, by a few per cent, from {one.value} to {value}",
    )


def _moves(source: str) -> Iterator[tuple[Annotation, str]]:
    found = annotations(source)
    values = {one.name: one.value for one in found}
    for one in found:
        if not idle(one, values):
            yield from ((one, choice) for choice in one.choices if choice != one.value)


def idle(one: Annotation, values: Mapping[str, str]) -> bool:
    """Whether turning it changes nothing now: the hint of a prefetch that is off, the distance of single rows."""
    masters = ((one.name.replace(one.knob.upper(), m.upper()), idle) for m, idle in DEPENDS.get(one.knob, ()))
    return any(values.get(name) == idle for name, idle in masters)
