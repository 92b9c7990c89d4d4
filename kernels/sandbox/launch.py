"""How the runner is started: bubblewrap, else `unshare`, else resource limits alone; the level reached is reported.

Root gives up its identity (to `nobody`) wherever the level works without it.
"""

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal

Level = Literal["bwrap+seccomp", "unshare+seccomp", "rlimits+seccomp"]
LOST: Final[dict[str, str]] = {
    "bwrap+seccomp": "",
    "unshare+seccomp": "no file system view of its own: bubblewrap is missing or not permitted",
    "rlimits+seccomp": "no namespaces of its own: neither bubblewrap nor unshare works here",
}
SYSTEM: Final = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/nix/store", "/gnu/store")
TOOLS: Final = "/usr/bin:/bin:/usr/local/bin"
NOBODY: Final = 65534
_PROBE_S: Final = 5.0
_RUNNER, _LIBRARY = "/kw/runner", "/kw/candidate.so"


@dataclass(frozen=True, slots=True)
class Launcher:
    """A way to start a runner. tool: bwrap or unshare by absolute path. as_nobody: root becomes nobody first."""

    level: Level
    tool: str = ""
    as_nobody: bool = False

    @property
    def user(self) -> int | None:
        return NOBODY if self.as_nobody else None

    def command(self, runner: int, library: int) -> list[str]:
        """Words that run an executable; the last one is the path of the library as the runner will see it.

        runner, library: inherited descriptors of the two files, read from the start.
        """
        if self.level == "bwrap+seccomp":
            files = [*_file(runner, "0555", _RUNNER), *_file(library, "0444", _LIBRARY)]
            return [*_bwrap(self.tool), *files, "--", _RUNNER, _LIBRARY]
        paths = [f"/proc/self/fd/{runner}", f"/proc/self/fd/{library}"]
        return [*_unshare(self.tool), *paths] if self.level == "unshare+seccomp" else paths


def _file(descriptor: int, mode: str, path: str) -> list[str]:
    return ["--perms", mode, "--ro-bind-data", str(descriptor), path]


def system_binds() -> list[str]:
    """bwrap's words for compilers and libraries, read-only."""
    words: list[str] = []
    for folder in SYSTEM:
        path = Path(folder)
        if path.is_symlink():
            words += ["--symlink", str(path.readlink()), folder]
        elif path.is_dir():
            words += ["--ro-bind", folder, folder]
    return words


def _bwrap(tool: str) -> list[str]:
    own = ["--unshare-all", "--die-with-parent", "--new-session", "--as-pid-1", "--clearenv", "--cap-drop", "ALL"]
    return [tool, *own, *system_binds()]


def _unshare(tool: str) -> list[str]:
    return [tool, "--user", "--map-root-user", "--net", "--ipc", "--pid", "--fork", "--kill-child", "--"]


def _candidates() -> Iterator[Launcher]:
    """From the strongest to the weakest."""
    root = os.geteuid() == 0
    for level, name in (("bwrap+seccomp", "bwrap"), ("unshare+seccomp", "unshare")):
        tool = shutil.which(name, path=TOOLS)
        for as_nobody in (True, False) if root else (False,):
            if tool is not None:
                yield Launcher("bwrap+seccomp" if level == "bwrap+seccomp" else "unshare+seccomp", tool, as_nobody)
    if root:
        yield Launcher("rlimits+seccomp", as_nobody=True)


@cache
def best_launcher() -> Launcher:
    """The strongest that works here, found by trying each once."""
    return next((launcher for launcher in _candidates() if works(launcher)), Launcher("rlimits+seccomp"))


def works(launcher: Launcher) -> bool:
    """Whether `true` can be started this way."""
    program = shutil.which("true", path=TOOLS)
    if program is None:
        return False
    copies = [sealed_copy(Path(program)) for _ in range(2)]
    try:
        return run_quietly(launcher.command(*copies), copies, launcher.user)
    finally:
        for descriptor in copies:
            os.close(descriptor)


def run_quietly(command: Sequence[str], descriptors: Sequence[int], user: int | None) -> bool:
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=_PROBE_S, check=False, pass_fds=descriptors, env={}, cwd="/",
            user=user, group=user, extra_groups=None if user is None else [],
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def sealed_copy(path: Path) -> int:
    """A descriptor of the file's contents as they are now: nobody can change them any more.

    Raises: OSError.
    """
    descriptor = os.memfd_create(path.name[:100], os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    with path.open("rb") as source, os.fdopen(os.dup(descriptor), "wb") as copy:
        shutil.copyfileobj(source, copy)
    os.lseek(descriptor, 0, os.SEEK_SET)
    fcntl.fcntl(
        descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE
    )
    return descriptor
