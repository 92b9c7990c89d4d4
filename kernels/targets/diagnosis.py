"""What a compiler says of a source, as values: for targets whose compiler can be asked in a form made for programs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

Severity = Literal["fatal error", "error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Place:
    """Line and column count from 1."""

    file: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Edit:
    """The compiler's own proposal: columns [start, end) of a line become `text`."""

    file: str
    line: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """places: its own, then those of its notes in order ("called from here", "in expansion of macro")."""

    severity: Severity
    message: str
    places: tuple[Place, ...] = ()
    notes: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()

    def place_in(self, files: Sequence[str]) -> Place | None:
        """The first place that lies in one of these files."""
        return next((place for place in self.places if place.file in files), None)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """broken: why the answer says nothing of the source ("" when it does): the compiler crashed, hung, ran out of
    memory or was not let in."""

    ok: bool
    diagnostics: tuple[Diagnostic, ...] = field(default=())
    broken: str = ""

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.diagnostics if d.severity in ("error", "fatal error"))

    @property
    def root(self) -> Diagnostic | None:
        """The first error: those after it may follow from it."""
        return next(iter(self.errors), None)


def diagnosis_of(returncode: int, text: str, found: tuple[Diagnostic, ...]) -> Diagnosis:
    """text: all that the compiler said, found: what is understood of it. One that fails without an error is broken."""
    if returncode and not Diagnosis(False, found).errors:
        return Diagnosis(False, found, broken=text.strip()[-300:] or "the compiler failed without a word")
    return Diagnosis(returncode == 0, found)


@runtime_checkable
class Diagnosing(Protocol):
    """A target that can be asked what its compiler says."""

    def diagnose(self, files: Mapping[str, str], main: str, flags: Sequence[str]) -> Diagnosis:
        """Build the object as a candidate's is built, and throw it away. flags: besides the target's own."""
        ...
