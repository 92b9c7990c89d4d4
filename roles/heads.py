"""The head after a demotion, from the rows."""

from kernels.sandbox.runner import RunnerFailed
from kernels.targets.base import CompileFailed
from roles.campaign import Campaign
from roles.kernel_state import Head, KernelState
from store import designs, promotions
from store.tables import PromotionRow


async def head_from_rows(campaign: Campaign, state: KernelState) -> Head:
    """The last promotion in force, built and loaded, else the baseline; one that cannot be is demoted as well.

    Raises: DeviceUnhealthy.
    """
    kernel = state.spec.name
    while (found := await campaign.store.read(lambda s: promotions.head_promotion(s, campaign.id, kernel))) is not None:
        try:
            return await _built(campaign, state, found)
        except (CompileFailed, RunnerFailed) as failure:
            fallen, why = found.id, f"cannot be built and loaded again: {failure}"
            await campaign.store.write(lambda s, f=fallen, w=why: designs.demote(s, f, w))
    return state.baseline


async def _built(campaign: Campaign, state: KernelState, found: PromotionRow) -> Head:
    candidate = await campaign.store.read(lambda s: designs.get_candidate(s, found.candidate_id))
    artefact = await campaign.build(candidate, state.spec)
    await campaign.device.load(state.spec.name, candidate.id, artefact.path)
    return Head(candidate, found.node_id, found.head_ns or state.baseline.ns, artefact.machine_code_sha256, found.id)
