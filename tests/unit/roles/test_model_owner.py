"""The owner's model keeps the notebook, writes what was measured, and has what it suspects audited."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from knowledge.memory import Retention
from roles.auditor import Auditor
from roles.model_owner import BATCH, ModelOwner
from roles.situations import situation_of
from roles.telling import failed
from store import memory, notebook
from tests.unit.roles.council_rig import Council, make_council
from tests.unit.roles.model_rig import said, uses, variant

FINISH = ("finish", {"summary": "reviewed"})
FASTER, SLOWER = variant("int faster_variant;"), variant("int slower_variant;")


async def owner(home: Path, *conversations: Any) -> tuple[Council, ModelOwner]:
    council = await make_council(home, "owner", "owner-gemv", *conversations)
    council.rig.device.ratio |= {FASTER.id: 1.5, SLOWER.id: 0.7}
    role = ModelOwner(council.rig.campaign, "gemv", council.models)
    for candidate in (SLOWER, FASTER):
        await council.rig.judge(candidate, lever="accumulators")
        role.concluded(*council.rig.state.finished.get_nowait())
    return council, role


def learned(node: int, kind: str) -> tuple[str, dict[str, Any]]:
    return "remember", {"node": node, "kind": kind, "strategy": f"{kind} of node {node}", "reflection": "four sums"}


async def test_notes_wins_and_traps_are_kept_where_they_were_measured(tmp_path: Path) -> None:
    note = ("note", {"text": "sums limit it now"})
    calls = uses(note, learned(2, "trap"), learned(3, "win"), learned(2, "win"), learned(3, "trap"), learned(9, "win"))
    council, role = await owner(tmp_path, [uses(("read_attempt", {"node": 3})), calls, uses(FINISH)])
    assert role.due
    await role.review()
    assert "int faster_variant;" in council.results[0][0]
    errors = [text for text, is_error in council.results if is_error]
    assert "a win is of a promotion; node 2 is REVERT" in errors[0]
    assert "a trap is of what was refused or reverted; node 3 is KEEP" in errors[1]
    assert "node 9 is not under review; these are: 2, 3" in errors[2]
    rows = council.rig.read(lambda s: memory.recall(s, council.rig.state.character.type))
    assert {(r.kind, r.strategy) for r in rows} == {("trap", "trap of node 2"), ("win", "win of node 3")}
    (kept,) = council.rig.read(lambda s: notebook.notes(s, council.rig.campaign.id, "gemv", limit=5))
    assert (kept.text, kept.author) == ("sums limit it now", "owner-gemv")
    assert "node 3 by worker-01: accumulators -> KEEP FASTER" in council.first_words
    assert not role.due


async def test_what_an_owner_keeps_is_as_long_as_the_campaign_allows(tmp_path: Path) -> None:
    named, (_, arguments) = "remember", learned(2, "trap")
    long, short = ((named, {**arguments, "strategy": "s" * n}) for n in (31, 30))
    council, role = await owner(tmp_path, [uses(long, short), uses(FINISH)])
    campaign = council.rig.campaign
    campaign.policy = replace(campaign.policy, memory=Retention(strategy=30))
    await role.review()
    assert "strategy has 31 characters, 30 at most" in council.results[0][0]
    (kept,) = council.rig.read(lambda s: memory.recall(s, council.rig.state.character.type))
    assert kept.strategy == "s" * 30
    assert "`remember` takes 30 characters for a strategy, 1200 for a reflection" in council.first_words


async def test_a_suspicion_needs_a_quote_and_is_audited_next(tmp_path: Path) -> None:
    why = {"why": "a constant that fits the data"}
    wrong = ("suspect_fold", {"node": 3, "quote": "int not_there_at_all;", **why})
    right = ("suspect_fold", {"node": 3, "quote": "int  faster_variant;", **why})
    council, role = await owner(tmp_path, [uses(wrong, right), uses(FINISH)])
    await role.review()
    assert "the quote does not stand in the source" in council.results[0][0]
    assert "the audit decides" in council.results[1][0]
    (event,) = council.events("suspicion")
    assert event.data["node"] == 3
    auditor = Auditor(council.rig.campaign)
    auditor._last = council.now
    chosen = await auditor._next()
    assert chosen is not None
    assert chosen.node == 3
    assert council.rig.campaign.suspects == {}


async def test_a_useless_reply_leaves_what_the_rule_concluded(tmp_path: Path) -> None:
    council, role = await owner(tmp_path, [said("fine")] * 3)
    await role.review()
    (event,) = council.events("fallback")
    assert "the offline policy decides" in event.text


async def test_reviews_are_due_after_a_promotion_by_number_and_by_time(tmp_path: Path) -> None:
    council, role = await owner(tmp_path)
    role._waiting = role._waiting[:1]  # the slower one
    assert not role.due
    council.now = 900.0
    assert role.due
    council.now = 0.0
    role._waiting *= BATCH
    assert role.due


async def test_what_failed_and_the_notebook_stand_in_later_prompts(tmp_path: Path) -> None:
    council, role = await owner(tmp_path, [uses(("note", {"text": "sums limit it now"})), uses(FINISH)], [uses(FINISH)])
    worse = variant("int worse_still;")
    council.rig.device.ratio[worse.id] = 0.9
    await role.review()
    await council.rig.judge(worse, lever="restrict", params={"n": 2})
    role.concluded(*council.rig.state.finished.get_nowait())
    await role.review()
    assert "- restrict n=2 -> REVERT SLOWER -11" in failed(await situation_of(council.rig.campaign, "gemv"))
    assert "What failed under this head:\n- restrict n=2 -> REVERT SLOWER" in council.first_words
    assert "From the notebook:\n- sums limit it now" in council.first_words
    assert "BANNED: folds." in council.first_words
