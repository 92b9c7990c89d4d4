"""The score between baseline and peak is of one head: its speedup by the ledger beside its own time over the peak."""

import math

import pytest

from kernels.judge.anchored import anchored
from store import designs, kernel_states, ledger, modes, peaks, reads, sql
from store.engine import Session
from store.reads.board_view import BoardRow, board
from store.views import KernelView
from tests.unit.store.conftest import World

PEAK_NS = 100.0
"""Of both kernels; the baseline of each takes 1000 ns: all of the way is a factor of 10."""


def measured(world: World, node: int, *, head_ns: float) -> None:
    head = world.read(lambda s: designs.get_node(s, node)).candidate_id
    assert head is not None
    speedup = 1000.0 / head_ns
    world.write(
        lambda s: ledger.add_ledger_entry(
            s, world.campaign, "ffn", head_id=head, against="baseline", against_id=world.baseline, speedup=speedup,
            low=speedup, high=speedup, pairs=12, head_ns=head_ns, against_ns=1000.0,
        )
    )  # fmt: skip


def stands(world: World) -> tuple[KernelView, BoardRow]:
    return world.read(lambda s: reads.kernels(s, world.campaign))[0], world.read(board)[0]


@pytest.fixture
def peaked(world: World) -> World:
    for kernel in ("ffn", "qkv"):
        world.write(
            lambda s, k=kernel: peaks.add_peak(
                s, world.campaign, k, style="one", ns=PEAK_NS, gbs=30.0, mode="", styles={"one": PEAK_NS}
            )
        )
        world.write(lambda s, k=kernel: kernel_states.update(s, world.campaign, k, baseline_ns=1000.0, head_ns=1000.0))
    return world


def test_a_promotion_without_an_entry_of_its_own_moves_no_score(peaked: World) -> None:
    first, _ = peaked.promoted("a")
    peaked.write(lambda s: kernel_states.update(s, peaked.campaign, "ffn", head_ns=250.0))
    measured(peaked, first, head_ns=250.0)
    kernel, pack = stands(peaked)
    half_way = 0.5 + 0.5 * math.log(4) / math.log(10)
    assert (kernel.times_peak, kernel.score) == (pytest.approx(2.5), pytest.approx(half_way))
    assert pack.score == pytest.approx(0.5 + 0.5 * math.log(2) / math.log(10))  # sqrt(4 * 1) of 10

    peaked.promoted("b", parent=first)
    peaked.write(lambda s: kernel_states.update(s, peaked.campaign, "ffn", head_ns=125.0))
    later, later_pack = stands(peaked)
    assert (later.times_peak, later.ledger_speedup) == (pytest.approx(1.25), 4.0)
    assert (later.score, later_pack.score) == (pytest.approx(half_way), pytest.approx(pack.score))
    assert later.score != pytest.approx(anchored(4.0, 1.25), abs=0.01), "the speedup of one head, the peak of another"


def test_before_any_entry_it_is_the_baselines_and_of_a_promoted_head_there_is_none(peaked: World) -> None:
    kernel, _ = stands(peaked)
    assert kernel.score == pytest.approx(0.5)
    peaked.promoted("a")
    kernel, _ = stands(peaked)
    assert kernel.score is None


def test_a_peak_that_is_of_another_device_mode_is_named_until_there_is_one_of_the_heads(world: World) -> None:
    world.write(lambda s: modes.put(s, world.campaign, "slow"))

    def read_in(mode: str) -> str:
        world.write(
            lambda s: peaks.add_peak(
                s, world.campaign, "ffn", style="one", ns=PEAK_NS, gbs=30.0, mode=mode, styles={"one": PEAK_NS}
            )
        )
        return stands(world)[0].peak_mode

    assert stands(world)[0].peak_mode == ""
    assert read_in("fast") == "fast"
    assert read_in("slow") == ""


def test_a_clock_that_was_set_back_leaves_the_curve_at_the_number_of_the_table(peaked: World) -> None:
    first, _ = peaked.promoted("a")
    measured(peaked, first, head_ns=250.0)
    second, _ = peaked.promoted("b", parent=first)
    measured(peaked, second, head_ns=125.0)

    def hour_back(s: Session) -> None:
        for table in ("promotion", "ledger"):
            sql.run(s, f"UPDATE {table} SET at = at - 3600 * (1 + (SELECT count(*) FROM ledger)) WHERE id = 2")

    peaked.write(hour_back)
    steps = [p for p in peaked.read(lambda s: reads.score(s, peaked.campaign)) if p.kernel == "ffn"]
    kernel, _ = stands(peaked)
    assert kernel.ledger_speedup == 8.0
    assert [step.speedup for step in steps][-1] == 8.0
    assert [step.at_s for step in steps] == sorted(step.at_s for step in steps)
