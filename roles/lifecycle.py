"""The states of a campaign and what leads from one to the next. Pure."""

from typing import Final

TRANSITIONS: Final[dict[str, frozenset[str]]] = {
    "running": frozenset({"pausing", "stopping", "interrupted"}),
    "pausing": frozenset({"paused", "running", "stopping", "interrupted"}),
    "paused": frozenset({"running", "stopping", "interrupted"}),
    "stopping": frozenset({"finished", "interrupted"}),
    "interrupted": frozenset({"running"}),
    "finished": frozenset(),
}


class IllegalTransition(ValueError):
    """Says from which state to which, and what would have been legal."""


def step(state: str, wanted: str) -> str:
    """The new state. Raises: IllegalTransition."""
    if wanted != state and wanted not in TRANSITIONS[state]:
        legal = ", ".join(sorted(TRANSITIONS[state])) or "none"
        raise IllegalTransition(f"a campaign cannot go from {state} to {wanted}; from {state} it can go to: {legal}")
    return wanted
