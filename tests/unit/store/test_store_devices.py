"""What a live engine says of its devices stands in the queue when there are several, or when one is not well."""

from store import heartbeat, reads
from store.device_views import QueueItem
from store.heartbeat import Used, Waiting
from tests.unit.store.conftest import World

ONE = Used("one", 12, 30.4, 0.0)
ILL = Used("two", 7, 9.6, 2.2, "since job 7: its worker is gone")


def queue(world: World, *used: Used) -> list[QueueItem]:
    world.write(lambda s: heartbeat.beat(s, world.campaign, started_at=0.0, waiting=Waiting(used=used)))
    return [item for item in world.read(lambda s: reads.queue(s, world.campaign)) if item.state in ("used", "ill")]


def test_one_device_that_is_well_needs_no_line(world: World) -> None:
    assert queue(world, ONE) == []


def test_several_are_listed_and_an_unhealthy_one_says_since_when(world: World) -> None:
    first, second = queue(world, ONE, ILL)
    assert first == QueueItem("used", "", "one", "12 jobs, 30 s in readings, 0 s waited for others")
    assert second.state == "ill"
    assert second.note == ("UNHEALTHY since job 7: its worker is gone; 7 jobs, 10 s in readings, 2 s waited for others")
    assert queue(world, ILL) == [second]
