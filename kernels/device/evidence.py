"""What is kept of the timed calls of a test or a race: a secret sample of each contender's, and what it was caught at.

The sample is verified at the end in one matrix product. Names are the sides of a test, or the keys of a race.
"""

from dataclasses import dataclass, field
from typing import Final

from kernels.device.expected import Done, fault
from kernels.device.reading import Taken
from kernels.device.station import Station

SAMPLE: Final = 48  # timed calls verified at the end,
EACH: Final = 24  # at most so many of one name
Fault = tuple[str, str]  # kind, one of `report.CHECK_KINDS`, and reason


@dataclass(slots=True)
class Evidence:
    """caught: the first misconduct of each name. verified: timed calls that `wrong` has looked at."""

    station: Station
    caught: dict[str, Fault] = field(default_factory=dict)
    findings: set[str] = field(default_factory=set)
    verified: int = 0
    _kept: list[tuple[str, Done]] = field(default_factory=list)
    _last: dict[str, Done] = field(default_factory=dict)

    def keep(self, name: str, taken: Taken) -> None:
        self._kept += [(name, call) for call in taken.kept]
        self._last[name] = taken.kept[-1]
        self.findings |= {f"{name}: {text}" for text in taken.findings}

    def note(self, name: str, kind: str, reason: str) -> None:
        self.caught.setdefault(name, (kind, reason))

    def wrong(self) -> dict[str, Fault]:
        """The first wrong call of each name in the secret sample, the last call of each included."""
        chosen = self._chosen()
        answers = self.station.oracle.answers([call for _, call in chosen])
        self.verified = len(chosen)
        found: dict[str, Fault] = {}
        for (name, call), answer in zip(chosen, answers, strict=True):
            bad = fault(self.station.spec, call, answer)
            if bad is not None:
                found.setdefault(name, (bad.kind, f"a timed call: {bad.reason}"))
        return found

    def _chosen(self) -> list[tuple[str, Done]]:
        """In the order of the calls, the last of each name included."""
        each = max(1, min(EACH, SAMPLE // max(1, len(self._last))))
        chosen = {id(call) for call in self._last.values()}
        for name, end in self._last.items():
            rest = [call for owner, call in self._kept if owner == name and call is not end]
            chosen |= {id(rest[int(i)]) for i in self.station.rng.permutation(len(rest))[: each - 1]}
        return [one for one in self._kept if id(one[1]) in chosen]
