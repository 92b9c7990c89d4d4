"""The lag of the event loop: what is counted, and what of it is our own."""

import asyncio
import time

from roles.lag import BINS, Histogram, LoopLag


def test_quantiles_are_of_what_was_added() -> None:
    found = Histogram()
    assert found.quantile(0.99) == 0.0
    for ms in range(100):
        found.add(ms + 0.5)
    assert (found.quantile(0.5), found.quantile(0.99), found.quantile(1.0)) == (50.0, 99.0, 99.5)
    found.add(1e6)
    assert found.counts[BINS - 1] == 1
    assert found.most == 1e6


def test_what_the_machine_took_is_not_our_own() -> None:
    lag = LoopLag()
    lag.add(0.3, 0.02)
    lag.add(0.2, 0.5)
    lag.add(-0.001, 0.0)
    assert (round(lag.late.most), round(lag.own.most)) == (300, 200)
    assert lag.data["samples"] == 3
    assert lag.minute_p99_ms == 200.0
    assert "most 300 ms; of it our own work" in lag.text


async def test_a_loop_that_is_blocked_by_work_is_seen() -> None:
    lag = LoopLag()
    sampling = asyncio.create_task(lag.run())
    await asyncio.sleep(0.1)
    end = time.process_time() + 0.15
    while time.process_time() < end:
        pass
    await asyncio.sleep(0.1)
    sampling.cancel()
    assert lag.late.most > 90
    assert lag.own.most > 90
