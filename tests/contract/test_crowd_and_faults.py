"""A crowd of workers on the three wires, against a server that calls tools by itself and breaks in every way it knows:
its verdict on its client is clean, every reply is one booked row, and every brief has an end."""

import asyncio
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

import pytest
from llmock.pytest_plugin import LLMock

from kernels.levers.base import Application
from roles.brains.backoff import Patience
from roles.brains.base import Proposal
from roles.brains.metered import Meter
from roles.brains.pool import Models
from roles.brains.prices import Price, Prices
from roles.brains.registry import Spec
from roles.brains.secrets import Secrets
from roles.model_worker import ModelWorker
from store import agents, call_views
from store.call_views import CallView
from store.llm_calls import Account
from tests.unit.roles.pipeline_rig import BASE, Rig, make_rig, variant

WIRES = [
    ("anthropic", "claude-opus-5-5", "messages"),
    ("openai", "gpt-6.1-terra", "responses"),
    ("openai", "q", "chat"),
]
BROKEN = {
    "429": lambda server, n: server.rate_limit(times=n, retry_after=0.2),
    "529": lambda server, n: server.fail(529, times=n),
    "truncate": lambda server, n: server.truncate(after_chunks=2, times=n),
    "disconnect": lambda server, n: server.disconnect(after_chunks=2, times=n),
    "malformed": lambda server, n: server.corrupt(after_chunks=2, times=n).pace(20),
    "stall": lambda server, n: server.stall(after_chunks=2, times=n),
    "bad_arguments": lambda server, n: server.break_tool_call("malformed_arguments", times=n),
    "unknown_tool": lambda server, n: server.break_tool_call("unknown_tool", times=n),
}


class Crowd:
    def __init__(
        self, rig: Rig, address: Callable[[str], str], roles: Sequence[str] = ("worker",), stall_s: float = 0.7
    ) -> None:
        self.rig = rig
        self._number = count()
        campaign = rig.campaign
        prices = Prices({model: Price(1.0, 2.0) for _, model, _ in WIRES})
        patience = Patience(tries=8, first_s=0.05)
        meter = Meter(campaign.store, Account(campaign.id), (), prices, Secrets(), patience)
        specs = [Spec(kind, model, address(kind), wire=wire, stall_s=stall_s) for kind, model, wire in WIRES]
        self.models = campaign.models = Models.opened(meter, dict.fromkeys(roles, specs))

    async def serve(self, number: int) -> tuple[str, str]:
        campaign, name = self.rig.campaign, f"worker-{number + 1:02d}"
        worker = ModelWorker(campaign, self.rig.pipeline, name, number, self.models)
        lever = Application("threads", "structure", {"n": number}, "", "it fits", "time")
        suggested = variant(f"int suggested_{next(self._number)};")
        proposal = Proposal("gemv", "variant", BASE, lever, suggested, 0.1, 0.5, "because", "+10%")
        await campaign.store.write(lambda s: agents.upsert_agent(s, campaign.id, name, "worker"))
        brief = await campaign.store.write(lambda s: agents.add_brief(s, campaign.id, "gemv", lever="threads"))
        return await worker.work(brief, proposal)

    async def all(self, workers: int) -> list[tuple[str, str]]:
        try:
            return list(await asyncio.gather(*(self.serve(number) for number in range(workers))))
        finally:
            await self.models.close()

    @property
    def rows(self) -> tuple[CallView, ...]:
        store, number = self.rig.campaign.store, self.rig.campaign.id
        return store.read_sync(lambda s: call_views.calls(s, number))


def held_against(server: LLMock, rows: tuple[CallView, ...]) -> None:
    """The server's journal and the rows say the same: nothing is lost, nothing is paid for twice."""
    posts = [one for one in server.requests if one.method == "POST"]
    whole = [p for p in posts if p.status == 200 and p.completed and not (p.fault or "").startswith("stream")]
    assert {row.state for row in rows} == {"done"}
    assert len(posts) == sum(1 + row.retries for row in rows)
    assert len(whole) == len(rows)
    assert all(row.usd is not None and row.usd > 0 for row in rows)
    server.assert_resilient(strict=True)


@pytest.mark.long
async def test_six_workers_at_once(tmp_path: Path, llmock: LLMock) -> None:
    crowd = Crowd(await make_rig(tmp_path), llmock.base_url)
    found = await crowd.all(6)
    assert {state for state, _ in found} == {"done"}
    held_against(llmock, crowd.rows)
    assert {row.agent for row in crowd.rows} == {f"worker-{n:02d}" for n in range(1, 7)}
    assert {row.model for row in crowd.rows} == {model for _, model, _ in WIRES}


QUICK = ("429", "truncate", "bad_arguments")  # each fault on each wire alone: `wire_contract.py`


@pytest.mark.parametrize("fault", [f if f in QUICK else pytest.param(f, marks=pytest.mark.long) for f in BROKEN])
async def test_each_fault_is_borne(tmp_path: Path, llmock: LLMock, fault: str) -> None:
    crowd = Crowd(await make_rig(tmp_path), llmock.base_url)
    BROKEN[fault](llmock, 2)
    found = await crowd.all(2)
    assert {state for state, _ in found} == {"done"}
    held_against(llmock, crowd.rows)
    faults = [one.fault for one in llmock.requests if one.fault is not None]
    assert len(faults) == 2 or fault in ("bad_arguments", "unknown_tool")
