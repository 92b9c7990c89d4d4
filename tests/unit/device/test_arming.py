"""Work before a call shows in the time to get ready for it."""

from kernels.device.arming import works_early


def test_a_few_microseconds_are_none() -> None:
    assert works_early([2e3, -4e3, 9e3]) == ""


def test_one_disturbed_reading_is_none() -> None:
    assert works_early([2e3, 900e3, 1e3]) == ""


def test_two_pairs_are_too_few() -> None:
    assert works_early([900e3, 900e3]) == ""


def test_getting_ready_for_long_is_work() -> None:
    assert "300 us longer" in works_early([310e3, 300e3, 20e3])
