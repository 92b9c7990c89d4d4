"""One candidate in one confined process: started, called with one clock reading a call, killed as a whole tree.

The round trip is one write and one read on pipes; the deciding clock is ours. What the runner says of itself (own
clock, floating-point mode) is a diagnostic: the candidate's code shares its process. Its system call filter lets only
the runner's own two instructions touch the pipes, so that a forged reply needs a jump into the harness's code.
"""

import os
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from kernels.sandbox import failure, spans, wire
from kernels.sandbox.failure import Fault, LastWords, RunnerFailed
from kernels.sandbox.launch import Launcher, Level, best_launcher
from kernels.sandbox.limits import Limits
from kernels.sandbox.line import Broken, Line
from kernels.sandbox.processes import Census, census, filters_of, find, out_of_memory_kills, stop_or_go
from kernels.sandbox.realtime import set_realtime
from kernels.sandbox.rest import Rest
from kernels.sandbox.spans import Timeline
from kernels.sandbox.spawn import Channel, Segment, end, spawn

__all__ = ["Call", "Fault", "Limits", "Runner", "RunnerFailed", "Segment"]

CLOCK: Final = time.CLOCK_MONOTONIC_RAW
_LOG_BYTES: Final = 4096
_NAME: Final = "kw-runner"
_FILTERS: Final = 2
_DYING_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class Call:
    """elapsed_ns: by our clock, round trip included. own_ns: by the runner's, a diagnostic."""

    elapsed_ns: int
    own_ns: int
    fp_mode_changed: bool


