"""Tests and their pairs, retests, ledger, peaks."""

import json
import math

import pytest
from sqlalchemy.exc import IntegrityError

from kernels.values.reading import Estimate, Pair, Reading
from kernels.values.verdict import Verdict
from store import designs, ledger, reads, sql
from store.errors import StoreError


def reading(ns: float) -> Reading:
    return Reading(ns, 3, ns, ns)


def test_pairs_are_kept_as_read_and_redone_ones_never_count(world) -> None:
    test = world.test_of(world.variant("v"))
    good = Pair(reading(1000.0), reading(900.0), "candidate", 30.0, 31.0, "slow", environment={"load": "0.1"})
    redone = Pair(reading(1000.0), reading(500.0), "head", 30.0, 60.0, "", "probes disagree")
    broken = Pair(reading(1000.0), reading(math.nan), "head")
    for seq, (pair, score) in enumerate(((good, 0.5), (redone, 9.0), (broken, 9.0), (good, 1.0))):
        assert (
            world.write(lambda s, p=pair, z=score: ledger.add_pair(s, test, p, score=z, next_look=6, seconds=2.0))
            == seq
        )
    assert world.read(lambda s: ledger.log_ratios(s, test)) == pytest.approx([good.log_ratio, good.log_ratio])
    view = world.read(lambda s: reads.test(s, test))
    assert (view.pairs_done, view.score, view.next_look, view.device_seconds) == (2, 1.0, 6, 8.0)
    assert [pair.redo_reason for pair in view.pairs] == [
        "", "probes disagree", "a reading is not a positive number", "",
    ]  # fmt: skip
    assert [(point.n, point.score, point.faster) for point in view.trail] == [(1, 0.5, None), (2, 1.0, None)]


def test_trail_takes_the_boundaries_it_is_given(world) -> None:
    test = world.test_of(world.variant("v"))
    good = Pair(reading(1000.0), reading(900.0), "head")
    for _ in range(2):
        world.write(lambda s: ledger.add_pair(s, test, good, score=1.0))

    def boundaries(rule: str, n: int) -> tuple[float | None, float | None, float | None]:
        return (2.15, -1.85, 0.3) if (rule, n) == ("paired", 2) else (None, None, None)

    view = world.read(lambda s: reads.test(s, test, boundaries))
    assert [(p.faster, p.slower, p.unclear_below) for p in view.trail] == [(None, None, None), (2.15, -1.85, 0.3)]


def test_pairs_are_append_only(world) -> None:
    world.finished_test(world.variant("v"))
    for statement in ("UPDATE pair SET head_ns = 1", "DELETE FROM pair"):
        with pytest.raises(IntegrityError, match="append-only"):
            world.write(lambda s, text=statement: sql.run(s, text))


def test_a_test_ends_with_a_verdict(world) -> None:
    test = world.test_of(world.variant("v"))
    with pytest.raises(IntegrityError, match="done_has_verdict"):
        world.write(lambda s: ledger.finish_test(s, test, ""))
    assert world.read(lambda s: ledger.get_test(s, test)).state == "running"
    with pytest.raises(StoreError, match="find test"):
        world.read(lambda s: ledger.get_test(s, 999))


def test_retests_are_found_by_content_and_by_machine_code(world) -> None:
    first, twin, other = world.variant("a"), world.variant("a /* same code */"), world.variant("c")
    world.finished_test(first, Verdict.UNCLEAR)
    world.finished_test(first, kind="placebo")
    ids = [world.read(lambda s, n=n: designs.get_node(s, n)).candidate_id for n in (first, twin, other)]

    def known(candidate: str, head: str | None = None) -> list[str]:
        found = world.read(lambda s: ledger.tests_of(s, world.campaign, candidate, head))
        return [test.verdict for test in found]

    assert [known(candidate) for candidate in ids] == [["UNCLEAR"], [], []]
    for candidate in ids[:2]:
        world.write(lambda s, c=candidate: designs.set_machine_code(s, c, "code"))
    assert [known(candidate) for candidate in ids] == [["UNCLEAR"], ["UNCLEAR"], []]
    assert (known(ids[0], world.baseline), known(ids[0], ids[1])) == (["UNCLEAR"], [])


