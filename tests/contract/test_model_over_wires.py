"""A whole brief over each real wire: the model's source is written, judged, and becomes the head; faults in between are
borne, and the server's verdict on its client is clean."""

from pathlib import Path

import pytest
from llmock.pytest_plugin import LLMock

from roles.brains.backoff import Patience
from roles.brains.metered import Meter
from roles.brains.pool import Seat
from roles.brains.prices import Prices
from roles.brains.registry import Spec, make
from roles.brains.secrets import Secrets
from store.llm_calls import Account
from tests.unit.roles.model_rig import make_desk, variant

FASTER = variant("int four;")
SUBMIT = {"idea": "four rows", "why": "fewer loads", "expected_gain": 0.2, "new_design": False}
WIRES = [
    ("anthropic", "claude-opus-5-5", "messages"),
    ("openai", "gpt-6.1-terra", "responses"),
    ("openai", "q", "chat"),
]


@pytest.mark.parametrize(("kind", "model", "wire"), WIRES, ids=[w[2] for w in WIRES])
async def test_a_brief_is_served_over_the_wire(
    tmp_path: Path, llmock: LLMock, kind: str, model: str, wire: str
) -> None:
    desk = await make_desk(tmp_path)
    desk.rig.device.ratio[FASTER.id] = 1.5
    spec = Spec(kind, model, llmock.base_url(kind), wire=wire, stall_s=2.0)
    campaign = desk.rig.campaign
    patience = Patience(first_s=0.1)
    desk.models.meter = Meter(campaign.store, Account(campaign.id), (), Prices({}), Secrets(), patience)
    talking = make(spec)
    desk.models.by_role = {"worker": [Seat(spec, talking)]}
    llmock.break_tool_call("malformed_arguments")
    llmock.call_tool("write_file", {"text": FASTER.source}).pace(5)
    llmock.call_tool("write_file", {"text": FASTER.source})
    llmock.call_tool("check").rate_limit(times=1, retry_after=0.1)
    llmock.call_tool("submit", SUBMIT)
    llmock.call_tool("finish", {"summary": "four rows are faster"})
    state, text = await desk.serve()
    await talking.close()
    assert (state, "KEEP" in text, "four rows are faster" in text) == ("done", True, True)
    assert desk.rig.state.head.key == FASTER.id
    assert "the arguments of write_file are no JSON object" in desk.lines
    assert {c.state for c in desk.calls} == {"done"}
    assert len(desk.calls) == 5
    llmock.assert_resilient(strict=True)
