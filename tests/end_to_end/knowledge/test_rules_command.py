"""`knowledge rules` and `knowledge facts` in a home of their own: real compiler, real runs."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app import cli
from knowledge.rules.shipped import shipped_rules
from store import chip_facts, legality
from store.engine import DATABASE, Store

Run = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)

    def call(*words: str) -> tuple[int, dict[str, Any]]:
        code = cli.run(["knowledge", *words, "--json", "--home", str(tmp_path / "home")])
        captured = capsys.readouterr()
        return code, json.loads(captured.out) if captured.out else {"said": captured.err}

    return call


def test_listing_plants_nothing_and_makes_no_database(run: Run, tmp_path: Path) -> None:
    code, found = run("rules")
    assert code == 0
    assert found["states"] == {"documented": len(found["rules"])}
    assert {"name", "kind", "statement", "forbidden", "legal", "diagnostic", "state", "pattern"} <= set(
        found["rules"][0]
    )
    assert run("facts")[1]["facts"] == []
    assert not (tmp_path / "home" / DATABASE).exists()


def test_rules_of_every_kind_are_planted_and_found_again(run: Run) -> None:
    names = ("break_outside", "called_before_declared", "byte_counter", "shift_by_width", "one_accumulator")
    code, found = run("rules", *names, "--verify")
    assert code == 0
    states = {rule["name"]: rule["state"] for rule in found["rules"]}
    assert states == {**dict.fromkeys(names, "verified"), "called_before_declared": "not_enforced"}
    assert found["outcomes"] == {"verified": 4, "not_enforced": 1}
    assert run("rules", *names, "--verify")[1]["outcomes"] == {}


def test_a_new_toolchain_makes_rules_stale_and_counts_what_becomes_of_them(run: Run, tmp_path: Path) -> None:
    names = ("break_outside", "continue_outside", "goto_unknown", "vector_from_number")
    run("rules", *names[:1], "--verify")
    with Store.open(tmp_path / "home") as store:
        for rule in store.read_sync(lambda s: legality.rules_of(s, "cpu-c")):
            old = replace(rule, state="verified", fingerprint="of an older one")
            changes = {
                "break_outside": old,
                "continue_outside": replace(old, diagnostic="other words"),
                "goto_unknown": replace(old, forbidden=old.legal),
                "vector_from_number": replace(old, legal="oops"),
            }
            if rule.name in changes:
                store.write_sync(lambda s, r=changes[rule.name]: legality.put(s, r))
    with Store.open(tmp_path / "home") as store:
        store.write_sync(lambda s: legality.mark_stale(s, "cpu-c", "new"))
        rules = {r.name: r for r in store.read_sync(lambda s: legality.rules_of(s, "cpu-c"))}
        assert {rules[name].state for name in names} == {"stale"}
    code, found = run("rules", *names[:2], "--verify")
    assert code == 0
    assert found["outcomes"] == {"re_verified": 1, "rewritten": 1}
    assert {rule["state"] for rule in found["rules"]} == {"verified"}
    said = {rule["name"]: rule["diagnostic"] for rule in found["rules"]}
    assert said["continue_outside"] == "continue statement not within a loop"


def test_rules_are_mined_from_a_folder_and_planted(run: Run, tmp_path: Path) -> None:
    failing = tmp_path / "failing"
    failing.mkdir()
    (failing / "a.c").write_text("struct s { int a; };\nint f(struct s *p) { return p->b; }\n")
    (failing / "b.c").write_text("void f(int n) { if (n) break; }\n")
    code, found = run("rules", "--failing", str(failing))
    assert code == 0
    assert found["mined"]["failures"] == 2
    assert found["mined"]["met"] == ["break_outside"]
    (name,) = found["mined"]["new"]
    rule = next(r for r in found["rules"] if r["name"] == name)
    assert (rule["state"], rule["origin"], rule["diagnostic"]) == ("verified", "mined", "'_' has no member named '_'")
    known = next(r for r in found["rules"] if r["name"] == "break_outside")
    assert known["evidence"][0]["text"] == "b.c line 1: break statement not within loop or switch"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("rules", "no_such_rule"), "no_such_rule"),
        (("rules", "--mine", "--failing", "."), "found no *.c file"),
        (("facts", "--measure", "--only", "no_such_fact"), "no_such_fact"),
        (("facts", "--target", "no-such"), "no-such"),
    ],
)
def test_mistakes_are_named(run: Run, words: tuple[str, ...], said: str) -> None:
    code, found = run(*words)
    assert code in (2, 3)
    assert said in found["said"]


def test_facts_are_kept_and_become_stale(run: Run, tmp_path: Path) -> None:
    code, found = run("facts", "--measure", "--only", "clock", "--readings", "3")
    assert code == 0
    (fact,) = found["facts"]
    assert (fact["name"], fact["unit"], fact["state"], len(fact["readings"])) == ("clock", "GHz", "current", 3)
    assert found["fingerprint"] == fact["fingerprint"]
    with Store.open(tmp_path / "home") as store:
        store.write_sync(lambda s: chip_facts.mark_stale(s, "cpu-c", "another"))
    assert run("facts")[1]["facts"][0]["state"] == "stale"


def test_verify_plants_what_held_under_another_toolchain(run: Run, tmp_path: Path) -> None:
    with Store.open(tmp_path / "home") as store:
        for rule in shipped_rules("cpu-c"):
            if rule.name in ("break_outside", "called_before_declared", "goto_unknown"):
                old = replace(rule, state="verified", fingerprint="of an older one")
                store.write_sync(lambda s, r=old: legality.put(s, r))
    code, found = run("verify")
    assert code == 0
    assert found["rules"] == {"cpu-c": {"re_verified": 2, "retired": 1}}
    assert run("verify")[1]["rules"] == {"cpu-c": {}}
