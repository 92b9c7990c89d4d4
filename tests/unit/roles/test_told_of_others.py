"""What reaches a kernel of the others, and of what was tried on it, by memory_shared, siblings and leaderboard."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from knowledge.memory import Conclusion, Retention
from roles import telling
from roles.brains.base import Tried
from roles.campaign import Campaign
from roles.situations import situation_of
from roles.tools.arguments import ReadSibling
from roles.tools.reading import learned, read_sibling, remembered
from roles.tools.workbench import ToolFailed
from store import memory
from store.engine import Session
from tests.unit.roles.model_rig import make_desk, variant


async def told(campaign: Campaign, **policy: Any) -> tuple[list[str], int, list[str]]:
    """Wins and traps told on gemv, lessons that the policy hears there, lines of what was tried."""
    campaign.policy = replace(campaign.policy, **policy)
    kind = campaign.kernels["gemv"].character.type

    def rows(s: Session) -> None:
        for kernel in ("gemv", "other"):
            found = Conclusion("win", kind, "tile", f"tiles of {kernel}", "", 0.2)
            memory.remember(s, found, kernel=kernel, campaign_id=campaign.id)

    await campaign.store.write(rows)
    lines = await campaign.store.read(lambda s: list(learned(s, campaign, "gemv")))
    everything = await campaign.store.read(lambda s: list(remembered(s, campaign, "gemv")))
    lessons = (await situation_of(campaign, "gemv")).lessons
    return lines, len(lessons), [line for line in everything if line.startswith("tried")]


async def test_wins_of_others(tmp_path: Path) -> None:
    campaign = (await make_desk(tmp_path)).rig.campaign
    everything = campaign.policy
    cases: list[tuple[dict[str, Any], list[str], int]] = [
        ({}, ["gemv", "other"], 1), ({"shared": False}, ["gemv"], 0), ({"siblings": False}, ["gemv"], 0),
        ({"memory": Retention("none")}, [], 0),
    ]  # fmt: skip
    for policy, kernels, lessons in cases:
        campaign.policy = everything
        lines, heard, _ = await told(campaign, **policy)
        assert (sorted(line.split()[2] for line in lines), heard) == (kernels, lessons), policy


async def test_what_was_tried(tmp_path: Path) -> None:
    desk = await make_desk(tmp_path)
    await desk.serve(candidate=variant("int tried_before;"))
    campaign = desk.rig.campaign
    for on in (True, False):
        _, _, tried = await told(campaign, leaderboard=on)
        assert bool(tried) is on
        situation = await situation_of(campaign, "gemv")
        one = Tried("tile", "structure", {}, "c", "REVERT", "SLOWER", situation.head.id, -0.1)
        assert bool(telling.failed(replace(situation, tried=[one]))) is on
        lineage = (await campaign.store.read(lambda s: telling.history(s, campaign, "gemv")))["lineage"]
        assert (lineage == "not told in this campaign") is not on
        assert situation.tried  # the policy itself always knows


async def test_heads_of_others_are_not_shown_without_siblings(tmp_path: Path) -> None:
    desk = await make_desk(tmp_path)
    campaign = desk.rig.campaign
    campaign.policy = replace(campaign.policy, siblings=False)

    class Bench:
        pass

    bench: Any = Bench()
    bench.campaign, bench.kernel = campaign, "gemv"
    with pytest.raises(ToolFailed, match="not shown"):
        await read_sibling(bench, ReadSibling(kernel="axpy"))
