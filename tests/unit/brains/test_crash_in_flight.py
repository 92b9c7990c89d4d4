"""kill -9 with requests under way: each that the server saw is one row, and what may have been paid is held."""

import asyncio
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from llmock.pytest_plugin import LLMock

from roles.brains.backoff import Patience
from roles.brains.metered import Caller, Meter
from roles.brains.prices import Price, Prices
from roles.brains.registry import Spec, make
from roles.brains.secrets import Secrets
from roles.brains.talk import Ask, Said
from store import agents, call_views, campaigns, llm_calls
from store.engine import Store
from store.llm_calls import Account, Cap, LimitReached

ROOT = Path(__file__).resolve().parents[3]
DONE, IN_FLIGHT = 3, 5
CHILD = """
import asyncio, sys
from pathlib import Path
from tests.unit.brains.test_crash_in_flight import DONE, IN_FLIGHT, asks, meter_of
from store.engine import Store

async def main():
    with Store.open(Path(sys.argv[1])) as store:
        ask = asks(meter_of(store, int(sys.argv[2])), sys.argv[3])
        for n in range(DONE):
            await ask(n)
        print("done", flush=True)
        sys.stdin.readline()
        await asyncio.gather(*(ask(DONE + n) for n in range(IN_FLIGHT)))

asyncio.run(main())
"""


def meter_of(store: Store, campaign: int, *caps: Cap) -> Meter:
    prices = Prices({"q": Price(10.0, 100.0)})
    return Meter(store, Account(campaign), caps, prices, Secrets(), Patience(tries=1))


def asks(meter: Meter, address: str) -> Callable[[int], Awaitable[None]]:
    wire = make(Spec("openai", "q", address, wire="chat", stall_s=60.0))

    async def quiet(_line: str) -> None:
        return

    async def ask(number: int) -> None:
        words = Ask(f"c{number}", "be short", (), (Said(f"question {number} of many"),), 500)
        await meter.turn(wire, words, Caller(f"worker-{number:02d}", "worker", "gemv"), quiet)

    return ask


@pytest.mark.long
async def test_no_request_is_lost_or_repeated_unseen(store: Store, campaign: int, llmock: LLMock) -> None:
    for number in range(DONE + IN_FLIGHT + 1):
        store.write_sync(lambda s, n=number: agents.upsert_agent(s, campaign, f"worker-{n:02d}", "worker"))
    llmock.reply("an answer in some words", times=None)
    await asyncio.to_thread(_killed_in_flight, store.home, campaign, llmock)
    store.write_sync(lambda s: campaigns.reconcile(s, campaign))
    rows = store.read_sync(lambda s: call_views.calls(s, campaign))
    assert Counter(row.state for row in rows) == {"done": DONE, "cut": IN_FLIGHT}
    assert len(llmock.requests) == len(rows)
    assert {row.label for row in rows if row.state == "cut"} == {"cut, may have been paid"}
    spent = sum(row.usd or 0.0 for row in rows if row.state == "done")
    held = sum(row.reserved_usd or 0.0 for row in rows if row.state == "cut")
    committed = store.read_sync(lambda s: llm_calls.committed(s, Account(campaign)))
    assert committed.usd == pytest.approx(spent + held)
    assert store.read_sync(lambda s: sum(agents.need(s, campaign, f"worker-{n:02d}").usd for n in range(8))) == (
        pytest.approx(spent)
    )
    with pytest.raises(LimitReached, match="spent or reserved"):
        await asks(meter_of(store, campaign, Cap("campaign", usd=committed.usd)), llmock.base_url("openai"))(8)
    assert len(llmock.requests) == len(rows), "nothing was sent"


def _killed_in_flight(home: Path, campaign: int, llmock: LLMock) -> None:
    """Blocks."""
    command = [sys.executable, "-c", CHILD, str(home), str(campaign), llmock.base_url("openai")]
    child = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdin is not None
    assert child.stdout.readline() == b"done\n"
    llmock.stall(after_chunks=1, seconds=60.0, times=None)
    child.stdin.write(b"\n")
    child.stdin.flush()
    deadline = time.monotonic() + 30
    while len(llmock.requests) < DONE + IN_FLIGHT and time.monotonic() < deadline:
        time.sleep(0.05)
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    child.stdin.close()
