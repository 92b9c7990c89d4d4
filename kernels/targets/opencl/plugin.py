"""The plug-in of target `opencl`."""

from pathlib import Path
from typing import Final

from kernels.targets.opencl.target import OpenCl
from kernels.targets.plugin import HOST, Plugin
from kernels.values.dialect import Dialect

PLUGIN: Final = Plugin(
    "opencl", "OpenCL C on the CPUs of this machine, by PoCL", OpenCl,
    dialect=Dialect("opencl", "baseline.cl", "kernel.cl"),
    gaps={
        "schedule": "no cost model reads the loops that PoCL makes of work-items: gate estimate is skipped",
        "sanitize": "PoCL builds no kernel with AddressSanitizer or traps for undefined behaviour",
    },
    header=Path(__file__).parent / "include" / "kernelwright.h",
    hardware=HOST,
)  # fmt: skip
