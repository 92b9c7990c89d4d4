"""Where the seconds go: the device's own account of who held the machine, written down with every heartbeat. Pure."""

from collections.abc import Mapping
from typing import Final

CATEGORY: Final[Mapping[str, str]] = {
    "build": "build", "checking": "check", "verifying": "check", "pair": "readings", "block": "readings",
    "peak": "readings", "profiling": "readings",
    "round": "readings", "canary": "readings", "loading": "load", "unloading": "load", "starting": "load",
    "testing": "load", "waiting": "waiting",
}  # fmt: skip
OVERHEAD: Final = "overhead"
NOT_HELD: Final = "waiting"


def held(account: Mapping[str, float]) -> float:
    """Seconds for which the machine was ours."""
    return sum(seconds for word, seconds in account.items() if word != NOT_HELD)


def since(before: Mapping[str, float], now: Mapping[str, float], wall_s: float) -> dict[str, float]:
    """Seconds by category between two accounts; what nobody held of the wall time is the loop's own overhead."""
    found: dict[str, float] = {}
    for word, seconds in now.items():
        spent = seconds - before.get(word, 0.0)
        category = CATEGORY.get(word, "load")
        found[category] = found.get(category, 0.0) + spent
    found[OVERHEAD] = max(wall_s - sum(found.values()), 0.0)
    return {category: seconds for category, seconds in found.items() if seconds > 0}
