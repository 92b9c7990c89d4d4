"""Another compiler for the running campaign, by the operator's word: the rows; the maintainer does the rest."""

import asyncio

from kernels.targets.base import TargetError
from roles.campaign import Campaign
from store import campaigns, toolchain
from store.engine import Session


class CannotChoose(Exception):
    """There is no such compiler, or the target has no choice."""


async def choose_compiler(campaign: Campaign, compiler: str) -> bool:
    """Whether that is another toolchain than the present one. compiler: a name or a path. Raises: CannotChoose."""
    if campaign.choose is None:
        raise CannotChoose(f"compiler {compiler}: the target {campaign.target.name} has no choice here")
    try:
        present = await asyncio.to_thread(campaign.choose, compiler)
    except TargetError as error:
        raise CannotChoose(str(error)) from error

    def rows(s: Session) -> bool:
        row = campaigns.get(s, campaign.id)
        campaigns.set_facts(s, campaign.id, options={**row.options, "compiler": compiler})
        return toolchain.start(s, campaign.id, present) is not None

    changed = await campaign.store.write(rows)
    if changed:
        campaign.moved.set()
    return changed
