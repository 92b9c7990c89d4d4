"""The strategist's model ranks, stops and writes; code checks it against the rows, and goes on without it."""

import asyncio
from pathlib import Path
from typing import Any

from kernels.levers.base import Application
from roles.brains.base import Proposal
from roles.brains.offline.policy import OfflineBrain
from roles.campaign import Serving
from roles.model_strategist import ModelStrategist, Rounds
from roles.situations import situation_of
from store.llm_calls import Cap
from tests.unit.roles.council_rig import Council, make_council
from tests.unit.roles.model_rig import BASE, said, uses, variant

APPLICATION = Application("accumulators", "structure", {}, "", "", "")
PROPOSAL = Proposal("gemv", "variant", BASE, APPLICATION, variant("int x;"), 0.1, 0.5, "", "", 1.0)

FINISH = ("finish", {"summary": "accumulators first"})
RANKS = [
    {"lever": "accumulators", "expected_gain": 0.9, "chance": 1.0},
    {"lever": "restrict", "expected_gain": 0.0, "chance": 0.0},
]
RANK = ("rank_levers", {"kernel": "gemv", "ranks": RANKS, "why": "two cores are idle"})
STOP = ("stop_lever", {"kernel": "gemv", "lever": "accumulators", "why": "slower twice"})
BRIEF = ("write_brief", {"kernel": "gemv", "lever": "accumulators", "text": "one range a thread"})


async def strategist(home: Path, *conversations: Any, **more: Any) -> tuple[Council, ModelStrategist]:
    council = await make_council(home, "strategist", "strategist", *conversations, **more)
    return council, ModelStrategist(council.rig.campaign, council.models)


async def test_a_ranking_orders_what_is_proposed_and_is_found_after_a_restart(tmp_path: Path) -> None:
    council, role = await strategist(tmp_path, [uses(RANK, BRIEF), uses(FINISH)])
    campaign = council.rig.campaign
    council.rig.state.proposals.append(PROPOSAL)
    await role.round("the campaign begins")
    assert council.rig.state.proposals == []
    situation = await situation_of(campaign, "gemv")
    found = OfflineBrain().propose(situation, 50, 1)
    assert found[0].application.lever == "accumulators"
    assert found[-1].application.lever == "restrict"
    (event,) = council.events("strategy")
    assert event.text == "2 levers ranked, 0 stopped, 1 briefs written"
    council.rig.state.proposals.append(PROPOSAL)
    await role._open_best("gemv")
    assert council.events("brief")[-1].text.endswith("one range a thread")
    again = ModelStrategist(campaign, council.models)
    campaign.ranking, before = type(campaign.ranking)(), campaign.ranking
    campaign.stop.set()
    await again.run()
    assert campaign.ranking == before


async def test_a_gain_above_the_peak_is_cut_to_what_is_left(tmp_path: Path) -> None:
    council, role = await strategist(tmp_path, [uses(RANK), uses(FINISH)])
    council.rig.state.peak_ns = 9e5
    await role.round("the campaign begins")
    assert abs(council.rig.campaign.ranking.values["gemv", "accumulators"] - 0.1) < 1e-9


async def test_a_stop_needs_evidence_and_stops_who_is_at_it(tmp_path: Path) -> None:
    council, role = await strategist(tmp_path, [uses(STOP), uses(FINISH)], [uses(STOP), uses(FINISH)])
    campaign = council.rig.campaign
    await role.round("the campaign begins")
    assert "was judged 0 times on gemv; 2 are needed" in council.results[0][0]
    for n in range(2):
        council.rig.device.ratio[variant(f"int v{n};").id] = 0.8
        await council.rig.judge(variant(f"int v{n};"), lever="accumulators")
    campaign.briefed[7] = PROPOSAL
    at_work = asyncio.create_task(asyncio.sleep(600))
    campaign.serving["worker-01"] = Serving("gemv", at_work, 7)
    await role.round("3 hours are over")
    assert not council.results[0][1]
    await asyncio.wait({at_work}, timeout=60)
    assert at_work.cancelled()
    situation = await situation_of(campaign, "gemv")
    assert situation.stopped == {"accumulators"}
    assert all(p.application.lever != "accumulators" for p in OfflineBrain().propose(situation, 50, 1))


async def test_what_does_not_exist_is_refused_with_what_there_is(tmp_path: Path) -> None:
    wrong = [("rank_levers", {**RANK[1], "kernel": "gem"}), ("stop_lever", {**STOP[1], "lever": "magic"}),
             ("write_brief", {"kernel": "gemv", "lever": "accumulators"})]  # fmt: skip
    council, role = await strategist(tmp_path, [uses(*wrong), uses(FINISH)])
    await role.round("the campaign begins")
    texts = [text for text, is_error in council.results if is_error]
    assert "there is no kernel 'gem'; there are: gemv" in texts[0]
    assert "no lever 'magic' fits gemv" in texts[1]
    assert "text: Field required" in texts[2]
    assert council.rig.campaign.ranking.empty
    assert council.events("strategy") == []


async def test_without_a_usable_reply_the_policy_decides_and_an_event_says_so(tmp_path: Path) -> None:
    council, role = await strategist(tmp_path, [said("I would try accumulators."), said("Really."), said("Yes.")])
    await role.round("the campaign begins")
    (event,) = council.events("fallback")
    assert "3 answers without a tool call: words only: nothing was decided; the offline policy decides" in event.text
    assert council.rig.campaign.ranking.empty


async def test_a_limit_is_said_and_the_policy_decides(tmp_path: Path) -> None:
    council, role = await strategist(tmp_path, [uses(RANK)], caps=(Cap("role", "strategist", tokens=10),))
    await role.round("the campaign begins")
    assert "role strategist has 0 of 10 tokens" in council.events("budget")[0].text
    assert "budget reached" in council.events("fallback")[0].text
    assert council.calls == ()


async def test_rounds_are_due_at_the_start_by_time_and_on_a_stall(tmp_path: Path) -> None:
    council, _ = await strategist(tmp_path)
    campaign, state, rounds = council.rig.campaign, council.rig.state, Rounds()
    assert rounds.why(campaign) == "the campaign begins"
    rounds.begun(campaign)
    council.now = 10_799.0
    assert rounds.why(campaign) == ""
    council.now = 10_800.0
    assert rounds.why(campaign) == "3.0 hours are over"
    rounds.begun(campaign)
    state.plateau = 12
    assert rounds.why(campaign) == "gemv had 12 attempts without a promotion"
    rounds.begun(campaign)
    assert rounds.why(campaign) == ""
    state.plateau = 3  # a promotion came in between
    assert rounds.why(campaign) == ""
    state.plateau = 15
    assert rounds.why(campaign) == "gemv had 15 attempts without a promotion"


async def test_the_front_of_the_prompt_is_the_same_in_every_round(tmp_path: Path) -> None:
    council, role = await strategist(tmp_path, [uses(FINISH)], [uses(FINISH)])
    await role.round("the campaign begins")
    first = council.wire.asked[-1]
    await role.round("3 hours are over")
    second = council.wire.asked[-1]
    assert (first.system, first.tools) == (second.system, second.tools)
    assert "BANNED: folds." in council.first_words
    assert council.first_words.startswith("BANNED: folds.")
    assert "gemv: head 1000.0 us, peak not measured" in council.first_words
    assert "- accumulators (structure," in council.first_words
