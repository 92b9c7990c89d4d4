"""One candidate in one confined process: started, called with one clock reading a call, killed as a whole tree.

The round trip is one write and one blocking read on pipes; the deciding clock is ours. What the runner says of itself
(own clock, floating-point mode) is a diagnostic: the candidate's code shares its process.
"""

import os
import select
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kernels.sandbox import failure, wire
from kernels.sandbox.failure import RunnerFailed
from kernels.sandbox.launch import Launcher, Level, best_launcher
from kernels.sandbox.limits import Limits
from kernels.sandbox.processes import Census, census, descendants_of, executable_of
from kernels.sandbox.realtime import set_realtime

__all__ = ["Call", "Limits", "Runner", "RunnerFailed", "Segment"]

_LOG_BYTES: Final = 4096


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


@dataclass(frozen=True, slots=True)
class Call:
    """elapsed_ns: by our clock, round trip included. own_ns: by the runner's, a diagnostic."""

    elapsed_ns: int
    own_ns: int
    fp_mode_changed: bool


class Runner:
    """Made by `start`; every method raises RunnerFailed when the process is gone, hangs or breaks the protocol."""

    def __init__(
        self, process: "subprocess.Popen[bytes]", launcher: Launcher, pipes: tuple[int, int, int, int]
    ) -> None:
        self._process = process
        self._request, self._reply, self._status, self._log = pipes
        self._buffer = bytearray(wire.REQUEST.size)
        self._seq = 0
        self._poll = select.poll()
        self._poll.register(self._reply, select.POLLIN)
        self._closed = False
        self.level: Level = launcher.level
        self.pid = process.pid

    @classmethod
    def start(
        cls, binary: Path, artefact: Path, segments: Sequence[Segment], threads: int, limits: Limits | None = None
    ) -> "Runner":
        """Map, load, confine; returns when the candidate is ready to be called.

        Raises: RunnerFailed: load, memory, crash or forbidden_call of load-time code, hang, setup.
        """
        limits, launcher = limits or Limits(), best_launcher()
        process, pipes = _spawn(launcher, binary, artefact, segments, threads, limits)
        runner = cls(process, launcher, pipes)
        try:
            runner._answer(0, limits.start_s)
        except RunnerFailed:
            runner.close()
            raise
        runner.pid = _runner_pid(process.pid, binary)
        return runner

    def arm(self, timeout_s: float = 2.0) -> None:
        """Wake the pool, so that its helpers spin when the call comes."""
        self._exchange(wire.Op.ARM, (), timeout_s)

    def ping(self, timeout_s: float = 2.0) -> int:
        """Nanoseconds of an empty round trip."""
        return self._exchange(wire.Op.PING, (), timeout_s).elapsed_ns

    def call(self, pointers: Sequence[tuple[int, int]], timeout_s: float) -> Call:
        """One call with (segment, offset) for each argument: one message, one clock reading."""
        return self._exchange(wire.Op.CALL, [segment << 56 | offset for segment, offset in pointers], timeout_s)

    def census(self) -> Census:
        return census(self.pid)

    def realtime(self, on: bool) -> bool:
        """Whether SCHED_FIFO holds for the runner's threads now."""
        return set_realtime(self.pid, on)

    @property
    def log(self) -> str:
        """What the candidate printed, its beginning; never parsed."""
        return os.pread(self._log, _LOG_BYTES, 0).decode(errors="replace")

    def close(self) -> None:
        """Kill the whole tree, from outside. Doing it twice is harmless."""
        if self._closed:
            return
        self._closed = True
        for pid in (*descendants_of(self._process.pid), self._process.pid):
            _kill(pid)
        self._process.wait()
        for descriptor in (self._request, self._reply, self._status, self._log):
            os.close(descriptor)

    def _exchange(self, op: wire.Op, pointers: Sequence[int], timeout_s: float) -> Call:
        self._seq += 1
        padded = (*pointers, *(0,) * (wire.MAX_ARGUMENTS - len(pointers)))
        wire.REQUEST.pack_into(self._buffer, 0, wire.REQUEST_MAGIC, op, self._seq, len(pointers), 0, *padded)
        try:
            started = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
            os.write(self._request, self._buffer)
        except BrokenPipeError:
            raise self._death() from None
        return self._answer(started, timeout_s)

    def _answer(self, started: int, timeout_s: float) -> Call:
        if not self._poll.poll(timeout_s * 1000.0):
            self.close()
            raise RunnerFailed("hang", f"no answer within {timeout_s:g} s; killed with everything it had started")
        answer = os.read(self._reply, wire.REPLY.size)
        ended = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        if not answer:
            raise self._death()
        return self._parsed(answer, ended - started)

    def _parsed(self, answer: bytes, elapsed_ns: int) -> Call:
        if len(answer) != wire.REPLY.size:
            raise self._protocol(f"a reply of {len(answer)} bytes instead of {wire.REPLY.size}")
        magic, status, seq, own_ns, *_ = wire.REPLY.unpack(answer)
        if magic != wire.REPLY_MAGIC or seq != self._seq:
            raise self._protocol(f"a reply with magic {magic:#x} to request {seq} instead of {self._seq}")
        if self._poll.poll(0) and os.read(self._reply, 1):
            raise self._protocol("a second reply to one request")
        if status == wire.Answer.BAD_REQUEST:
            raise self._protocol("the runner refused the request")
        return Call(elapsed_ns, own_ns, status == wire.Answer.FP_MODE_CHANGED)

    def _protocol(self, text: str) -> RunnerFailed:
        self.close()
        return RunnerFailed("protocol", f"{text}: replies may come from the harness alone")

    def _death(self) -> RunnerFailed:
        """Why it is gone, from its status record, else from its exit code."""
        try:
            code = self._process.wait(timeout=2.0)
        except subprocess.TimeoutExpired:
            code = None
        record = os.read(self._status, wire.STATUS.size) if _readable(self._status) else b""
        found = self._from_record(record) if len(record) == wire.STATUS.size else failure.of_end(code)
        self.close()
        return found

    def _from_record(self, record: bytes) -> RunnerFailed:
        _, kind, a, b = wire.STATUS.unpack(record)
        if kind == wire.Status.FORBIDDEN:
            return RunnerFailed("forbidden_call", f"system call {a} is not allowed in a kernel")
        if kind == wire.Status.FAULT:
            segment = a & 0xFF
            return failure.of_fault(a >> 56, None if segment == wire.NO_SEGMENT else segment, b)
        text = os.read(self._status, 4096).decode(errors="replace") if _readable(self._status) else ""
        return failure.of_load(text) if kind == wire.Status.LOAD_FAILED else RunnerFailed("setup", text)


