"""The plug-in of target `cpu-c`."""

from pathlib import Path
from typing import Final

from kernels.targets.cpu_c.target import CpuC
from kernels.targets.plugin import HOST, Plugin

PLUGIN: Final = Plugin(
    "cpu-c", "C on the CPUs of this machine, by gcc or clang", CpuC,
    header=Path(__file__).parent / "include" / "kernelwright.h",
    make_with=lambda cache, compiler: CpuC(cache, compiler=compiler),
    hardware=HOST,
)  # fmt: skip
