"""The compiler of this target: found by absolute path, run in a clean environment, killed as a group."""

import hashlib
import os
import shutil
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kernels.targets.base import CompileFailed, TargetError
from kernels.targets.cpu_c.diagnostics import root_cause, text_of

SEARCH: Final = "/usr/bin:/usr/local/bin:/bin"
TIMEOUT_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class Compiler:
    """path: absolute, links resolved; version: its first line; sha256: of the binary."""

    path: Path
    version: str
    sha256: str

    def run(self, words: list[str], folder: Path) -> str:
        """Its diagnostics when it succeeds. Raises: CompileFailed."""
        process = subprocess.Popen(
            [str(self.path), *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env={"LC_ALL": "C", "PATH": SEARCH, "TMPDIR": str(folder)},
            start_new_session=True,
        )  # fmt: skip
        try:
            raw, _ = process.communicate(timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise CompileFailed("compile_timeout", f"the compiler took more than {TIMEOUT_S:g} s") from None
        text = text_of(raw)
        if process.returncode:
            raise CompileFailed("compile_error", root_cause(text), text)
        return text


def find_compiler(name: str = "gcc") -> Compiler:
    """Raises: TargetError when there is none."""
    found = shutil.which(name, path=SEARCH)
    if found is None:
        raise TargetError(f"compiler {name}", f"none in {SEARCH}", "Install it (Debian: apt-get install gcc)")
    path = Path(found).resolve()
    version = subprocess.run(
        [path, "--version"], capture_output=True, text=True, check=True, env={"LC_ALL": "C"}
    ).stdout
    return Compiler(path, version.splitlines()[0], hashlib.sha256(path.read_bytes()).hexdigest())


def machine_code_hash(path: Path) -> str:
    """SHA-256 over code, constants and relocations of an object file; names and debug data do not count."""
    words = ["-s", "-r"]
    for section in (".text", ".text.unlikely", ".text.hot", ".text.startup", ".data", ".rodata", ".rodata.cst4",
                    ".rodata.cst8", ".rodata.cst16", ".rodata.cst32", ".rodata.cst64", ".data.rel.ro"):  # fmt: skip
        words += ["-j", section]
    done = subprocess.run(
        ["objdump", *words, path.name], cwd=path.parent, capture_output=True, check=False, timeout=TIMEOUT_S,
        env={"LC_ALL": "C", "PATH": SEARCH},
    )  # fmt: skip
    return hashlib.sha256(done.stdout).hexdigest()
