"""Runs one command of a recipe: without a shell, in a group of its own, under limits, its output kept head and tail."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final
from uuid import uuid4

from kernels.sandbox.processes import kill_marked, kill_tree
from kernels.sandbox.readable import readable
from kernels.targets.external.tables import Limits

HEAD: Final = 64 << 10
TAIL: Final = 32 << 10
READ: Final = 16 << 20
"""Bytes of one stream that signs and readers look through; of a longer one its beginning and its end."""
MARK: Final = "KERNELWRIGHT_COMMAND"
"""Variable by which all that a command started is found again."""
KEPT_ENV: Final = ("PATH", "HOME", "LANG", "TMPDIR")


@dataclass(frozen=True, slots=True)
class Ran:
    """One command that has ended. code: its exit status, None when it was killed at its time limit. whole_out,
    whole_err: what it wrote. seconds: from before its start until its exit was seen. lost: bytes of its standard output
    that are not in `whole_out`, as there were more than `READ`."""

    words: tuple[str, ...]
    code: int | None
    whole_out: str
    whole_err: str
    seconds: float
    lost: int = 0

    @property
    def ok(self) -> bool:
        return self.code == 0

    @property
    def out(self) -> str:
        """Head and tail of its standard output, to be kept and shown."""
        return _shown(self.whole_out)

    @property
    def err(self) -> str:
        return _shown(self.whole_err)

    @property
    def said(self) -> str:
        """What a person looks at first: head and tail."""
        return _joined(self.out, self.err)

    @property
    def heard(self) -> str:
        """Both streams whole, to look for signs in."""
        return _joined(self.whole_out, self.whole_err)


def run(words: Sequence[str], folder: Path, timeout_s: float, limits: Limits, env: Mapping[str, str]) -> Ran:
    """Blocks until the process has ended; everything that it started is killed then, also what has left its session and
    lost its parents, as long as it keeps the variable that marks this command. Raises: OSError when it cannot be
    started."""
    mark = uuid4().hex
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        started = time.monotonic()
        process = subprocess.Popen(
            [*_limited(limits), *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
            env={**inherited(), **env, MARK: mark}, start_new_session=True,
        )  # fmt: skip
        code = _wait(process, timeout_s)
        seconds = time.monotonic() - started
        kill_marked(f"{MARK}={mark}", process.pid)
        (told, lost), (errors, _) = _read(out), _read(err)
        return Ran(tuple(words), code, told, errors, seconds, lost)


def inherited() -> dict[str, str]:
    return {name: os.environ[name] for name in KEPT_ENV if name in os.environ}


def _limited(limits: Limits) -> list[str]:
    """A shell that takes the limits on and becomes the command; the command itself is words, never text of it."""
    asked = {"-v": limits.memory_mib * 1024, "-t": limits.cpu_s, "-f": limits.file_mib * 2048, "-c": 0}
    told = [f"ulimit {flag} {amount}" for flag, amount in asked.items() if amount or flag == "-c"]
    return ["/bin/sh", "-c", " && ".join([*told, 'exec "$@"']), "sh", *_bound()]


def _bound() -> list[str]:
    """What ends a command with the thread that waits for it, so that none keeps a device when its engine is killed."""
    found = shutil.which("setpriv")
    return [] if found is None else [found, "--pdeathsig", "KILL", "--"]


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


def _joined(*parts: str) -> str:
    return "\n".join(found for part in parts if (found := part.strip()))


def _shown(text: str) -> str:
    """All of it, or its beginning and its end with the number of characters between them."""
    if len(text) <= HEAD + TAIL:
        return text
    return f"{text[:HEAD]}\n... {len(text) - HEAD - TAIL} characters left out ...\n{text[-TAIL:]}"


def _read(stream: BinaryIO) -> tuple[str, int]:
    """Text of a stream, and the bytes that are not in it."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    if size <= READ:
        return stream.read().decode(errors="replace"), 0
    head = stream.read(READ // 2).decode(errors="replace")
    stream.seek(size - READ // 2)
    return f"{head}\n... {size - READ} bytes left out ...\n{stream.read().decode(errors='replace')}", size - READ
