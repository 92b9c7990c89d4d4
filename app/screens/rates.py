"""How often the screen looks for news: at every tick, or less often on a slow line. Pure."""

from typing import Final

WAITS: Final[tuple[float, ...]] = (0.25, 1.0, 2.0, 5.0)
"""Seconds between two looks, the usual ones first."""


def after(wait: float) -> float:
    """The next one, longer until they begin again."""
    return WAITS[(WAITS.index(wait) + 1) % len(WAITS)]


def name(wait: float) -> str:
    return f"every {wait:g} s" if wait >= 1 else f"{1 / wait:g} times a second"


def said(wait: float) -> str:
    return f"the screen looks for news {name(wait)}"


def badge(wait: float) -> str:
    """For the tab bar; "" at the usual rate."""
    return "" if wait == WAITS[0] else f" news {name(wait)} "
