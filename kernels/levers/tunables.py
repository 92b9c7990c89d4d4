"""The lever that turns one tunable of a generated design."""

from collections.abc import Iterator
from dataclasses import dataclass

from kernels.design.annotations import Knob, knobs, with_value
from kernels.levers.base import Application, Context, LeverDoesNotApply, with_source
from kernels.values.candidate import Candidate


@dataclass(frozen=True, slots=True)
class TunableLever:
    """Sets `KW_TUNE_<KNOB>` to another value of its list; one application for each knob and value."""

    name: str = "tunable"
    family: str = "tunable"

    def applications(self, candidate: Candidate, context: Context) -> list[Application]:
        return [self._application(knob, value) for knob, value in _moves(candidate.source)]

    def _application(self, knob: Knob, value: str) -> Application:
        return Application(
            self.name,
            self.family,
            {"knob": knob.name, "value": value},
            f"KW_TUNE_{knob.name}",
            f"KW_TUNE_{knob.name} is {knob.value}; the best value depends on the machine",
            f"a change within a few per cent from {knob.value} to {value}",
        )

    def apply(self, candidate: Candidate, application: Application, context: Context) -> Candidate:
        try:
            name, value = application.params["knob"], application.params["value"]
            return with_source(candidate, with_value(candidate.source, str(name), value))
        except (KeyError, ValueError) as error:
            raise LeverDoesNotApply(f"tunable: {error}") from error


def _moves(source: str) -> Iterator[tuple[Knob, str]]:
    found = knobs(source)
    values = {knob.name: knob.value for knob in found}
    for knob in found:
        if _idle(knob, values):
            continue
        yield from ((knob, choice) for choice in knob.choices if choice != knob.value)


def _idle(knob: Knob, values: dict[str, str]) -> bool:
    """X_HINT says how X is done: without X it changes nothing."""
    stem, marker, suffix = knob.name.partition("_HINT")
    return bool(marker) and values.get(stem + suffix) == "0"
