"""The runner binary: the harness's own C, built once for each toolchain and version of its sources."""

from pathlib import Path
from typing import Final

from kernels.targets.cpu_c.toolchain import Compiler
from kernels.targets.programs import Program, built, sources_in

NATIVE: Final = Path(__file__).parent / "native"
FLAGS: Final = ("-std=gnu11", "-O2", "-Wall", "-fvisibility=hidden", "-rdynamic", "-Wl,-z,relro,-z,now")
LIBRARIES: Final = ("-lpthread", "-ldl", "-Wl,--no-as-needed", "-lm")
ADDRESS_SANITIZER: Final = ("-DKW_SANITIZE", "-Wl,--no-as-needed", "-lasan")
BINARY: Final = "kw-runner"


def runner_binary(compiler: Compiler, cache: Path, fingerprint: str, *, sanitize: bool = False) -> Path:
    """sanitize: the runner that artefacts built with AddressSanitizer need.

    Raises: TargetError when it does not compile here.
    """
    words = (*FLAGS, *(ADDRESS_SANITIZER if sanitize else ()))
    units = tuple(path.name for path in sources_in(NATIVE) if path.suffix == ".c")
    return built(Program(BINARY, "the runner", words, units, LIBRARIES, (NATIVE,)), compiler, cache, fingerprint)
