"""A small kernel (y = W x), its memory, and candidates built past every gate, so that the sandbox alone must hold."""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kernels.sandbox.launch import Launcher
from kernels.sandbox.limits import Limits
from kernels.sandbox.runner import Call, Runner, RunnerFailed
from kernels.sandbox.spawn import Segment
from kernels.targets.cpu_c.target import INCLUDE
from kernels.targets.cpu_c.trampoline import trampoline
from kernels.values.kernel import Argument, KernelSpec, ThreadContract, Tolerance

ROWS, COLUMNS = 64, 256
PAGE = 4096
WEIGHTS, INPUTS, OUTPUTS = 0, 1, 2
PRELUDE = """
#include "kernelwright.h"
static inline void honest(const float *W, const float *x, float *y) {
    for (int i = 0; i < 64; i++) {
        float s = 0;
        for (int j = 0; j < 256; j++) s += W[i * 256 + j] * x[j];
        y[i] = s;
    }
}
"""
HONEST = "honest(W, x, y);"


def spec_of(folder: Path, threads: ThreadContract = "pool") -> KernelSpec:
    arguments = (
        Argument("W", "f32", (ROWS, COLUMNS), "weight"),
        Argument("x", "f32", (COLUMNS,), "input"),
        Argument("y", "f32", (ROWS,), "output"),
    )
    tolerances = {"y": Tolerance(1e-4, 1e-4)}
    return KernelSpec("kit", "mv", "mv", "y = W x", arguments, tolerances, (), ("random",), folder, threads=threads)


def source(body: str, prelude: str = "") -> str:
    """`body` within the kernel, `prelude` before it."""
    return f"#define _GNU_SOURCE\n{PRELUDE}{prelude}\nvoid mv(const float *W, const float *x, float *y) {{ {body} }}\n"


def build(folder: Path, body: str, prelude: str = "", flags: Sequence[str] = ()) -> Path:
    """A shared object that no gate has seen."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "candidate.c").write_text(source(body, prelude))
    (folder / "trampoline.c").write_text(trampoline(spec_of(folder)))
    words = [
        "gcc",
        "-std=gnu11",
        "-O1",
        "-w",
        "-shared",
        "-fPIC",
        *flags,
        f"-I{INCLUDE}",
        "candidate.c",
        "trampoline.c",
    ]
    subprocess.run([*words, "-o", "candidate.so", "-lm"], cwd=folder, check=True)
    return folder / "candidate.so"


def _memory(name: str, data: bytes) -> tuple[int, int]:
    """(writable, read-only) descriptors."""
    writable = os.memfd_create(name)
    os.pwrite(writable, data, 0)
    return writable, os.open(f"/proc/self/fd/{writable}", os.O_RDONLY)


@dataclass
class Bench:
    """Weights and inputs that end at the end of their segments; y ends flush at a guard page."""

    binary: Path
    runners: list[Runner] = field(default_factory=list)

    def __post_init__(self) -> None:
        rng = np.random.default_rng(7)
        self.w = rng.uniform(-1, 1, (ROWS, COLUMNS)).astype(np.float32)
        self.x = rng.uniform(-1, 1, COLUMNS).astype(np.float32)
        self._weights, weights = _memory("weights", self.w.tobytes())
        padded = bytes(PAGE - self.x.nbytes) + self.x.tobytes()
        self._inputs, inputs = _memory("inputs", padded)
        self._outputs = os.memfd_create("outputs")
        os.ftruncate(self._outputs, 4 * PAGE)
        self.y_at = 2 * PAGE - ROWS * 4
        self.segments = (
            Segment(weights, self.w.nbytes, False),
            Segment(inputs, PAGE, False),
            Segment(self._outputs, 4 * PAGE, True, ((PAGE, PAGE),)),
        )

    def start(
        self, library: Path, *, launcher: Launcher | None = None, limits: Limits | None = None, threads: int = 2,
        profile: bool = False,
    ) -> Runner:  # fmt: skip
        runner = Runner.start(self.binary, library, self.segments, threads, limits, profile=profile, launcher=launcher)
        self.runners.append(runner)
        return runner

    def call(self, runner: Runner, timeout_s: float = 5.0) -> Call:
        os.pwrite(self._outputs, b"\xa5" * PAGE, PAGE)
        return runner.call(((WEIGHTS, 0), (INPUTS, PAGE - self.x.nbytes), (OUTPUTS, self.y_at)), timeout_s)

    def failure(self, library: Path, *, timeout_s: float = 5.0, **options: object) -> RunnerFailed:
        """What starting or calling it fails with."""
        limits = options.get("limits")
        launcher = options.get("launcher")
        try:
            runner = self.start(
                library, limits=limits if isinstance(limits, Limits) else None,
                launcher=launcher if isinstance(launcher, Launcher) else None,
            )  # fmt: skip
            self.call(runner, timeout_s)
        except RunnerFailed as failed:
            return failed
        raise AssertionError("it was not stopped")

    @property
    def y(self) -> NDArray[np.float32]:
        return np.frombuffer(os.pread(self._outputs, ROWS * 4, self.y_at), dtype=np.float32)

    @property
    def right(self) -> bool:
        return bool(np.allclose(self.y, self.w.astype(np.float64) @ self.x, atol=1e-4))

    @property
    def weights_intact(self) -> bool:
        return os.pread(self._weights, self.w.nbytes, 0) == self.w.tobytes()

    def close(self) -> None:
        for runner in self.runners:
            runner.close()
        for descriptor in (self._weights, self._inputs, self._outputs, *(s.fd for s in self.segments[:2])):
            os.close(descriptor)
