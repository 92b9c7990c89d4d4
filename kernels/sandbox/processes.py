"""What the host sees of a runner: its process tree, threads and CPU time."""

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Census:
    """threads and processes of the runner, CPU seconds used so far, threads that are running or ready right now."""

    threads: int
    processes: int
    cpu_s: float
    running: int


def children_of(pid: int) -> list[int]:
    """Direct children."""
    try:
        return [
            int(child)
            for task in Path(f"/proc/{pid}/task").iterdir()
            for child in (task / "children").read_text().split()
        ]
    except OSError:
        return []


def descendants_of(pid: int) -> list[int]:
    found = children_of(pid)
    for child in found:
        found = found + [c for c in descendants_of(child) if c not in found]
    return found


def executable_of(pid: int) -> str:
    """Name of the program as the kernel has it; "" when the process is gone."""
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def census(pid: int) -> Census:
    """All zero when the process is gone."""
    threads = running = 0
    ticks = 0.0
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            fields = (task / "stat").read_text().rpartition(")")[2].split()
            threads += 1
            running += fields[0] == "R"
            ticks += int(fields[11]) + int(fields[12])
    except OSError:
        return Census(0, 0, 0.0, 0)
    return Census(threads, 1 + len(descendants_of(pid)), ticks / os.sysconf("SC_CLK_TCK"), running)
