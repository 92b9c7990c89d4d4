"""The compiler of this target: found by absolute path, run in a clean environment, confined, killed as a group.

Sources are hostile to the compiler too: `#include` and `.incbin` read files, macros and arrays eat memory. Where
bubblewrap works the compiler sees the system's folders and the build's own, no network, and nothing else.
"""

import hashlib
import os
import re
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from kernels.sandbox.launch import Launcher, best_launcher, system_binds
from kernels.sandbox.processes import kill_tree
from kernels.targets.base import CompileFailed, TargetError
from kernels.targets.cpu_c.diagnostics import root_cause, text_of

_UNABLE: Final = re.compile(
    r"^[^\s:]+: (fatal error: |error: )?(cannot execute|error trying to exec|cannot find .?ld)|^(sh|bwrap|/bin/sh): ",
    re.MULTILINE,
)
SEARCH: Final = "/usr/bin:/usr/local/bin:/bin"
TIMEOUT_S: Final = 60.0
OUTPUT_BYTES: Final = 8 << 20
DEFAULT: Final = "gcc"
Kind = Literal["gcc", "clang"]
SUPPORTED: Final = "Supported are gcc (9 or newer) and clang (11 or newer)"
_LIMITS: Final = (  # what, amount, and how ulimit of a POSIX shell counts it
    (resource.RLIMIT_AS, 4 << 30, "-v", 1024),
    (resource.RLIMIT_CPU, int(TIMEOUT_S), "-t", 1),
    (resource.RLIMIT_FSIZE, 64 << 20, "-f", 512),
    (resource.RLIMIT_CORE, 0, "-c", 512),
)


@dataclass(frozen=True, slots=True)
class Compiler:
    """path: absolute, links resolved; version: its first line; sha256: of the binary. tool: bubblewrap, if it may be
    used; readable: folders that sources may include from."""

    path: Path
    version: str
    sha256: str
    tool: str = ""
    readable: tuple[Path, ...] = ()
    kind: Kind = "gcc"

    def run(self, words: Sequence[str], folder: Path) -> str:
        """Its diagnostics when it succeeds. Raises: CompileFailed."""
        returncode, raw = self.output(words, folder)
        text = text_of(raw)
        if returncode:
            raise CompileFailed("compile_error", root_cause(text), text)
        return text

    def refuse_broken(self, diagnostics: str) -> None:
        """Called with what a failed build printed. Where that names no fault of a source, one of our own is built.

        Raises: TargetError when that fails too: the toolchain is at fault.
        """
        if not _UNABLE.search(diagnostics):
            return
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "trial.c").write_text("int trial;\n", encoding="utf-8")
            returncode, raw = self.output(["-shared", "-fPIC", "trial.c", "-o", "trial.so"], Path(folder))
        if returncode:
            found = f"it builds nothing any more: {root_cause(text_of(raw)) or f'exit code {returncode}'}"
            raise TargetError(f"compiler {self.path}", found, "Put its parts back")

    def output(self, words: Sequence[str], folder: Path) -> tuple[int, bytes]:
        """Its exit code and everything it wrote. Raises: CompileFailed when it takes too long."""
        output = os.memfd_create("diagnostics", os.MFD_CLOEXEC)
        try:
            returncode = self._wait(self._start(words, folder, output))
            return returncode, os.pread(output, OUTPUT_BYTES, 0)
        finally:
            os.close(output)

    def _start(self, words: Sequence[str], folder: Path, output: int) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [*_limited(), *self._confined(folder), str(self.path), *words], cwd=folder,
            stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
            env={"LC_ALL": "C", "PATH": SEARCH, "TMPDIR": str(folder)},
        )  # fmt: skip

    def _wait(self, process: "subprocess.Popen[bytes]") -> int:
        try:
            return process.wait(timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            raise CompileFailed("compile_timeout", f"the compiler took more than {TIMEOUT_S:g} s") from None
        finally:
            if process.returncode is None:
                kill_tree(process.pid)
                process.wait()

    def _confined(self, folder: Path) -> list[str]:
        if not self.tool:
            return []
        readable = [word for path in self.readable for word in ("--ro-bind", str(path), str(path))]
        own = ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--dev", "/dev"]
        return [self.tool, *own, *system_binds(), *readable, "--bind", str(folder), str(folder), "--chdir", str(folder)]


def _limited() -> list[str]:
    """Words in front of a command: a shell that takes the limits on and becomes the command, or ends with an error.

    Set from outside, after the start, they would miss what the compiler has started by then.
    """
    asked = " && ".join(f"ulimit {letter} {_bound(what, most) // unit}" for what, most, letter, unit in _LIMITS)
    return ["/bin/sh", "-c", f'{asked} && exec "$@"', "sh"]


def _bound(what: int, most: int) -> int:
    """No more than this process itself may have."""
    _, hard = resource.getrlimit(what)
    return most if hard == resource.RLIM_INFINITY else min(most, hard)


def find_compiler(readable: tuple[Path, ...] = (), name: str = DEFAULT) -> Compiler:
    """name: a path, or a name to be found in SEARCH. Raises: TargetError when there is none, or it is neither gcc nor
    clang."""
    path = place_of(name)
    said = _version(path)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return Compiler(path, said.splitlines()[0], digest, _tool(path), readable, _kind(path, said))


def find_tool(name: str) -> Compiler:
    """What is run as a compiler is, and is none, e.g. llvm-mca. Raises: TargetError when there is none."""
    path = place_of(name)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return Compiler(path, _version(path).splitlines()[0], digest, _tool(path))


def place_of(name: str) -> Path:
    """Absolute, links resolved. Raises: TargetError when there is nothing."""
    found = shutil.which(name, path=SEARCH) if "/" not in name else shutil.which(Path(name).absolute())
    if found is not None:
        return Path(found).resolve()
    where = f"none in {SEARCH}" if "/" not in name else "there is no program at this path"
    raise TargetError(f"compiler {name}", where, "Install it (Debian: apt-get install gcc), or name another")


def _version(path: Path) -> str:
    try:
        done = subprocess.run(
            [path, "--version"], capture_output=True, text=True, check=False, env={"LC_ALL": "C", "PATH": SEARCH},
            stdin=subprocess.DEVNULL, timeout=TIMEOUT_S, errors="replace",
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise TargetError(f"compiler {path}", f"it cannot be run: {error}", SUPPORTED) from error
    if done.returncode or not done.stdout.strip():
        raise TargetError(f"compiler {path}", f"`--version` ends with {done.returncode} and says nothing", SUPPORTED)
    return done.stdout


def _kind(path: Path, said: str) -> Kind:
    if "clang" in said:
        return "clang"
    if "Free Software Foundation" in said:
        return "gcc"
    raise TargetError(f"compiler {path}", f"it calls itself {said.splitlines()[0]!r}", SUPPORTED)


def _tool(compiler: Path) -> str:
    """bubblewrap, when it works and the compiler lies within the folders that it shows."""
    launcher: Launcher = best_launcher()
    seen = any(compiler.is_relative_to(folder) for folder in system_binds() if folder.startswith("/"))
    return launcher.tool if launcher.level == "bwrap+seccomp" and seen else ""
