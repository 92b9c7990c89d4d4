"""Why a runner failed: one word for the verdict, one sentence for the reader."""

import signal
from dataclasses import dataclass
from typing import Final, Literal

from kernels.sandbox import wire
from kernels.sandbox.syscalls import name_of

FailureKind = Literal["crash", "hang", "memory", "forbidden_call", "exit", "load", "protocol", "setup"]
Access = Literal["", "read", "write"]

_SIGNALS: Final = {int(s): s.name for s in signal.Signals}
_ACCESS: Final[tuple[Access, ...]] = ("", "read", "write")
_NO_MEMORY: Final = ("cannot allocate memory", "failed to map segment", "cannot apply additional memory")
_MEANING: Final = {
    signal.SIGILL: "an instruction that this CPU lacks, or a trap of the compiler (__builtin_trap, a sanitizer)",
    signal.SIGFPE: "an integer division by zero or an overflow of one",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """Where memory was touched that must not be. address: in the runner, says little outside it.

    segment, offset: the segment that it lies in or next to; the offset is below 0 before its start and at least its
    size behind its end. segment is None far from all.
    """

    address: int
    access: Access = ""
    segment: int | None = None
    offset: int = 0
    size: int = 0

    @property
    def inside(self) -> bool:
        return self.segment is not None and 0 <= self.offset < self.size

    @property
    def text(self) -> str:
        what = self.access or "access"
        if self.segment is None:
            null = " (a null pointer)" if self.address < 4096 else ""
            return f"{what} at address {self.address:#x}{null}"
        if self.offset < 0:
            return f"{what} {-self.offset} bytes before segment {self.segment}"
        if self.offset >= self.size:
            return f"{what} {self.offset - self.size} bytes past the end of segment {self.segment}"
        return f"{what} at segment {self.segment}, offset {self.offset}"


class RunnerFailed(Exception):
    """A candidate's own failure; kind "setup" is none: the harness could not prepare the runner.

    fault: where it crashed, when it was a memory access. segment, offset: the same, only when inside a segment.
    """

    def __init__(self, kind: FailureKind, detail: str, *, fault: Fault | None = None) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind: FailureKind = kind
        self.detail = detail
        self.fault = fault
        inside = fault if fault is not None and fault.inside else None
        self.segment = inside.segment if inside else None
        self.offset = inside.offset if inside else None

    @property
    def fault_address(self) -> int | None:
        return self.fault.address if self.fault else None


@dataclass(frozen=True, slots=True)
class LastWords:
    """The runner's status record and the text behind it. Written inside the candidate's process: it names the cause
    of a failure, it cannot turn one into a success."""

    kind: int
    signal: int
    fault: Fault
    number: int
    text: str = ""

    @classmethod
    def parse(cls, raw: bytes, sizes: tuple[int, ...]) -> "LastWords | None":
        """sizes: bytes of each segment. None when there is no whole record."""
        if len(raw) < wire.STATUS.size:
            return None
        magic, kind, number, segment, address, offset, call, access, length = wire.STATUS.unpack_from(raw)
        if magic != wire.STATUS_MAGIC:
            return None
        known = 0 <= segment < len(sizes)
        touched = Fault(
            address, _ACCESS[access] if access < len(_ACCESS) else "", segment if known else None, offset,
            sizes[segment] if known else 0,
        )  # fmt: skip
        text = raw[wire.STATUS.size : wire.STATUS.size + length].decode(errors="replace")
        return cls(kind, number, touched, call, text)

    @property
    def failure(self) -> RunnerFailed:
        match self.kind:
            case wire.Status.FAULT:
                return _of_signal(self.signal, self.fault)
            case wire.Status.FORBIDDEN:
                return RunnerFailed("forbidden_call", f"system call {name_of(self.number)} is not allowed in a kernel")
            case wire.Status.LOAD_FAILED:
                lacking = any(words in self.text.lower() for words in _NO_MEMORY)
                return RunnerFailed("memory" if lacking else "load", self.text)
            case wire.Status.NO_MEMORY:
                return RunnerFailed("memory", "more memory than the limit, or memory that is mapped to run code")
            case wire.Status.TIME_LIMIT:
                return RunnerFailed("hang", "used up its CPU or real-time limit")
            case wire.Status.STACK_SMASHED:
                return RunnerFailed("crash", "wrote past an array on its stack (stack protector)")
            case wire.Status.SANITIZER | wire.Status.DEVICE_FAULT:
                who = "AddressSanitizer: " if self.kind == wire.Status.SANITIZER else ""
                return RunnerFailed("crash", f"{who}{self.text}")
            case _:
                return RunnerFailed("setup", self.text)


def _of_signal(number: int, fault: Fault) -> RunnerFailed:
    name = _SIGNALS.get(number, str(number))
    if number in (signal.SIGSEGV, signal.SIGBUS):
        return RunnerFailed("crash", f"{name}: {fault.text}", fault=fault)
    return RunnerFailed("crash", f"{name}: {_MEANING.get(signal.Signals(number), 'raised')}")


def of_death(words: LastWords | None, code: int | None, *, out_of_memory: bool, loaded: bool) -> RunnerFailed:
    """loaded: the harness was ready and the candidate was loaded. Before that only the harness can fail, after that
    only the candidate, whatever the last words say."""
    found = words.failure if words else of_end(code, out_of_memory=out_of_memory)
    if not loaded and found.kind != "setup":
        return RunnerFailed("setup", f"the runner ended before it was ready: {found}")
    if loaded and found.kind == "setup":
        return RunnerFailed("protocol", f"blames the harness, which was ready: {found.detail}")
    return found


def of_end(returncode: int | None, *, out_of_memory: bool) -> RunnerFailed:
    """The runner ended without saying why. out_of_memory: the kernel's OOM killer was at work meanwhile."""
    code = returncode or 0
    number = -code if code < 0 else code - 128
    if number <= 0:
        return RunnerFailed("exit", f"the process ended by itself with code {returncode}")
    if number == signal.SIGSYS:
        return RunnerFailed("forbidden_call", "killed by the system call filter")
    if number == signal.SIGKILL and out_of_memory:
        return RunnerFailed("memory", "killed by the kernel for want of memory")
    if number == signal.SIGKILL:
        return RunnerFailed("hang", "killed at its CPU or real-time limit, or by somebody outside")
    return RunnerFailed("crash", f"killed by {_SIGNALS.get(number, number)} without last words: a stack overflow?")
