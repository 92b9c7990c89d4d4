"""One process for one candidate: pipes, sealed copies of the two files, the launcher's words."""

import os
import subprocess
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from kernels.sandbox.failure import RunnerFailed
from kernels.sandbox.launch import Launcher, sealed_copy
from kernels.sandbox.limits import Limits
from kernels.sandbox.processes import descendants_of, kill, kill_tree

ENDING_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class Segment:
    """Memory handed to the runner. regions: (offset, length) of what may be written, offsets at pages; the gaps between
    them are guard pages. The descriptor of one that is not writable must itself be read-only."""

    fd: int
    size: int
    writable: bool
    regions: tuple[tuple[int, int], ...] = ()

    @property
    def word(self) -> str:
        spans = ",".join(f"{offset}+{length}" for offset, length in self.regions)
        return f"{self.fd}:{self.size}:{'w' if self.writable else 'r'}{':' if self.regions else ''}{spans}"


@dataclass(slots=True)
class Channel:
    """Our ends: requests out; replies, last words and the log in. marks: memory of a profiled run, -1 for none."""

    request: int
    reply: int
    status: int
    log: int
    marks: int = -1
    inside: tuple[int, int, int] = field(default=(-1, -1, -1))

    @classmethod
    def open(cls, marks: int) -> "Channel":
        request_in, request = os.pipe()
        reply, reply_out = os.pipe()
        status, status_out = os.pipe()
        os.set_blocking(status, False)
        return cls(request, reply, status, os.memfd_create("runner-log"), marks, (request_in, reply_out, status_out))

    def close_inside(self) -> None:
        for descriptor in self.inside:
            os.close(descriptor)

    def close(self) -> None:
        for descriptor in (self.request, self.reply, self.status, self.log, self.marks):
            if descriptor >= 0:
                os.close(descriptor)


def spawn(
    launcher: Launcher, binary: Path, artefact: Path, segments: Sequence[Segment], threads: int, limits: Limits,
    marks: int = -1,
) -> tuple["subprocess.Popen[bytes]", Channel]:  # fmt: skip
    """An artefact whose build needs a runner of its own (AddressSanitizer) has it beside it, see `own_runner`.

    Raises: RunnerFailed (setup), when the process cannot be started.
    """
    channel = Channel.open(marks)
    with ExitStack() as stack:
        stack.callback(channel.close_inside)
        try:
            copies = tuple(_copy(path, stack) for path in (own_runner(artefact) or binary, artefact))
            words = [str(threads), str(int(limits.own_threads)), *map(str, channel.inside), str(marks), limits.word]
            process = subprocess.Popen(
                [*launcher.command(*copies), *words, *(segment.word for segment in segments)],
                stdin=subprocess.DEVNULL, stdout=channel.log, stderr=channel.log, env={}, cwd="/",
                pass_fds=[*copies, *channel.inside, *(s.fd for s in segments), *([marks] if marks >= 0 else [])],
                start_new_session=True, user=launcher.user, group=launcher.user,
                extra_groups=None if launcher.user is None else [],
            )  # fmt: skip
        except (OSError, subprocess.SubprocessError) as error:
            channel.close()
            raise RunnerFailed("setup", f"cannot start {binary}: {error}") from error
    return process, channel


def own_runner(artefact: Path) -> Path | None:
    """candidate.runner beside candidate.so, when the target put one there."""
    beside = artefact.with_suffix(".runner")
    return beside if beside.is_file() else None


def _copy(path: Path, stack: ExitStack) -> int:
    descriptor = sealed_copy(path)
    stack.callback(os.close, descriptor)
    return descriptor


def end(process: "subprocess.Popen[bytes]") -> None:
    """Kill the tree and wait until it is gone: the runner first, so that its launcher still sees it end."""
    inside = descendants_of(process.pid)
    for victim in reversed(inside):
        kill(victim)
    if inside and _ends(process):
        return
    kill_tree(process.pid)
    process.wait()


def _ends(process: "subprocess.Popen[bytes]") -> bool:
    try:
        process.wait(timeout=ENDING_S)
    except subprocess.TimeoutExpired:
        return False
    return True
