"""The two programs of this target: the compiler, which a build runs, and the runner; both built once."""

from pathlib import Path
from typing import Final

from kernels.targets import programs
from kernels.targets.cpu_c.harness import NATIVE as SHARED
from kernels.targets.cpu_c.toolchain import Compiler
from kernels.targets.opencl.platform import Place
from kernels.targets.programs import Program

NATIVE: Final = Path(__file__).parent / "native"
FLAGS: Final = ("-std=gnu11", "-O2", "-Wall", "-fvisibility=hidden", "-Wl,-z,relro,-z,now")
BUILDER, RUNNER = "kw-cl-build", "kw-runner"
CACHE: Final = {BUILDER: "cl-cache", RUNNER: "/kw/cache"}
"""Where OpenCL keeps what it compiles: the builder's in the folder of the build, the runner's in a folder in memory."""
UNITS: Final = {
    BUILDER: ("cl_api.c", "cl_build.c"),
    RUNNER: (
        "cl_api.c", "cl_calls.c", "cl_confine.c", "cl_marks.c", "cl_program.c", "cl_runner.c",
        "faults.c", "filter.c", "limits.c", "raw.c", "segments.c",
    ),
}  # fmt: skip


def built(program: str, compiler: Compiler, place: Place, cache: Path) -> Path:
    """Raises: TargetError."""
    words = (
        *FLAGS, f'-DKW_OPENCL_LIBRARY="{place.library}"', f'-DKW_OPENCL_VENDORS="{place.vendors}"',
        f'-DKW_OPENCL_HOME="{place.library.parent.parent}"', f'-DKW_OPENCL_CACHE="{CACHE[program]}"',
    )  # fmt: skip
    made = Program(program, f"the OpenCL harness {program}", words, UNITS[program], ("-ldl",), (SHARED, NATIVE))
    return programs.built(made, compiler, cache, f"{program}{compiler.sha256}")
