"""Another toolchain: all is marked stale in one transaction, settled record by record, and numbers stay apart."""

from dataclasses import replace

import pytest

from kernels.values.candidate import Candidate
from kernels.values.fingerprint import Fingerprint
from kernels.values.verdict import GateReport, GateState, Outcome
from knowledge.memory import Conclusion
from knowledge.recheck import Finding, Record, settle
from knowledge.rules.rule import Rule
from store import (
    campaigns,
    chip_facts,
    designs,
    filings,
    ledger,
    legality,
    memory,
    promotions,
    reads,
    rechecked,
    toolchain,
)
from store.engine import Session
from store.errors import StoreError
from tests.unit.store.conftest import World

NEW = Fingerprint("/usr/bin/gcc-11", "gcc 11", "1", ("-O3",), "cpu", 2)
RULE = Rule("r", "cpu-c", "compile_error", "is not allowed", "a", "b", "said", state="verified", fingerprint="print")


def fact(s: Session, value: float, fingerprint: str = "print") -> None:
    chip_facts.add(
        s, target="cpu-c", name="latency", fingerprint=fingerprint, title="t", value=value, low=value, high=value,
        unit="ns", readings=(), points=(), fit={}, probe="p", environment={},
    )  # fmt: skip


def fill(world: World) -> tuple[int, int]:
    """A promoted head with its ledger, a fact, rules and a win; returns its node and promotion."""
    node, promotion = world.promoted("head\n")

    def rows(s: Session) -> None:
        row = promotions.get(s, promotion)
        ledger.add_ledger_entry(
            s, world.campaign, "ffn", head_id=row.candidate_id, against="baseline", against_id=world.baseline,
            speedup=5.0, low=4.0, high=6.0, pairs=12, head_ns=200.0, against_ns=1000.0,
        )  # fmt: skip
        ledger.add_peak(s, world.campaign, "ffn", style="s", ns=100.0, gbs=30.0, mode="", styles={})
        fact(s, 2.0)
        legality.put(s, RULE)
        legality.put(s, replace(RULE, name="old", state="retired"))
        legality.put(s, replace(RULE, name="never", state="documented", fingerprint=""))
        win = Conclusion("win", "matvec", "unroll", "unroll", "why", 0.2)
        memory.remember(s, win, kernel="ffn", campaign_id=world.campaign, candidate_id=row.candidate_id)

    world.write(rows)
    return node, promotion


def changed(world: World, present: Fingerprint = NEW, *, was_paused: bool = False) -> toolchain.Change:
    found = world.write(lambda s: toolchain.start(s, world.campaign, present, was_paused=was_paused))
    assert found is not None
    return found


def test_every_record_is_marked_and_the_campaign_paused_with_one_event(world: World) -> None:
    _, promotion = fill(world)
    change = changed(world)
    row = world.read(lambda s: campaigns.get(s, world.campaign))
    assert (row.state, row.fingerprint, row.toolchain) == ("paused", NEW.id, "gcc 11, 2 threads")
    assert [(r.name, r.was) for r in world.read(lambda s: rechecked.due(s, change.id, "rule"))] == [
        ("old", "retired"), ("r", "verified"),
    ]  # fmt: skip
    assert world.read(lambda s: rechecked.due(s, change.id, "head")) == [Record("head", str(promotion), "in force")]
    states = {rule.name: rule.state for rule in world.read(lambda s: legality.rules_of(s, "cpu-c"))}
    assert states == {"r": "stale", "old": "retired", "never": "documented"}
    assert world.read(lambda s: chip_facts.newest(s, "cpu-c", "latency").state) == "stale"
    (event,) = [e for e in world.read(lambda s: reads.events(s, world.campaign)) if e.kind == "toolchain"]
    assert event.data["marked"] == {"fact": 1, "rule": 2, "head": 1, "filing": 1, "memory": 1}


def test_rules_of_one_name_in_two_workspaces_are_two_records(world: World) -> None:
    for where in ("", "/one", "/two"):
        world.write(lambda s, w=where: legality.put(s, replace(RULE, workspace=w)))
    change = changed(world)
    records = world.read(lambda s: rechecked.due(s, change.id, "rule"))
    assert [r.name for r in records] == ["r", "r in /one", "r in /two"]
    answers = (Finding("fails", "taken"), Finding("holds", "refused"), Finding("not_tried", "no file"))
    for record, finding in zip(records, answers, strict=True):
        world.write(lambda s, r=record, f=finding: toolchain.settle(s, change.id, settle(r, f)))
    states = {rule.key: rule.state for rule in world.read(lambda s: legality.every(s, "cpu-c"))}
    assert states == {"r": "retired", "r in /one": "verified", "r in /two": "carried_over"}


def test_the_same_toolchain_is_no_change(world: World) -> None:
    fill(world)
    changed(world)
    assert world.write(lambda s: toolchain.start(s, world.campaign, NEW)) is None
    assert world.read(lambda s: toolchain.differs(s, world.campaign, NEW)) == ""


