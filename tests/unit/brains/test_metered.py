"""What requests cost, what they may cost, and what is left of them after a crash."""

import asyncio
from collections.abc import Sequence

import pytest
from typing_extensions import override

from roles.brains.backoff import Patience
from roles.brains.failure import Final, Retryable
from roles.brains.metered import Caller, Meter, size_of
from roles.brains.prices import Price, Prices
from roles.brains.secrets import Secrets
from roles.brains.talk import END, Ask, Heard, Said, Turn, Usage
from store import call_views, campaigns, llm_calls, reads
from store.engine import Store
from store.llm_calls import Account, Cap, LimitReached

ASK = Ask("c", "system", (), (Said("x" * 2000),), 1000)
PRICES = Prices({"m": Price(10.0, 100.0)})
TURN = Turn(END, "yes", (), {}, Usage(input=500, output=100))


class FakeWire:
    """Answers when it is let; counts."""

    provider, model = "somewhere", "m"

    def __init__(self, model: str = "m", fails: Sequence[Exception] = (), *, begins: bool = False) -> None:
        self.model, self.begins = model, begins
        self.fails = list(fails)
        self.sent = 0
        self.let, self.reached = asyncio.Event(), asyncio.Event()
        self.let.set()

    async def turn(self, ask: Ask, heard: Heard) -> Turn:
        heard.began = self.begins
        self.sent += 1
        self.reached.set()
        await self.let.wait()
        if self.fails:
            raise self.fails.pop(0)
        return TURN

    async def models(self) -> list[str]:
        return [self.model]

    async def close(self) -> None:
        return


def meter(store: Store, campaign: int, *caps: Cap) -> Meter:
    return Meter(store, Account(campaign), caps, PRICES, Secrets(), Patience(first_s=0.01))


async def quiet(_line: str) -> None:
    return


WORKER = Caller("worker-01", "worker", "gemv")


async def test_spend_reaches_the_agent_and_the_feed(store: Store, campaign: int) -> None:
    await meter(store, campaign).turn(FakeWire(), ASK, WORKER, quiet)
    (agent,) = [a for a in store.read_sync(lambda s: reads.agents(s, campaign)) if a.name == "worker-01"]
    assert (agent.tokens, agent.usd) == (600, pytest.approx(0.015))
    (event,) = [e for e in store.read_sync(lambda s: reads.events(s, campaign)) if e.kind == "model"]
    assert "500 tokens in, 100 out, $0.0150" in event.text


async def test_the_row_is_there_before_the_request_is_sent(store: Store, campaign: int) -> None:
    wire = FakeWire()
    wire.let.clear()
    task = asyncio.create_task(meter(store, campaign).turn(wire, ASK, WORKER, quiet))
    await asyncio.wait_for(wire.reached.wait(), 5.0)
    (row,) = store.read_sync(lambda s: call_views.calls(s, campaign))
    assert (row.state, row.label) == ("open", "waits for the answer")
    assert row.reserved_tokens > size_of(ASK) / 2
    assert row.reserved_usd is not None
    assert row.reserved_usd > 0.1
    wire.let.set()
    await task


async def test_a_limit_counts_what_open_requests_may_cost(store: Store, campaign: int) -> None:
    """Ten at once under a limit for three: never more than three under way; the others wait until these cost less."""
    most = 10.0 * (size_of(ASK) / 2 + 1) / 1e6 + 0.1
    desk, wire = meter(store, campaign, Cap("campaign", usd=3.5 * most)), FakeWire()
    wire.let.clear()
    said, all_wait = list[str](), asyncio.Event()

    async def told(line: str) -> None:
        said.append(line.partition(":")[0])
        if said == ["waits for requests under way"] * 7:
            all_wait.set()

    tasks = [asyncio.create_task(desk.turn(wire, ASK, WORKER, told)) for _ in range(10)]
    await asyncio.wait_for(all_wait.wait(), 10.0)
    assert wire.sent == 3
    wire.let.set()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [r for r in results if isinstance(r, BaseException)] == []
    spent = store.read_sync(lambda s: llm_calls.committed(s, Account(campaign)))
    assert (wire.sent, spent.usd) == (10, pytest.approx(10 * 0.015))


@pytest.mark.parametrize(
    ("cap", "who"),
    [
        (Cap("role", "worker", tokens=100), WORKER),
        (Cap("kernel", "gemv", tokens=100), WORKER),
        (Cap("campaign", tokens=100), Caller("strategist", "strategist")),
    ],
)
async def test_roles_kernels_and_campaigns_have_limits_of_their_own(
    store: Store, campaign: int, cap: Cap, who: Caller
) -> None:
    with pytest.raises(LimitReached, match="of 100 tokens"):
        await meter(store, campaign, cap).turn(FakeWire(), ASK, who, quiet)
    await meter(store, campaign, Cap("role", "owner", tokens=1), Cap("kernel", "axpy", tokens=1)).turn(
        FakeWire(), ASK, who, quiet
    )


