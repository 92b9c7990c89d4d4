"""What the command line tells the screen."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs


def _state_dir() -> Path:
    return Path(platformdirs.user_state_dir("kernelwright", appauthor=False))


@dataclass(frozen=True, slots=True)
class UiOptions:
    """theme: one of `themes.NAMES`, "" = what fits the terminal. color: one of `colours.NAMES`.

    keymap: binding id to keys, e.g. {"steer.kill": "X"}. state_dir: where copied texts go. clock: UTC seconds since the
    epoch; tests freeze it. copied_at: when the copy of a home was made that is shown in its place, 0.0 = it is the home
    itself.
    """

    theme: str = ""
    color: str = "auto"
    ascii: bool = False
    mouse: bool = True
    read_only: bool = False
    keymap: Mapping[str, str] = field(default_factory=dict)
    state_dir: Path = field(default_factory=_state_dir)
    clock: Callable[[], float] = time.time
    copied_at: float = 0.0
