"""The programs of this target, built once by the C compiler here: what asks the GPU what it is, the runner, and what
times NVIDIA's own GEMM.

None needs anything of CUDA to be built: the driver's library is looked for when they run.
"""

import hashlib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from kernels.targets.base import CompileFailed, TargetError
from kernels.targets.cpu_c.harness import NATIVE as SHARED
from kernels.targets.cpu_c.toolchain import Compiler

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
    """driver: name or path of the driver's library. Several processes may build it at once; the last one wins, all are
    alike. Raises: TargetError."""
    words = (*FLAGS, f'-DKW_CUDA_LIBRARY="{driver}"')
    sources = [path for folder in (SHARED, NATIVE) for path in sorted(folder.iterdir()) if path.suffix in (".c", ".h")]
    folder = cache / _digest(program, compiler, words, sources)
    binary = folder / program
    if not binary.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder) as work:
            _build(program, compiler, Path(work), words, sources)
            (Path(work) / program).replace(binary)
    return binary


def _build(program: str, compiler: Compiler, work: Path, words: tuple[str, ...], sources: list[Path]) -> None:
    for path in sources:
        (work / path.name).write_bytes(path.read_bytes())
    try:
        compiler.run([*words, *UNITS[program], "-o", program, "-ldl"], work)
    except CompileFailed as failure:
        raise TargetError(
            f"the CUDA harness {program}", failure.root_cause, "This system lacks what the harness needs"
        ) from failure


def _digest(program: str, compiler: Compiler, words: tuple[str, ...], sources: list[Path]) -> str:
    whole = hashlib.sha256(f"{program}{compiler.sha256}{words}".encode())
    for path in sources:
        whole.update(path.name.encode() + path.read_bytes())
    return whole.hexdigest()[:16]
