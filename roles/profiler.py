"""Profiles heads that have stood for a while, so that whoever looks finds where their time goes. Decides nothing."""

from kernels.device.report import DeviceUnhealthy
from roles.campaign import Campaign
from roles.kernel_state import KernelState
from roles.profiling import ProfileFailed, profiled
from store import events, profiles

TICK_S = 5.0
STANDS_S = 120.0
"""A head that moves sooner is not worth the device's seconds."""


class Profiler:
    name = "profiler"

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._since: dict[str, tuple[str, float]] = {}
        self._done: dict[str, str] = {}

    async def run(self) -> None:
        campaign = self._campaign
        while not campaign.stop.is_set():
            await campaign.latches.passage(self.name)
            for kernel, state in list(campaign.kernels.items()):
                if self._is_due(kernel, state) and not campaign.latches.is_closed(kernel):
                    await self.look(kernel, state)
            await campaign.wait_for_stop(TICK_S, self.name)

    def _is_due(self, kernel: str, state: KernelState) -> bool:
        """It stands long enough, and is not done."""
        head, now = state.head.key, self._campaign.clock()
        known, since = self._since.get(kernel, ("", now))
        if known != head:
            self._since[kernel] = (head, now)
            return False
        return self._done.get(kernel) != head and now - since >= STANDS_S

    async def look(self, kernel: str, state: KernelState) -> None:
        """Under the kernel's lock, between two attempts. One that was profiled before stays as it is, and one that
        cannot be is said once."""
        campaign = self._campaign
        async with state.lock:
            head = state.head.candidate
            self._done[kernel] = head.id
            known = await campaign.store.read(lambda s: profiles.latest(s, campaign.id, kernel))
            if known is not None and known.record.head.candidate == head.id:
                return
            try:
                await profiled(campaign, state.spec, head)
            except (ProfileFailed, DeviceUnhealthy) as failure:
                text = str(failure)
                await campaign.store.write(lambda s: events.append(s, campaign.id, "profile", kernel, text))
