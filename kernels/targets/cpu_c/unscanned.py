"""Builds a candidate without the checks of source and object, so that the sandbox and the referee alone must hold.

Only for trying the harness itself: no candidate of a campaign comes this way.
"""

from pathlib import Path
from typing import Final

from kernels.targets.cpu_c.target import INCLUDE, LIBRARY
from kernels.targets.cpu_c.toolchain import Compiler, find_compiler
from kernels.targets.cpu_c.trampoline import trampoline
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec

FLAGS: Final = ("-std=gnu11", "-O2", "-march=native", "-w", "-D_GNU_SOURCE", "-shared", "-fPIC")


def build_unscanned(candidate: Candidate, spec: KernelSpec, folder: Path) -> Path:
    """The shared object. Raises: CompileFailed, TargetError without a compiler."""
    folder = folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {**candidate.files, "trampoline.c": trampoline(spec)}.items():
        (folder / name).write_text(text, encoding="utf-8")
    compiler: Compiler = find_compiler((INCLUDE,))
    words = [*FLAGS, *candidate.flags, "-I", str(INCLUDE), candidate.main, "trampoline.c", "-o", LIBRARY, "-lm"]
    compiler.run(words, folder)
    return folder / LIBRARY