def test_numbers_of_the_former_toolchain_stand_in_no_figure_of_the_present_one(world: World) -> None:
    node, _ = fill(world)
    candidate = world.read(lambda s: designs.get_node(s, node).candidate_id)
    before = world.read(lambda s: reads.campaign_view(s, world.campaign))
    assert before.ledger_speedup is not None
    changed(world)

    def look(s: Session) -> None:
        (ffn, _) = reads.kernels(s, world.campaign)
        assert (ffn.ledger_speedup, ffn.peak_ns, ffn.times_peak) == (None, None, None)
        assert reads.campaign_view(s, world.campaign).ledger_speedup is None
        assert ledger.tests_of(s, world.campaign, candidate or "") == ()
        assert [a.former for a in designs.attempts(s, world.campaign, "ffn") if a.node_id == node] == [True]
        assert [p.speedup for p in reads.score(s, world.campaign)][-1] == 1.0
        series = reads.filing_series(s, world.campaign, "ffn")
        assert series.score.since is not None
        assert (series.score.best, len(series.score.points)) == (None, 1)

    world.read(look)


def test_a_refusal_of_the_compiler_binds_only_under_it(world: World) -> None:
    node = world.variant("broken\n")

    def rows(s: Session) -> str:
        designs.add_gate_report(s, node, GateReport("compile", GateState.REFUSED, "compile_error", "no"))
        designs.finish_node(s, node, Outcome.REJECT)
        return designs.get_node(s, node).candidate_id or ""

    candidate = world.write(rows)
    assert world.read(lambda s: designs.refused_before(s, world.campaign, candidate)) is not None
    changed(world)
    assert world.read(lambda s: designs.refused_before(s, world.campaign, candidate)) is None


def test_settled_records_have_their_states_and_the_counts_add_up(world: World) -> None:
    _, promotion = fill(world)
    change = changed(world)

    def rows(s: Session) -> dict[str, dict[str, int]]:
        for kind, finding in (
            ("rule", Finding("fails", "the compiler takes it", "retired")), ("head", Finding("holds", "4x")),
            ("fact", Finding("not_tried", "no time")), ("filing", Finding("holds")),
            ("memory", Finding("fails", "fell")),
        ):  # fmt: skip
            for record in rechecked.due(s, change.id, kind):
                toolchain.settle(s, change.id, settle(record, finding))
        return {kind: dict(of) for kind, of in toolchain.finish(s, change.id).items()}

    counts = world.write(rows)
    assert {kind: {word: n for word, n in of.items() if n} for kind, of in counts.items()} == {
        "fact": {"carried_over": 1}, "rule": {"retired": 2}, "head": {"re_verified": 1}, "filing": {"re_verified": 1},
        "memory": {"retired": 1},
    }  # fmt: skip
    assert world.read(lambda s: memory.recall(s, "matvec")) == []
    candidate = world.read(lambda s: promotions.get(s, promotion).candidate_id)
    assert world.read(lambda s: rechecked.heads_of(s, change.id)) == {candidate: ""}
    (view,) = world.read(lambda s: reads.toolchain_changes(s, world.campaign))
    assert (view.state, view.waiting, view.counts) == ("done", {}, counts)
    assert world.read(lambda s: toolchain.open_change(s, world.campaign)) is None


def test_a_change_cannot_be_closed_over_what_was_not_tried(world: World) -> None:
    fill(world)
    change = changed(world)
    with pytest.raises(StoreError, match="records are open"):
        world.write(lambda s: toolchain.finish(s, change.id))


def test_a_second_change_supersedes_and_remembers_how_things_were(world: World) -> None:
    fill(world)
    first = changed(world, was_paused=True)
    second = changed(world, replace(NEW, compiler_version="gcc 13"))
    assert second.was_paused
    assert [v.state for v in world.read(lambda s: reads.toolchain_changes(s, world.campaign))] == [
        "superseded", "rechecking",
    ]  # fmt: skip
    assert {r.was for r in world.read(lambda s: rechecked.due(s, second.id, "rule"))} == {"verified", "retired"}
    assert first.present == second.former


def test_a_head_that_is_filed_again_says_under_what(world: World) -> None:
    _, promotion = fill(world)
    changed(world)

    def rows(s: Session) -> None:
        row = promotions.get(s, promotion)
        filings.file_rejudged(s, row, "unroll", speedup=3.0, times_peak=None)
        filings.set_ledger(s, world.campaign, row.candidate_id, 3.5, None)

    world.write(rows)
    found = world.read(lambda s: reads.filings(s, world.campaign))
    assert [(f.kind, f.fingerprint, f.ledger_speedup) for f in found] == [
        ("promotion", "print", 5.0), ("rejudged", NEW.id, 3.5),
    ]  # fmt: skip


def test_a_head_from_before_has_no_time_under_the_present_toolchain(world: World) -> None:
    fill(world)
    _, second = world.promoted("second\n")
    changed(world)
    world.write(lambda s: designs.demote(s, second, "does not compile"))
    (ffn, _) = world.read(lambda s: reads.kernels(s, world.campaign))
    assert ffn.head_ns is None
    assert Candidate("ffn", {"kernel.c": "head\n"}).id == ffn.head_id
