"""Mining: one rule a class of failure, none of them wrong; what nothing can be learned from is named."""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from kernels.targets.cpu_c.target import CpuC
from knowledge.rules.mine import Failure, Mined, mine
from knowledge.rules.plant import plant
from knowledge.rules.shipped import shipped_rules

FAILING = Path(__file__).parent / "failing"
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads((FAILING / "expected.toml").read_text(encoding="utf-8"))
QUICK = ("goto_tail", "merged_loops", "function_twice", "missing_brace")


def failures(names: Iterable[str]) -> list[Failure]:
    return [Failure(name, (FAILING / f"{name}.c").read_text(encoding="utf-8")) for name in names]


def check(found: Mined, names: Iterable[str], target: CpuC, folder: Path) -> None:
    """One rule a class; its form fails with that class and keeps what the fault is; its legal form compiles; every
    failure is evidence of the rule of its class."""
    assert found.left == ()
    classes = {str(EXPECTED[name]["class"]) for name in names}
    assert {rule.diagnostic for rule in found.rules} == classes
    assert len(found.rules) == len(classes)
    for rule in found.rules:
        assert plant(rule, target, folder).answer == "holds", rule.forbidden
        met = {str(one["where"]) for one in rule.evidence}
        assert met == {name for name in names if EXPECTED[name]["class"] == rule.diagnostic}
        assert any(str(EXPECTED[name]["keeps"]) in rule.forbidden for name in met), rule.forbidden
        assert len(rule.forbidden) < 300


def test_the_corpus_has_thirty_failures_of_ten_kinds() -> None:
    assert len(EXPECTED) >= 30
    assert len({one["class"] for one in EXPECTED.values()}) >= 10
    assert {path.stem for path in FAILING.glob("*.c")} == set(EXPECTED)


def test_classes_become_rules_with_all_their_evidence(target: CpuC, tmp_path: Path) -> None:
    check(mine(failures(QUICK), target, "cpu-c"), QUICK, target, tmp_path)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_no_rule_of_the_whole_corpus_is_wrong(target: CpuC, tmp_path: Path) -> None:
    check(mine(failures(EXPECTED), target, "cpu-c"), EXPECTED, target, tmp_path)


def test_known_rules_get_the_evidence_instead(target: CpuC) -> None:
    found = mine(failures(["in_place_scale", "goto_tail"]), target, "cpu-c", shipped_rules("cpu-c"))
    assert found.rules == ()
    assert {rule.name: rule.evidence[0]["line"] for rule in found.met} == {"store_through_const": 6, "goto_unknown": 6}
    assert (
        found.met[0].evidence[0]["text"]
        == "in_place_scale line 6: assignment of read-only location '*(x + (sizetype)((long unsigned int)i * 4))'"
    )


def test_what_nothing_is_learned_from_is_named(target: CpuC) -> None:
    bad = "void f(void) { break; }"
    given = [
        Failure("unhealthy", bad, healthy=False),
        Failure("mended", "void f(void) {}"),
        Failure("endless", '#include "kernel.c"\n'),
        Failure("elsewhere", "void f(void) {}\n#include <no_such_header_of_mine.h>\n"),
    ]
    found = mine(given, target, "cpu-c")
    why = dict(found.left)
    assert why["unhealthy"] == "the device was not healthy then"
    assert why["mended"] == "it compiles now"
    assert "break_statement_not_within_loop_or_switch" not in {rule.name for rule in found.rules}
