"""The programs of this target, built once by the C compiler here: what asks the GPU what it is, the runner, and what
times NVIDIA's own GEMM.

None needs anything of CUDA to be built: the driver's library is looked for when they run.
"""

from pathlib import Path
from typing import Final

from kernels.targets import programs
from kernels.targets.cpu_c.harness import NATIVE as SHARED
from kernels.targets.cpu_c.toolchain import Compiler
from kernels.targets.programs import Program

NATIVE: Final = Path(__file__).parent / "native"
FLAGS: Final = ("-std=gnu11", "-O2", "-Wall", "-fvisibility=hidden", "-Wl,-z,relro,-z,now")
DESCRIBE, RUNNER, GEMM = "kw-cuda-describe", "kw-runner", "kw-cuda-gemm"
DRIVER: Final = "libcuda.so.1"
UNITS: Final = {
    DESCRIBE: ("cu_api.c", "cu_describe.c"),
    GEMM: ("cu_api.c", "cu_gemm.c"),
    RUNNER: (
        "cu_api.c", "cu_calls.c", "cu_confine.c", "cu_marks.c", "cu_memory.c", "cu_program.c", "cu_runner.c",
        "faults.c", "limits.c", "raw.c", "segments.c",
    ),
}  # fmt: skip


def built(program: str, compiler: Compiler, cache: Path, driver: str = DRIVER) -> Path:
    """driver: name or path of the driver's library. Raises: TargetError."""
    words = (*FLAGS, f'-DKW_CUDA_LIBRARY="{driver}"')
    made = Program(program, f"the CUDA harness {program}", words, UNITS[program], ("-ldl",), (SHARED, NATIVE))
    return programs.built(made, compiler, cache, f"{program}{compiler.sha256}")
