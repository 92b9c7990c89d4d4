"""Chip facts and legality rules: what is kept, what becomes stale, what every check leaves."""

import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from kernels.values.verdict import GateReport, GateState
from knowledge.rules.rule import Pattern, Rule
from store import chip_facts, designs, events, legality, reads
from store.engine import Session, Store
from store.tables import RuleCheckRow
from tests.unit.store.conftest import World

RULE = Rule(
    "b", "cpu-c", "compile_error", "a rule of a test", "bad", "good", "said", ("-O1",), Pattern("(q) @match", "why")
)


def fact(s: Session, name: str = "clock", value: float = 4.0, fingerprint: str = "old") -> int:
    more: dict[str, Any] = {
        "readings": [value],
        "points": [["1", 2.0]],
        "fit": {"slope_ns": 1.0},
        "environment": {"load": 1},
    }
    return chip_facts.add(
        s, target="cpu-c", name=name, fingerprint=fingerprint, title="t", value=value, low=value - 1, high=value + 1,
        unit="GHz", probe="p", **more,
    )  # fmt: skip


def test_the_latest_measurement_counts_and_all_are_kept(store: Store) -> None:
    store.write_sync(lambda s: (fact(s), fact(s, value=5.0), fact(s, "expf")))
    found = store.read_sync(lambda s: chip_facts.latest(s, "cpu-c"))
    assert [(f.name, f.value, f.points, f.fit) for f in found] == [
        ("clock", 5.0, [["1", 2.0]], {"slope_ns": 1.0}),
        ("expf", 4.0, [["1", 2.0]], {"slope_ns": 1.0}),
    ]
    assert store.read_sync(lambda s: chip_facts.latest(s, "other")) == []


def test_a_new_fingerprint_makes_facts_stale_once(store: Store) -> None:
    store.write_sync(lambda s: (fact(s), fact(s, "expf", fingerprint="new")))
    assert store.write_sync(lambda s: chip_facts.mark_stale(s, "cpu-c", "new")) == 1
    assert store.write_sync(lambda s: chip_facts.mark_stale(s, "cpu-c", "new")) == 0
    assert [f.state for f in store.read_sync(lambda s: chip_facts.latest(s, "cpu-c"))] == ["stale", "current"]


def test_an_edited_probe_makes_its_fact_stale(store: Store) -> None:
    store.write_sync(lambda s: (fact(s), fact(s, "expf"), fact(s, "gone")))
    probes = {"clock": "p", "expf": "edited"}
    assert store.write_sync(lambda s: chip_facts.mark_stale(s, "cpu-c", "old", probes)) == 2
    found = store.read_sync(lambda s: chip_facts.latest(s, "cpu-c"))
    assert {row.name: row.state for row in found} == {"clock": "current", "expf": "stale", "gone": "stale"}
    assert store.read_sync(lambda s: chip_facts.current(s, "cpu-c", "old")) == {"clock": 4.0}
    assert store.read_sync(lambda s: chip_facts.current(s, "cpu-c", "new")) == {}


def rules(store: Store) -> list[Rule]:
    return store.read_sync(lambda s: legality.rules_of(s, "cpu-c"))


def test_a_rule_comes_back_as_it_was(store: Store) -> None:
    rule = replace(RULE, evidence=({"text": "e", "line": 3},), origin="mined")
    store.write_sync(lambda s: legality.put(s, rule))
    assert rules(store) == [rule]


def test_what_ships_is_taken_over_once_and_anew_when_its_text_changes(store: Store) -> None:
    assert store.write_sync(lambda s: legality.take_over(s, [RULE])) == 1
    held = replace(RULE, state="verified", fingerprint="f")
    store.write_sync(lambda s: legality.record(s, held, "verified", "said", "f"))
    assert store.write_sync(lambda s: legality.take_over(s, [RULE])) == 0
    assert rules(store)[0].state == "verified"
    other = replace(RULE, pattern=Pattern("(other) @match"))
    store.write_sync(lambda s: legality.take_over(s, [other]))
    assert (rules(store)[0].state, rules(store)[0].pattern) == ("verified", other.pattern)
    assert store.write_sync(lambda s: legality.take_over(s, [replace(RULE, forbidden="worse")])) == 1
    assert (rules(store)[0].state, rules(store)[0].fingerprint) == ("documented", "")


def test_edits_of_rule_files_are_noticed_kept_and_have_to_be_tried_anew(store: Store) -> None:
    def looked(*found: Rule) -> list[str]:
        return [str(one) for one in store.write_sync(lambda s: legality.from_files(s, "cpu-c", found))]

    assert looked(RULE) == []
    held = replace(RULE, state="verified", fingerprint="f")
    store.write_sync(lambda s: legality.record(s, held, "verified", "said", "f"))
    assert looked(RULE) == []
    assert looked(replace(RULE, forbidden="worse")) == ["b edited by hand"]
    assert [(r.state, r.forbidden) for r in rules(store)] == [("documented", "worse")]
    mined = replace(RULE, name="m", origin="mined", state="verified", fingerprint="f")
    store.write_sync(lambda s: legality.put(s, mined))
    assert looked() == ["b removed by hand"]
    assert [(r.name, r.state) for r in rules(store)] == [("b", "retired"), ("m", "verified")]
    assert looked(RULE) == ["b added by hand"]
    assert rules(store)[0].state == "documented"
    told = store.read_sync(lambda s: [e.text for e in reads.events(s, None) if e.kind == "knowledge_file"])
    assert told == [f"rule of cpu-c b {how} by hand" for how in ("edited", "removed", "added")]