def _spawn(
    launcher: Launcher, binary: Path, artefact: Path, segments: Sequence[Segment], threads: int, limits: Limits
) -> tuple["subprocess.Popen[bytes]", tuple[int, int, int, int]]:
    request_in, request = os.pipe()
    reply, reply_out = os.pipe()
    status, status_out = os.pipe()
    log = os.memfd_create("runner-log")
    inside = (request_in, reply_out, status_out)
    words = [str(artefact), str(threads), *map(str, inside), *(segment.word for segment in segments)]
    mapped = sum(segment.size for segment in segments)
    try:
        process = subprocess.Popen(
            [*launcher.command(binary, artefact), *words], stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={},
            cwd="/", pass_fds=(*inside, *(segment.fd for segment in segments)), start_new_session=True,
            preexec_fn=lambda: limits.apply(mapped),  # noqa: PLW1509 - the referee has one thread
        )  # fmt: skip
    except OSError as error:
        for descriptor in (request, reply, status, log):
            os.close(descriptor)
        raise RunnerFailed("setup", f"cannot start {binary}: {error}") from error
    finally:
        for descriptor in inside:
            os.close(descriptor)
    return process, (request, reply, status, log)


def _runner_pid(pid: int, binary: Path) -> int:
    """The runner itself under its launcher, as the host numbers it."""
    name = binary.name[:15]
    return next((p for p in (pid, *descendants_of(pid)) if executable_of(p) == name), pid)


def _readable(descriptor: int) -> bool:
    return bool(select.select([descriptor], [], [], 0)[0])


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
