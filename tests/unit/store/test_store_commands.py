"""Commands of a former engine, and campaigns that an engine leaves before their end."""

import time

import pytest

from store import campaigns, commands, reads
from store.commands import STALE
from store.errors import StoreError
from store.tables import TestRow


def test_only_what_is_older_than_the_lock_is_closed(world) -> None:
    stop = world.write(lambda s: commands.enqueue(s, "me", "stop", "all"))
    pause = world.write(lambda s: commands.enqueue(s, "me", "pause", "all"))
    assert world.write(commands.take_next).id == stop
    owned_since = time.time()
    fresh = world.write(lambda s: commands.enqueue(s, "me", "resume", "all"))
    assert world.write(lambda s: commands.close_stale(s, owned_since)) == 2
    for number in (stop, pause):
        row = world.read(lambda s, n=number: commands.get(s, n))
        assert (row.state, row.result) == ("interrupted", STALE)
        assert row.finished_at >= owned_since
    assert world.write(commands.take_next).id == fresh
    told = [e for e in world.read(lambda s: reads.events(s, world.campaign)) if e.data.get("state") == "interrupted"]
    assert [e.data["command"] for e in told] == [stop, pause]


def test_what_is_interrupted_is_not_answered_any_more(world) -> None:
    stop = world.write(lambda s: commands.enqueue(s, "me", "stop", "all"))
    world.write(lambda s: commands.close_stale(s, time.time() + 1.0))
    with pytest.raises(StoreError, match="it is interrupted"):
        world.write(lambda s: commands.finish(s, stop, "done"))


@pytest.mark.parametrize(
    ("state", "left"),
    [("running", "interrupted"), ("stopping", "interrupted"), ("pausing", "paused"), ("paused", "paused")],
)
def test_what_an_engine_leaves_can_be_resumed(world, state: str, left: str) -> None:
    world.write(lambda s: campaigns.set_state(s, world.campaign, state))
    world.write(lambda s: campaigns.leave_resumable(s, world.campaign, "the device is gone"))
    assert world.read(campaigns.latest_unfinished).state == left
    assert world.read(lambda s: reads.events(s, world.campaign))[-1].text == f"{left}: the device is gone"


def test_what_is_finished_stays_finished(world) -> None:
    world.write(lambda s: campaigns.finish(s, world.campaign, "budget"))
    world.write(lambda s: campaigns.leave_resumable(s, world.campaign, "too late"))
    assert world.read(lambda s: campaigns.get(s, world.campaign)).state == "finished"


def test_nothing_of_a_finished_campaign_is_running(world) -> None:
    test = world.test_of(world.variant("fast"), "ledger")
    world.write(lambda s: campaigns.finish(s, world.campaign, "stop"))
    row = world.read(lambda s: s.get(TestRow, test))
    assert (row.state, row.verdict, row.reason) == ("interrupted", "INVALID", "interrupted")
    assert row.finished_at == world.read(lambda s: campaigns.get(s, world.campaign)).ended_at


def test_the_latest_unfinished_that_fits(world) -> None:
    def rows(s) -> int:
        return campaigns.create(s, pack="other", pack_digest="", target="t", fingerprint="f", kernels=[], seed=3)

    other = world.write(rows)
    for pack, seed, found in (("", None, other), ("demo", None, world.campaign), ("demo", 9, None)):
        row = world.read(lambda s, p=pack, n=seed: campaigns.latest_unfinished(s, pack=p, seed=n))
        assert (row.id if row else None) == found


def test_a_campaign_is_empty_until_something_was_judged(world) -> None:
    assert world.read(lambda s: campaigns.is_empty(s, world.campaign))
    world.refused("a")
    assert not world.read(lambda s: campaigns.is_empty(s, world.campaign))


def test_what_a_taken_command_waits_for_stands_until_its_answer(world) -> None:
    number = world.write(lambda s: commands.enqueue(s, "me", "approve", "7"))
    with pytest.raises(StoreError, match="it is queued"):
        world.write(lambda s: commands.say(s, number, "too soon"))
    world.write(commands.take_next)
    world.write(lambda s: commands.say(s, number, "after the pair in hand"))
    row = world.read(lambda s: commands.get(s, number))
    assert (row.state, row.result) == ("taken", "after the pair in hand")
    world.write(lambda s: commands.finish(s, number, "done", "node 7 KEEP"))
    assert world.read(lambda s: commands.get(s, number)).result == "node 7 KEEP"
