"""Why a test ended, in words: the row of the table that fired, and at which look."""

import numpy as np
import pytest

from kernels.judge.acceptance import ACCEPTANCE, CONFIRMATION
from kernels.judge.fixed import Fixed
from kernels.judge.rule import State
from kernels.judge.why import ahead, looks

UP = [0.010, 0.011, 0.012, 0.013, 0.014, 0.015]
MIXED = [0.010, -0.011, 0.012, 0.013, -0.001, 0.015]  # score +1.15 after six


def test_row_1_is_a_win() -> None:
    (look,) = looks([*UP, -9.0], ACCEPTANCE)
    assert (look.row, look.decision.state, look.decision.pairs) == (1, State.FASTER, 6)
    assert look.text == "look 6: score +2.15 at or above +2.15: FASTER, on to fresh pairs (row 1)"


def test_row_2_is_a_loss() -> None:
    (look,) = looks([-x for x in UP], ACCEPTANCE)
    assert look.text == "look 6: score -2.15 at or below -1.85: SLOWER (row 2)"


def test_row_3_needs_both_ends() -> None:
    x = [(-1) ** i * 1e-4 * (i + 1) for i in range(6)]
    (look,) = looks(x, ACCEPTANCE)
    assert look.row == 3
    assert "scores -2.15 and +2.15 with 0.5 % taken off and added, both beyond 2.15: FLAT" in look.text


def test_row_6_is_no_sign_and_row_5_spares_a_low_first_look() -> None:
    unsure = [0.05, -0.06, 0.07, -0.08, 0.01, -0.02]
    (look,) = looks(unsure, ACCEPTANCE)
    assert (look.row, look.decision.no_sign) == (6, True)
    assert "below +0.30: UNCLEAR, no sign of a gain; no retest" in look.text
    low = [-0.05, -0.06, -0.07, -0.08, -0.01, 0.065]
    first, second = looks([*low, -0.01, -0.02], ACCEPTANCE)
    assert (first.row, first.ended, second.decision.pairs) == (5, False, 8)
    assert "first look: two more pairs" in first.text


def test_row_4_after_every_look_of_row_7() -> None:
    rng = np.random.default_rng(0)
    series = next(
        x
        for x in (rng.normal(0.004, 0.012, 24).tolist() for _ in range(2000))
        if ACCEPTANCE.decide(x).pairs == 24 and ACCEPTANCE.decide(x).state is State.UNCLEAR
    )
    found = looks(series, ACCEPTANCE)
    assert [look.decision.pairs for look in found] == [6, 8, 10, 12, 16, 20, 24]
    assert [look.row for look in found][1:] == [7, 7, 7, 7, 7, 4]
    assert "when all 24 pairs were used: UNCLEAR, open; one retest is allowed (row 4)" in found[-1].text


def test_looks_end_where_the_rule_decides() -> None:
    rng = np.random.default_rng(5)
    for _ in range(200):
        x = rng.normal(0.003, 0.01, 24).tolist()
        assert looks(x, ACCEPTANCE)[-1].decision == ACCEPTANCE.decide(x)
        assert looks(x, CONFIRMATION)[-1].decision == CONFIRMATION.decide(x)


@pytest.mark.parametrize(
    ("x", "said"),
    [
        ([*UP, 0.016, 0.017], "look 8: fresh pairs score +2.66, at or above +1.40: confirmed"),
        ([-x for x in [*UP, 0.016, 0.017]], "look 8: fresh pairs score -2.66, at or below 0.00: dropped"),
    ],
)
def test_a_confirmation_promotes_or_drops(x: list[float], said: str) -> None:
    assert [look.text for look in looks(x, CONFIRMATION)] == [said]


def test_a_fixed_number_has_one_look() -> None:
    assert looks(UP, Fixed(12)) == ()
    (look,) = looks([*UP, *UP], Fixed(12))
    assert look.text.startswith("look 12: score +3.")
    assert "kept whatever it is" in look.text


def test_what_is_ahead() -> None:
    assert ahead(10, ACCEPTANCE) == "look 12: ends at +2.15 or more, at -1.85 or less, below +0.70"
    assert ahead(20, ACCEPTANCE) == "look 24: ends at +2.15 or more, at -1.85 or less"
    assert ahead(8, CONFIRMATION) == "look 12: ends at +1.40 or more, at +0.00 or less"
    assert ahead(24, ACCEPTANCE) == ""
    assert ahead(3, Fixed(12)) == "12 pairs, a fixed number"