def test_two_workspaces_keep_rules_of_one_name_apart(store: Store, tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"

    def looked(where: Path, *found: Rule) -> list[tuple[str, str, str]]:
        own = [replace(rule, workspace=str(where)) if rule.forbidden != RULE.forbidden else rule for rule in found]
        store.write_sync(lambda s: legality.from_files(s, "cpu-c", own, where))
        here = store.read_sync(lambda s: legality.rules_of(s, "cpu-c", where))
        return [(rule.name, rule.forbidden, rule.state) for rule in here]

    def held(where: Path, forbidden: str) -> None:
        rule = replace(RULE, forbidden=forbidden, state="verified", fingerprint="f", workspace=str(where))
        store.write_sync(lambda s: legality.record(s, rule, "verified", "said", "f"))

    assert looked(one, replace(RULE, forbidden="of one")) == [("b", "of one", "documented")]
    held(one, "of one")
    assert looked(other, replace(RULE, forbidden="of other")) == [("b", "of other", "documented")]
    held(other, "of other")
    assert looked(one, replace(RULE, forbidden="of one")) == [("b", "of one", "verified")]
    assert looked(other, RULE) == [("b", RULE.forbidden, "documented")]
    assert looked(one, replace(RULE, forbidden="of one")) == [("b", "of one", "verified")]
    assert [r.state for r in store.read_sync(lambda s: legality.every(s, "cpu-c"))] == [
        "documented", "verified", "retired",
    ]  # fmt: skip
    sheet = store.read_sync(lambda s: reads.sheet_entries(s, "cpu-c", one))
    assert [entry.state for entry in sheet if entry.source == "rule: b"] == ["verified"]


def test_every_check_is_a_row_and_none_can_be_changed(store: Store) -> None:
    store.write_sync(lambda s: legality.record(s, RULE, "unverified", "nothing", "f"))
    held = replace(RULE, state="verified", fingerprint="f")
    store.write_sync(lambda s: legality.record(s, held, "verified", "said", "f"))
    checks = store.read_sync(lambda s: list(s.exec(select(RuleCheckRow)).all()))
    assert [(c.outcome, c.found, c.fingerprint) for c in checks] == [
        ("unverified", "nothing", "f"),
        ("verified", "said", "f"),
    ]
    connection = sqlite3.connect(store.path)
    for statement in ("UPDATE rule_check SET found = ''", "DELETE FROM rule_check"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            connection.execute(statement)
    connection.close()


def test_only_verified_rules_become_stale(store: Store) -> None:
    def fill(s: Session) -> None:
        legality.put(s, replace(RULE, name="held", state="verified", fingerprint="old"))
        legality.put(s, replace(RULE, name="open", state="not_enforced", fingerprint="old"))
        legality.put(s, replace(RULE, name="here", state="verified", fingerprint="new"))

    store.write_sync(fill)
    assert store.write_sync(lambda s: legality.mark_stale(s, "cpu-c", "new")) == 1
    assert {r.name: r.state for r in rules(store)} == {"held": "stale", "open": "not_enforced", "here": "verified"}


def test_a_verified_rule_without_a_fingerprint_is_refused(store: Store) -> None:
    with pytest.raises(Exception, match="verified_says_where"):
        store.write_sync(lambda s: legality.put(s, replace(RULE, state="verified")))


def refuse(world: World, text: str, gate: str = "compile", kind: str = "compile_error") -> int:
    node = world.variant(text)
    report = GateReport("compile" if gate == "compile" else "correct", GateState.REFUSED, kind, "why")
    world.write(lambda s: designs.add_gate_report(s, node, report))
    return node


def test_failures_while_the_device_was_unhealthy_are_marked(world: World) -> None:
    refuse(world, "before")
    world.write(lambda s: events.append(s, world.campaign, "unhealthy", "device", "the canary failed"))
    refuse(world, "meanwhile")
    node = world.variant("fine")
    world.write(lambda s: designs.add_gate_report(s, node, GateReport("correct", GateState.PASSED)))
    refuse(world, "after")
    refuse(world, "values", "correct", "wrong_values")
    refuse(world, "flag", kind="flag")
    found = world.read(lambda s: legality.compile_failures(s, "cpu-c"))
    assert [row["healthy"] for row in found] == [True, False, True]
    assert world.read(lambda s: legality.compile_failures(s, "other")) == []
    assert isinstance(world.store.path, Path)
