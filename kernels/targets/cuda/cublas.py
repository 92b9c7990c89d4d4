"""NVIDIA's own GEMM, cuBLAS: the number to beat for a product of matrices, timed by a program of the harness.

A candidate has no host code and cannot call it. A product is known by its contract: bf16 X of M x K and W of N x K as
input and weight, bf16 Y of M x N as output, 2 M N K operations; nothing but the reference shows that it is Y = X W^T.
"""

import os
import statistics
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from kernels.values.kernel import KernelSpec

CALLS: Final = 24
TIMEOUT_S: Final = 120.0
INSTALL: Final = "Install it (the toolkit has it, and the package nvidia-cublas of PyPI)"
NAME: Final = "libcublas.so*"
FOLDERS: Final = ("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64")
LOST: Final = "no number of NVIDIA's GEMM to compare with: `bench cublas` is skipped"


class NoGemm(Exception):
    """It could not be timed: what the program said."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of Y[M, N] = X[M, K] W[N, K]^T."""

    m: int
    n: int
    k: int

    @property
    def operations(self) -> int:
        return 2 * self.m * self.n * self.k


@dataclass(frozen=True, slots=True)
class Timed:
    """Nanoseconds of each call: by the clock of the host with the round trip in it, and by CUDA's events."""

    version: str
    host: tuple[float, ...]
    events: tuple[float, ...]

    @property
    def ns(self) -> float:
        """Median by the events."""
        return statistics.median(self.events)


def sizes_of(spec: KernelSpec) -> Sizes | None:
    """At its shape. None for a contract that is no such product."""
    arrays = [a for a in spec.arguments if a.shape]
    if [a.role for a in arrays] != ["input", "weight", "output"] or any(a.dtype != "bf16" for a in arrays):
        return None
    x, w, y = (a.shape for a in arrays)
    if not (len(x) == len(w) == len(y) == 2 and x[1] == w[1] and y == (x[0], w[0])):
        return None
    found = Sizes(x[0], w[0], x[1])
    return found if spec.operations == found.operations else None


def timed(program: Path, library: str, sizes: Sizes, calls: int = CALLS) -> Timed:
    """program: the built one. Raises: NoGemm."""
    words = [program, library, *map(str, (sizes.m, sizes.n, sizes.k, calls))]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoGemm(str(error)) from error
    lines = [line.split() for line in done.stdout.splitlines()]
    if done.returncode:
        raise NoGemm(done.stdout.strip().splitlines()[-1] if lines else f"it ended with {done.returncode}")
    both = [(float(host), float(event)) for word, host, event in (one for one in lines if one[0] == "call")]
    version = next((one[1] for one in lines if one[0] == "version"), "")
    return Timed(version, tuple(host for host, _ in both), tuple(event for _, event in both))


def place(root: Path) -> str:
    """root: of the toolkit. The library's path, "" where it is not."""
    found = (path for folder in _folders(root) for path in sorted(folder.glob(NAME)))
    return next((str(path) for path in found), "")


def _folders(root: Path) -> Iterator[Path]:
    yield from (root / "lib64", root / "lib")
    package = find_spec("nvidia")
    places = package.submodule_search_locations if package is not None else None
    for one in places or ():
        yield from sorted(Path(one).glob("*/lib"))
    yield from (Path(folder) for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":") if folder)
    yield from map(Path, FOLDERS)
