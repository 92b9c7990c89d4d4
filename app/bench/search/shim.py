"""The line to Kernel Tuner: its C kernel asks over a socket pair what a configuration takes, and waits for the answer.

A question is one line, the index of each slot; an answer is one line, a time in milliseconds. Between an answer and the
next question the tuner computes; while it waits it does nothing, so that no other search is disturbed.
"""

import asyncio
import json
import os
import signal
import socket
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

WORKER: Final = Path(__file__).with_name("kt_worker.py")
PACKAGES: Final = ("kernel_tuner", "sklearn")
MISSING: Final = "not installed: pip install kernel-tuner"
THINK_S: Final = 120.0
COMPILER: Final = "gcc"
SOURCE: Final = """
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
float configuration(void) {
    char line[4096];
    int used = snprintf(line, sizeof line, "@FORMAT@\\n", @NAMES@);
    if (write(SOCKET, line, used) != used) _exit(1);
    for (used = 0; used < 64; used++) {
        if (read(SOCKET, line + used, 1) != 1) _exit(1);
        if (line[used] == '\\n') break;
    }
    line[used] = 0;
    return strtof(line, 0);
}
"""


class TunerEnded(Exception):
    """It asks nothing more; why."""


def source_of(slots: Sequence[str]) -> str:
    """The tunable kernel: Kernel Tuner defines each slot as a macro."""
    return SOURCE.replace("@FORMAT@", " ".join(["%d"] * len(slots))).replace("@NAMES@", ", ".join(slots))


def version_of(python: str) -> str:
    """Kernel Tuner's version in this interpreter, "" when it cannot be imported there with what its strategies need."""
    code = f"import {', '.join(PACKAGES)}; from importlib.metadata import version; print(version('kernel_tuner'))"
    try:
        done = subprocess.run([python, "-c", code], capture_output=True, text=True, timeout=THINK_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


class Tuner:
    """One run of one strategy. Made by `start`; always `close` it."""

    def __init__(
        self, process: asyncio.subprocess.Process, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, log: Path
    ) -> None:
        self._process = process
        self._reader = reader
        self._writer = writer
        self._log = log

    @property
    def pid(self) -> int:
        return self._process.pid

    @classmethod
    async def start(cls, python: str, job: Mapping[str, Any], folder: Path) -> "Tuner":
        """folder: its working directory, and where it says what goes wrong. Raises: OSError."""
        folder.mkdir(parents=True, exist_ok=True)
        ours, theirs = socket.socketpair()
        log = folder / "kernel-tuner.log"
        with theirs, log.open("wb") as errors:
            process = await asyncio.create_subprocess_exec(
                python, str(WORKER), str(theirs.fileno()), stdin=subprocess.PIPE, stdout=errors, stderr=errors,
                pass_fds=(theirs.fileno(),), cwd=folder, start_new_session=True,
                env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
            )  # fmt: skip
        if process.stdin is not None:
            process.stdin.write(json.dumps({"compiler": COMPILER, **job}).encode())
            process.stdin.close()
        reader, writer = await asyncio.open_connection(sock=ours)
        return cls(process, reader, writer, log)

    async def ask(self) -> tuple[int, ...]:
        """The next configuration it wants to know. Raises: TunerEnded."""
        try:
            line = await asyncio.wait_for(self._reader.readline(), THINK_S)
        except TimeoutError:
            raise TunerEnded(f"Kernel Tuner asked nothing for {THINK_S:.0f} s") from None
        except ConnectionError:
            line = b""
        if not line:
            raise TunerEnded(f"Kernel Tuner ended: {self._last_words()}")
        return tuple(int(word) for word in line.split())

    async def answer(self, milliseconds: float) -> None:
        """Raises: TunerEnded."""
        try:
            self._writer.write(f"{milliseconds:.9g}\n".encode())
            await self._writer.drain()
        except ConnectionError:
            raise TunerEnded(f"Kernel Tuner ended: {self._last_words()}") from None

    def _last_words(self) -> str:
        lines = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return lines[-1] if lines else "it said nothing"

    async def close(self) -> None:
        """End it, with the compilers it may have started."""
        self._writer.close()
        if self._process.returncode is None:
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except ProcessLookupError:
                return
        await self._process.wait()
