"""Why a campaign ends: minutes, candidates, seconds of the device."""

from roles.accounts import held
from roles.budget import Budget, Spent, over


def test_device_seconds_end_a_campaign() -> None:
    budget = Budget(device_s=30.0)
    assert over(budget, Spent(1000.0, 50, 29.9), 5.0) == ""
    assert over(budget, Spent(1.0, 0, 30.0), 5.0) == "device time: 30 s, the final ledger comes on top"


def test_waiting_for_others_is_not_holding() -> None:
    assert held({"build": 1.5, "pair": 2.0, "waiting": 40.0}) == 3.5
