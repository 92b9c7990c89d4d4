"""One setup of a probe, built by the target and running in a confined process of its own, as candidates do."""

import os
import struct
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from kernels.device.arena import Arena, Block
from kernels.device.realtime import realtime
from kernels.sandbox.runner import Limits, RunnerFailed, Segment
from kernels.sandbox.starter import RunnerLike
from kernels.targets.base import CompileFailed, Target, starter_of
from kernels.values.candidate import Candidate
from kernels.values.kernel import Argument, KernelSpec, Tolerance
from knowledge.probes.definition import Setup
from knowledge.probes.fill import fill
from knowledge.probes.sizes import size_of

LANGUAGES: Final = {".c": "c", ".cu": "cuda", ".cl": "opencl"}
TIMEOUT_S: Final = 20.0
OUT_WORDS: Final = 64
_BYTES_AT, _COUNT_AT, _OUT_AT, _LENGTH = 0, 64, 4096, 8192


class ProbeFailed(Exception):
    """A probe that does not build or run here; says which and why. kind: a runner's failure, "" for others."""

    def __init__(self, text: str, kind: str = "") -> None:
        super().__init__(text)
        self.kind = kind


def probe_spec(folder: Path) -> KernelSpec:
    """void probe(uint8_t *area, int64_t bytes, int64_t count, uint64_t *out)"""
    arguments = (
        Argument("area", "u8", (1,), "inout"),
        Argument("bytes", "i64", (), "input"),
        Argument("count", "i64", (), "input"),
        Argument("out", "u64", (OUT_WORDS,), "output"),
    )
    exact = Tolerance(0, 0)
    return KernelSpec("probes", "probe", "probe", "probe", arguments, {"area": exact, "out": exact}, (), (), folder)


class Rig:
    """size: bytes of the area. pages: the kind that it got. Made by `rig`; raises ProbeFailed."""

    def __init__(self, name: str, runner: RunnerLike, words: Block, size: int, timeout_s: float) -> None:
        self.name = name
        self._timeout_s = timeout_s
        self.size = size
        self._runner = runner
        self._words = words
        self.fifo = False

    def times(self, counts: Sequence[int]) -> list[float]:
        """Nanoseconds of one call with each count, by the clock of the runner, whose code and the probe's are ours."""
        with realtime(self._runner, wanted=True) as self.fifo:
            return [self._call(count) for count in counts]

    def round_trip(self) -> float:
        """Nanoseconds of an empty message and its answer, by our clock."""
        try:
            with realtime(self._runner, wanted=True) as self.fifo:
                return float(self._runner.ping())
        except RunnerFailed as failure:
            raise ProbeFailed(f"{self.name}: {failure}", failure.kind) from failure

    def out(self) -> tuple[int, ...]:
        """What the last call left in `out`."""
        return tuple(map(int, struct.unpack_from(f"<{OUT_WORDS}Q", self._words.mapping, _OUT_AT)))

    def _call(self, count: int) -> float:
        struct.pack_into("<q", self._words.mapping, _BYTES_AT, self.size)
        struct.pack_into("<q", self._words.mapping, _COUNT_AT, count)
        try:
            self._runner.arm()
            call = self._runner.call([(0, 0), (1, _BYTES_AT), (1, _COUNT_AT), (1, _OUT_AT)], self._timeout_s)
        except RunnerFailed as failure:
            raise ProbeFailed(f"{self.name}: {failure}", failure.kind) from failure
        return float(call.own_ns)


@contextmanager
def rig(name: str, target: Target, setup: Setup, folder: Path, *, timeout_s: float = TIMEOUT_S) -> Generator[Rig]:
    """Build, fill the area, start. folder: for what is built and for the memory's mount. Raises: ProbeFailed."""
    artefact = _build(name, target, setup, folder)
    arena = Arena(folder / "arena")
    blocks: list[Block] = []
    try:
        blocks.append(_area(arena, size_of(setup.size, target.machine), setup))
        blocks.append(arena.allocate("words", _LENGTH))
        starter, spec = starter_of(target).make(), probe_spec(folder)
        threads = _threads(target, setup)
        runner = starter.start(artefact, spec, _segments(blocks), threads, Limits(), profile=False)
    except (MemoryError, ValueError, RunnerFailed) as failure:
        _close(arena, blocks)
        raise ProbeFailed(f"{name}: {failure}") from failure
    try:
        yield Rig(name, runner, blocks[1], size_of(setup.size, target.machine), timeout_s)
    finally:
        runner.close()
        _close(arena, blocks)


def _build(name: str, target: Target, setup: Setup, folder: Path) -> Path:
    flags = (*setup.flags, *(f"-D{key}={value}" for key, value in setup.defines.items()))
    main = setup.source.name
    language = LANGUAGES.get(setup.source.suffix, setup.source.suffix.lstrip("."))
    candidate = Candidate("probe", {main: setup.source.read_text(encoding="utf-8")}, main, language, flags)
    try:
        return target.compile(candidate, probe_spec(folder), folder / candidate.id).path
    except CompileFailed as failure:
        raise ProbeFailed(f"{name}: {main} does not compile: {failure.root_cause}") from failure


def _area(arena: Arena, size: int, setup: Setup) -> Block:
    """Small pages come from an arena without its tmpfs."""
    if setup.pages == "small":
        arena.close()
    block = arena.allocate("area", size)
    fill(block.bytes[:size], setup.fill)
    return block


def _segments(blocks: Sequence[Block]) -> list[Segment]:
    return [Segment(block.fd, block.size, True, ((0, block.size),)) for block in blocks]


def _threads(target: Target, setup: Setup) -> int:
    return target.machine.threads if setup.threads == "all" else 1


def _close(arena: Arena, blocks: Sequence[Block]) -> None:
    for block in blocks:
        block.close()
    arena.close()


def load_average() -> float:
    """Of the last minute."""
    return round(os.getloadavg()[0], 2)
