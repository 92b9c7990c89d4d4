"""Tools of the architect's model: look at a kernel, and propose designs that differ in structure, each with a budget of
time for its spans. Code checks the budget against the head and the measured peak."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from kernels.levers.base import Application
from roles import telling
from roles.brains.base import Proposal, Situation
from roles.brains.offline.option import Option
from roles.brains.open_ideas import OPEN
from roles.tools.arguments import Arguments, Finish, Nothing, Recall, Text
from roles.tools.clipping import numbered
from roles.tools.kit import Entry, Kit
from roles.tools.panel import Panel, finish
from roles.tools.reading import recalled
from roles.tools.workbench import ToolFailed

DESIGNS: Final = 4
PEAK_SLACK: Final = 0.98
"""Of the measured peak: a budget below it plans to move bytes faster than the machine does."""


class ReadHead(Arguments):
    which: Literal["head", "baseline"]
    first: int = Field(ge=1, le=1_000_000, description="first line, from 1")
    last: int = Field(ge=0, le=1_000_000, description="last line; 0 = to the end")


class Span(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Text
    us: float = Field(gt=0, description="microseconds of a call that it may take")


class ProposeDesign(Arguments):
    title: str = Field(min_length=1, max_length=120, description="a name that says how it differs")
    structure: str = Field(min_length=1, max_length=2000, description="loops, data layout, threads: enough to build it")
    differs: str = Field(
        min_length=1, max_length=600, description="from the head and from designs before, in structure"
    )
    spans: list[Span] = Field(min_length=1, max_length=12, description="the whole call, part by part")
    chance: float = Field(ge=0, le=1, description="that it is faster than the head")
    listed: int = Field(ge=0, le=10_000, description="number by list_designs that builds it; 0 = a worker writes it")


@dataclass(slots=True, kw_only=True)
class DesignPanel(Panel):
    """options: designs that code can make. titles: of designs that were proposed before. writers: whether a worker has
    a model that can write a source. taken: what was proposed in this conversation."""

    kernel: str
    situation: Situation
    options: Sequence[Option]
    titles: set[str]
    writers: bool
    taken: list[Proposal] = field(default_factory=list)
    told: list[ProposeDesign] = field(default_factory=list)


async def read_contract(panel: DesignPanel, asked: Nothing) -> str:
    return telling.contract(panel.campaign, panel.kernel)


async def read_source(panel: DesignPanel, asked: ReadHead) -> str:
    found = panel.situation.head if asked.which == "head" else panel.situation.baseline
    return f"{asked.which}\n{numbered(found.source, asked.first, asked.last)}"


async def recall(panel: DesignPanel, asked: Recall) -> str:
    return await recalled(panel.campaign, [panel.kernel], asked.words)


async def list_designs(panel: DesignPanel, asked: Nothing) -> str:
    lines = [f"{n}. {o.application.lever}: {o.application.reason[:200]}" for n, o in enumerate(panel.options, start=1)]
    return "\n".join(lines) or "code knows no design that is new here"


async def propose_design(panel: DesignPanel, asked: ProposeDesign) -> str:
    if len(panel.taken) >= DESIGNS:
        raise ToolFailed(f"{DESIGNS} designs are taken in one round; finish")
    title = " ".join(asked.title.lower().split())
    if title in panel.titles:
        raise ToolFailed(f"{asked.title!r} was proposed before; another one has to differ in structure")
    gain = _gain(panel, asked)
    panel.taken.append(_proposal(panel, asked, gain))
    panel.told.append(asked)
    panel.titles.add(title)
    panel.decided += 1
    return f"taken, {len(panel.taken)} of {DESIGNS}: its budget saves {gain:.1%} of the head's time"


def _gain(panel: DesignPanel, asked: ProposeDesign) -> float:
    """Share of the head's time that the budget saves. Raises: ToolFailed for a budget that cannot be."""
    total, head = sum(span.us for span in asked.spans), panel.situation.head_ns / 1e3
    peak = None if panel.situation.peak_ns is None else panel.situation.peak_ns / 1e3
    if total >= head:
        raise ToolFailed(f"the spans come to {total:.1f} us, the head takes {head:.1f} us: that is no gain")
    if peak is not None and total < PEAK_SLACK * peak:
        raise ToolFailed(
            f"the spans come to {total:.1f} us, but moving the bytes alone takes {peak:.1f} us as measured"
        )
    return 1.0 - total / head


def _proposal(panel: DesignPanel, asked: ProposeDesign, gain: float) -> Proposal:
    """Raises: ToolFailed when nobody can build it."""
    budget = ", ".join(f"{span.name} {span.us:g} us" for span in asked.spans)
    reason = f"{asked.structure} It differs: {asked.differs} Budget: {budget}."
    told = f"{gain:+.1%} by its budget, with chance {asked.chance:.0%}"
    if asked.listed:
        return replace(
            _listed(panel, asked.listed, gain * asked.chance), reason=f"{asked.title}. {reason}", expected_gain=gain,
            chance=asked.chance, prediction=told,
        )  # fmt: skip
    if not panel.writers:
        raise ToolFailed("no worker has a model that writes sources: take one of list_designs")
    application = Application(OPEN, "structure", {"design": asked.title}, "", asked.differs, "a design of its own")
    return Proposal(
        kernel=panel.kernel, kind="design", base=panel.situation.head, application=application,
        candidate=panel.situation.head, expected_gain=gain, chance=asked.chance, reason=reason, prediction=told,
        score=gain * asked.chance,
    )  # fmt: skip


def _listed(panel: DesignPanel, number: int, value: float) -> Proposal:
    """Ranked by the geometric mean of what the policy believes and of what the budget says (value)."""
    if number > len(panel.options):
        raise ToolFailed(f"there is no design {number}: code can make {len(panel.options)}; list them")
    option = panel.options[number - 1]
    candidate = option.render(panel.situation)
    if candidate is None or any(candidate.id == p.candidate.id for p in panel.taken):
        raise ToolFailed(f"design {number} is taken already")
    made = option.proposal(panel.situation, candidate)
    return replace(made, score=math.sqrt(max(made.score * value, 0.0)))


LOOKING: Final[Mapping[str, Entry[DesignPanel, Any]]] = {
    "read_contract": Entry(Nothing, read_contract, "Arguments, tolerances, machine, rules, the header."),
    "recall": Entry(Recall, recall, "Wins, traps, the notebook and what was tried, by words."),
    "list_designs": Entry(Nothing, list_designs, "Designs that code can make from the baseline, with numbers."),
    "propose_design": Entry(ProposeDesign, propose_design, f"One design; {DESIGNS} in a round at most."),
    "finish": Entry(Finish, finish, "Close this round."),
}
FROM_BUDGET: Final[Kit[DesignPanel]] = Kit(LOOKING, "this round is closed")
"""Without the sources: what repeats the code is no redesign."""
FROM_CODE: Final[Kit[DesignPanel]] = Kit(
    {"read_source": Entry(ReadHead, read_source, "Lines of the head or of the baseline."), **LOOKING},
    "this round is closed",
)
