"""How many colours are drawn: as asked with `--color`, else as the environment says."""

import contextlib
import os
from collections.abc import Generator, Mapping
from typing import Final

from rich.color import ColorSystem

AUTO: Final = "auto"
NONE: Final = "none"
SYSTEMS: Final = {"truecolor": ColorSystem.TRUECOLOR, "256": ColorSystem.EIGHT_BIT, "16": ColorSystem.STANDARD}
NAMES: Final = (AUTO, *SYSTEMS, NONE)
_NO_COLOR: Final = "NO_COLOR"
_FEW: Final = ("linux", "vt100", "vt220", "screen", "xterm", "ansi", "rxvt", "cygwin")
_FEW_ENDINGS: Final = ("-16color", "-88color", "-8color", "-color", "-mono")


def settled(asked: str, environment: Mapping[str, str]) -> str:
    """One of `NAMES`. What is asked for outdoes NO_COLOR, which counts when it is present and not empty:
    https://no-color.org."""
    return NONE if asked == AUTO and environment.get(_NO_COLOR, "") else asked


def few(colours: str, environment: Mapping[str, str]) -> bool:
    """Whether there are sixteen at most, so that the terminal's own are the better ones. colours: as settled."""
    if colours != AUTO:
        return colours in ("16", NONE)
    terminal = environment.get("TERM", "")
    rich = bool(environment.get("COLORTERM")) or "256" in terminal
    return not rich and (terminal in _FEW or terminal.endswith(_FEW_ENDINGS))


@contextlib.contextmanager
def told_to_textual(colours: str) -> Generator[None]:
    """Within: NO_COLOR is set for none and for nothing else; Textual reads it when an app is made, empty or not."""
    before = os.environ.pop(_NO_COLOR, None)
    if colours == NONE:
        os.environ[_NO_COLOR] = "1"
    try:
        yield
    finally:
        os.environ.pop(_NO_COLOR, None)
        if before is not None:
            os.environ[_NO_COLOR] = before
