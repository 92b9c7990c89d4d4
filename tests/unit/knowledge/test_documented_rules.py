"""Rules that stand in documentation and were never tried: said so, with their source, and never taken for verified."""

from pathlib import Path

import pytest

from app.chip.rules import one_text
from kernels.targets.base import Target
from knowledge.rules.conclude import conclude
from knowledge.rules.plant import plant
from knowledge.rules.shipped import RuleFileError, read_rule, shipped_rules


def test_what_is_documented_of_rngd_is_known_and_not_verified() -> None:
    found = shipped_rules("rngd")
    assert len(found) >= 25
    assert {rule.state for rule in found} == {"documented"}
    assert {rule.kind for rule in found} == {"compile_error", "wrong_values", "hang", "performance"}
    assert all(rule.evidence and not rule.has_forms for rule in found)
    lanes = next(rule for rule in found if rule.name == "lane_axis_size")
    assert "1, 2, 4 or 8" in lanes.statement
    assert "contraction/outer/stream_adapter.rs" in lanes.evidence[0]["where"]
    assert "documented, not verified" in one_text(lanes)


def test_a_rule_without_forms_is_never_verified(target: Target, tmp_path: Path) -> None:
    rule = shipped_rules("rngd")[0]
    planted = plant(rule, target, tmp_path)
    assert (planted.answer, "no form" in planted.found) == ("undecided", True)
    after, outcome = conclude(rule, planted, "f" * 12)
    assert (after.state, outcome) == ("documented", "unverified")


@pytest.mark.parametrize(
    "text",
    ['forbidden = "x"\nlegal = "y"\n', "", 'documented = ["a book"]\nforbidden = "x"\n'],
    ids=["run", "none", "half"],
)
def test_a_rule_has_two_forms_or_says_where_it_stands(tmp_path: Path, text: str) -> None:
    path = tmp_path / "one.toml"
    path.write_text(f'statement = "what may not be written here"\nkind = "hang"\n{text}')
    with pytest.raises(RuleFileError):
        read_rule(path, "rngd")
