"""The maintainer: sees that the toolchain is another one, pauses the campaign, and has it taken up under the new one.

It looks by a `stat`; a compiler that was touched is hashed. A new release of a book counts as well. What was in hand is
finished or given up; the engine then begins again with the new toolchain, and `rechecking` says what still holds.
"""

import asyncio

from kernels.targets.base import TargetError
from kernels.values.fingerprint import Fingerprint
from roles.campaign import Campaign
from roles.latches import ALL
from roles.present import close_for_toolchain, present_of
from roles.standstill import until_still
from store import agents, events, toolchain
from store.engine import Session

LOOK_S = 2.0
SETTLED_S = 1.0
"""A compiler is taken for the new one when it is the same at two looks so far apart: an upgrade writes many files."""
STILL_S = 30.0
"""What is in hand is waited for so long; then it is given up."""


class Maintainer:
    name = "maintainer"

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._missing = ""

    async def run(self) -> None:
        campaign = self._campaign
        await self._say(f"watches {toolchain.toolchain_text(campaign.target.fingerprint)}")
        while not campaign.stop.is_set():
            present = await self._present()
            if present is not None and await self._is_another(present):
                await self._turn_over(present)
                return
            await self._wait()

    async def _wait(self) -> None:
        """Until somebody met another toolchain, the campaign is to end, or it is time to look."""
        campaign = self._campaign
        ends = [asyncio.create_task(event.wait()) for event in (campaign.stop, campaign.moved)]
        with campaign.at_rest(self.name):
            await asyncio.wait(ends, timeout=LOOK_S, return_when=asyncio.FIRST_COMPLETED)
        for end in ends:
            end.cancel()
        campaign.moved.clear()

    async def _present(self) -> Fingerprint | None:
        """None while there is no toolchain that works; nothing is judged then."""
        campaign = self._campaign
        try:
            found = await asyncio.to_thread(present_of, campaign)
        except TargetError as error:
            await self._gone(str(error))
            return None
        if self._missing and found == campaign.target.fingerprint:
            await self._back()
        return found

    async def _is_another(self, present: Fingerprint) -> bool:
        """Found on disk, or asked for by the operator, whose rows are there already."""
        campaign, here = self._campaign, self._campaign.target.fingerprint
        asked = await campaign.store.read(lambda s: toolchain.open_change(s, campaign.id))
        if asked is not None and asked.present != here.id:
            return True
        told = await campaign.store.read(lambda s: toolchain.differs(s, campaign.id, present))
        if not told:
            return False
        if campaign.policy.isolated:
            if present != here:
                await self._gone(f"a trajectory of an experiment keeps its toolchain, and {told}")
            return False
        await asyncio.sleep(SETTLED_S)
        return await self._present() == present

    async def _turn_over(self, present: Fingerprint) -> None:
        """The rows first: a crash from here on is a start that finds the change open."""
        campaign, here = self._campaign, self._campaign.target.fingerprint
        was_paused = campaign.latches.is_closed(ALL) and not campaign.closed_for_toolchain

        def rows(s: Session) -> None:
            asked = toolchain.open_change(s, campaign.id)
            if asked is None or asked.present == here.id:
                toolchain.start(s, campaign.id, present, was_paused=was_paused)

        await campaign.store.write(rows)
        await campaign.latches.close(ALL)
        await self._say("the toolchain changed: waits until nothing is in hand")
        try:
            await asyncio.wait_for(until_still(campaign), STILL_S)
        except TimeoutError:
            await self._say("the toolchain changed: what is in hand is given up")
        campaign.request_turnover()

    async def _gone(self, why: str) -> None:
        campaign = self._campaign
        if self._missing == why:
            return
        self._missing = why
        await close_for_toolchain(campaign)
        text = f"paused: the toolchain is gone: {why}; goes on by itself when it is there"
        await campaign.store.write(
            lambda s: events.append(s, campaign.id, "toolchain", campaign.target.name, text, state="gone")
        )

    async def _back(self) -> None:
        campaign, self._missing = self._campaign, ""
        await self._say("the toolchain is there again")
        if campaign.closed_for_toolchain:
            campaign.closed_for_toolchain = False
            await campaign.latches.open(ALL)

    async def _say(self, text: str) -> None:
        campaign = self._campaign
        await campaign.store.write(lambda s: agents.set_step(s, campaign.id, self.name, text))
