"""What one reading of the judging tab brings."""

from collections.abc import Hashable
from dataclasses import dataclass

from app.source import Source
from store.device_views import DeviceView, PlaceboView, QueueItem
from store.views import CampaignView, TestView


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
