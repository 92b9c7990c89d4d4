"""Wins and traps: conclusions that agents share, with a strategy and a reflection. Pure.

Source: KernelArc's win/trap memory: bounded per kernel type, wins ranked by speedup, traps first in first out, no
counters or logs in the text. What is kept is decided where it is kept, in `store/memory.py`.
"""

from dataclasses import dataclass
from typing import Final, Literal

from typing_extensions import override

Kind = Literal["win", "trap"]
Keep = Literal["none", "bounded", "unbounded"]
KEPT: Final = 16
STRATEGY_CHARACTERS: Final = 160
REFLECTION_CHARACTERS: Final = 1200
LONGEST_STRATEGY: Final = 4000
LONGEST_REFLECTION: Final = 20_000
"""The most that a setting may allow."""


@dataclass(frozen=True, slots=True)
class Retention:
    """How much of what was learned is kept. wins, traps: per type of kernel in a campaign, when bounded; strategy,
    reflection: characters."""

    keep: Keep = "bounded"
    wins: int = KEPT
    traps: int = KEPT
    strategy: int = STRATEGY_CHARACTERS
    reflection: int = REFLECTION_CHARACTERS

    @property
    def on(self) -> bool:
        """Whether anything is remembered or recalled."""
        return self.keep != "none"

    def most(self, kind: Kind) -> int | None:
        """Rows of a type of kernel; None for no limit."""
        if self.keep == "unbounded":
            return None
        return 0 if self.keep == "none" else self.wins if kind == "win" else self.traps

    def too_long(self, strategy: str, reflection: str) -> str:
        """Which text is over its limit, and by what; "" when both fit."""
        texts = (("strategy", strategy, self.strategy), ("reflection", reflection, self.reflection))
        found = [f"{name} has {len(text)} characters, {most} at most" for name, text, most in texts if len(text) > most]
        return "; ".join(found)

    @override
    def __str__(self) -> str:
        return f"bounded, {self.wins} wins and {self.traps} traps a type" if self.keep == "bounded" else self.keep


@dataclass(frozen=True, slots=True)
class Conclusion:
    """gain: share of the head's time that was saved (win) or lost (trap, negative), 0 when it was not measured. Texts
    are cut to the limits of the retention where they are kept."""

    kind: Kind
    kernel_type: str
    lever: str
    strategy: str
    reflection: str
    gain: float


def cut(text: str, limit: int) -> str:
    """The text, or its beginning with an ellipsis when it is longer than the limit."""
    return text if len(text) <= limit else f"{text[: limit - 1].rstrip()}…" if limit else ""
