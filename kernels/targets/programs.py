"""Programs in C that belong to a target: built once for each toolchain and version of their sources."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from kernels.targets.base import CompileFailed, TargetError
from kernels.targets.cpu_c.toolchain import Compiler


@dataclass(frozen=True, slots=True)
class Program:
    """name: of the binary. title: in a complaint. words: for the compiler. units: names of the files that are compiled.
    folders: where these and the headers lie."""

    name: str
    title: str
    words: tuple[str, ...]
    units: tuple[str, ...]
    libraries: tuple[str, ...]
    folders: tuple[Path, ...]

    @property
    def sources(self) -> list[Path]:
        return [path for folder in self.folders for path in sources_in(folder)]


def sources_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix in (".c", ".h"))


def built(program: Program, compiler: Compiler, cache: Path, key: str) -> Path:
    """The binary. Several processes may build it at once; the last one wins, all are alike. key: of the toolchain.

    Raises: TargetError when it does not compile here.
    """
    folder = cache / _digest(program, key)
    binary = folder / program.name
    if not binary.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder) as work:
            _build(program, compiler, Path(work))
            (Path(work) / program.name).replace(binary)
    return binary


def _build(program: Program, compiler: Compiler, work: Path) -> None:
    for path in program.sources:
        (work / path.name).write_bytes(path.read_bytes())
    try:
        compiler.run([*program.words, *program.units, "-o", program.name, *program.libraries], work)
    except CompileFailed as failure:
        raise TargetError(program.title, failure.root_cause, "This system lacks what the harness needs") from failure


def _digest(program: Program, key: str) -> str:
    whole = hashlib.sha256(f"{key}{program.words}{program.libraries}".encode())
    for path in program.sources:
        whole.update(path.name.encode() + path.read_bytes())
    return whole.hexdigest()[:16]
