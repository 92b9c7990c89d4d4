"""The two programs of this target: the compiler, which a build runs, and the runner; both built once."""

import hashlib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from kernels.targets.base import CompileFailed, TargetError
from kernels.targets.cpu_c.harness import NATIVE as SHARED
from kernels.targets.cpu_c.toolchain import Compiler
from kernels.targets.opencl.platform import Place

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
    """Several processes may build it at once; the last one wins, all are alike. Raises: TargetError."""
    words = (
        *FLAGS, f'-DKW_OPENCL_LIBRARY="{place.library}"', f'-DKW_OPENCL_VENDORS="{place.vendors}"',
        f'-DKW_OPENCL_HOME="{place.library.parent.parent}"', f'-DKW_OPENCL_CACHE="{CACHE[program]}"',
    )  # fmt: skip
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
            f"the OpenCL harness {program}", failure.root_cause, "This system lacks what the harness needs"
        ) from failure


def _digest(program: str, compiler: Compiler, words: tuple[str, ...], sources: list[Path]) -> str:
    whole = hashlib.sha256(f"{program}{compiler.sha256}{words}".encode())
    for path in sources:
        whole.update(path.name.encode() + path.read_bytes())
    return whole.hexdigest()[:16]
