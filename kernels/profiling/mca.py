"""Runs llvm-mca: the cycles that a model of a core takes for a turn of a loop, with every load in the first cache.

The text that it reads comes from a candidate, so it is started as the compiler is: by absolute path, in a clean
environment, with limits, confined where that is possible.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kernels.profiling.disassembly import Instruction
from kernels.targets.base import CompileFailed, TargetError
from kernels.targets.cpu_c.toolchain import Compiler, find_tool
from kernels.values.machine import Machine

TURNS: Final = 100
INPUT: Final = "loops.s"
MOST_LOOPS: Final = 8
_OPTIONS: Final = (f"-iterations={TURNS}", "-instruction-info=0", "-resource-pressure=0", INPUT)
_CYCLES: Final = re.compile(r"^Total Cycles: +(\d+)$", re.MULTILINE)
_UNKNOWN: Final = "not a recognized processor"
_VECTORS: Final = (("avx512f", "vfmadd231ps (%rdi), %zmm1, %zmm2"), ("avx2", "vpaddd (%rdi), %ymm1, %ymm2"))
_ATTRIBUTES: Final = {"avx512_bf16": "avx512bf16", "avx512_fp16": "avx512fp16", "avx512_vnni": "avx512vnni",
                      "avx512vbmi": "avx512vbmi", "avx512_vbmi2": "avx512vbmi2", "avx512_bitalg": "avx512bitalg",
                      "avx512_vpopcntdq": "avx512vpopcntdq", "avx512ifma": "avx512ifma", "gfni": "gfni",
                      "vaes": "vaes", "avx_vnni": "avxvnni", "fma": "fma", "f16c": "f16c", "avx2": "avx2",
                      "bmi2": "bmi2"}  # fmt: skip
_AVX512: Final = ("icelake-server", "skylake-avx512")


class NoEstimate(Exception):
    """There is no estimate of this candidate; the text says why."""


@dataclass(frozen=True, slots=True)
class Mca:
    """model: the core that it models. attributes: of this machine, where the model's core lacks them."""

    tool: Compiler
    model: str
    attributes: tuple[str, ...]

    @property
    def name(self) -> str:
        """`llvm-mca 14.0.6, model icelake-server`."""
        version = re.search(r"\d+(\.\d+)+", self.tool.version)
        return f"llvm-mca {version.group(0) if version else '?'}, model {self.model}"

    def cycles(self, bodies: Sequence[Sequence[Instruction]], folder: Path) -> list[float]:
        """Cycles of a turn of each loop. Raises: NoEstimate when one of them cannot be read."""
        try:
            said = self._run("".join(_region(n, body) for n, body in enumerate(bodies)), folder)
        except CompileFailed as failure:
            raise NoEstimate(f"llvm-mca cannot read the hot loop: {failure.root_cause}") from failure
        found = [int(total) / TURNS for total in _CYCLES.findall(said)]
        if len(found) != len(bodies):
            raise NoEstimate(f"llvm-mca told of {len(found)} loops, {len(bodies)} were asked for")
        return found

    def fits(self, machine: Machine, folder: Path) -> bool:
        """Whether this llvm-mca has the model, and the model the vectors of this machine."""
        vector = next((text for flag, text in _VECTORS if machine.has(flag)), "addq (%rdi), %rax")
        try:
            return _UNKNOWN not in self._run(f"\t{vector}\n", folder)
        except CompileFailed:
            return False

    def _run(self, text: str, folder: Path) -> str:
        """Raises: CompileFailed."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / INPUT).write_text(text, encoding="utf-8")
        attributes = [f"-mattr={','.join(f'+{one}' for one in self.attributes)}"] if self.attributes else []
        return self.tool.run([f"-mcpu={self.model}", *attributes, *_OPTIONS], folder)


def find_mca(machine: Machine, folder: Path) -> Mca:
    """folder: to try the models in. Raises: NoEstimate when llvm-mca is missing, or has no model for this machine."""
    if machine.architecture != "x86_64":
        raise NoEstimate(f"there is no reader of {machine.architecture} machine code")
    try:
        tool = find_tool("llvm-mca")
    except TargetError as missing:
        raise NoEstimate("llvm-mca is missing (Debian: apt-get install llvm)") from missing
    attributes = tuple(sorted(name for flag, name in _ATTRIBUTES.items() if machine.has(flag)))
    tried = (Mca(tool, model, attributes) for model in _models(machine))
    found = next((one for one in tried if one.fits(machine, folder)), None)
    if found is None:
        raise NoEstimate(f"{tool.version.strip()} has no model for {machine.model}")
    return found


def _models(machine: Machine) -> tuple[str, ...]:
    """Cores to model this machine with, the best first; one that lacks its vectors could not read its code."""
    amd, avx512 = "AMD" in machine.model, machine.has("avx512f")
    if avx512:
        return (*(("znver5", "znver4") if amd else ("sapphirerapids",)), *_AVX512)
    if machine.has("avx2"):
        return (*(("znver3", "znver2") if amd else ("alderlake", "skylake")), "haswell")
    return ("x86-64-v2", "sandybridge", "x86-64")


def _region(number: int, body: Sequence[Instruction]) -> str:
    lines = "".join(f"\t{one.text}\n" for one in body)
    return f"# LLVM-MCA-BEGIN loop{number}\n{lines}# LLVM-MCA-END\n"
