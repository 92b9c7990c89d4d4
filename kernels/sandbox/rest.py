"""Where a runner's main thread waits between calls: always in the same system call, at the same instruction and stack.

A candidate's code can keep the thread for itself: never return, and serve the messages in the harness's place. Whoever
does waits for the next message too, but with other frames on its stack. What the kernel says in /proc/PID/syscall about
a thread that waits cannot be forged from within. Seen in public: gpu-mode/pygpubench, submission_fd_overwrite.
"""

import os
import platform
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

READ: Final = {"x86_64": 0, "aarch64": 63}.get(platform.machine(), -1)  # number of read(2)
PATIENCE_S: Final = 0.02  # until a thread that is ready to run has had its turn
LOOK_S: Final = 2e-5
_WORD: Final = 8


@dataclass(frozen=True, slots=True)
class Place:
    """stack, instruction: addresses; back: where the call returns to, b"" where that cannot be seen."""

    stack: int
    instruction: int
    back: bytes


class Rest:
    """Learns the place when the runner is ready, before its first call. Where the system does not show it, it sees
    nothing."""

    def __init__(self, pid: int) -> None:
        self._state = _opened(Path(f"/proc/{pid}/syscall"))
        self._memory = _opened(Path(f"/proc/{pid}/mem"))
        self._place = self._waiting()

    @property
    def seen(self) -> bool:
        return self._place is not None

    def elsewhere(self) -> str:
        """Where it waits instead, "" when it waits where it should or has not come to rest in time."""
        if self._place is None:
            return ""
        found = self._waiting()
        if found is None or found == self._place:
            return ""
        away = self._place.stack - found.stack
        return f"it waits for the next message {away} bytes deeper on the stack than the harness does"

    def close(self) -> None:
        for descriptor in {self._state, self._memory} - {-1}:
            os.close(descriptor)
        self._state = self._memory = -1
        self._place = None

    def _waiting(self) -> Place | None:
        """None when it does not wait for a message within `PATIENCE_S`."""
        until = time.monotonic() + PATIENCE_S
        while self._state >= 0:
            time.sleep(LOOK_S)
            words = self._read()
            if len(words) > 2 and words[0] == str(READ):
                stack, instruction = int(words[-2], 16), int(words[-1], 16)
                return Place(stack, instruction, self._word(stack))
            if not words or time.monotonic() > until:
                return None
        return None

    def _read(self) -> list[str]:
        try:
            return os.pread(self._state, 256, 0).decode().split()
        except OSError:  # it has ended, or nobody may look any more
            return []

    def _word(self, address: int) -> bytes:
        if self._memory < 0:
            return b""
        try:
            return os.pread(self._memory, _WORD, address)
        except OSError:
            return b""


def _opened(path: Path) -> int:
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return -1
