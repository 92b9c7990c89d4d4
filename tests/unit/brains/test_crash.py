"""Killed in the middle of a request: the row says that it was cut and may have been paid."""

import signal
import subprocess
import sys
from pathlib import Path

from store import agents, call_views, campaigns, llm_calls
from store.engine import Store
from store.llm_calls import Account

ROOT = Path(__file__).resolve().parents[3]
CHILD = """
import asyncio, sys
from pathlib import Path
from roles.brains.metered import Caller, Meter
from roles.brains.prices import Price, Prices
from roles.brains.secrets import Secrets
from roles.brains.talk import Ask, Said
from store.engine import Store
from store.llm_calls import Account

class Silent:
    provider, model = "somewhere", "m"
    async def turn(self, ask, heard):
        print("sent", flush=True)
        await asyncio.sleep(600)

async def main():
    with Store.open(Path(sys.argv[1])) as store:
        meter = Meter(store, Account(int(sys.argv[2])), (), Prices({"m": Price(10.0, 100.0)}), Secrets())
        ask = Ask("c", "system", (), (Said("x" * 1000),), 1000)
        async def told(line): pass
        await meter.turn(Silent(), ask, Caller("worker-01", "worker"), told)

asyncio.run(main())
"""


def test_a_killed_engine_leaves_a_cut_request(store: Store, campaign: int) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(store.home), str(campaign)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "sent\n"
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    (row,) = store.read_sync(lambda s: call_views.calls(s, campaign))
    assert row.state == "open"
    store.write_sync(lambda s: campaigns.reconcile(s, campaign))
    (row,) = store.read_sync(lambda s: call_views.calls(s, campaign))
    assert row.label == "cut, may have been paid"
    spent = store.read_sync(lambda s: llm_calls.committed(s, Account(campaign)))
    assert spent.usd == row.reserved_usd
    assert store.read_sync(lambda s: agents.need(s, campaign, "worker-01")).usd == 0
