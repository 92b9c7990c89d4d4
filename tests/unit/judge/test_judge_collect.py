"""The sampling loop: coin, redos, invalid tests, cancelling."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from kernels.judge.collect import Judged, Progress, coin_of, judge
from kernels.judge.redo import VoidPair, side_warning
from kernels.judge.registry import get_rule
from kernels.judge.rule import Rule, State
from kernels.values.reading import First, Pair, Reading
from kernels.values.verdict import Verdict

PAIRED = get_rule("paired")


def pair_of(head: float, candidate: float, first: First, **more: object) -> Pair:
    one, two = (Reading(ns, 8, ns, ns) for ns in (head, candidate))
    probes = {"probe_before_gbs": 33.0, "probe_after_gbs": 33.5, "mode": "slow", **more}
    return Pair(one, two, first, **probes)  # ty: ignore[invalid-argument-type]


class Bench:
    """Measures a candidate that needs `share` of the head's time; `spoil` may change or refuse a pair by its number."""

    def __init__(
        self, share: float = 0.98, cv: float = 0.002, spoil: Callable[[int, Pair], Pair] | None = None
    ) -> None:
        self.orders: list[First] = []
        self.share, self.cv, self.spoil = share, cv, spoil
        self.rng = np.random.default_rng(7)

    async def measure(self, first: First) -> Pair:
        self.orders.append(first)
        head, candidate = 1e6 * np.exp(self.rng.normal(0, self.cv, 2)) * (1, self.share)
        pair = pair_of(float(head), float(candidate), first)
        return self.spoil(len(self.orders), pair) if self.spoil else pair

    async def run(self, rule: Rule = PAIRED, seed: int = 11) -> Judged:
        return await judge(self.measure, rule, coin_of(seed))


async def test_a_clear_gain_is_faster_after_six_pairs() -> None:
    found = await Bench().run()
    assert (found.verdict, len(found.pairs), found.mode) == (Verdict.FASTER, 6, "slow")
    assert found.estimate is not None
    assert found.estimate.low < 0.02 < found.estimate.high


async def test_the_order_is_a_fair_coin_from_the_recorded_seed() -> None:
    one, again, other = Bench(share=1.0), Bench(share=1.0), Bench(share=1.0)
    rule = get_rule("fixed", pairs=100)
    await one.run(rule, seed=1)
    await again.run(rule, seed=1)
    await other.run(rule, seed=2)
    assert one.orders == again.orders != other.orders
    assert 30 < one.orders.count("head") < 70


async def test_the_papers_rule_alternates() -> None:
    bench = Bench(share=1.0)
    await bench.run(get_rule("paper"))
    assert bench.orders == (["head", "candidate"] * 6)[: len(bench.orders)]


def flip_mode(pair: Pair) -> Pair:
    return pair_of(pair.head.ns, pair.candidate.ns, pair.first, probe_after_gbs=55.0)


async def test_a_mode_flip_is_redone_and_stays_on_record() -> None:
    seen: list[Progress] = []

    async def keep(progress: Progress) -> None:
        seen.append(progress)

    bench = Bench(spoil=lambda n, pair: flip_mode(pair) if n == 2 else pair)
    found = await judge(bench.measure, PAIRED, coin_of(1), on_pair=keep)
    assert (len(bench.orders), len(found.pairs), len(found.redos)) == (7, 6, 1)
    assert [p.kept for p in seen] == [True, False, True, True, True, True, True]
    assert seen[1].pair.redo_reason.startswith("mode")
    assert seen[-1].decision == found.decision


async def test_at_most_three_redos_then_doubtful_pairs_are_kept() -> None:
    bench = Bench(spoil=lambda _n, pair: flip_mode(pair))
    found = await bench.run()
    assert (len(bench.orders), len(found.pairs), len(found.redos)) == (9, 6, 3)
    assert all(not p.redo_reason for p in found.pairs)


async def test_both_readings_long_is_redone_one_long_reading_is_not() -> None:
    def both(n: int, pair: Pair) -> Pair:
        return pair_of(pair.head.ns * 1.8, pair.candidate.ns * 1.8, pair.first) if n == 5 else pair

    def one(n: int, pair: Pair) -> Pair:
        return pair_of(pair.head.ns * 2.0, pair.candidate.ns, pair.first) if n == 5 else pair

    assert [r.reason.split(":")[0] for r in (await Bench(spoil=both).run()).redos] == ["work"]
    assert not (await Bench(spoil=one).run()).redos


@pytest.mark.parametrize("ns", [0.0, -1.0, math.nan, math.inf])
async def test_a_reading_that_cannot_be_is_invalid_with_its_reason(ns: float) -> None:
    found = await Bench(spoil=lambda n, p: pair_of(p.head.ns, ns, p.first) if n == 4 else p).run()
    assert (found.verdict, len(found.pairs)) == (Verdict.INVALID, 3)
    assert f"candidate {ns}" in found.reason


async def test_void_jobs_are_redone_three_times_then_the_test_is_invalid() -> None:
    def void(_n: int, pair: Pair) -> Pair:
        raise VoidPair("preempted for 40 ms", "head", pair.first)

    found = await Bench(spoil=void).run()
    assert (found.verdict, len(found.redos)) == (Verdict.INVALID, 3)
    assert "preempted" in found.reason
    assert {r.side for r in found.redos} == {"head"}


async def test_other_failures_pass_through() -> None:
    class Crash(Exception):
        pass

    def crash(_n: int, pair: Pair) -> Pair:
        raise Crash

    with pytest.raises(Crash):
        await Bench(spoil=crash).run()


async def test_cancelling_ends_before_the_next_pair() -> None:
    answers: Iterator[bool] = iter([False, False, True])
    bench = Bench()
    found = await judge(bench.measure, PAIRED, coin_of(1), cancelled=lambda: next(answers))
    assert (found.verdict, found.reason, len(bench.orders)) == (Verdict.INVALID, "cancelled", 2)


async def test_a_confirmation_that_drops_is_unclear() -> None:
    found = await Bench(share=1.02).run(get_rule("confirmation"))
    assert (found.decision.state, found.verdict, found.confirmed) == (State.DROP, Verdict.UNCLEAR, False)
    assert (await Bench(share=0.97).run(get_rule("confirmation"))).confirmed


def test_redos_on_one_side_raise_a_warning_over_a_campaign() -> None:
    assert not side_warning(0, 0)
    assert not side_warning(3, 0)
    assert not side_warning(20, 22)
    assert "one side" in side_warning(12, 1)


@pytest.mark.parametrize(("disturbed", "verdict"), [(3, Verdict.FASTER), (4, Verdict.INVALID)])
async def test_pairs_whose_clocks_disagree_are_taken_again_three_times(disturbed: int, verdict: Verdict) -> None:
    why = "head: clocks: by its events a call takes 1 ns"

    def spoil(number: int, pair: Pair) -> Pair:
        if number > disturbed:
            return pair
        void = replace(pair.head, ns=math.nan)
        return replace(pair, head=void, redo_reason="the clocks disagree", environment={"quarantine": why})

    found = await Bench(spoil=spoil).run()
    assert (found.verdict, len(found.redos)) == (verdict, 3)
    assert (why in found.reason) == (verdict is Verdict.INVALID)
