"""The settings that roles need, apart from where they came from."""

from dataclasses import dataclass, field
from typing import Literal

from knowledge.memory import Retention


@dataclass(frozen=True, slots=True)
class Policy:
    """race_variants: in a race at most, 0 = no races. rules, skills, priors, sheet: which knowledge of targets and
    strategies is used, see `app/settings.py`. shared: what was learned on one kernel is told on others; siblings:
    anything of theirs is. leaderboard: models are told what was tried. kernel_workers: briefs of one kernel that are
    open at once. in_flight_s: of the device, that open briefs may take; 0 = no limit. strategy_s to reading_s: how
    often the models of strategist, architect, owner and auditor are asked.
    """

    workers: int = 3
    rule: str = "paired"
    min_gain: float = 0.005
    flat_within: float = 0.005
    placebo_every: int = 15
    plateau_draft: int = 12
    plateau_stop: int = 0
    ledger_every: int = 4
    memory: Retention = field(default_factory=Retention)
    rules: bool = True
    skills: bool = True
    priors: bool = True
    sheet: bool = True
    race_variants: int = 16
    watchdog_s: float = 60.0
    audit_s: float = 120.0
    audit_sweep_s: float = 3.0
    kernel_workers: int = 1
    in_flight_s: float = 1800.0
    strategy_s: float = 10_800.0
    design_s: float = 1800.0
    review_s: float = 900.0
    reading_s: float = 3600.0
    recheck_facts_s: float = 60.0
    static_gate: Literal["band", "gain", "record"] = "band"
    trace_gate: bool = True
    shared: bool = True
    siblings: bool = True
    leaderboard: bool = True
    isolated: bool = False
    at_limit: Literal["offline", "stop"] = "offline"
    approve: bool = False
    refine_at: float = 0.0

    @property
    def lessons_of_others(self) -> bool:
        """Whether wins and traps of other kernels are told."""
        return self.memory.on and self.shared and self.siblings
