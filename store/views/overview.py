"""All that the first screen shows."""

from dataclasses import dataclass

from store.views.campaign import CampaignView, EngineView, KernelView, ScorePoint
from store.views.judged import TestView
from store.views.team import EventView


@dataclass(frozen=True, slots=True)
class PendingView:
    """A promotion that waits for a person. evidence: in words."""

    node: int
    kernel: str
    title: str
    evidence: str
    at: float


@dataclass(frozen=True, slots=True)
class OverviewView:
    campaign: CampaignView
    engine: EngineView | None
    kernels: tuple[KernelView, ...]
    score: tuple[ScorePoint, ...]
    live: TestView | None
    queue: tuple[str, ...]
    attention: tuple[str, ...]
    agent_states: dict[str, int]
    recent: tuple[EventView, ...] = ()
    pending: tuple[PendingView, ...] = ()
    held: bool = False  # the device was handed back to its owner
    only_held: bool = False  # and nobody paused the loop as well
    paused: tuple[str, ...] = ()  # agents and kernels by name, those that are about to be as well
