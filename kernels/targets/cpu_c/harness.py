"""The runner binary: the harness's own C, built once for each toolchain and version of its sources."""

import hashlib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from kernels.targets.base import CompileFailed, TargetError
from kernels.targets.cpu_c.toolchain import Compiler

NATIVE: Final = Path(__file__).parent / "native"
FLAGS: Final = ("-std=gnu11", "-O2", "-Wall", "-fvisibility=hidden", "-rdynamic", "-Wl,-z,relro,-z,now")
LIBRARIES: Final = ("-lpthread", "-ldl", "-Wl,--no-as-needed", "-lm")
ADDRESS_SANITIZER: Final = ("-DKW_SANITIZE", "-Wl,--no-as-needed", "-lasan")
BINARY: Final = "kw-runner"


def runner_binary(compiler: Compiler, cache: Path, fingerprint: str, *, sanitize: bool = False) -> Path:
    """Several processes may build it at once; the last one wins, all are alike.

    sanitize: the runner that artefacts built with AddressSanitizer need.
    Raises: TargetError when it does not compile here.
    """
    words = (*FLAGS, *(ADDRESS_SANITIZER if sanitize else ()))
    folder = cache / _digest(fingerprint, words)
    binary = folder / BINARY
    if binary.is_file():
        return binary
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder) as work:
        _build(compiler, Path(work), words)
        (Path(work) / BINARY).replace(binary)
    return binary


def _build(compiler: Compiler, work: Path, words: tuple[str, ...]) -> None:
    sources = sorted(path for path in NATIVE.iterdir() if path.suffix in (".c", ".h"))
    for path in sources:
        (work / path.name).write_bytes(path.read_bytes())
    units = [path.name for path in sources if path.suffix == ".c"]
    try:
        compiler.run([*words, *units, "-o", BINARY, *LIBRARIES], work)
    except CompileFailed as failure:
        raise TargetError("the runner", failure.root_cause, "This system lacks what the harness needs") from failure


def _digest(fingerprint: str, words: tuple[str, ...]) -> str:
    whole = hashlib.sha256(f"{fingerprint}{words}{LIBRARIES}".encode())
    for path in sorted(NATIVE.iterdir()):
        whole.update(path.name.encode() + path.read_bytes())
    return whole.hexdigest()[:16]
