"""Placebos: the head itself under a new hash, sent through the whole pipeline, unmarked, never promoted.

They show how often this device calls FASTER what is not.
"""

import secrets
from dataclasses import replace

from kernels.gates.base import Subject
from kernels.gates.sequence import GateSequence
from kernels.values.candidate import Candidate
from kernels.values.verdict import GateReport
from roles.attempt import Attempt
from roles.campaign import Campaign
from roles.kernel_state import KernelState
from roles.shielding import complete
from roles.testing import Tester
from store import designs


def placebo_of(candidate: Candidate, token: str) -> Candidate:
    """The same code with a comment that says nothing: another content hash, the same machine code."""
    files = {**candidate.files, candidate.main: f"{candidate.source.rstrip()}\n/* {token} */\n"}
    return replace(candidate, files=files)


class Placebos:
    """Counts acceptance tests; after every so many, one more test is a placebo."""

    def __init__(self, campaign: Campaign, gates: GateSequence, tester: Tester) -> None:
        self._campaign = campaign
        self._gates = gates
        self._tester = tester
        self._scheduled = 0

    @property
    def due_after(self) -> int | None:
        """Acceptance tests until the next one is due, 0 when it is; None when there are no placebos."""
        every = self._campaign.policy.placebo_every
        return max(every * (self._scheduled + 1) - self._tester.tests_run, 0) if every else None

    async def after(self, attempt: Attempt, state: KernelState) -> None:
        """Called under the kernel's lock when an attempt has ended."""
        if self.due_after == 0:
            self._scheduled += 1
            await self.run(attempt, state)

    async def run(self, attempt: Attempt, state: KernelState) -> None:
        """One more, under the kernel's lock, on behalf of the agent of an attempt. Raises: DeviceUnhealthy."""
        campaign, head = self._campaign, state.head
        candidate = placebo_of(head.candidate, secrets.token_hex(8))
        await campaign.store.write(lambda s: designs.add_candidate(s, candidate, machine_code=head.machine_code))
        subject = Subject(
            candidate, state.spec, head.candidate, head.key, head.ns, campaign.build_folder(candidate),
            one_lever=True, exempt=True,
        )  # fmt: skip
        try:
            refusal = await self._gates.run(subject, _forget)
            if refusal is None:
                await self._tester.accept(state, subject, attempt, None, kind="placebo")
        finally:
            if subject.loaded:
                await complete(campaign.device.unload(subject.key))


async def _forget(_: GateReport) -> None:
    """A placebo has no node; what its gates say is known from the head's."""
