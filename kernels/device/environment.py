"""What else went on during a pair: load, foreign CPU time, clock. Read from /proc, the evidence kept with a pair."""

import os
import time
from dataclasses import dataclass
from pathlib import Path


def load_average() -> str:
    """The 1-minute load."""
    return f"{os.getloadavg()[0]:.2f}"


def clock_mhz() -> str:
    """Clock of the first CPU as the kernel reports it; "" when it does not."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("cpu MHz"):
            return line.split(":")[1].strip()
    return ""


def governor() -> str:
    """How the kernel chooses the clock of the first CPU, e.g. "performance"; "" where it does not say."""
    try:
        return Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").read_text().strip()
    except OSError:
        return ""


def _busy_s() -> float:
    """CPU seconds that all CPUs together spent working since boot."""
    fields = [int(f) for f in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    user, nice, system, _idle, _wait, irq, softirq, steal = fields
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def _process_s(pid: int) -> float:
    """CPU seconds of a process, with the children it has waited for; 0 when it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return sum(int(f) for f in fields[11:15]) / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Watch:
    """Start of a stretch of time. `own` are the processes whose work is not foreign."""

    own: tuple[int, ...]
    at: float
    busy: float
    mine: float

    @classmethod
    def start(cls, own: tuple[int, ...]) -> "Watch":
        return cls(own, time.monotonic(), _busy_s(), sum(_process_s(pid) for pid in own))

    def foreign(self) -> float:
        """Mean number of CPUs that others kept busy since the start; the kernel counts in ticks of 10 ms."""
        mine = sum(_process_s(pid) for pid in self.own) - self.mine
        elapsed = max(time.monotonic() - self.at, 1e-9)
        return max(0.0, (_busy_s() - self.busy - mine) / elapsed)
