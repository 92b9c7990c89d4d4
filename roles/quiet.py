"""What idle device time is used for: placebos, until enough of them say how far this device can be trusted."""

from roles.campaign import Campaign
from roles.pipeline import Pipeline

TICK_S = 1.0
QUIET_TICKS = 2
ENOUGH = 40
"""Placebo tests of one kernel below which its rate of false verdicts is not known."""


class QuietTime:
    """Idle: no attempt is at work and nobody holds the machine, at several looks in a row."""

    name = "quiet-time"

    def __init__(self, campaign: Campaign, pipeline: Pipeline) -> None:
        self._campaign = campaign
        self._pipeline = pipeline
        self._taken: dict[str, int] = {}
        self._quiet = 0

    async def run(self) -> None:
        campaign = self._campaign
        while not campaign.stop.is_set():
            await campaign.latches.passage(self.name)
            self._quiet = self._quiet + 1 if self._idle() else 0
            kernel = self._next() if self._quiet >= QUIET_TICKS else None
            if kernel is not None:
                self._taken[kernel] = self._taken.get(kernel, 0) + 1
                await self._pipeline.placebo(kernel, self.name)
            else:
                await campaign.wait_for_stop(TICK_S, self.name)

    def _idle(self) -> bool:
        campaign = self._campaign
        return not campaign.serving and not campaign.briefed and not campaign.device.holder

    def _next(self) -> str | None:
        """The kernel with the fewest so far that has not had enough and is not paused."""
        campaign = self._campaign
        open_now = [name for name in campaign.kernels if not campaign.latches.is_closed(name)]
        short = [name for name in open_now if self._taken.get(name, 0) < ENOUGH]
        return min(short, key=lambda name: self._taken.get(name, 0), default=None)
