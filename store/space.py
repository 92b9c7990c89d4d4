"""Whether a write failed for want of space, and the wait for some: said once and then every minute."""

import errno
import logging
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
LITTLE: Final = 256 << 10
"""Bytes: with fewer left a failure of input or output is taken for want of space. SQLite says no more of its shared
memory file."""
LOOK_S: Final = 1.0
SAY_S: Final = 60.0
log = logging.getLogger(__name__)


def no_space(error: BaseException, folder: Path) -> bool:
    """folder: of what was written."""
    for one in _causes(error):
        if isinstance(one, OSError) and one.errno in FULL:
            return True
        if "disk is full" in str(one) or ("disk I/O error" in str(one) and is_full(folder)):
            return True
    return False


def is_full(folder: Path) -> bool:
    """Whether next to nothing is left where this folder lies. False where nobody can say."""
    try:
        return shutil.disk_usage(folder).free < LITTLE
    except OSError:
        return False


class Room:
    """Whether a full disk is waited for, and the wait. folder: of what is written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ended = threading.Event()
        self._ended.set()
        self._said = -SAY_S

    def endure(self, *, on: bool) -> None:
        """From now on; a wait that goes on ends at once."""
        if on:
            self._ended.clear()
        else:
            self._ended.set()

    def endures(self, error: BaseException) -> bool:
        """Whether this was want of space, and is to be waited for."""
        return not self._ended.is_set() and no_space(error, self._folder)

    def wait(self) -> None:
        """For a moment."""
        if time.monotonic() - self._said >= SAY_S:
            self._said = time.monotonic()
            log.warning("the disk of %s is full: nothing is lost, the engine waits until there is space", self._folder)
        self._ended.wait(LOOK_S)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__
