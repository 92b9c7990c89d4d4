"""Rules that ship, and planting: forms that fail, compile, fail otherwise, or cannot be tried."""

from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from kernels.targets.base import Target
from kernels.targets.cpu_c.target import CpuC
from knowledge.rules.plant import plant
from knowledge.rules.rule import Rule
from knowledge.rules.shipped import RuleFileError, read_rule, shipped_rules

BREAK = Rule(
    "b", "cpu-c", "compile_error", "a rule", "void f(void) { break; }", "void f(void) {}",
    "break statement not within loop or switch",
)  # fmt: skip
FILE = 'statement = "something is not allowed"\nkind = "compile_error"\nforbidden = "a"\nlegal = "b"\n'


def test_at_least_twenty_rules_ship_with_both_forms() -> None:
    rules = shipped_rules("cpu-c")
    assert len(rules) >= 20
    assert {rule.kind for rule in rules} == {"compile_error", "wrong_values", "hang", "performance"}
    assert all(rule.forbidden.strip() != rule.legal.strip() for rule in rules)
    assert len({rule.statement for rule in rules}) == len({rule.forbidden for rule in rules}) == len(rules)
    assert shipped_rules("nothing") == []


def test_a_workspace_brings_rules_of_its_own(tmp_path: Path) -> None:
    place = tmp_path / "rules" / "toy"
    place.mkdir(parents=True)
    (place / "mine.toml").write_text(FILE)
    (rule,) = shipped_rules("toy", tmp_path)
    assert (rule.name, rule.state, rule.workspace) == ("mine", "documented", str(tmp_path))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("statement =", "Invalid value"),
        (FILE.replace('legal = "b"\n', ""), "legal"),
        (FILE.replace("compile_error", "bad_luck"), "kind"),
        (FILE + 'pattern = "((nothing"\n', "does not parse"),
        (FILE.replace("compile_error", "hang"), r"needs table \[run\]"),
        (FILE + "[run]\ncount = 1\n", r"has no table \[run\]"),
    ],
)
def test_a_broken_rule_file_is_named_with_its_fault(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "r.toml").write_text(text)
    with pytest.raises(RuleFileError, match=words):
        read_rule(tmp_path / "r.toml", "toy")


def test_planting_says_what_the_compiler_does(target: CpuC, tmp_path: Path) -> None:
    assert plant(BREAK, target, tmp_path).answer == "holds"
    taken = plant(replace(BREAK, forbidden="int f(void) { return g(); }"), target, tmp_path)
    assert taken.answer == "compiles"
    assert "implicit declaration" in taken.found
    other = plant(replace(BREAK, forbidden="void f(void) { continue; }"), target, tmp_path)
    assert (other.answer, other.diagnostic) == ("changed", "continue statement not within a loop")
    broken = plant(replace(BREAK, legal="void f(void) { oops; }"), target, tmp_path)
    assert broken.answer == "undecided"
    assert "legal form does not compile: 'oops' undeclared" in broken.found
    missing = plant(replace(BREAK, requires=("no_such",)), target, tmp_path)
    assert (missing.answer, missing.found) == ("undecided", "this processor has no no_such")


def test_a_target_that_does_not_say_what_its_compiler_says(target: CpuC, tmp_path: Path) -> None:
    class Mute:
        name, machine = "mute", target.machine

    found = plant(BREAK, cast("Target", Mute()), tmp_path)
    assert (found.answer, found.found) == ("undecided", "target mute does not say what its compiler says")


def test_nothing_is_learned_of_runs_on_an_unhealthy_device(target: CpuC, tmp_path: Path) -> None:
    rule = next(one for one in shipped_rules("cpu-c") if one.kind == "hang")
    found = plant(rule, target, tmp_path, healthy=False)
    assert (found.answer, found.found) == ("undecided", "the device is not healthy")
