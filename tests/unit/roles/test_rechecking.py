"""Heads under another toolchain are judged again; what rests on them stands and falls with them; the loop goes on."""

from pathlib import Path
from typing import Any

import pytest

from kernels.sandbox.runner import RunnerFailed
from knowledge.memory import Conclusion
from store import campaigns, memory, promotions, reads
from store.views import FilingView
from tests.unit.roles.pipeline_rig import Rig
from tests.unit.roles.toolchain_rig import checked_again, make_toolchain_rig, promoted


@pytest.fixture
async def rig(tmp_path: Path) -> Rig:
    found, _ = await make_toolchain_rig(tmp_path)
    return found


def counts(rig: Rig) -> dict[str, dict[str, int]]:
    (change,) = rig.read(lambda s: reads.toolchain_changes(s, rig.campaign.id))
    return {kind: {word: n for word, n in of.items() if n} for kind, of in change.counts.items()}


def filed(rig: Rig) -> list[FilingView]:
    return [f for f in rig.read(lambda s: reads.filings(s, rig.campaign.id)) if f.kind == "rejudged"]


def state_of(rig: Rig) -> str:
    return str(rig.read(lambda s: campaigns.get(s, rig.campaign.id).state))


async def test_a_head_that_stands_is_measured_and_filed_under_the_new_toolchain(rig: Rig) -> None:
    head = await promoted(rig, "int first;", 2.0)
    rig.device.ratio[head.id] = 3.0
    await checked_again(rig)
    assert rig.state.head.key == head.id
    assert counts(rig) == {"head": {"re_verified": 1}, "filing": {"re_verified": 1}}
    (again,) = filed(rig)
    assert again.ledger_speedup == pytest.approx(3.0, rel=0.01)
    (kernel,) = rig.read(lambda s: reads.kernels(s, rig.campaign.id))
    assert kernel.ledger_speedup == pytest.approx(3.0, rel=0.01)
    assert state_of(rig) == "running"


async def test_a_head_that_became_slower_than_the_baseline_falls_back_to_its_ancestor(rig: Rig) -> None:
    first = await promoted(rig, "int first;", 2.0)
    second = await promoted(rig, "int second;", 1.5)
    rig.device.ratio |= {first.id: 2.0, second.id: 0.8}
    await checked_again(rig)
    assert rig.state.head.key == first.id
    assert counts(rig) == {"head": {"re_verified": 1, "retired": 1}, "filing": {"re_verified": 1, "retired": 1}}
    fallen = rig.read(lambda s: promotions.fallen_since(s, rig.campaign.id, 0.0))
    assert [row.candidate_id for row in fallen] == [second.id]
    assert "0.80x against the baseline" in fallen[0].demoted_why
    assert second.id not in rig.device.loaded


async def test_a_head_that_no_longer_compiles_falls_back_with_the_reason(rig: Rig) -> None:
    first = await promoted(rig, "int first;", 2.0)
    second = await promoted(rig, "int second;", 1.5)
    await checked_again(rig, {"compile": {second.id: "compile_error"}})
    assert rig.state.head.key == first.id
    assert counts(rig)["head"] == {"re_verified": 1, "retired": 1}
    (fallen,) = rig.read(lambda s: promotions.fallen_since(s, rig.campaign.id, 0.0))
    assert "gate compile" in fallen.demoted_why


async def test_where_nothing_stands_the_baseline_is_the_head_again(rig: Rig) -> None:
    first = await promoted(rig, "int first;", 2.0)
    await checked_again(rig, {"correct": {first.id: "wrong_values"}})
    assert rig.state.head.key == rig.state.baseline.key
    assert counts(rig) == {"head": {"retired": 1}, "filing": {"retired": 1}}
    assert filed(rig) == []
    assert state_of(rig) == "running"


async def test_one_bad_reading_fells_no_head(rig: Rig) -> None:
    head = await promoted(rig, "int first;", 2.0)
    seen = [0]

    def fail(_: str) -> None:
        seen[0] += 1
        if seen[0] == 5:  # after the first timing, in the ledger
            raise RunnerFailed("hang", "no answer")

    rig.device.on_pair = fail
    await checked_again(rig)
    assert (rig.state.head.key, rig.device.restarted) == (head.id, [head.id])
    assert counts(rig)["head"] == {"re_verified": 1}


async def test_what_was_learned_stands_and_falls_with_its_candidate(rig: Rig) -> None:
    first = await promoted(rig, "int first;", 2.0)
    second = await promoted(rig, "int second;", 1.5)
    rig.device.ratio |= {first.id: 2.0, second.id: 0.8}

    def rows(s: Any) -> None:
        for name, candidate in (("stands", first.id), ("falls", second.id), ("elsewhere", rig.state.baseline.key)):
            found = Conclusion("win", "matvec", name, name, "why", 0.1)
            memory.remember(s, found, campaign_id=rig.campaign.id, candidate_id=candidate)

    rig.campaign.store.write_sync(rows)
    await checked_again(rig)
    assert counts(rig)["memory"] == {"re_verified": 1, "retired": 1, "carried_over": 1}
    assert {row.lever: row.state for row in rig.read(lambda s: memory.recall(s, "matvec"))} == {
        "stands": "current", "elsewhere": "stale",
    }  # fmt: skip


async def test_a_campaign_that_somebody_paused_stays_paused(rig: Rig) -> None:
    rig.campaign.paused_at_start = True
    await checked_again(rig)
    assert state_of(rig) == "paused"


async def test_nothing_happens_without_a_change(rig: Rig) -> None:
    head = await promoted(rig, "int first;", 2.0)
    pairs = rig.device.pairs
    from roles.ledger_keeper import LedgerKeeper
    from roles.recheck.whole import recheck

    async def restore(_: Any) -> None:
        raise AssertionError("nothing fell")

    await recheck(rig.campaign, LedgerKeeper(rig.campaign), restore, "maintainer")
    assert (rig.state.head.key, rig.device.pairs) == (head.id, pairs)
