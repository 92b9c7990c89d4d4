"""What a person can do so that candidates run at the full level of isolation."""

import shutil
from pathlib import Path
from typing import Final

from kernels.sandbox.launch import LOST, TOOLS, Launcher

INSTALL: Final = "install it (Debian: apt-get install bubblewrap; Fedora: dnf install bubblewrap)"
SWITCHES: Final = {  # a switch of the kernel, and the value with which it forbids user namespaces
    "kernel/unprivileged_userns_clone": "0",
    "kernel/apparmor_restrict_unprivileged_userns": "1",
    "user/max_user_namespaces": "0",
}


def advice(launcher: Launcher, system: Path = Path("/proc/sys")) -> str:
    """One sentence; "" at the full level."""
    if not LOST[launcher.level]:
        return ""
    return f"sandbox {launcher.level}: {LOST[launcher.level]}; for the full level {_step(system)}"


def _step(system: Path) -> str:
    if shutil.which("bwrap", path=TOOLS) is None:
        return INSTALL
    closed = [name for name, value in SWITCHES.items() if _value(system / name) == value]
    if closed:
        return f"permit user namespaces: sysctl {', '.join(n.replace('/', '.') for n in closed)} forbids them"
    return "permit user namespaces to this container (docker: --security-opt seccomp=unconfined, or --privileged)"


def _value(path: Path) -> str:
    return path.read_text(encoding="ascii").strip() if path.exists() else ""
