"""An infrastructure that fails again and again pauses the campaign: nothing is paid for or tried in vain meanwhile."""

from typing import Final

from kernels.values.verdict import Outcome
from roles.attempt import Result
from roles.campaign import Campaign
from roles.latches import ALL
from store import campaigns, events
from store.engine import Session

IN_A_ROW: Final = 5
"""Attempts that the device or the toolchain spoiled, each of which is tried twice."""


async def note(campaign: Campaign, kernel: str, result: Result) -> None:
    """Called with the result of every attempt."""
    if result.outcome is not Outcome.INVALID or result.kind != "device":
        campaign.spoiled = 0
        return
    campaign.spoiled += 1
    if campaign.spoiled >= IN_A_ROW and not campaign.stop.is_set():
        campaign.spoiled = 0
        await pause(campaign, kernel, f"the infrastructure spoiled {IN_A_ROW} attempts in a row: {result.reason}")


async def pause(campaign: Campaign, who: str, why: str) -> None:
    await campaign.latches.close(ALL)

    def rows(s: Session) -> None:
        campaigns.set_state(s, campaign.id, "paused")
        events.append(s, campaign.id, "unhealthy", who, f"paused: {why}. Mend it and resume")

    await campaign.store.write(rows)
