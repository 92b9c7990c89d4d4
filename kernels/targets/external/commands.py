"""Runs one command of a recipe: without a shell, in a group of its own, under limits, its output kept head and tail."""

import os
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from kernels.sandbox.processes import kill_tree
from kernels.sandbox.readable import readable
from kernels.targets.external.recipe import Limits

HEAD: Final = 64 << 10
TAIL: Final = 32 << 10
MIB: Final = 1 << 20
KEPT_ENV: Final = ("PATH", "HOME", "LANG", "TMPDIR")


@dataclass(frozen=True, slots=True)
class Ran:
    """One command that has ended. code: its exit status, None when it was killed at its time limit. out, err: head and
    tail of what it wrote. seconds: from before its start until its exit was seen."""

    words: tuple[str, ...]
    code: int | None
    out: str
    err: str
    seconds: float

    @property
    def ok(self) -> bool:
        return self.code == 0

    @property
    def said(self) -> str:
        """What a reader looks at first."""
        return "\n".join(part for part in (self.out.strip(), self.err.strip()) if part)


def run(words: Sequence[str], folder: Path, timeout_s: float, limits: Limits, env: Mapping[str, str]) -> Ran:
    """Blocks until the process has ended; everything that it started is killed then. Raises: OSError when it cannot be
    started."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        started = time.monotonic()
        process = subprocess.Popen(
            [*_limited(limits), *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
            env={**inherited(), **env}, start_new_session=True,
        )  # fmt: skip
        code = _wait(process, timeout_s)
        seconds = time.monotonic() - started
        return Ran(tuple(words), code, _ends(out), _ends(err), seconds)


def inherited() -> dict[str, str]:
    return {name: os.environ[name] for name in KEPT_ENV if name in os.environ}


def _limited(limits: Limits) -> list[str]:
    """A shell that takes the limits on and becomes the command; the command itself is words, never text of it."""
    asked = {"-v": limits.memory_mib * 1024, "-t": limits.cpu_s, "-f": limits.file_mib * 2048, "-c": 0}
    told = [f"ulimit {flag} {amount}" for flag, amount in asked.items() if amount or flag == "-c"]
    return ["/bin/sh", "-c", " && ".join([*told, 'exec "$@"']), "sh"]


def _wait(process: "subprocess.Popen[bytes]", timeout_s: float) -> int | None:
    """Its exit code, None when its time is over. Process exit is done: what it left running is killed before it is
    reaped, while its number is surely still its own."""
    watched = os.pidfd_open(process.pid)
    try:
        in_time = readable(watched, timeout_s)
    finally:
        os.close(watched)
        kill_tree(process.pid)
        code = process.wait()
    return code if in_time else None


def _ends(stream: BinaryIO) -> str:
    """All of it, or its beginning and its end with the number of bytes between them."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    if size <= HEAD + TAIL:
        return stream.read().decode(errors="replace")
    head = stream.read(HEAD).decode(errors="replace")
    stream.seek(size - TAIL)
    return f"{head}\n... {size - HEAD - TAIL} bytes left out ...\n{stream.read().decode(errors='replace')}"
