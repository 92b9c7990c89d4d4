"""Why a runner failed: one word for the verdict, one sentence for the reader."""

import signal
from typing import Literal

FailureKind = Literal["crash", "hang", "memory", "forbidden_call", "exit", "load", "protocol", "setup"]

_SIGNALS = {int(s): s.name for s in signal.Signals}
_NO_MEMORY = ("cannot allocate memory", "failed to map segment", "cannot apply additional memory")


class RunnerFailed(Exception):
    """A candidate's own failure. segment, offset: where a fault hit, when it hit a segment; address otherwise.

    kind "setup" is no fault of the candidate: the harness could not prepare the runner.
    """

    def __init__(self, kind: str, detail: str, *, segment: int | None = None, offset: int | None = None) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail
        self.segment = segment
        self.offset = offset


def of_fault(number: int, segment: int | None, offset: int) -> RunnerFailed:
    name = _SIGNALS.get(number, str(number))
    where = f"address {offset:#x}" if segment is None else f"segment {segment}, offset {offset}"
    return RunnerFailed("crash", f"{name} at {where}", segment=segment, offset=offset)


def of_load(text: str) -> RunnerFailed:
    kind = "memory" if any(words in text.lower() for words in _NO_MEMORY) else "load"
    return RunnerFailed(kind, text)


def of_end(returncode: int | None) -> RunnerFailed:
    """The runner ended without saying why."""
    code = returncode or 0
    number = -code if code < 0 else code - 128
    if number > 0:
        if number == signal.SIGXCPU:
            return RunnerFailed("hang", "used up its CPU or real-time limit (SIGXCPU)")
        if number == signal.SIGSYS:
            return RunnerFailed("forbidden_call", "killed by the system call filter")
        return RunnerFailed("crash", f"killed by {_SIGNALS.get(number, number)}")
    return RunnerFailed("exit", f"the process ended by itself with code {returncode}")
