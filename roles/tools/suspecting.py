"""A model suspects a fold: evidence for an audit on the device, never a verdict. What it quotes has to stand in the
source."""

from typing import Annotated

from pydantic import Field

from roles.campaign import Campaign
from roles.tools.workbench import ToolFailed
from store import audits, designs, events

Quote = Annotated[str, Field(min_length=8, max_length=600, description="the lines in question, as they stand there")]


def quoted(source: str, quote: str) -> bool:
    """Whether the quote stands in the source; blanks do not count."""
    return "".join(quote.split()) in "".join(source.split())


async def suspect(campaign: Campaign, agent: str, node: int, quote: str, why: str) -> str:
    """The promotion of this node is audited next. Raises: ToolFailed when it is none, or the quote is not there."""
    known = await campaign.store.read(lambda s: audits.promoted(s, campaign.id))
    found = next((p for p in known if p.node == node), None)
    if found is None:
        raise ToolFailed(f"node {node} is no promotion in force; these are: {', '.join(str(p.node) for p in known)}")
    candidate = await campaign.store.read(lambda s: designs.get_candidate(s, found.candidate))
    if not quoted(candidate.source, quote):
        raise ToolFailed(f"the quote does not stand in the source of node {node}: copy it as it is")
    campaign.suspects[found.id] = why
    text = f"node {node} is audited next: {why}: {' '.join(quote.split())}"
    await campaign.store.write(
        lambda s: events.append(s, campaign.id, "suspicion", found.kernel, text, by=agent, node=node)
    )
    await campaign.notify()
    return f"node {node} is audited next, on new seeds in a fresh process; the audit decides"
