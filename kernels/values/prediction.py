"""What a proposal promised before anything was measured, to be held against what was."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prediction:
    """text: as shown. gain: the share of the head's time that it saves when it holds; chance: that it holds, 0 to 1.
    Both None where nobody said."""

    text: str = ""
    gain: float | None = None
    chance: float | None = None


NOTHING = Prediction()
