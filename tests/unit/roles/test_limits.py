"""The limit of money: no request after it, then the offline policy or the end, said where it is looked for."""

from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest

from app.spent_text import spending_lines
from roles.brains.open_ideas import OPEN
from store import reads
from store.llm_calls import Cap
from tests.unit.roles.model_rig import BASE, Desk, make_desk, uses, variant

LOOK = uses(("read_source", {"which": "own", "first": 1, "last": 1}), ("recall", {"words": "x"}))
NEXT = uses(("read_source", {"which": "head", "first": 1, "last": 1}))


async def limited(home: Path, tokens: int, then: Literal["offline", "stop"]) -> Desk:
    """Each answer takes 110 tokens; a request reserves more than 16,000."""
    desk = await make_desk(home, *([[LOOK, NEXT] * 20] * 3), caps=(Cap("campaign", tokens=tokens),))
    desk.rig.campaign.policy = replace(desk.rig.campaign.policy, at_limit=then)
    return desk


def summary(desk: Desk) -> Any:
    return desk.rig.read(lambda s: reads.summary(s, desk.rig.campaign.id))["models"]


@pytest.mark.parametrize(
    ("then", "words"), [("offline", "the offline policy goes on"), ("stop", "the campaign ends with its final ledger")]
)
async def test_at_the_limit_nothing_more_is_sent(tmp_path: Path, then: Literal["offline", "stop"], words: str) -> None:
    desk = await limited(tmp_path, 24_000, then)
    state, text = await desk.serve()
    sent = len(desk.wire.asked)
    assert sent > 0
    if then == "offline":
        assert (state, text.startswith("ACCEPT")) == ("done", True), "the suggestion is judged all the same"
    else:
        assert (state, text.startswith("budget reached")) == ("dropped", True), "nothing new is begun"
    assert not desk.models.any_for("worker")
    assert await desk.serve(OPEN, BASE) == ("dropped", "no model is left to ask")
    await desk.serve(candidate=variant("int other;"))
    assert len(desk.wire.asked) == len(desk.calls) == sent
    (event,) = desk.events("budget")
    assert words in event
    assert "of 24,000 tokens spent or reserved" in event
    assert desk.rig.campaign.stop.is_set() == (then == "stop")
    assert ("limit of money: the campaign has" in desk.rig.campaign.stop_reason) == (then == "stop")
    assert summary(desk)["reached"] == [event]
    assert summary(desk)["committed_tokens"] == 110 * sent
    assert spending_lines(summary(desk))[-1] == f"! {event}"
    attention = desk.rig.read(lambda s: reads.overview(s, desk.rig.campaign.id)).attention
    assert any(words in line for line in attention)


async def test_the_limit_of_a_kernel_ends_that_kernel_s_requests_only(tmp_path: Path) -> None:
    desk = await make_desk(tmp_path, [LOOK], caps=(Cap("kernel", "gemv", tokens=100),))
    for text in ("int a;", "int b;"):
        await desk.serve(candidate=variant(text))
    assert desk.calls == ()
    (event,) = desk.events("budget")
    assert event.endswith("no further request is sent to a model for it")
    assert desk.models.any_for("worker")
    assert not desk.rig.campaign.stop.is_set()
