"""What the engine writes down of its own queue."""

from pathlib import Path

import pytest

from roles.promoter import STALE_FROM, ledger_after
from roles.queue import waiting_of
from store.heartbeat import Due
from tests.unit.roles.pipeline_rig import make_rig


@pytest.mark.parametrize(
    ("measured", "promotions", "claimed", "after"),
    [
        (False, 0, 1.0, 1),  # the first promotion is measured at once
        (False, 1, 1.01, 0),
        (True, 0, 1.0, 4),
        (True, 1, 1.01, 3),
        (True, 1, STALE_FROM, 0),  # the claims have outrun the last entry
        (True, 4, 1.05, 0),
        (True, 6, 1.05, 0),
    ],
)
async def test_promotions_until_the_ledger_is_due(
    tmp_path: Path, measured: bool, promotions: int, claimed: float, after: int
) -> None:
    state = (await make_rig(tmp_path)).state
    state.ledger_head = state.head if measured else None
    state.promotions_since_ledger, state.claimed_since_ledger = promotions, claimed
    assert ledger_after(state, 4) == after


async def test_waiters_placebos_and_ledgers_are_told(tmp_path: Path) -> None:
    rig = await make_rig(tmp_path)
    rig.device.queue = ("checking gemv 1234",)
    told = waiting_of(rig.campaign, 3)
    assert told.device == ("checking gemv 1234",)
    (kernel,) = rig.campaign.kernels
    assert told.due == (Due("placebo", "", 3), Due("ledger", kernel, 1))
    assert waiting_of(rig.campaign, None).due == (Due("ledger", kernel, 1),)
