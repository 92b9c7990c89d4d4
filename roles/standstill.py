"""When a pause holds: every attempt stands at a latch and nothing is in hand on the device."""

import asyncio

from roles.campaign import Campaign
from roles.latches import ALL, ledger_of

POLL_S = 0.02


def is_still(campaign: Campaign) -> bool:
    waiting = campaign.latches.waiting
    stand = [name in waiting or ledger_of(at.kernel) in waiting for name, at in campaign.serving.items()]
    return campaign.device.holder == "" and all(stand)


async def until_still(campaign: Campaign) -> None:
    """Or until the pause is lifted."""
    while not is_still(campaign) and campaign.latches.is_closed(ALL):  # noqa: ASYNC110 - polls another process
        await asyncio.sleep(POLL_S)
