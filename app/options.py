"""What the command line tells the screen."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

COPIED: Final = "copied"
"""The folder of a home that copied texts and exported rows go to."""


@dataclass(frozen=True, slots=True)
class UiOptions:
    """state_dir: where copied texts go. theme: one of `themes.NAMES`, "" = what fits the terminal. color: one of
    `colours.NAMES`. keymap: binding id to keys, e.g. {"steer.kill": "X"}. clock: UTC seconds since the epoch; tests
    freeze it. copied_at: when the copy of a home was made that is shown in its place, 0.0 = it is the home itself.
    """

    state_dir: Path
    theme: str = ""
    color: str = "auto"
    ascii: bool = False
    mouse: bool = True
    read_only: bool = False
    keymap: Mapping[str, str] = field(default_factory=dict)
    clock: Callable[[], float] = time.time
    copied_at: float = 0.0
