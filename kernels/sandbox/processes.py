"""What the host sees of a runner: its process tree, threads, CPU time, filters."""

import os
import re
import signal
from dataclasses import dataclass
from pathlib import Path

_TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Census:
    """threads and processes of the runner, CPU seconds used so far, threads that are running or ready right now."""

    threads: int
    processes: int
    cpu_s: float
    running: int


def threads_of(pid: int) -> list[int]:
    """Thread ids as the host sees them; empty when the process is gone."""
    try:
        return [int(entry.name) for entry in Path(f"/proc/{pid}/task").iterdir()]
    except OSError:
        return []


def children_of(pid: int) -> list[int]:
    """Direct children of all threads of a process."""
    found: list[int] = []
    for thread in threads_of(pid):
        listed = _text(Path(f"/proc/{pid}/task/{thread}/children"))
        found += [int(child) for child in listed.split()]
    return found


def descendants_of(pid: int) -> list[int]:
    """Children, theirs, and so on; the nearest first."""
    found = children_of(pid)
    for child in found:
        found += [c for c in children_of(child) if c not in found]
    return found


def find(pid: int, name: str) -> int | None:
    """The process of this name among a process and its descendants."""
    return next((p for p in (pid, *descendants_of(pid)) if _text(Path(f"/proc/{p}/comm")).strip() == name), None)


def filters_of(pid: int) -> int | None:
    """How many seccomp filters a process has; None where the kernel does not say (before 5.9) or it is gone."""
    found = re.search(r"^Seccomp_filters:\s*(\d+)$", _text(Path(f"/proc/{pid}/status")), re.MULTILINE)
    return int(found.group(1)) if found else None


def out_of_memory_kills() -> int:
    """How often the kernel has killed for want of memory since boot; 0 where it does not say."""
    found = re.search(r"^oom_kill (\d+)$", _text(Path("/proc/vmstat")), re.MULTILINE)
    return int(found.group(1)) if found else 0


def census(pid: int) -> Census:
    """All zero when the process is gone."""
    threads = running = 0
    nanoseconds = 0
    for thread in threads_of(pid):
        fields = _text(Path(f"/proc/{pid}/task/{thread}/stat")).rpartition(")")[2].split()
        if fields:
            threads += 1
            running += fields[0] == "R"
            nanoseconds += _on_cpu_ns(pid, thread) or _TICK_NS * (int(fields[11]) + int(fields[12]))
    return Census(threads, 1 + len(descendants_of(pid)) if threads else 0, nanoseconds * 1e-9, running)


def _on_cpu_ns(pid: int, thread: int) -> int:
    """0 where the kernel does not say it to the nanosecond."""
    first, _, _ = _text(Path(f"/proc/{pid}/task/{thread}/schedstat")).partition(" ")
    return int(first) if first.isdigit() else 0


def kill_tree(pid: int) -> None:
    """SIGKILL to a process, its descendants, the deepest first, and its group; those that are gone do not count."""
    for victim in (*reversed(descendants_of(pid)), pid):
        kill(victim)
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def kill_marked(mark: str, since: int) -> list[int]:
    """SIGKILL to every process whose environment has the word, whatever became of its parents and its session.

    mark: "NAME=value", of nobody else. since: number of a process before them. Returns who was killed.
    """
    word = f"{mark}\0".encode()
    found = [pid for pid in _after(since) if word in _bytes(Path(f"/proc/{pid}/environ"))]
    for pid in found:
        kill(pid)
    return found


def _after(since: int) -> list[int]:
    """Processes that were started later: numbers are given in a circle, up to the last one."""
    last = int(_text(Path("/proc/loadavg")).split()[-1])
    every = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    return [pid for pid in every if (since < pid <= last if since <= last else pid > since or pid <= last)]


def stop_or_go(pid: int, *, stop: bool) -> bool:
    """SIGSTOP or SIGCONT to a process; False when it is gone."""
    try:
        os.kill(pid, signal.SIGSTOP if stop else signal.SIGCONT)
    except ProcessLookupError:
        return False
    return True


def kill(pid: int) -> None:
    """SIGKILL; one that is gone already does not count."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _bytes(path: Path) -> bytes:
    """Nothing when it is gone or not ours to read."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _text(path: Path) -> str:
    """An empty text when it is gone or not ours to read."""
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""
