"""What an audit is asked to do beyond the check of a promotion. A plain value with a JSON form."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from kernels.packs.domains import Point

SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Audit:
    """seed: of the order in which domains are gone through. start: calls of that order that earlier audits made.
    seconds: device time for the next calls of it; 0 = none. points: values that folds were found at, which come first.
    regimes: those that no gate draws. control: key of a kernel that is right by definition; where it is wrong as well,
    the pack is at fault. alone: nothing of the ordinary check."""

    seed: int = 0
    start: int = 0
    seconds: float = SECONDS
    points: tuple[Point, ...] = ()
    regimes: bool = True
    control: str = ""
    alone: bool = False

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Self:
        given: dict[str, Any] = {**raw, "points": tuple((str(name), int(value)) for name, value in raw["points"])}
        return cls(**given)
