"""Promotions that wait for a person: `approve` makes the head of one, `veto` refuses its content for good.

While one waits, everything else goes on; its verdict holds for the head that it was tested against. When that head has
moved by the time of the word, the candidate is judged again beside the new one. An approved one goes ahead of all that
wait for their turn, and what is judged beside the old head gives way; what it waits for all the same is said.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from kernels.device.report import DeviceUnhealthy
from kernels.values.verdict import Verdict
from roles.attempt import Attempt, Result
from roles.campaign import Campaign
from roles.failure import HeadWithdrawn
from roles.operator import Refused
from roles.pipeline import Pipeline
from roles.situations import family_of
from roles.testing import TestResult
from store import approvals, commands, designs, kernel_states
from store.approvals import Evidence, Waiting
from store.errors import StoreError

Arguments = Mapping[str, Any]
IDLE: Final = "idle"
"""The status of a kernel at which no attempt runs."""


class Approving:
    def __init__(self, campaign: Campaign, pipeline: Pipeline) -> None:
        self._campaign = campaign
        self._pipeline = pipeline

    async def veto(self, target: str, arguments: Arguments) -> str:
        """Raises: Refused."""
        one = await self._decided(target, "vetoed", arguments)
        return f"node {one.node} on {one.kernel} is vetoed: this content is not judged again in this campaign"

    async def approve(self, target: str, arguments: Arguments) -> str:
        """What became of it, as JSON. Raises: Refused."""
        campaign = self._campaign
        if campaign.stop.is_set():
            raise Refused("the campaign is ending")
        campaign.promoting.add(target)
        try:
            return await self._approved(await self._decided(target, "approved", arguments), arguments)
        finally:
            campaign.promoting.discard(target)
            await campaign.notify()

    async def _approved(self, one: Waiting, arguments: Arguments) -> str:
        """Raises: Refused."""
        campaign = self._campaign
        try:
            await self._say_what_it_waits_for(one, arguments)
            result = await self._promoted(one)
        except (DeviceUnhealthy, HeadWithdrawn) as failure:
            why = str(failure)
            await campaign.store.write(lambda s: approvals.reopen(s, campaign.id, one.node, why))
            raise Refused(f"not promoted, and it waits again: {why}") from failure
        except StoreError as error:
            raise Refused(f"approved, but not promoted: {error}") from error
        return json.dumps(
            {"outcome": result.outcome, "gain": result.gain, "reason": result.reason, "node": result.node_id}
        )

    async def _decided(self, target: str, state: str, arguments: Arguments) -> Waiting:
        campaign, actor = self._campaign, str(arguments.get("actor", "operator"))
        if not target.isdigit():
            raise Refused(f"{target!r} is no number of a node; `status` lists the nodes that wait")
        try:
            return await campaign.store.write(lambda s: approvals.decide(s, campaign.id, int(target), state, actor))
        except StoreError as error:
            raise Refused(str(error)) from error

    async def _promoted(self, one: Waiting) -> Result:
        """Raises: DeviceUnhealthy, HeadWithdrawn."""
        state = self._campaign.kernels[one.kernel]
        attempt = await self._attempt(one)
        if state.head.key == one.head:
            result = await self._pipeline.promote_confirmed(attempt, one.node, one.head, _test(one.evidence))
            if result is not None:
                return result
        return await self._pipeline.run(one.kernel, lambda: attempt, ahead=True)

    async def _say_what_it_waits_for(self, one: Waiting, arguments: Arguments) -> None:
        campaign, command = self._campaign, arguments.get("command")
        if command is None:
            return
        now = await campaign.store.read(lambda s: kernel_states.get(s, campaign.id, one.kernel).status)
        text = waits_for(campaign, one, now)
        if text:
            await campaign.store.write(lambda s: commands.say(s, command, text))

    async def _attempt(self, one: Waiting) -> Attempt:
        campaign = self._campaign
        node = await campaign.store.read(lambda s: designs.get_node(s, one.node))
        candidate = await campaign.store.read(lambda s: designs.get_candidate(s, one.candidate))
        return Attempt(
            one.kernel, candidate, node.lever, family_of(node.lever), node.kind, node.lever_params,
            f"approved; the head has moved since node {one.node} was tested", agent=node.agent, brief_id=node.brief_id,
            base=one.head,
        )  # fmt: skip


def waits_for(campaign: Campaign, one: Waiting, status: str) -> str:
    """What stands before its promotion, "" when nothing does. status: what the kernel is at."""
    state, kernel = campaign.kernels[one.kernel], one.kernel
    if campaign.latches.is_closed(kernel):
        return f"{kernel} is paused: it goes on with node {one.node} once it is resumed"
    if not state.lock.locked():
        return ""
    if state.head.key != one.head:
        return f"the head has moved since: it is judged again, next after {_at(kernel, status)}"
    if status == IDLE:
        return f"it is promoted after {_at(kernel, status)}"
    return f"it is promoted after the step in hand of {_at(kernel, status)}, which gives way and is tried again"


def _at(kernel: str, status: str) -> str:
    """What runs on a kernel; a status tells of attempts alone."""
    return (
        f"the measurement on {kernel} (ledger, audit, profile or placebo)" if status == IDLE else f"{kernel}: {status}"
    )


def _test(evidence: Evidence) -> TestResult:
    return TestResult(
        evidence.test_id or 0, Verdict.FASTER, True, "", "", evidence.estimate, evidence.fresh, evidence.ns,
        evidence.mode,
    )  # fmt: skip
