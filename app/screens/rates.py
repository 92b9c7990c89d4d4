"""How often the screen looks for news: at every tick, or at every second or fourth one on a slow line. Pure."""

from typing import Final

RATES: Final = (4, 2, 1)
"""Hertz, the usual one first."""


def after(rate: int) -> int:
    """The next one, slower until they begin again."""
    return RATES[(RATES.index(rate) + 1) % len(RATES)]


def said(rate: int) -> str:
    return f"the screen looks for news {rate} times a second" if rate > 1 else "the screen looks for news once a second"


def badge(rate: int) -> str:
    """For the tab bar; "" at the usual rate."""
    return "" if rate == RATES[0] else f" {rate} Hz "
