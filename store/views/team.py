"""Agents, what happened, and what was asked of the engine."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class AgentView:
    name: str
    role: str
    kernel: str
    state: str  # working, waiting, pausing, paused, killed, crashed, done, interrupted
    brief: str
    step: str
    since: float
    tokens: int
    usd: float
    lines: tuple[str, ...] = ()
    seen_at: float = 0.0  # last sign of life: a new step or a line


@dataclass(frozen=True, slots=True)
class EventView:
    id: int
    at: float
    kind: str
    subject: str
    text: str
    data: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CommandView:
    id: int
    at: float
    actor: str
    verb: str
    target: str
    state: str  # queued, taken, done, refused, interrupted
    result: str
    args: dict[str, object] = field(default_factory=dict)
