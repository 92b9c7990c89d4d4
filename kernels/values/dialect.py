"""The language of a target's sources, and how its files are called."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kernels.values.candidate import Candidate


@dataclass(frozen=True, slots=True)
class Dialect:
    """baseline: file in a kernel's folder; main: name of a candidate's main file."""

    language: str = "c"
    baseline: str = "baseline.c"
    main: str = "kernel.c"

    def candidate(self, kernel: str, source: str, flags: Sequence[str] = ()) -> Candidate:
        """One main file."""
        return Candidate(kernel, {self.main: source}, self.main, self.language, tuple(flags))

    @property
    def suffix(self) -> str:
        """Of sources that a person saves, e.g. ".c"."""
        return self.main[self.main.rindex(".") :]


C: Final = Dialect()
