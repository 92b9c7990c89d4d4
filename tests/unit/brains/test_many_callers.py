"""Thirty-six workers, one dollar: the limit holds for all of them together."""

import asyncio

import pytest

from store import call_views, llm_calls
from store.engine import Store
from store.llm_calls import Account, Cap, LimitReached
from tests.unit.brains.test_metered import ASK, WORKER, FakeWire, meter, quiet


async def test_a_limit_of_a_dollar_holds_for_36_workers(store: Store, campaign: int) -> None:
    desk, wire = meter(store, campaign, Cap("campaign", usd=1.0)), FakeWire()

    async def work() -> str:
        while True:
            try:
                await desk.turn(wire, ASK, WORKER, quiet)
            except LimitReached as limit:
                return str(limit)

    said = await asyncio.gather(*(work() for _ in range(36)))
    calls = store.read_sync(lambda s: call_views.calls(s, campaign))
    assert {call.state for call in calls} == {"done"}
    assert wire.sent == len(calls)
    assert sum(call.usd or 0.0 for call in calls) <= 1.0
    assert sum(call.usd or 0.0 for call in calls) > 0.85
    assert all("of $1 spent or reserved" in text for text in said)
    with pytest.raises(LimitReached):
        await desk.turn(wire, ASK, WORKER, quiet)
    later = meter(store, campaign, Cap("campaign", usd=2.0))
    await later.turn(wire, ASK, WORKER, quiet)
    assert store.read_sync(lambda s: llm_calls.committed(s, Account(campaign))).calls == len(calls) + 1
