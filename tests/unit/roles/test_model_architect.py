"""The architect's model proposes designs with a budget of time; code checks the budget, and who can build it."""

from pathlib import Path
from typing import Any

import pytest

from roles.brains.open_ideas import is_open
from roles.model_architect import DRY, ModelArchitect, Rounds
from roles.prompts import render
from roles.tools.designing import FROM_BUDGET, FROM_CODE
from tests.unit.roles.council_rig import Council, make_council
from tests.unit.roles.model_rig import said, uses

FINISH = ("finish", {"summary": "two designs"})


def design(title: str, us: float = 600.0, listed: int = 0) -> tuple[str, dict[str, Any]]:
    spans = [{"name": "weights", "us": us - 10.0}, {"name": "reduction", "us": 10.0}]
    return "propose_design", {
        "title": title, "structure": "rows in blocks of eight", "differs": "eight sums at once", "spans": spans,
        "chance": 0.5, "listed": listed,
    }  # fmt: skip


async def architect(home: Path, *conversations: Any, also: str = "worker") -> tuple[Council, ModelArchitect]:
    council = await make_council(home, "architect", "architect-gemv", *conversations, also=also)
    return council, ModelArchitect(council.rig.campaign, "gemv", council.models)


async def test_designs_become_proposals_with_their_budget(tmp_path: Path) -> None:
    council, role = await architect(tmp_path, [uses(design("blocks of rows"), design("by columns", 300)), uses(FINISH)])
    await role.round("12 attempts had no promotion")
    first, second = council.rig.state.proposals
    assert is_open(first)
    assert (first.kind, first.application.params["design"], first.expected_gain) == ("design", "blocks of rows", 0.4)
    assert second.expected_gain == pytest.approx(0.7)
    assert "Budget: weights 590 us, reduction 10 us." in first.reason
    assert [e.data["title"] for e in council.events("design")] == ["blocks of rows", "by columns"]


async def test_one_that_code_can_make_is_made_by_code(tmp_path: Path) -> None:
    council, role = await architect(
        tmp_path,
        [uses(("list_designs", {})), uses(design("portable", listed=1), design("mine")), uses(FINISH)],
        also="",
    )
    await role.round("12 attempts had no promotion")
    (made,) = council.rig.state.proposals
    assert (made.kind, made.application.family) == ("design", "sketch")
    assert made.candidate.source != council.rig.state.baseline.candidate.source
    assert "no worker has a model that writes sources" in council.results[2][0]


BAD: list[tuple[tuple[str, dict[str, Any]], str]] = [
    (design("slow", 1200.0), "the spans come to 1200.0 us, the head takes 1000.0 us: that is no gain"),
    (design("magic", 100.0), "moving the bytes alone takes 500.0 us as measured"),
    (design("blocks of  ROWS"), "'blocks of  ROWS' was proposed before"),
    (design("x", listed=999), "there is no design 999"),
]


@pytest.mark.parametrize(("call", "why"), BAD, ids=[why[:20] for _, why in BAD])
async def test_a_budget_that_cannot_be_is_refused(tmp_path: Path, call: Any, why: str) -> None:
    council, role = await architect(tmp_path, [uses(design("blocks of rows"), call), uses(FINISH)])
    council.rig.state.peak_ns = 5e5
    await role.round("12 attempts had no promotion")
    assert why in council.results[1][0]
    assert len(council.rig.state.proposals) == 1


async def test_at_most_four_in_a_round(tmp_path: Path) -> None:
    council, role = await architect(tmp_path, [uses(*(design(f"d{n}") for n in range(5))), uses(FINISH)])
    await role.round("12 attempts had no promotion")
    assert len(council.rig.state.proposals) == 4
    assert "4 designs are taken" in council.results[4][0]


async def test_with_no_idea_left_it_starts_from_the_budget_without_the_code(tmp_path: Path) -> None:
    council, role = await architect(tmp_path, [said("no")] * 3, [uses(design("columns")), uses(FINISH)])
    state = council.rig.state
    state.peak_ns = 5e5
    assert role._ran_dry()
    assert role._rounds.why(council.rig.campaign, "gemv") == DRY
    await role.round(DRY)
    assert "the offline policy decides" in council.events("fallback")[0].text
    assert role._ran_dry()
    await role.round(DRY)
    assert len(state.proposals) == 1
    assert not role._ran_dry()
    assert "Measured peak: 500.0 us, 33.6 GB/s" in council.first_words
    assert "W (weight): 16,777,216 bytes" in council.first_words
    assert "void gemv(" in council.first_words  # the contract's prototype
    assert "for (" not in council.first_words
    assert "read_source" not in {tool.name for tool in council.wire.asked[-1].tools}
    assert {tool.name for tool in FROM_CODE.tools()} - {tool.name for tool in FROM_BUDGET.tools()} == {"read_source"}


async def test_the_search_does_not_end_while_designs_are_sought(tmp_path: Path) -> None:
    council, role = await architect(tmp_path, [uses(FINISH)])
    await role._offer([])
    assert not council.rig.state.exhausted
    for _ in range(2):
        await role.round(DRY)
        await role._offer([])
    assert council.rig.state.exhausted


async def test_rounds_are_due_on_a_plateau_and_not_too_often(tmp_path: Path) -> None:
    council, _ = await architect(tmp_path)
    campaign, state, rounds = council.rig.campaign, council.rig.state, Rounds()
    assert rounds.why(campaign, "gemv") == ""
    state.plateau = 12
    assert rounds.why(campaign, "gemv") == "12 attempts had no promotion"
    rounds.last, rounds.answered = council.now, 12
    state.plateau = 24
    council.now = 1799.0
    assert rounds.why(campaign, "gemv") == ""
    council.now = 1800.0
    assert rounds.why(campaign, "gemv") == "24 attempts had no promotion"


async def test_the_prompt_has_ban_contract_lineage_and_what_failed(tmp_path: Path) -> None:
    council, role = await architect(tmp_path, [uses(FINISH)])
    await role.round("12 attempts had no promotion")
    words = council.first_words
    places = [
        words.index(part) for part in ("Contract:", "BANNED: folds.", "Round 1", "Lineage of the head:", "The head:")
    ]
    assert places == sorted(places)
    assert "What failed under this head:\nnothing yet" in words
    assert council.wire.asked[-1].system == render("architect")
