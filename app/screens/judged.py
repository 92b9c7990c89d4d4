"""What one reading of the judging tab brings, and how its tests are ordered and filtered."""

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Final

from app.source import Source
from store.device_views import DeviceView, PlaceboView, QueueItem
from store.views import CampaignView, TestView

ORDERS: Final[dict[str, Callable[[TestView], tuple[str | float, int]]]] = {
    "time": lambda test: (test.id, 0),
    "kernel": lambda test: (test.kernel, test.id),
    "verdict": lambda test: (test.verdict or test.state, test.id),
    "estimate": lambda test: (_gained(test), test.id),
    "device time": lambda test: (test.device_seconds, test.id),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """What one reading brought. device: of the selected test's kernel."""

    tests: tuple[TestView, ...] = ()
    one: TestView | None = None
    campaign: CampaignView | None = None
    device: DeviceView | None = None
    here: PlaceboView | None = None
    queue: tuple[QueueItem, ...] = ()


def running(tests: tuple[TestView, ...]) -> Hashable:
    return next((test.id for test in tests if test.state == "running"), tests[0].id if tests else None)


def read(source: Source, tests: tuple[TestView, ...], selected: Hashable) -> Shown:
    """In the feed's thread."""
    view = source.overview()
    one = source.test(selected) if isinstance(selected, int) else None
    if view is None:
        return Shown(tests, one)
    kernel = one.kernel if one is not None else next((k.name for k in view.kernels), "")
    device = source.device(kernel) if kernel else None
    return Shown(tests, one, view.campaign, device, source.placebos_here(), tuple(source.queue()))


def said(test: TestView) -> str:
    """What a filter of words looks through."""
    return f"{test.kernel} {test.lever} {test.verdict} {test.kind} {test.agent}"


def _gained(test: TestView) -> float:
    """Share of the old time, so that estimates and speedups stand in one order."""
    if test.speedup is not None:
        return 1 - 1 / test.speedup[0]
    return -math.inf if test.estimate is None else test.estimate
