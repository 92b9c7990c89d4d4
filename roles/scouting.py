"""A look at a proposal before its variants are raced: knobs do not save one that takes far longer than the head.

One block with the head, by the same readings as a race. It decides how time is spent, and nothing else: the proposal
itself is judged like everybody.
"""

from typing import Final

import numpy as np

from kernels.gates.base import Subject
from kernels.gates.sequence import GateSequence
from kernels.sandbox.runner import RunnerFailed
from kernels.values.verdict import GateReport
from roles.attempt import Attempt
from roles.campaign import Campaign
from roles.giving_way import onward
from roles.guard import before_evaluation
from roles.judged import AlreadyJudged, refuse_what_is_judged
from roles.kernel_state import KernelState
from roles.shielding import complete
from roles.subjects import subject_of
from store import events

# Of 19 races with 211 variants on the default pack, the best variant of a proposal that was slower than the head took
# at least 0.87 of the proposal's time.
HOPELESS: Final = 1.4
LAST_CHEAP_GATE: Final = "estimate"


class Scout:
    def __init__(self, campaign: Campaign, gates: GateSequence) -> None:
        self._campaign = campaign
        self._gates = gates

    async def hopeless(self, attempt: Attempt, state: KernelState) -> bool:
        """Whether its variants are not worth a race. False also when nothing can be said: the race then finds out why.

        Raises: HeadFailed, DeviceUnhealthy, HeadWithdrawn, asyncio.CancelledError.
        """
        campaign = self._campaign
        await onward(campaign, attempt.agent, state)
        await before_evaluation(campaign, attempt.agent, attempt.kernel)
        subject = await subject_of(campaign, attempt, state)
        try:
            ratio = await self._ratio(attempt, subject, state) if await self._built(attempt, subject, state) else 0.0
        finally:
            if subject.loaded:
                await complete(campaign.device.unload(subject.key))
        if ratio > HOPELESS:
            text = f"no race of {attempt.lever} on {attempt.kernel}: as proposed it takes {ratio:.2f} x the head's time"
            await campaign.store.write(lambda s: events.append(s, campaign.id, "race", attempt.kernel, text))
        return ratio > HOPELESS

    async def _built(self, attempt: Attempt, subject: Subject, state: KernelState) -> bool:
        async def look(_: GateReport) -> None:
            await onward(self._campaign, attempt.agent, state)

        if await self._gates.run(subject, look, until=LAST_CHEAP_GATE) is not None or subject.artefact is None:
            return False
        try:
            await refuse_what_is_judged(self._campaign, subject)
        except AlreadyJudged:
            return False
        return True

    async def _ratio(self, attempt: Attempt, subject: Subject, state: KernelState) -> float:
        """Its time over the head's in one block; 0 when it failed or gave no usable reading."""
        campaign, key, head = self._campaign, subject.key, state.head
        if subject.artefact is None:
            return 0.0
        subject.loaded = True
        try:
            await campaign.device.load(attempt.kernel, key, subject.artefact.path)
        except RunnerFailed:
            return 0.0
        session = await campaign.device.begin_race(attempt.kernel, head.key, [key])
        await onward(campaign, attempt.agent, state)
        rng = np.random.Generator(np.random.PCG64(campaign.seed_of("scout", attempt.kernel, key, head.key)))
        order = [[head.key, key][int(i)] for i in rng.permutation(2)]
        block = await campaign.device.block(session, order, head.ns)
        await campaign.device.end_race(session)
        mine, heads = (block.readings[name].ns if name in block.readings else np.nan for name in (key, head.key))
        return float(mine / heads) if np.isfinite(mine) and np.isfinite(heads) and heads > 0 else 0.0
