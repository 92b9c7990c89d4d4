"""Whether the compiler on disk is still the one that a target was made with: a `stat`, and a hash when that differs."""

import os
from pathlib import Path

from kernels.targets.base import TargetError
from kernels.targets.cpu_c.toolchain import Compiler, find_compiler, place_of

Marks = tuple[Path, int, int, int, int]


class CompilerWatch:
    """asked: the name or path that the compiler was found by, which may come to mean another file."""

    def __init__(self, asked: str, known: Compiler) -> None:
        self._asked = asked
        self._known = known
        self._marks = _marks(known.path)

    def look(self) -> Compiler:
        """What would be found now; the known one as long as place, size, inode and times are the same.

        Raises: TargetError while there is none that works, as in the middle of an upgrade.
        """
        marks = _marks(place_of(self._asked))
        if marks != self._marks:
            self._known = find_compiler(self._known.readable, self._asked)
            self._marks = marks
        return self._known


def _marks(path: Path) -> Marks:
    """Raises: TargetError."""
    try:
        found = path.stat()
    except OSError as error:
        raise TargetError(f"compiler {path}", os.strerror(error.errno or 0), "Put it back, or name another") from error
    return path, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