async def test_without_a_price_there_must_be_a_limit_of_tokens(store: Store, campaign: int) -> None:
    with pytest.raises(LimitReached, match="price of nameless is unknown"):
        await meter(store, campaign, Cap("campaign", usd=10.0)).turn(FakeWire("nameless"), ASK, WORKER, quiet)
    await meter(store, campaign, Cap("campaign", usd=10.0, tokens=10_000)).turn(
        FakeWire("nameless"), ASK, WORKER, quiet
    )
    (row,) = store.read_sync(lambda s: call_views.calls(s, campaign))
    assert (row.usd, row.price) == (None, "unknown")


async def test_after_a_crash_an_open_request_may_have_been_paid(store: Store, campaign: int) -> None:
    asked = llm_calls.Asked("worker-01", "worker", "gemv", "somewhere", "m", 5000, 0.4, "own")
    store.write_sync(lambda s: llm_calls.start(s, Account(campaign), asked, ()))
    counts = store.write_sync(lambda s: campaigns.reconcile(s, campaign))
    assert counts["model calls"] == 1
    (row,) = store.read_sync(lambda s: call_views.calls(s, campaign))
    assert (row.state, row.label) == ("cut", "cut, may have been paid")
    spent = store.read_sync(lambda s: llm_calls.committed(s, Account(campaign)))
    assert (spent.usd, spent.tokens) == (pytest.approx(0.4), 5000)
    with pytest.raises(LimitReached):
        await meter(store, campaign, Cap("campaign", usd=0.45)).turn(FakeWire(), ASK, WORKER, quiet)


async def test_tries_that_were_cut_count_against_the_limit(store: Store, campaign: int) -> None:
    """Each may be paid for: a limit for two and a half tries allows two."""
    most = 10.0 * (size_of(ASK) / 2 + 1) / 1e6 + 0.1
    wire = FakeWire(fails=[Retryable("cut")] * 5, begins=True)
    with pytest.raises(LimitReached):
        await meter(store, campaign, Cap("campaign", usd=2.5 * most)).turn(wire, ASK, WORKER, quiet)
    assert wire.sent == 2
    (row,) = store.read_sync(lambda s: call_views.calls(s, campaign))
    assert (row.state, row.reason.startswith("LimitReached")) == ("failed", True)
    assert row.input_tokens > 0


async def test_a_wait_that_is_too_long_is_the_end_of_it(store: Store, campaign: int) -> None:
    wire = FakeWire(fails=[Retryable("429", after=3600.0, shared=True)])
    with pytest.raises(Final, match="asks to wait 3600 s"):
        await meter(store, campaign).turn(wire, ASK, WORKER, quiet)
    assert wire.sent == 1


async def test_a_cancel_in_front_of_the_first_try_costs_nothing(store: Store, campaign: int) -> None:
    task = asyncio.create_task(meter(store, campaign).turn(FakeWire(), ASK, WORKER, quiet))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert all(c.state != "open" for c in store.read_sync(lambda s: call_views.calls(s, campaign)))


def test_a_listed_price_is_an_upper_limit_with_the_cache() -> None:
    prices = Prices({})
    plain = prices.cost("anthropic", "claude-opus-4-8", Usage(input=1000, output=1000))
    assert plain.source == "listed"
    assert plain.usd == pytest.approx((5.0 + 25.0) / 1000)
    most = prices.dearest("anthropic", "claude-opus-4-8", 1000, 1000)
    assert most.usd is not None
    assert most.usd > 0.03
    assert prices.cost("openai at localhost:8000", "gpt-5.5", Usage(input=1)).usd is None
    assert prices.cost("scripted", "x", Usage(input=10**9)).usd == 0


class Talking(FakeWire):
    """Says a part, and waits."""

    @override
    async def turn(self, ask: Ask, heard: Heard) -> Turn:
        heard.part("int a;\nfor (int r = 0; ")
        heard.part("r < 4; r++)")
        return await super().turn(ask, heard)


async def test_what_is_heard_so_far_is_the_agent_s_step(
    store: Store, campaign: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("roles.brains.streaming.EVERY_S", 0.01)
    wire = Talking()
    wire.let.clear()
    task = asyncio.create_task(meter(store, campaign).turn(wire, ASK, WORKER, quiet))
    shown = "hears 34 characters: for (int r = 0; r < 4; r++)"
    for _ in range(500):
        await asyncio.sleep(0.01)
        (agent,) = [a for a in store.read_sync(lambda s: reads.agents(s, campaign)) if a.name == "worker-01"]
        if agent.step == shown:
            break
    assert agent.step == shown
    wire.let.set()
    assert await task == TURN
