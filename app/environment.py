"""Environment variables of this program: those that are settings, and those that nobody reads."""

import os
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from typing import Any, Final

PREFIX: Final = "KERNELWRIGHT_"
OWN: Final = frozenset({"home", "root", "venv", "device"})
"""Variables beside the settings: of the home, of `run.sh`, and of a worker's device."""
LISTS: Final = frozenset({"kernels", "devices"})


def from_environment(settings: Collection[str]) -> dict[str, Any]:
    """Values by setting; lists have commas between their words. settings: names of all there are."""
    found = {name: value for name, value in _ours().items() if name in settings and name not in OWN}
    return {name: tuple(value.split(",")) if name in LISTS else value for name, value in found.items()}


def unread(settings: Collection[str]) -> Iterator[str]:
    """A line for each variable that looks like ours and is read by nobody, with the one that was meant."""
    known = [*settings, *OWN]
    for name in sorted(set(_ours()) - set(known)):
        near = get_close_matches(name, known, 1)
        meant = f"did you mean {variable(near[0])}?" if near else "app/settings.py has all names"
        yield f"the variable {variable(name)} is not read by anything; {meant}"


def variable(setting: str) -> str:
    return PREFIX + setting.upper()


def _ours() -> dict[str, str]:
    return {name.removeprefix(PREFIX).lower(): value for name, value in os.environ.items() if name.startswith(PREFIX)}
