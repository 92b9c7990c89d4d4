"""Nothing is judged by a grader that is not the one of the start: a change pauses the campaign and names the files."""

import asyncio

from kernels.device.report import DeviceUnhealthy
from kernels.targets.base import TargetError
from roles.campaign import Campaign
from roles.latches import ALL
from roles.present import close_for_toolchain, present_of
from store import campaigns, events
from store.engine import Session

TODO = "Put it back and resume, or start a new campaign"


async def before_evaluation(campaign: Campaign, *who: str) -> None:
    """Called before every check, test, ledger entry and audit: waits while the campaign is paused or the grader is not
    what it was.

    Raises: DeviceUnhealthy when the campaign is to end and the grader has changed.
    """
    await campaign.latches.passage(*who)
    await _same_toolchain(campaign, *who)
    while changed := await look(campaign):
        if campaign.stop.is_set():
            raise DeviceUnhealthy(told(changed))
        await campaign.latches.passage(*who)


async def _same_toolchain(campaign: Campaign, *who: str) -> None:
    """Nothing is judged with a compiler that is another one than at the start: the maintainer is told, and it waits."""
    while campaign.grader is not None and not await asyncio.to_thread(_is_same, campaign):
        if campaign.stop.is_set():
            raise DeviceUnhealthy("the toolchain changed on disk")
        await close_for_toolchain(campaign)
        campaign.moved.set()
        await campaign.latches.passage(*who)


def _is_same(campaign: Campaign) -> bool:
    try:
        return present_of(campaign) == campaign.target.fingerprint
    except TargetError:
        return False


async def look(campaign: Campaign) -> tuple[str, ...]:
    """What changed, by name; the campaign is paused then."""
    if campaign.grader is None:
        return ()
    changed = await asyncio.to_thread(campaign.grader.changes)
    if changed and not campaign.stop.is_set():
        await _pause(campaign, changed)
    if not changed:
        campaign.grader_told = ()
    return changed


async def refuse_changed(campaign: Campaign) -> None:
    """Raises: DeviceUnhealthy when the grader has changed."""
    if changed := await look(campaign):
        raise DeviceUnhealthy(told(changed))


def told(changed: tuple[str, ...]) -> str:
    return f"the grader changed on disk: {', '.join(changed)}"


async def _pause(campaign: Campaign, changed: tuple[str, ...]) -> None:
    """One event for the same names, and one more after each resume."""
    again = changed == campaign.grader_told and campaign.latches.is_closed(ALL)
    campaign.grader_told = changed
    await campaign.latches.close(ALL)

    def rows(s: Session) -> None:
        campaigns.set_state(s, campaign.id, "paused")
        events.append(
            s, campaign.id, "grader_changed", campaign.pack.name, f"paused: {told(changed)}. {TODO}",
            files=list(changed),
        )  # fmt: skip

    if not again:
        await campaign.store.write(rows)
