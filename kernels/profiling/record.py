"""What is kept of one profiled run: a kernel's profile, and beside a candidate's that of the head."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kernels.profiling.against import Change, changes, large_arrays
from kernels.profiling.profile import Profile

if TYPE_CHECKING:
    from kernels.values.kernel import KernelSpec


@dataclass(frozen=True, slots=True)
class Record:
    """head: of the head; candidate: None when the head alone was profiled."""

    head: Profile
    candidate: Profile | None = None
    changes: tuple[Change, ...] = ()

    @property
    def shown(self) -> Profile:
        """The one that was asked for."""
        return self.candidate or self.head

    def to_json(self) -> dict[str, Any]:
        return {
            "head": self.head.to_json(), "candidate": None if self.candidate is None else self.candidate.to_json(),
            "changes": [change.to_json() for change in self.changes],
        }  # fmt: skip

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> "Record":
        """Raises: ValueError when it is none."""
        try:
            candidate = None if raw["candidate"] is None else Profile.from_json(raw["candidate"])
            found = tuple(
                Change(tuple(c["head"]), tuple(c["candidate"]), c["head_ns"], c["ns"], tuple(c["reads"]))
                for c in raw["changes"]
            )
            return cls(Profile.from_json(raw["head"]), candidate, found)
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"not a profile: {type(error).__name__}: {error}") from error


def record_of(spec: "KernelSpec", head: Profile, candidate: Profile | None) -> Record:
    if candidate is None:
        return Record(head)
    return Record(head, candidate, changes(head.lines, candidate.lines, large_arrays(spec)))
