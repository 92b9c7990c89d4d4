"""A process that writes an hour of a campaign's events in a fraction of the time: what happens, what agents say and do.

`python -m app.bench.screen.hour HOME CAMPAIGN SPEED SECONDS` writes for so many seconds, then tells how many events.
"""

import sys
import time
from itertools import count, islice
from pathlib import Path
from typing import Final

from store import agents, events, heartbeat, reads
from store.engine import Session, Store

TICK_S: Final = 0.1
EVENTS_S: Final = 10.0
"""Events a second of a busy campaign: gates, tests, outcomes of a team of 36."""
KINDS: Final = ("gate", "test", "outcome", "agent", "node")


def run(home: Path, campaign: int, speed: float, seconds: float) -> int:
    with Store.open(home) as store:
        names = [agent.name for agent in store.read_sync(lambda s: reads.agents(s, campaign))]
        started, until, written = time.time(), time.monotonic() + seconds, count()
        each = max(1, round(EVENTS_S * speed * TICK_S))
        while time.monotonic() < until:
            began = time.monotonic()
            numbers = list(islice(written, each))
            store.write_sync(lambda s, numbers=numbers: _tick(s, campaign, names, numbers, started))
            time.sleep(max(0.0, began + TICK_S - time.monotonic()))
        return next(written)


def _tick(s: Session, campaign: int, names: list[str], numbers: list[int], started: float) -> None:
    for number in numbers:
        name, kind = names[number % len(names)], KINDS[number % len(KINDS)]
        text = f"event {number} of a made-up hour: the head took {1000 + number % 97} us"
        events.append(s, campaign, kind, name, text, seconds=0.5 * (number % 9), note=f"line {number}\n" * 3)
    name = names[numbers[0] // len(numbers) % len(names)]
    agents.set_step(s, campaign, name, f"reading pair {numbers[-1]}")
    agents.add_line(s, campaign, name, f"said after {numbers[-1]} events")
    heartbeat.beat(s, campaign, started_at=started, holder="reading ffn")


if __name__ == "__main__":
    print(run(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])))
