"""How the runner is started: bubblewrap, else `unshare`, else resource limits alone; the level reached is reported."""

import shutil
import subprocess
from collections.abc import Sequence
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
SYSTEM: Final = ("/usr", "/lib", "/lib64", "/lib32", "/bin")
_PROBE_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class Launcher:
    """words: the command in front of the runner's own; files stay at their paths, read-only."""

    level: Level
    tool: str = ""

    def command(self, runner: Path, library: Path) -> list[str]:
        if self.level == "bwrap+seccomp":
            return [*_bwrap(self.tool), *_bound(runner.parent), *_bound(library.parent), "--", str(runner)]
        if self.level == "unshare+seccomp":
            return [*_unshare(self.tool), str(runner)]
        return [str(runner)]


def _bound(path: Path) -> list[str]:
    return ["--ro-bind", str(path), str(path)]


def _bwrap(tool: str) -> list[str]:
    words: list[str] = [
        tool,
        "--unshare-all",
        "--die-with-parent",
        "--new-session",
        "--as-pid-1",
        "--clearenv",
        "--cap-drop",
        "ALL",
    ]
    for folder in SYSTEM:
        path = Path(folder)
        if path.is_symlink():
            words += ["--symlink", str(path.readlink()), folder]
        elif path.is_dir():
            words += _bound(path)
    return words


def _unshare(tool: str) -> list[str]:
    return [tool, "--user", "--map-root-user", "--net", "--ipc", "--pid", "--fork", "--kill-child", "--"]


@cache
def best_launcher() -> Launcher:
    """The strongest level that works here, found by trying each once."""
    candidates: Sequence[tuple[Level, str, list[str]]] = (
        ("bwrap+seccomp", "bwrap", ["--unshare-all", "--as-pid-1", "--ro-bind", "/", "/", "true"]),
        ("unshare+seccomp", "unshare", [*_unshare("unshare")[1:], "true"]),
    )
    for level, name, words in candidates:
        tool = shutil.which(name, path="/usr/bin:/bin:/usr/local/bin")
        if tool is not None and _works([tool, *words]):
            return Launcher(level, tool)
    return Launcher("rlimits+seccomp")


def _works(command: list[str]) -> bool:
    try:
        done = subprocess.run(command, capture_output=True, timeout=_PROBE_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
