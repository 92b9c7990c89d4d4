"""Work before a call shows in the time to get ready for it; what only the machine's noise shows accuses nobody."""

import pytest

from kernels.device.arming import Armed, TooBusy, works_early
from kernels.device.evenness import gains
from kernels.device.trial import suspicion

QUIET = (20e3, 21e3, 19e3)


def pairs(*more: float, heads: tuple[float, ...] = QUIET) -> list[Armed]:
    return [Armed(head, head + one) for head, one in zip(heads, more, strict=True)]


def test_a_few_microseconds_are_none() -> None:
    assert works_early(pairs(2e3, -4e3, 9e3)) == ""


def test_one_disturbed_reading_is_none() -> None:
    assert works_early(pairs(2e3, 900e3, 1e3)) == ""


def test_two_pairs_are_too_few() -> None:
    assert works_early(pairs(900e3, 900e3, heads=(20e3, 20e3))) == ""


def test_getting_ready_for_long_is_work() -> None:
    assert "300 us longer" in works_early(pairs(310e3, 300e3, 290e3))


def test_on_a_busy_machine_nothing_is_said_of_the_candidate() -> None:
    with pytest.raises(TooBusy, match="differs by 180 us between pairs, so that 300 us more"):
        works_early(pairs(310e3, 300e3, 20e3, heads=(20e3, 200e3, 900e3)))


def test_what_shows_in_some_pairs_only_accuses_nobody() -> None:
    """Work before a call is there before every call; a pool that a busy machine wakes late is late now and then."""
    with pytest.raises(TooBusy, match=r"310 us longer .* in 3 of 5 pairs only"):
        works_early(pairs(310e3, 2e3, 320e3, 4e3, 390e3, heads=(20e3,) * 5))
    assert "310 us longer" in works_early(pairs(310e3, 305e3, 320e3, 390e3, 4e3, heads=(20e3,) * 5))


def test_work_that_is_long_beside_the_noise_is_still_work() -> None:
    assert "900 us longer" in works_early(pairs(900e3, 900e3, 900e3, heads=(20e3, 200e3, 400e3)))


def test_noise_before_calls_does_not_hide_what_the_calls_themselves_show() -> None:
    """Fast in one call of three: such a candidate may take longer to get ready in some pairs, too."""
    gained, fit = gains((100e3, 101e3), (50e3, 100e3)), gains((100e3, 101e3), (50e3, 51e3))
    assert gained is not None and fit is not None
    noisy = pairs(61e3, 58e3, 3e3)
    assert (suspicion([gained] * 3, noisy) or ("",))[0] == "uneven"
    with pytest.raises(TooBusy, match="in 2 of 3 pairs only"):
        suspicion([fit] * 3, noisy)
    assert (suspicion([fit] * 3, pairs(310e3, 300e3, 290e3)) or ("",))[0] == "protocol"
    assert suspicion([fit] * 3, pairs(2e3, -4e3, 9e3)) is None
