"""What this machine is, read from the kernel's own files."""

import os
import platform
import re
from pathlib import Path

from kernels.values.machine import Machine

CPUINFO = Path("/proc/cpuinfo")
CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def this_machine(threads: int | None = None) -> Machine:
    """threads: how many to use; None = every CPU that this process may run on."""
    text = CPUINFO.read_text() if CPUINFO.exists() else ""
    caches = _caches()
    return Machine(
        model=_field(text, "model name") or platform.processor() or platform.machine(),
        architecture=platform.machine(),
        cpu_flags=frozenset((_field(text, "flags") or _field(text, "Features")).split()),
        threads=threads or len(os.sched_getaffinity(0)),
        l1_bytes=caches.get(1, 32 << 10),
        l2_bytes=caches.get(2, 1 << 20),
        llc_bytes=caches.get(max(caches, default=3), 32 << 20),
        clock_ghz=float(_field(text, "cpu MHz") or 0.0) / 1e3,
    )


def _field(text: str, name: str) -> str:
    found = re.search(rf"^{name}\s*: (.*)$", text, re.MULTILINE)
    return str(found.group(1)).strip() if found else ""


def _caches() -> dict[int, int]:
    """Bytes of the data or unified cache of each level."""
    found: dict[int, int] = {}
    for index in sorted(CACHES.glob("index*")):
        try:
            if (index / "type").read_text().strip() == "Instruction":
                continue
            size = (index / "size").read_text().strip()
            found[int((index / "level").read_text())] = int(size[:-1]) * _UNITS[size[-1]]
        except (OSError, ValueError, KeyError):
            continue
    return found
