"""One build: CUDA C++ to PTX, looked through, to a cubin with its report, in a folder of its own."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kernels.targets.base import CompileFailed
from kernels.targets.cpu_c.diagnostics import text_of
from kernels.targets.cuda import ptx
from kernels.targets.cuda.architecture import Architecture
from kernels.targets.cuda.census import Census, census, functions
from kernels.targets.cuda.cubin import NoCubin, Section, sections
from kernels.targets.cuda.diagnostics import root_cause
from kernels.targets.cuda.resources import Resources, read_resources
from kernels.targets.cuda.toolkit import Toolkit
from kernels.targets.opencl.launches import Launch, Plan
from kernels.targets.work import lay

INCLUDE: Final = Path(__file__).parent / "include"
HEADER: Final = "kernelwright.h"
PTX, CUBIN, ARTEFACT, REPORT = "candidate.ptx", "candidate.cubin", "candidate.cup", "report.json"
RESERVED: Final = frozenset({HEADER, PTX, CUBIN, ARTEFACT, REPORT})
UNUSED: Final = 177
"""A variable that is declared and not used: constants that only launches name."""
SUFFIXES: Final = (".cu", ".cuh", ".h", ".inc")


@dataclass(frozen=True, slots=True)
class Made:
    """cubin: the file's bytes; parts: its sections. resources: by kernel. text: what the compilers said."""

    cubin: bytes
    parts: Mapping[str, Section]
    resources: Mapping[str, Resources]
    text: str


def to_ptx(
    toolkit: Toolkit, chip: Architecture, files: Mapping[str, str], main: str, work: Path, flags: Sequence[str]
) -> tuple[int, str]:
    """Exit code and diagnostics. Raises: CompileFailed when it takes too long, or for the name of a file."""
    lay(files, work, SUFFIXES, RESERVED)
    shutil.copyfile(INCLUDE / HEADER, work / HEADER)
    words = ["-ptx", f"-arch={chip.name}", "-x", "cu", f"-diag-suppress={UNUSED}", *flags, "-I", ".", main, "-o", PTX]
    returncode, raw = toolkit.nvcc.output(words, work)
    return returncode, text_of(raw)


def look_at(work: Path, plans: Sequence[Plan]) -> None:
    """Raises: CompileFailed: object_scan for what a kernel must not have, compile_error for a launch of nothing."""
    text = (work / PTX).read_text(encoding="utf-8", errors="replace")
    problems = list(ptx.problems(text))
    if problems:
        raise CompileFailed("object_scan", problems[0], "\n".join(problems))
    known = ptx.entries(text)
    for one in _launches(plans):
        if one.function not in known:
            said = f'{one.function} is launched, and no extern "C" __global__ function has that name'
            raise CompileFailed("compile_error", said)


def assembled(toolkit: Toolkit, chip: Architecture, work: Path, flags: Sequence[str]) -> Made:
    """Raises: CompileFailed."""
    words = ["-v", f"-arch={chip.name}", *flags, PTX, "-o", CUBIN]
    returncode, raw = toolkit.ptxas.output(words, work)
    text = text_of(raw)
    if returncode:
        raise CompileFailed("compile_error", root_cause(text), text)
    cubin = (work / CUBIN).read_bytes()
    try:
        return Made(cubin, sections(cubin), read_resources(text), text)
    except NoCubin as why:
        raise CompileFailed("object_scan", f"ptxas made no cubin: {why}") from why


def fitting(plans: Sequence[Plan], chip: Architecture, resources: Mapping[str, Resources]) -> list[str]:
    """What each launch takes of a multiprocessor, as lines. Raises: CompileFailed for one that cannot be launched."""
    lines: list[str] = []
    for one in _launches(plans):
        found = resources.get(one.function)
        if found is None:
            continue
        shared, told = found.shared + one.shared, found.occupancy(chip, one.group, one.shared)
        what = f"{one.function}: {found.registers} registers, {shared} bytes of shared memory, {found.spills} of spills"
        if not told.blocks:
            bound = f"a block of {chip.name} has {chip.registers} registers and {chip.block_bytes} bytes"
            raise CompileFailed("compile_error", f"{what} do not fit a block of {one.group} threads: {bound}")
        lines.append(f"{what}; {told.text}")
    return list(dict.fromkeys(lines))


def counted(plans: Sequence[Plan], work: Path, toolkit: Toolkit) -> list[Census]:
    """Of each launched function."""
    text = (work / PTX).read_text(encoding="utf-8", errors="replace")
    known = functions(text, work / CUBIN, toolkit.tool("nvdisasm"))
    names = dict.fromkeys(one.function for one in _launches(plans))
    return [census(known[name]) for name in names if name in known]


def _launches(plans: Sequence[Plan]) -> list[Launch]:
    """Of all shapes, each kind once: how many blocks there are says nothing of one."""
    every = (one for plan in plans for one in plan.launches)
    return list({(one.function, one.group, one.shared): one for one in every}.values())
