"""Where CUDA's compilers are: by a name or path that is asked for, else on PATH, in CUDA_HOME, in /usr/local/cuda.

What is found may be a script that calls the real nvcc: `nvcc --dryrun` says in which folder its parts lie.
"""

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from kernels.sandbox.launch import Launcher, system_binds
from kernels.targets.base import TargetError
from kernels.targets.cpu_c.toolchain import Compiler

USUAL: Final = Path("/usr/local/cuda/bin/nvcc")
OLDEST: Final = 12
INSTALL: Final = (
    "Install CUDA's compilers (nvcc, ptxas; packages nvidia-cuda-nvcc and nvidia-cuda-runtime of PyPI are enough), and "
    "put nvcc on PATH, set CUDA_HOME, or name it by --compiler"
)
TIMEOUT_S: Final = 60.0
Marks = tuple[tuple[str, int, int, int], ...]
PARTS: Final = ("nvcc", "ptxas", "cicc")
EXTRAS: Final = ("nvdisasm", "ncu")
_HERE: Final = re.compile(r"^#\$ _HERE_=(.+)$", re.MULTILINE)
_CICC: Final = re.compile(r"^#\$ CICC_PATH=(.+)$", re.MULTILINE)
_RELEASE: Final = re.compile(r"release (\d+)\.(\d+), (V[\d.]+)")


@dataclass(frozen=True, slots=True)
class Toolkit:
    """nvcc, ptxas: confined compilers. release: (major, minor). sha256: over nvcc, ptxas and cicc. tools: of EXTRAS
    those that are here. marks: of the files of PARTS, which change when somebody touches one."""

    nvcc: Compiler
    ptxas: Compiler
    release: tuple[int, int]
    version: str
    sha256: str
    tools: Mapping[str, Path]
    marks: Marks = ()

    @property
    def root(self) -> Path:
        """The folder with bin, include, lib."""
        return self.nvcc.path.parent.parent

    def tool(self, name: str) -> Compiler | None:
        """One of EXTRAS, confined as the compilers are."""
        path = self.tools.get(name)
        if path is None:
            return None
        return Compiler(path, self.version, self.sha256, self.nvcc.tool, (*self.nvcc.readable, path.parent))


def find_toolkit(launcher: Launcher, asked: str = "") -> Toolkit:
    """asked: a name or path, "" for the first that is found. Raises: TargetError."""
    nvcc = _place(asked)
    with TemporaryDirectory(prefix="kw-cuda-") as folder:
        said = _run(nvcc, ["--dryrun", "-ptx", "none.cu"], Path(folder))
    here = _folder(_HERE, said, nvcc)
    paths = {"nvcc": here / "nvcc", "ptxas": here / "ptxas", "cicc": _folder(_CICC, said, nvcc) / "cicc"}
    for name, path in paths.items():
        if not path.is_file():
            raise TargetError(f"CUDA's {name}", f"{nvcc} names {path}, and it is not there", INSTALL)
    release, version = _release(nvcc)
    digest = hashlib.sha256()
    for name in PARTS:
        digest.update(hashlib.sha256(paths[name].read_bytes()).digest())
    readable = () if _shown(here) else (here.parent,)
    compilers = (Compiler(paths[n], version, digest.hexdigest(), launcher.tool, readable) for n in ("nvcc", "ptxas"))
    return Toolkit(*compilers, release, version, digest.hexdigest(), dict(_extras(here)), _marks(paths.values()))


def present(known: Toolkit, launcher: Launcher, asked: str = "") -> Toolkit:
    """What would be found now: the known one as long as its files and the place that it was asked by are the same.

    Raises: TargetError while there is none that works, as in the middle of an upgrade.
    """
    files = [Path(path) for path, *_ in known.marks]
    same = all(path.is_file() for path in files) and _marks(files) == known.marks
    return known if same and _place(asked).is_file() else find_toolkit(launcher, asked)


def _marks(files: Iterable[Path]) -> Marks:
    found = ((path, path.stat()) for path in files)
    return tuple((str(path), one.st_ino, one.st_size, one.st_mtime_ns) for path, one in found)


def _place(asked: str) -> Path:
    if asked:
        found = shutil.which(asked)
        if found is None:
            raise TargetError(f"compiler {asked}", "there is no such program", INSTALL)
        return Path(found).absolute()
    tried = list(_places())
    found_here = next((path for path in tried if os.access(path, os.X_OK)), None)
    if found_here is None:
        looked = "nothing on PATH" + "".join(f", none at {path}" for path in tried)
        raise TargetError("CUDA's compiler nvcc", looked, INSTALL)
    return found_here


def _places() -> Iterator[Path]:
    named = shutil.which("nvcc")
    if named is not None:
        yield Path(named).absolute()
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if folder := os.environ.get(variable, ""):
            yield Path(folder).absolute() / "bin" / "nvcc"
    yield USUAL


def _run(nvcc: Path, words: list[str], folder: Path) -> str:
    """Everything it writes. Raises: TargetError when it cannot be run."""
    try:
        done = subprocess.run(
            [nvcc, *words], capture_output=True, text=True, check=False, cwd=folder, stdin=subprocess.DEVNULL,
            timeout=TIMEOUT_S, errors="replace", env={"LC_ALL": "C", "PATH": "/usr/bin:/usr/local/bin:/bin"},
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise TargetError(f"compiler {nvcc}", f"it cannot be run: {error}", INSTALL) from error
    return done.stdout + done.stderr


def _folder(pattern: re.Pattern[str], said: str, nvcc: Path) -> Path:
    found = pattern.search(said)
    if found is None:
        told = said.strip().splitlines()[:1] or ["nothing"]
        raise TargetError(f"compiler {nvcc}", f"`--dryrun` does not say where its parts are, but {told[0]!r}", INSTALL)
    return Path(found[1].strip()).resolve()


def _release(nvcc: Path) -> tuple[tuple[int, int], str]:
    said = _run(nvcc, ["--version"], Path("/"))
    found = _RELEASE.search(said)
    if found is None:
        raise TargetError(f"compiler {nvcc}", f"`--version` says no release: {said.strip()[:80]!r}", INSTALL)
    release = int(found[1]), int(found[2])
    if release[0] < OLDEST:
        raise TargetError(
            f"compiler {nvcc}", f"it is of CUDA {found[1]}.{found[2]}", f"CUDA {OLDEST} is the oldest here"
        )
    return release, f"CUDA {found[1]}.{found[2]}, {found[3]}"


def _extras(here: Path) -> Iterator[tuple[str, Path]]:
    """Beside nvcc, else in NVIDIA's Python packages, else on PATH."""
    package = find_spec("nvidia")
    places = [Path(one) for one in (package.submodule_search_locations or () if package is not None else ())]
    folders = [str(here), *(str(path) for place in places for path in sorted(place.glob("*/bin")))]
    for name in EXTRAS:
        found = shutil.which(name, path=os.pathsep.join(folders)) or shutil.which(name)
        if found is not None:
            yield name, Path(found).resolve()


def _shown(folder: Path) -> bool:
    """Whether the sandbox shows it in any case."""
    return any(folder.is_relative_to(one) for one in system_binds() if one.startswith("/"))