def test_ledger_entry_is_what_filings_quote(world) -> None:
    node, _ = world.promoted("fast")
    head = world.read(lambda s: designs.get_node(s, node)).candidate_id
    world.write(
        lambda s: ledger.add_peak(
            s, world.campaign, "ffn", style="avx2", ns=400.0, gbs=33.0, mode="", styles={"avx2": 400.0}
        )
    )
    world.write(
        lambda s: ledger.add_ledger_entry(
            s, world.campaign, "ffn", head_id=head, against="baseline", against_id=world.baseline, speedup=1.25,
            low=1.2, high=1.3, pairs=24, head_ns=800.0,
        )
    )  # fmt: skip
    (filing,) = world.read(lambda s: reads.filings(s, world.campaign))
    assert (filing.ledger_speedup, filing.times_peak) == (1.25, 2.0)


def test_a_ledgers_test_says_the_speedup_that_it_measured(world) -> None:
    node, _ = world.promoted("fast")
    head, test = world.read(lambda s: designs.get_node(s, node)).candidate_id, world.test_of(node, "ledger")

    def found() -> list[tuple[str, tuple[float, float, float] | None]]:
        views = world.read(lambda s: (*reads.tests(s, world.campaign), *reads.node_detail(s, node).tests))
        return [(view.kind, view.speedup) for view in (*views, world.read(lambda s: reads.test(s, test)))]

    assert ("ledger", None) in found()
    world.write(lambda s: ledger.finish_test(s, test, ""))
    world.write(
        lambda s: ledger.add_ledger_entry(
            s, world.campaign, "ffn", head_id=head, against="baseline", against_id=world.baseline, speedup=1.25,
            low=1.2, high=1.3, pairs=24, test_id=test,
        )
    )  # fmt: skip
    assert {said for kind, said in found() if kind == "ledger"} == {(1.25, 1.2, 1.3)}
    assert {said for kind, said in found() if kind != "ledger"} == {None}


def test_open_intervals_are_stored_as_wide_ones(world) -> None:
    node, _ = world.promoted("fast", fresh=Estimate(0.2, -math.inf, math.inf))
    head = world.read(lambda s: designs.get_node(s, node)).candidate_id
    world.write(
        lambda s: ledger.add_ledger_entry(
            s, world.campaign, "ffn", head_id=head, against="baseline", against_id=world.baseline, speedup=1.25,
            low=0.0, high=math.inf, pairs=2,
        )
    )  # fmt: skip
    assert world.read(lambda s: reads.filings(s, world.campaign))[0].interval == (-100.0, 1.0)
    json.dumps(world.read(lambda s: reads.summary(s, world.campaign)), allow_nan=False)


def test_peak_never_gets_slower_and_keeps_to_the_mode(world) -> None:
    for ns, mode in ((500.0, "slow"), (450.0, "slow"), (600.0, "slow"), (300.0, "fast")):
        world.write(
            lambda s, t=ns, m=mode: ledger.add_peak(
                s, world.campaign, "ffn", style="x", ns=t, gbs=1.0, mode=m, styles={}
            )
        )
    peaks = [
        world.read(lambda s, m=mode: ledger.peak_ns(s, world.campaign, "ffn", m)) for mode in ("slow", "fast", "?")
    ]
    assert peaks == [450.0, 300.0, 300.0]
    assert world.read(lambda s: ledger.peak_ns(s, world.campaign, "qkv")) is None


def test_the_event_of_a_test_names_it_once(world) -> None:
    node = world.variant("a")
    texts = []
    for kind, verdict in (("acceptance", Verdict.FASTER), ("ledger", "")):
        test = world.test_of(node, kind)
        world.write(lambda s, t=test, v=verdict: ledger.finish_test(s, t, v, score=2.5))
        texts.append(world.read(lambda s: reads.events(s, None))[-1].text)
    assert texts == ["acceptance FASTER unroll score +2.50", "ledger unroll score +2.50"]
    world.write(lambda s: ledger.start_test(
        s, world.campaign, "ffn", "ledger", candidate_id=world.baseline, head_id=world.baseline,
        lever="ledger against baseline", rule="fixed",
    ))  # fmt: skip
    world.write(lambda s: ledger.finish_test(s, test + 1, "", score=1.0))
    assert world.read(lambda s: reads.events(s, None))[-1].text == "ledger against baseline score +1.00"
