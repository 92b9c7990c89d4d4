"""Rejections expire when the head is redesigned; refusals by a gate and promotions do not."""

from kernels.judge.expiry import Judged, expired

SLOWER, FLAT, UNCLEAR, REFUSED = Judged("SLOWER"), Judged("FLAT"), Judged("UNCLEAR", gain=0.01), Judged("")
STEP = Judged("FASTER", kept=True, gain=0.03)
LEAP = Judged("FASTER", kept=True, gain=0.2)
DESIGN = Judged("FASTER", kept=True, design=True, gain=0.02)


def test_a_redesign_outdates_the_rejections_before_it() -> None:
    for redesign in (LEAP, DESIGN):
        assert expired([SLOWER, FLAT, UNCLEAR, redesign, SLOWER]) == (True, True, True, False, False)


def test_a_small_step_outdates_nothing() -> None:
    assert expired([SLOWER, STEP, FLAT]) == (False, False, False)


def test_refusals_promotions_and_dropped_wins_do_not_expire() -> None:
    assert expired([REFUSED, STEP, Judged("FASTER"), LEAP]) == (False, False, False, False)


def test_an_earlier_redesign_is_outdone_by_a_later_one() -> None:
    assert expired([LEAP, SLOWER, STEP, DESIGN, FLAT]) == (False, True, False, False, False)
    assert expired([]) == ()
