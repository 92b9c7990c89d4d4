"""What is in flight is no more than the device judges in the time of the setting, by measured seconds of a pair."""

from dataclasses import replace
from pathlib import Path

import pytest

from kernels.levers.base import Application
from roles.assignment import MOST_PAIRS, brief_s, may_open, pair_s, used_up
from roles.brains.base import Proposal
from roles.strategist import Strategist
from store import agents, reads
from tests.unit.roles.model_rig import make_desk, uses
from tests.unit.roles.pipeline_rig import BASE, Rig, make_rig, variant

LEVER = Application("accumulators", "structure", {}, "", "", "")
SLOW = variant("int slow;")


async def measured(rig: Rig, seconds: float) -> None:
    """One test of a candidate that is slower, every pair of which held the device for so long."""
    rig.device.ratio[SLOW.id], rig.device.last_hold_s = 0.7, seconds
    await rig.judge(SLOW)
    rig.device.last_hold_s = 0.01


def proposals(count: int) -> list[Proposal]:
    return [
        Proposal("gemv", "variant", BASE, LEVER, variant(f"int p{n};"), 0.1, 0.5, "", "", float(n))
        for n in range(count)
    ]


@pytest.mark.parametrize(("minutes", "opened"), [(30.0, 3), (10.0, 1), (0.5, 1), (0.0, 8)])
async def test_open_briefs_are_what_the_device_judges_in_time(tmp_path: Path, minutes: float, opened: int) -> None:
    rig = await make_rig(tmp_path)
    campaign = rig.campaign
    campaign.policy = replace(campaign.policy, workers=8, kernel_workers=8, in_flight_s=60.0 * minutes)
    await campaign.store.write(lambda s: agents.upsert_agent(s, campaign.id, "strategist", "strategist"))
    await measured(rig, 14.0)
    assert await pair_s(campaign, "gemv") == pytest.approx(14.0)
    assert MOST_PAIRS * 14.0 == 560.0
    rig.state.proposals = proposals(20)
    await Strategist(campaign).turn()
    assert len(campaign.briefed) == opened
    campaign.briefed.popitem()
    await Strategist(campaign).turn()
    assert len(campaign.briefed) == opened


async def test_before_the_first_test_the_last_hold_counts(tmp_path: Path) -> None:
    rig = await make_rig(tmp_path)
    rig.campaign.briefed[1] = proposals(1)[0]
    for seconds, allowed in ((1800.0 / MOST_PAIRS / 2, True), (1800.0 / MOST_PAIRS, False)):
        rig.device.last_hold_s = seconds
        assert may_open(rig.campaign, "gemv", await brief_s(rig.campaign)) is allowed


async def test_a_model_s_brief_ends_once_it_had_its_share_of_the_device(tmp_path: Path) -> None:
    submit = {"idea": "i", "why": "w", "expected_gain": 0.1, "new_design": False}
    second = variant("int second;")
    turns = [
        uses(("write_file", {"text": SLOW.source}), ("time", {}), ("submit", submit)),
        uses(("write_file", {"text": second.source}), ("time", {}), ("submit", submit), ("compile", {})),
        uses(("finish", {"summary": "done"})),
    ]
    desk = await make_desk(tmp_path, turns)
    campaign = desk.rig.campaign
    campaign.policy = replace(campaign.policy, in_flight_s=600.0)
    desk.rig.device.ratio |= {SLOW.id: 0.7, second.id: 2.0}
    desk.rig.device.last_hold_s = 100.0
    await desk.serve()
    said = [text for text, _ in desk.results]
    assert said[2].startswith("REVERT SLOWER")
    pairs = desk.rig.read(lambda s: reads.tests(s, campaign.id))[0].pairs_done
    assert desk.rig.read(lambda s: reads.brief_seconds(s, 1)) == pytest.approx(100.0 * pairs)
    for text in (said[4], said[5]):
        assert text == f"error: this brief had {100.0 * pairs / 60:.1f} of its 10 minutes of the device: finish"
    assert said[6].startswith("it compiles")
    assert desk.rig.state.head.key == BASE.id
    assert await used_up(campaign, "gemv", 1, 0)
    assert await used_up(campaign, "gemv", 2, 0) == ""
    assert await used_up(campaign, "gemv", 2, 6) != ""
