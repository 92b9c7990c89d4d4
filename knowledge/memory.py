"""Wins and traps: conclusions that agents share, with a strategy and a reflection. Pure.

Source: KernelArc's win/trap memory: bounded per kernel type, wins ranked by speedup, traps first in first out, no
counters or logs in the text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

STRATEGY_CHARACTERS: Final = 160
REFLECTION_CHARACTERS: Final = 1200


@dataclass(frozen=True, slots=True)
class Conclusion:
    """gain: share of the head's time that was saved (win) or lost (trap, negative)."""

    kind: Literal["win", "trap"]
    kernel_type: str
    lever: str
    strategy: str
    reflection: str
    gain: float

    def __post_init__(self) -> None:
        if len(self.strategy) > STRATEGY_CHARACTERS or len(self.reflection) > REFLECTION_CHARACTERS:
            raise ValueError(
                f"strategy is {len(self.strategy)} of {STRATEGY_CHARACTERS} characters, "
                f"reflection {len(self.reflection)} of {REFLECTION_CHARACTERS}"
            )


def cut(text: str, limit: int) -> str:
    """The text, or its beginning with an ellipsis when it is longer than the limit."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def conclude(
    kind: Literal["win", "trap"], kernel_type: str, lever: str, what: str, why: str, gain: float
) -> Conclusion:
    """A conclusion within the limits."""
    return Conclusion(kind, kernel_type, lever, cut(what, STRATEGY_CHARACTERS), cut(why, REFLECTION_CHARACTERS), gain)


def retain(conclusions: Sequence[Conclusion], limit: int) -> list[Conclusion]:
    """At most `limit` wins by gain and `limit` traps by age (oldest leave first), in the order they were given."""
    wins = sorted((c for c in conclusions if c.kind == "win"), key=lambda c: -c.gain)[:limit]
    traps = [c for c in conclusions if c.kind == "trap"][-limit:] if limit else []
    kept = {id(c) for c in (*wins, *traps)}
    return [c for c in conclusions if id(c) in kept]
