"""Compiles a candidate with gcc around a serial stand-in for the thread pool and calls it."""

import ctypes
import re
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec

INCLUDE = Path(__file__).parents[3] / "kernels/targets/cpu_c/include"
# two shares, or chunks in reverse order: what depends on the order of iterations shows
POOL = """
void kw_parallel_for(int64_t n, int64_t chunk, kw_body body, void *context) {
    int64_t size = chunk > 0 ? chunk : (n + 1) / 2;
    for (int64_t begin = (n - 1) / size * size; begin >= 0; begin -= size)
        body(context, begin, begin + size < n ? begin + size : n, (int)(begin / size % 2));
}
int kw_threads(void) { return 2; }
"""


def compiled(candidate: Candidate, spec: KernelSpec, folder: Path, *flags: str) -> Callable[..., object]:
    """The entry point. Raises: AssertionError with the compiler's words."""
    stem = folder / f"k{candidate.id}"
    stem.with_suffix(".c").write_text(candidate.source + POOL)
    command = [
        "gcc",
        "-std=gnu11",
        "-O1",
        "-march=native",
        "-shared",
        "-fPIC",
        f"-I{INCLUDE}",
        *candidate.flags,
        *flags,
    ]
    done = subprocess.run(
        [*command, str(stem.with_suffix(".c")), "-o", str(stem.with_suffix(".so")), "-lm"],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return getattr(ctypes.CDLL(str(stem.with_suffix(".so"))), spec.entry)


def compiled_all(candidates: Sequence[Candidate], spec: KernelSpec, folder: Path) -> list[Callable[..., object]]:
    """The entry points of many candidates, from one library. Raises: AssertionError with the compiler's words."""
    entry = re.compile(rf"\b{spec.entry}\b(?=\s*\()")
    sources = [folder / f"k{number}.c" for number in range(len(candidates))]
    for number, (path, candidate) in enumerate(zip(sources, candidates, strict=True)):
        path.write_text(entry.sub(f"{spec.entry}_{number}", candidate.source))
    pool, library = folder / "pool.c", folder / "all.so"
    pool.write_text('#include "kernelwright.h"\n' + POOL)
    command = ["gcc", "-std=gnu11", "-O1", "-march=native", "-shared", "-fPIC", f"-I{INCLUDE}", "-w"]
    done = subprocess.run(
        [*command, *map(str, sources), str(pool), "-o", str(library), "-lm"],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    loaded = ctypes.CDLL(str(library))
    return [getattr(loaded, f"{spec.entry}_{number}") for number in range(len(candidates))]


def call(function: Callable[..., object], spec: KernelSpec, arrays: Mapping[str, NDArray]) -> None:
    """Calls it with these arrays."""
    arguments = [ctypes.c_void_p(arrays[a.name].ctypes.data) for a in spec.arguments]
    function(*arguments)


def largest_error(got: NDArray, wanted: NDArray[np.float64]) -> float:
    return float(np.abs(got - wanted).max() / np.abs(wanted).max())
