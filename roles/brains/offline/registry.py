"""The brains without a model, by words: `offline`, the policy, and `offline:random`, which a bench sets beside it."""

from collections.abc import Callable, Mapping
from typing import Final

from roles.brains.base import Brain
from roles.brains.offline.policy import OfflineBrain
from roles.brains.offline.uniform import RandomBrain

BRAINS: Final[Mapping[str, Callable[[int], Brain]]] = {
    "offline": lambda plateau_draft: OfflineBrain(plateau_draft=plateau_draft),
    "offline:random": lambda _: RandomBrain(),
}


def brain_of(words: str, *, plateau_draft: int) -> Brain:
    """Raises: ValueError for other words."""
    if words not in BRAINS:
        raise ValueError(f"no offline brain {words!r}; there are {', '.join(BRAINS)}")
    return BRAINS[words](plateau_draft)
