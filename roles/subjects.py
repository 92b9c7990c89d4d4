"""What the gates are asked about one attempt."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from kernels.gates.base import Subject
from kernels.values.candidate import Candidate
from roles.attempt import Attempt
from roles.campaign import Campaign
from roles.kernel_state import KernelState
from roles.shielding import complete
from store import approvals, designs, planned
from store.errors import StoreError


@asynccontextmanager
async def subject_held(campaign: Campaign, attempt: Attempt, state: KernelState) -> AsyncGenerator[Subject]:
    """What `subject_of` gives; its runner is stopped afterwards, unless it is that of a head which is still needed."""
    subject = await subject_of(campaign, attempt, state)
    try:
        yield subject
    finally:
        await complete(_let_go(campaign, subject, state))


async def _let_go(campaign: Campaign, subject: Subject, state: KernelState) -> None:
    needed = {state.head.key, state.baseline.key, *(head.key for head in state.chain)}
    if subject.loaded and subject.key not in needed:
        await campaign.device.unload(subject.key)


async def subject_of(campaign: Campaign, attempt: Attempt, state: KernelState) -> Subject:
    """Beside the present head, with the final refusal of the same content if there is one, and with what was planned
    and measured before."""
    refused = await campaign.store.read(lambda s: designs.refused_before(s, campaign.id, attempt.candidate.id))
    vetoed = await campaign.store.read(lambda s: approvals.veto_on(s, campaign.id, candidate=attempt.candidate.id))
    alone = campaign.policy.isolated
    points = await campaign.store.read(lambda s: planned.points(s, campaign.id, attempt.kernel, alone=alone))
    return Subject(
        candidate=attempt.candidate,
        spec=state.spec,
        head=state.head.candidate,
        head_key=state.head.key,
        head_ns=state.head.ns,
        folder=campaign.build_folder(attempt.candidate),
        one_lever=attempt.one_lever,
        refused_before=f"gate {refused.gate}: {refused.reason}" if refused else vetoed,
        head_machine_code=state.head.machine_code,
        made_from=await _base(campaign, attempt, state),
        peak_ns=state.peak_ns,
        points=points,
        head_folder=campaign.build_folder(state.head.candidate),
    )


async def _base(campaign: Campaign, attempt: Attempt, state: KernelState) -> Candidate | None:
    for known in (state.head, state.baseline):
        if attempt.base == known.key:
            return known.candidate
    if not attempt.base:
        return None
    try:
        return await campaign.store.read(lambda s: designs.get_candidate(s, attempt.base))
    except StoreError:
        return None
