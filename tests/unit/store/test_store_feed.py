"""The feed: what another process wrote is seen, once, in order."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from store import commands, events
from store.engine import Store
from store.feed import Feed

ROOT = Path(__file__).parents[3]
OTHER = """
import sys
from pathlib import Path
from store import commands, events
from store.engine import Store
with Store.open(Path(sys.argv[1])) as store:
    store.write_sync(lambda s: events.append(s, None, "said", "other process", "text", answer=42))
    store.write_sync(lambda s: commands.enqueue(s, "me@cli", "pause", "worker-01", {"minutes": 3}))
"""


@pytest.fixture
def feed(store: Store) -> Iterator[Feed]:
    opened = Feed(store)
    yield opened
    opened.close()


def other_process(store: Store) -> None:
    subprocess.run(
        [sys.executable, "-c", OTHER, str(store.home)], check=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )


def test_delta_across_processes(store: Store, feed: Feed) -> None:
    store.write_sync(lambda s: events.append(s, None, "said", "here"))
    assert (feed.changed(), feed.changed(), feed.last_id()) == (True, False, 1)
    other_process(store)
    assert (feed.changed(), feed.changed()) == (True, False)
    new = feed.events_after(1)
    assert [(event.id, event.kind, event.subject) for event in new] == [
        (2, "said", "other process"),
        (3, "command", "pause"),
    ]
    assert new[0].data == {"answer": 42}
    taken = store.write_sync(commands.take_next)
    assert taken is not None
    assert (taken.actor, taken.verb, taken.target, taken.args) == ("me@cli", "pause", "worker-01", {"minutes": 3})
    assert store.write_sync(commands.take_next) is None


def test_pages_and_campaigns(store: Store, feed: Feed, world: object) -> None:
    assert world is not None
    first = feed.last_id()
    for i in range(7):
        store.write_sync(lambda s, i=i: events.append(s, 1 if i % 2 else None, "said", str(i)))
    assert [event.subject for event in feed.events_after(first, limit=3)] == ["0", "1", "2"]
    assert [event.subject for event in feed.events_after(first, campaign_id=1)] == [str(i) for i in range(7)]
    assert [event.subject for event in feed.events_after(first, campaign_id=2)] == ["0", "2", "4", "6"]


def test_the_feed_holds_nobody_up(store: Store, feed: Feed) -> None:
    for i in range(50):
        feed.changed()
        store.write_sync(lambda s, i=i: events.append(s, None, "said", str(i)))
        assert len(feed.events_after(i)) == 1
