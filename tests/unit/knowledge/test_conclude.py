"""What becomes of a rule when it is planted: every state with every answer."""

import pytest

from knowledge.rules.conclude import conclude
from knowledge.rules.plant import Answer, Planted
from knowledge.rules.rule import Kind, Rule, State

NOW = "new"


def rule(state: State = "documented", fingerprint: str = "", kind: Kind = "compile_error") -> Rule:
    return Rule("r", "t", kind, "a rule", "bad", "good", "said", state=state, fingerprint=fingerprint)


@pytest.mark.parametrize(
    ("state", "under", "answer", "after", "outcome"),
    [
        ("documented", "", "holds", "verified", "verified"),
        ("documented", "", "compiles", "not_enforced", "not_enforced"),
        ("documented", "", "changed", "documented", "unverified"),
        ("documented", "", "undecided", "documented", "unverified"),
        ("verified", NOW, "holds", "verified", "re_verified"),
        ("stale", "old", "holds", "verified", "re_verified"),
        ("stale", "old", "changed", "verified", "rewritten"),
        ("stale", "old", "compiles", "retired", "retired"),
        ("stale", "old", "undecided", "carried_over", "carried_over"),
        ("carried_over", "old", "holds", "verified", "re_verified"),
        ("carried_over", "old", "compiles", "retired", "retired"),
        ("not_enforced", "old", "compiles", "not_enforced", "re_verified"),
        ("not_enforced", "old", "holds", "verified", "re_verified"),
        ("not_enforced", "old", "undecided", "not_enforced", "carried_over"),
        ("retired", "old", "holds", "verified", "re_verified"),
        ("retired", "old", "compiles", "retired", "re_verified"),
    ],
)
def test_compile_rules(state: State, under: str, answer: Answer, after: State, outcome: str) -> None:
    new, found = conclude(rule(state, under), Planted(answer, "f", "other words"), NOW)
    assert (new.state, found) == (after, outcome)
    assert new.fingerprint == (under if answer == "undecided" or after == "documented" else NOW)
    assert new.diagnostic == ("other words" if outcome == "rewritten" else "said")


def test_a_rule_about_a_run_is_never_not_enforced() -> None:
    new, outcome = conclude(rule(kind="wrong_values"), Planted("compiles", "right values"), NOW)
    assert (new.state, outcome) == ("documented", "unverified")
    new, outcome = conclude(rule("stale", "old", "performance"), Planted("compiles", "1.0 times"), NOW)
    assert (new.state, outcome) == ("retired", "retired")
