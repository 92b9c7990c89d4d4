"""What the screen may cost. A wall time holds on a quiet machine; processor time and bytes hold on a busy one too."""

from dataclasses import asdict, dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Budget:
    """unit: of most; wall: whether other load on the machine counts into it."""

    title: str
    most: float
    unit: str
    wall: bool = False


BUDGETS: Final = {
    "first_frame_s": Budget("first frame after the start", 1.0, "s", wall=True),
    "idle_cpu": Budget("processor, idle", 1.0, "% of a core"),
    "live_cpu": Budget("processor, 36 agents live at 4 Hz", 8.0, "% of a core"),
    "live_cpu_tick_ms": Budget("processor a tick, 36 agents live", 25.0, "ms"),
    "live_kib_s": Budget("written, 36 agents live", 20.0, "KiB/s"),
    "live_kib_tick": Budget("written a tick, 36 agents live", 10.0, "KiB"),
    "overview_cpu": Budget("processor, the overview live", 8.0, "% of a core"),
    "overview_kib_s": Budget("written, the overview live", 20.0, "KiB/s"),
    "key_quiet_ms": Budget("key to paint, 95th percentile, nothing else new", 100.0, "ms", wall=True),
    "key_busy_ms": Budget("key to paint, 95th percentile, the team writing", 150.0, "ms", wall=True),
    "trees_open_s": Budget("the trees opened", 0.2, "s", wall=True),
    "filings_page_ms": Budget("first page of filings read", 50.0, "ms", wall=True),
    "start_mb": Budget("memory after the start", 100.0, "MB"),
    "soak_grown_mb": Budget("memory grown in an hour's events at 100 times their speed", 10.0, "MB"),
    "resize_ms": Budget("settled after a new size", 300.0, "ms", wall=True),
    "lost_ticks": Budget("ticks of the team lost in 4 s after the terminal went away", 0.0, ""),
}


def judged(measured: dict[str, float]) -> list[dict[str, Any]]:
    """Each figure beside its budget, ready for `json.dumps`."""
    return [
        {"name": name, **asdict(budget), "measured": measured[name], "held": measured[name] <= budget.most}
        for name, budget in BUDGETS.items()
        if name in measured
    ]
