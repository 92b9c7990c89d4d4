"""What an output means: signs of the recipe in order, else the exit code. Says whose fault it was."""

import re
import signal
from collections.abc import Sequence
from typing import Final

from kernels.sandbox.failure import FailureKind
from kernels.sandbox.runner import RunnerFailed
from kernels.targets.external.commands import Ran
from kernels.targets.external.tables import Meaning, Sign

KINDS: Final[dict[Meaning, FailureKind]] = {
    "hang": "hang", "crash": "crash", "memory": "memory", "wrong": "exit", "busy": "setup", "login": "setup",
    "unhealthy": "setup",
}  # fmt: skip
"""Of a runner's failure; `setup` is nobody's: the device or the way to it."""
SHOWN: Final = 400


def sign_in(text: str, signs: Sequence[Sign]) -> Sign | None:
    """The first sign of the recipe that the text has."""
    return next((one for one in signs if re.search(one.regex, text, re.MULTILINE)), None)


def line_of(text: str, sign: Sign) -> str:
    """The line in which it was found."""
    found = re.search(sign.regex, text, re.MULTILINE)
    if found is None:
        return ""
    start = text.rfind("\n", 0, found.start()) + 1
    end = text.find("\n", found.end())
    return text[start : end if end >= 0 else len(text)].strip()[:SHOWN]


NOBODYS: Final[tuple[Meaning, ...]] = ("busy", "login", "unhealthy")


def of_candidates(signs: Sequence[Sign]) -> tuple[Sign, ...]:
    """Signs that count in what a candidate itself may have written: it excuses nobody."""
    return tuple(one for one in signs if one.means not in NOBODYS)


def failure_of(ran: Ran, signs: Sequence[Sign]) -> RunnerFailed | None:
    """None when it went well."""
    said = ran.heard
    sign = sign_in(said, signs)
    if sign is not None:
        what = line_of(said, sign)
        return RunnerFailed(KINDS[sign.means], f"{what}. {sign.say}" if sign.say else what)
    if ran.code is None:
        return RunnerFailed("hang", f"no end within {ran.seconds:.0f} s; killed with everything it had started")
    if ran.code == 0:
        return None
    kind: FailureKind = "crash" if ran.code < 0 or ran.code > 128 else "exit"
    return RunnerFailed(kind, f"{_exit(ran.code)}: {last_line(ran)}")


def _exit(code: int) -> str:
    number = -code if code < 0 else code - 128
    try:
        return signal.Signals(number).name if code < 0 or code > 128 else f"exit code {code}"
    except ValueError:
        return f"exit code {code}"


def last_line(ran: Ran) -> str:
    """The last line that it wrote, of its errors first."""
    lines = [line for text in (ran.out, ran.err) for line in text.splitlines() if line.strip()]
    return lines[-1].strip()[:SHOWN] if lines else "it wrote nothing"