class Runner:
    """Made by `start`; every method raises RunnerFailed when the process is gone, hangs or breaks the protocol.

    Keep it in the thread that started it: its process dies with that thread (PR_SET_PDEATHSIG).
    """

    def __init__(
        self, process: "subprocess.Popen[bytes]", launcher: Launcher, channel: Channel, sizes: tuple[int, ...]
    ) -> None:
        self._process = process
        self._channel = channel
        self._sizes = sizes
        self._line = Line(channel.request, channel.reply)
        self._closed = False
        self._loading = False
        self._frozen = False
        self._rest: Rest | None = None
        self._kills = out_of_memory_kills()
        self.level: Level = launcher.level
        self.pid = process.pid

    @classmethod
    def start(
        cls, binary: Path, artefact: Path, segments: Sequence[Segment], threads: int, limits: Limits | None = None,
        *, profile: bool = False, launcher: Launcher | None = None,
    ) -> Self:  # fmt: skip
        """Map, load, confine; returns when the candidate is ready to be called.

        profile: keep the marks of a build with KW_PROFILE, see `timeline`. launcher: the strongest there is, if None.
        Raises: RunnerFailed: load, memory, crash or forbidden_call of load-time code, hang, setup.
        """
        limits, launcher = limits or Limits(), launcher or best_launcher()
        marks = spans.make_memory() if profile else -1
        process, channel = spawn(launcher, binary, artefact, segments, threads, limits, marks)
        runner = cls(process, launcher, channel, tuple(s.size for s in segments))
        try:
            runner._await(wire.Answer.PREPARED, limits.start_s)
            runner._loading = True  # from here on the candidate is at work
            runner._answer(0, limits.start_s)
            runner.pid = runner._confined()
            runner._rest = Rest(runner.pid)
        except RunnerFailed:
            runner.close()
            raise
        return runner

    def arm(self, timeout_s: float = 2.0) -> int:
        """Wake the pool, so that its helpers spin when the call comes; how many nanoseconds that took."""
        return self._exchange(wire.Op.ARM, (), timeout_s).elapsed_ns

    def ping(self, timeout_s: float = 2.0) -> int:
        """Nanoseconds of an empty round trip."""
        return self._exchange(wire.Op.PING, (), timeout_s).elapsed_ns

    def call(
        self, pointers: Sequence[tuple[int, int]], timeout_s: float, at_return: Callable[[], None] | None = None,
        *, look: bool = False,
    ) -> Call:  # fmt: skip
        """One call with (segment, offset) for each argument: one message, one clock reading.

        Its threads are stopped at the return and go on with the next message: nothing is done late or in advance, and
        no other runner's reading is disturbed. at_return: called before that, right after the clock reading. look: see
        whether it waits where the harness waits.
        """
        words = [segment << 56 | offset for segment, offset in pointers]
        return self._exchange(wire.Op.CALL, words, timeout_s, lambda: self._returned(at_return, look))

    def _returned(self, at_return: Callable[[], None] | None, look: bool) -> None:
        """What is done right after the clock reading of a call."""
        if at_return is not None:
            at_return()
        elsewhere = self._rest.elsewhere() if look and self._rest is not None else ""
        self.freeze()
        if elsewhere:
            raise self._protocol(elsewhere)

    def freeze(self) -> None:
        """Stop its threads until the next message."""
        self._frozen = not self._closed and stop_or_go(self.pid, stop=True)

    def thaw(self) -> None:
        """Let stopped threads go on, without a message: what has been put off happens now."""
        if self._frozen:
            self._frozen = False
            stop_or_go(self.pid, stop=False)

    def census(self) -> Census:
        return census(self.pid)

    def realtime(self, on: bool) -> bool:
        """Whether SCHED_FIFO holds for the runner's threads now."""
        return set_realtime(self.pid, on)

    def timeline(self) -> Timeline:
        """Spans of the last call of a profiled build; empty without `profile`."""
        return spans.read(self._channel.marks) if self._channel.marks >= 0 else Timeline((), 0)

    @property
    def log(self) -> str:
        """What the candidate printed, its beginning; never parsed."""
        return os.pread(self._channel.log, _LOG_BYTES, 0).decode(errors="replace")

    def close(self) -> None:
        """Kill the whole tree, from outside. Doing it twice is harmless."""
        if self._closed:
            return
        self._closed = True
        end(self._process)
        if self._rest is not None:
            self._rest.close()
        self._channel.close()

    def _exchange(
        self, op: wire.Op, pointers: Sequence[int], timeout_s: float, then: Callable[[], None] | None = None
    ) -> Call:
        if self._closed:
            raise RunnerFailed("setup", "this runner was closed before")
        self._line.ready(op, pointers)
        self.thaw()
        try:
            started = time.clock_gettime_ns(CLOCK)
            self._line.send()
        except BrokenPipeError:
            raise self._death() from None
        return self._answer(started, timeout_s, then)

    def _await(self, status: wire.Answer, timeout_s: float) -> None:
        """The answer with this status; the next one may follow at once."""
        try:
            answer = self._read(timeout_s)
        except RunnerFailed as late:
            raise RunnerFailed("setup", f"the runner did not get ready: {late.detail}") from late
        if not answer:
            raise self._death()
        if wire.REPLY.unpack(answer)[1] != status:
            raise self._protocol(f"not ready: a reply of status {wire.REPLY.unpack(answer)[1]}")

    def _read(self, timeout_s: float) -> bytes:
        if not self._line.waits(timeout_s):
            self.close()
            raise RunnerFailed("hang", f"no answer within {timeout_s:g} s; killed with everything it had started")
        return self._line.read()

    def _answer(self, started: int, timeout_s: float, then: Callable[[], None] | None = None) -> Call:
        answer = self._read(timeout_s)
        ended = time.clock_gettime_ns(CLOCK)
        if then is not None:
            then()
        if not answer:
            raise self._death()
        try:
            status, own_ns = self._line.parsed(answer)
        except Broken as broken:
            raise self._protocol(str(broken)) from None
        return Call(ended - started, own_ns, status == wire.Answer.FP_MODE_CHANGED)

    def _confined(self) -> int:
        """Pid of the runner itself under its launcher, which must have both filters on top of ours."""
        pid = find(self._process.pid, _NAME) or self._process.pid
        ours, theirs = filters_of(os.getpid()), filters_of(pid)
        if ours is not None and theirs is not None and theirs < ours + _FILTERS:
            raise self._protocol(f"ready with {theirs - ours} of {_FILTERS} system call filters")
        return pid

    def _protocol(self, text: str) -> RunnerFailed:
        self.close()
        return RunnerFailed("protocol", f"{text}: replies may come from the harness alone")

    def _death(self) -> RunnerFailed:
        """Why it is gone, from its last words, else from its exit code."""
        try:
            code = self._process.wait(timeout=_DYING_S)
        except subprocess.TimeoutExpired:
            code = None
        words = LastWords.parse(self._last_bytes(), self._sizes)
        killed = out_of_memory_kills() > self._kills
        self.close()
        return failure.of_death(words, code, out_of_memory=killed, loaded=self._loading)

    def _last_bytes(self) -> bytes:
        try:
            return os.read(self._channel.status, 1 << 16)
        except BlockingIOError:
            return b""
