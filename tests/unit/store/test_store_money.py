"""What a campaign cost: spent and reserved apart, by role, model and kernel, for a gain, at each step of the score."""

import pytest
from sqlalchemy import text

from app.spent_text import spending_lines
from store import agents, campaigns, ledger, llm_calls, reads
from store.engine import Session
from store.llm_calls import Account, Asked, Ended
from store.reads.cost_curves import by_model
from store.reads.model_views import spending
from tests.unit.store.conftest import World


def _call(world: World, *, model: str, usd: float | None, kernel: str = "ffn", ends: bool = True) -> int:
    asked = Asked("worker-01", "worker", kernel, "anthropic", model, 5000, 0.4, "own", brief_id=1)
    call = world.write(lambda s: llm_calls.start(s, Account(world.campaign), asked, ()))
    if ends:
        world.write(lambda s: llm_calls.end(s, call, Ended("done", 1000, 100, 0, 300, usd, "end")))
    return call


def _entry(world: World, speedup: float) -> None:
    def rows(s: Session) -> None:
        head = s.scalar(text("SELECT candidate_id FROM promotion ORDER BY id DESC LIMIT 1"))
        ledger.add_ledger_entry(
            s, world.campaign, "ffn", head_id=head, against="baseline", against_id=world.baseline, speedup=speedup,
            low=speedup, high=speedup, pairs=12,
        )  # fmt: skip

    world.write(rows)


@pytest.fixture
def paid(world: World) -> World:
    """Two kept gains of one worker: $0.25 spent, one request open, one whose price nobody knows."""
    limits = {
        "role_limits": {"worker": {"usd": 2.0, "tokens": 0}},
        "kernel_limits": {"ffn": {"usd": 0, "tokens": 9000}},
    }
    world.write(lambda s: campaigns.set_facts(s, world.campaign, options=limits, usd_budget=10.0))
    world.write(lambda s: agents.upsert_agent(s, world.campaign, "worker-01", "worker"))
    world.write(lambda s: agents.add_brief(s, world.campaign, "ffn"))
    _call(world, model="m", usd=0.05)
    world.promoted("one\n")
    _entry(world, 2.0)
    _call(world, model="m", usd=0.2)
    _call(world, model="m", usd=0.0, ends=False)
    _call(world, model="free", usd=None, kernel="qkv")
    world.promoted("two\n")
    _entry(world, 4.0)
    world.write(lambda s: s.connection().execute(text("UPDATE test SET device_seconds = 30.0")))
    world.write(lambda s: s.connection().execute(text("UPDATE node SET brief_id = 1 WHERE kind = 'variant'")))
    return world


def test_what_is_spent_and_what_is_held_stand_apart_under_the_limit(paid: World) -> None:
    total = paid.read(lambda s: reads.money(s, paid.campaign)).total
    assert (total.calls, total.tokens, total.usd) == (4, 3 * 1400, pytest.approx(0.25))
    assert (total.held_usd, total.held_tokens, total.cap_usd) == (pytest.approx(0.4), 5000, 10.0)
    assert (total.accepted, total.unpriced) == (2, 1)
    assert total.usd_per_gain is None


def test_shares_carry_their_limits_and_what_they_gained(paid: World) -> None:
    groups = paid.read(lambda s: reads.money(s, paid.campaign)).groups
    (worker,) = groups["role"]
    assert (worker.name, worker.cap_usd, worker.accepted) == ("worker", 2.0, 2)
    models = {one.name: one for one in groups["model"]}
    assert models["anthropic m"].usd_per_gain == pytest.approx(0.125) and models["anthropic free"].unpriced == 1
    ffn, qkv = groups["kernel"]
    assert (ffn.name, ffn.cap_tokens, ffn.accepted, ffn.device_s) == ("ffn", 9000, 2, 60.0)
    assert (qkv.name, qkv.accepted, qkv.device_s, qkv.device_s_per_gain) == ("qkv", 0, 0.0, None)
    assert ffn.device_s_per_gain == 30.0


def test_the_curve_says_what_each_step_of_the_score_had_cost(paid: World) -> None:
    view = paid.read(lambda s: reads.money(s, paid.campaign))
    assert [round(point.score, 3) for point in view.points] == [1.414, 2.0]
    assert [point.usd for point in view.points] == [pytest.approx(0.05), pytest.approx(0.25)]
    assert view.points[0].device_s == 30.0 and view.points[1].device_s == 60.0
    assert view.device == {"acceptance": 60.0}
    assert view.device_of == {"ffn": {"acceptance": 60.0}}


def test_without_a_model_nothing_was_spent_and_the_device_is_told_all_the_same(world: World) -> None:
    world.promoted("one\n")
    world.write(lambda s: s.connection().execute(text("UPDATE test SET device_seconds = 12.5")))
    view = world.read(lambda s: reads.money(s, world.campaign))
    assert not view.asked and view.total.usd == 0.0 and view.groups["model"] == ()
    assert [(one.name, one.device_s) for one in view.groups["kernel"]] == [("ffn", 12.5)]
    assert view.total.device_s == 12.5 and view.points == ()


def test_each_model_s_gains_stand_against_what_was_spent_on_it(paid: World) -> None:
    first, other = paid.read(lambda s: by_model(s, paid.campaign))
    assert (first.name, first.accepted, first.usd_per_gain) == ("anthropic m", 2, pytest.approx(0.125))
    assert first.curve == ((pytest.approx(0.05), pytest.approx(2**0.5)), (pytest.approx(0.25), pytest.approx(2.0)))
    assert (other.name, other.usd_per_gain) == ("anthropic free", None)
    assert [usd for usd, _ in other.curve] == [0.0, 0.0]
    shown = paid.read(lambda s: spending(s, paid.campaign))["models"]
    assert [one["usd_per_gain"] for one in shown["by_model"]] == [pytest.approx(0.125), None]
    assert "2 accepted, $0.1250 each" in spending_lines(shown)[1]
