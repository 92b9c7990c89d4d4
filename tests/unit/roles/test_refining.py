"""Refining begins no new design, by a person's word or near the end; exploring goes back."""

from dataclasses import replace
from pathlib import Path

import pytest

from roles.architect import Architect
from roles.brains.open_ideas import OpenIdeas
from roles.budget import Budget
from roles.kernel_state import Head
from roles.operator import Refused
from roles.refining import Refining
from store import kernel_states, reads
from tests.unit.roles.model_rig import make_desk, uses
from tests.unit.roles.pipeline_rig import Rig, make_rig, variant
from tests.unit.roles.test_open_ideas import AT_BASE, Inner

ANN = {"actor": "ann@cli"}


def said(rig: Rig) -> list[str]:
    return [e.text for e in rig.read(lambda s: reads.events(s, rig.campaign.id)) if e.kind == "refining"]


async def test_the_brain_is_told_and_designs_that_were_ready_go(tmp_path: Path) -> None:
    rig = await make_rig(tmp_path)
    refining, architect = Refining(rig.campaign), Architect(rig.campaign, "gemv")
    assert not (await architect.situation()).refining
    (design,) = OpenIdeas(Inner([]), lambda: True).propose(AT_BASE, 1, 1)
    rig.state.proposals[:] = [replace(design, kind="design"), design]
    assert "no new design" in await refining.refine("gemv", ANN)
    assert rig.state.proposals == [design]
    assert (await architect.situation()).refining
    assert rig.read(lambda s: kernel_states.get(s, rig.campaign.id, "gemv")).refining
    assert said(rig) == ["gemv is refined: no new design, the head is polished; by ann@cli"]
    assert "nothing changed" in await refining.refine("all", ANN)
    await refining.explore("all", ANN)
    assert not (await architect.situation()).refining
    assert said(rig)[1] == "gemv is explored: new designs again; by ann@cli"
    with pytest.raises(Refused, match="no kernel is called 'x'; known: gemv, all"):
        await refining.refine("x", ANN)


async def test_no_own_idea_is_asked_for_while_refining() -> None:
    assert OpenIdeas(Inner([]), lambda: True).propose(replace(AT_BASE, refining=True), 3, 1) == []


async def test_near_the_end_it_is_automatic_and_a_word_after_it_stands(tmp_path: Path) -> None:
    rig = await make_rig(tmp_path)
    campaign, now = rig.campaign, 0.0
    campaign.clock = lambda: now
    campaign.policy, campaign.budget = replace(campaign.policy, refine_at=0.85), Budget(minutes=10.0)
    rig.state.head = Head(variant("int a;"), rig.state.idea_node, 1e6, "")
    refining = Refining(campaign)
    now = 500.0
    await refining.when_late()
    assert campaign.refining == set()
    now = 511.0
    await refining.when_late()
    assert campaign.refining == {"gemv"}
    assert said(rig) == ["gemv is refined: no new design, the head is polished; 85% of 10 minutes are over"]
    await refining.explore("gemv", ANN)
    await refining.when_late()
    assert campaign.refining == set()


async def test_a_kernel_without_a_head_of_its_own_goes_on_exploring(tmp_path: Path) -> None:
    rig = await make_rig(tmp_path)
    rig.campaign.policy, rig.campaign.budget = replace(rig.campaign.policy, refine_at=0.5), Budget(minutes=1.0)
    rig.campaign.clock = lambda: 59.0
    await Refining(rig.campaign).when_late()
    assert rig.campaign.refining == set()


async def test_a_model_s_new_design_is_not_taken_while_refining(tmp_path: Path) -> None:
    new = {"idea": "tiles", "why": "reuse", "expected_gain": 0.2, "new_design": True}
    desk = await make_desk(
        tmp_path, [uses(("write_file", {"text": variant("int t;").source})), uses(("submit", new)),
                   uses(("finish", {"summary": "x"}))]
    )  # fmt: skip
    desk.rig.campaign.refining.add("gemv")
    await desk.serve()
    assert "gemv is refined now, no new design is taken" in desk.results[1][0]
    assert any("No new design is wanted now" in text for text in desk.told)
