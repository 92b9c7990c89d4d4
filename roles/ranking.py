"""The strategist's word on levers: what each is worth on a kernel, which are stopped, what a brief of one says. Pure.

A ranking holds until the next one. It is kept as an event and found again after a restart.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Key = tuple[str, str]


@dataclass(slots=True)
class Ranking:
    """All by (kernel, lever). values: expected share of the head's time that is saved, times the chance of it. stopped:
    why no brief is opened for it. words: what its next brief says beside the policy's reason."""

    values: dict[Key, float] = field(default_factory=dict)
    stopped: dict[Key, str] = field(default_factory=dict)
    words: dict[Key, str] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        return not (self.values or self.stopped or self.words)

    def values_of(self, kernel: str) -> dict[str, float]:
        return {lever: value for (name, lever), value in self.values.items() if name == kernel}

    def stopped_of(self, kernel: str) -> frozenset[str]:
        return frozenset(lever for name, lever in self.stopped if name == kernel)

    def to_data(self) -> dict[str, Any]:
        """JSON of it."""
        return {
            name: [[kernel, lever, said] for (kernel, lever), said in sorted(told.items())]
            for name, told in (("values", self.values), ("stopped", self.stopped), ("words", self.words))
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Ranking":
        def read(name: str) -> dict[Key, Any]:
            return {(kernel, lever): said for kernel, lever, said in data.get(name, ())}

        return cls(read("values"), read("stopped"), read("words"))
