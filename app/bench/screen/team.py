"""A process that writes as a team at work does: every agent's step four times a second, its words and the pairs of a
running test beside it.

`python -m app.bench.screen.team HOME CAMPAIGN` writes until its stdin says something, then tells as JSON when it made
each tick.
"""

import json
import sys
import time
from pathlib import Path
from typing import Final

from kernels.sandbox.readable import readable
from kernels.values.reading import Pair, Reading
from store import agents, heartbeat, ledger, reads, sql
from store.engine import Session, Store

TICK_S: Final = 0.25
SAYS_EVERY: Final = 4
PAIRS_A_TEST: Final = 24


def run(home: Path, campaign: int) -> list[float]:
    """When each tick was on the disk, in monotonic seconds, which all processes of the machine share."""
    with Store.open(home) as store:
        names = [agent.name for agent in store.read_sync(lambda s: reads.agents(s, campaign))]
        started = time.time()
        ends: list[float] = []
        while not readable(sys.stdin.fileno(), 0.0):
            began = time.monotonic()
            tick = len(ends)
            store.write_sync(lambda s, tick=tick: _tick(s, campaign, names, tick, started))
            ends.append(time.monotonic())
            time.sleep(max(0.0, began + TICK_S - time.monotonic()))
    return ends


def _tick(s: Session, campaign: int, names: list[str], tick: int, started: float) -> None:
    for number, name in enumerate(names):
        agents.set_step(s, campaign, name, f"reading pair {tick + number} of a made-up test")
        if (tick + number) % SAYS_EVERY == 0:
            agents.add_line(s, campaign, name, f"tick {tick}: the head took {1000 + (tick * 7 + number) % 90} us")
    _pair(s, campaign, tick)
    heartbeat.beat(s, campaign, started_at=started, holder="reading ffn")


def _pair(s: Session, campaign: int, tick: int) -> None:
    """Two pairs a second; a test ends when it has its 24."""
    if tick % 2:
        return
    test = sql.scalar(
        s, "SELECT max(id) FROM test WHERE campaign_id = :campaign AND state = 'running'", campaign=campaign
    )
    if test is None:
        made = sql.first(
            s, "SELECT candidate_id, head_id FROM test WHERE campaign_id = :campaign AND kernel = 'ffn' LIMIT 1",
            campaign=campaign,
        )  # fmt: skip
        if made is None:
            return
        test = ledger.start_test(
            s, campaign, "ffn", "acceptance", candidate_id=made["candidate_id"], head_id=made["head_id"],
            lever="prefetch 4096", agent="worker-07", rule="paired",
        )  # fmt: skip
    pair = Pair(Reading(1e6 + tick % 50, 8, 1e6, 1e6), Reading(1e6, 8, 1e6, 1e6), "head", mode="slow 33 GB/s")
    if ledger.add_pair(s, int(test), pair, score=0.1 * (tick % 20), next_look=12) >= PAIRS_A_TEST - 1:
        ledger.finish_test(s, int(test), "UNCLEAR", score=0.4)


if __name__ == "__main__":
    print(json.dumps(run(Path(sys.argv[1]), int(sys.argv[2]))))
