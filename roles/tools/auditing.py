"""Tools of the reading auditor's model: read heads for folds, and doubt what was written down without a measurement."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final

from pydantic import Field

from roles.tools.arguments import Arguments, Finish, Text
from roles.tools.clipping import numbered
from roles.tools.kit import Entry, Kit
from roles.tools.panel import Panel, finish
from roles.tools.suspecting import Quote, suspect
from roles.tools.workbench import FAMILY, ToolFailed
from store import designs, events, memory
from store.audits import Promoted
from store.engine import Session
from store.tables import MemoryRow

Why = Annotated[str, Field(min_length=1, max_length=400)]


class OfKernel(Arguments):
    kernel: Text


class Suspect(OfKernel):
    quote: Quote
    why: Why = Field(description="which value or property of the inputs it exploits")


class Clean(OfKernel):
    why: Why = Field(description="what was looked for and not found")


class Doubt(Arguments):
    claim: int = Field(ge=1, description="its number in the list of claims")
    why: Why = Field(description="what is said without a measurement, or against one")


@dataclass(slots=True, kw_only=True)
class ReadingPanel(Panel):
    """heads: by kernel. claims: wins and traps by number. said: what was found of a head, by kernel."""

    heads: Mapping[str, Promoted]
    claims: Mapping[int, MemoryRow]
    said: dict[str, str] = field(default_factory=dict)

    def head(self, kernel: str) -> Promoted:
        """Raises: ToolFailed."""
        if kernel not in self.heads:
            raise ToolFailed(f"there is no head of {kernel!r} to be read; there are: {', '.join(self.heads) or 'none'}")
        return self.heads[kernel]


async def read_head(panel: ReadingPanel, asked: OfKernel) -> str:
    head = panel.head(asked.kernel)
    candidate = await panel.campaign.store.read(lambda s: designs.get_candidate(s, head.candidate))
    flags = f"flags: {' '.join(candidate.flags)}\n" if candidate.flags else ""
    return f"head of {asked.kernel}, node {head.node}\n{flags}{numbered(candidate.source)}"


async def suspect_fold(panel: ReadingPanel, asked: Suspect) -> str:
    said = await suspect(panel.campaign, panel.agent, panel.head(asked.kernel).node, asked.quote, asked.why)
    panel.said[asked.kernel] = f"suspected: {asked.why}"
    panel.decided += 1
    return said


async def clean(panel: ReadingPanel, asked: Clean) -> str:
    panel.head(asked.kernel)
    panel.said[asked.kernel] = f"nothing found: {asked.why}"
    panel.decided += 1
    return "noted"


async def doubt(panel: ReadingPanel, asked: Doubt) -> str:
    """Only what a model wrote goes: what code concluded was measured."""
    if asked.claim not in panel.claims:
        raise ToolFailed(f"there is no claim {asked.claim}; there are: {', '.join(map(str, panel.claims)) or 'none'}")
    row, campaign = panel.claims[asked.claim], panel.campaign
    if row.lever != FAMILY or row.candidate_id is not None:
        raise ToolFailed(f"claim {asked.claim} rests on a measured attempt: it stays")
    text = f"{row.kind} is not kept: {asked.why}: {row.strategy}"

    def rows(s: Session) -> None:
        memory.forget(s, asked.claim)
        events.append(s, campaign.id, "doubt", row.kernel, text, by=panel.agent)

    await campaign.store.write(rows)
    panel.decided += 1
    return f"claim {asked.claim} is not kept"


AUDITOR: Final[Kit[ReadingPanel]] = Kit(
    {
        "read_head": Entry(OfKernel, read_head, "The source of a kernel's head."),
        "suspect_fold": Entry(Suspect, suspect_fold, "Have a head audited next because of lines in its source."),
        "clean": Entry(Clean, clean, "Say that a head was read and nothing was found."),
        "doubt": Entry(Doubt, doubt, "Take back a win or a trap that a model wrote without a measurement."),
        "finish": Entry(Finish, finish, "Close this reading."),
    },
    "this reading is closed",
)
