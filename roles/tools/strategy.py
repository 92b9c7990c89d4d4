"""Tools of the strategist's model: what is known of each kernel, what its levers are worth, which are over, what the
next brief of one says. Code checks every word against the rows before it counts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from roles import telling
from roles.brains.base import Situation
from roles.levers_known import Known
from roles.ranking import Ranking
from roles.tools.arguments import Arguments, Finish, Recall, Text
from roles.tools.kit import Entry, Kit
from roles.tools.panel import Panel, finish
from roles.tools.reading import recalled
from roles.tools.workbench import ToolFailed

DEAD_AFTER: Final = 2
"""Judged attempts of a lever on a kernel, none of them kept, before it may be stopped."""
Why = Annotated[str, Field(min_length=1, max_length=400, description="the evidence, in a sentence")]


class ReadKernel(Arguments):
    kernel: Text


class Rank(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    lever: Text
    expected_gain: float = Field(ge=0, lt=1, description="share of the head's time that it saves when it holds")
    chance: float = Field(ge=0, le=1, description="that it holds")


class RankLevers(Arguments):
    kernel: Text
    ranks: list[Rank] = Field(min_length=1, max_length=40, description="levers that are not named keep their place")
    why: Why


class StopLever(Arguments):
    kernel: Text
    lever: Text
    why: Why


class WriteBrief(Arguments):
    kernel: Text
    lever: Text
    text: str = Field(min_length=1, max_length=2000, description="what its worker is to look at, try and avoid")


@dataclass(slots=True, kw_only=True)
class StrategyPanel(Panel):
    """situations, levers: by kernel, as they were when the conversation began. ranking: what was decided so far."""

    situations: Mapping[str, Situation]
    levers: Mapping[str, Mapping[str, Known]]
    ranking: Ranking = field(default_factory=Ranking)

    def lever(self, kernel: str, lever: str) -> Known:
        """Raises: ToolFailed that lists what there is."""
        if kernel not in self.levers:
            raise ToolFailed(f"there is no kernel {kernel!r}; there are: {', '.join(self.levers)}")
        if lever not in self.levers[kernel]:
            raise ToolFailed(
                f"no lever {lever!r} fits {kernel} or was tried there; known: {', '.join(self.levers[kernel])}"
            )
        return self.levers[kernel][lever]


async def read_kernel(panel: StrategyPanel, asked: ReadKernel) -> str:
    if asked.kernel not in panel.levers:
        raise ToolFailed(f"there is no kernel {asked.kernel!r}; there are: {', '.join(panel.levers)}")
    return kernel_text(panel, asked.kernel)


def kernel_text(panel: StrategyPanel, kernel: str) -> str:
    """Figures, levers with what the policy believes of them, and what failed under the head."""
    levers = "\n".join(one.line for one in panel.levers[kernel].values()) or "none fits"
    failed = telling.failed(panel.situations[kernel]) or "nothing"
    return f"{telling.figures(panel.campaign.kernels[kernel])}\nLevers:\n{levers}\nFailed under this head:\n{failed}"


async def recall(panel: StrategyPanel, asked: Recall) -> str:
    return await recalled(panel.campaign, list(panel.campaign.kernels), asked.words)


async def rank_levers(panel: StrategyPanel, asked: RankLevers) -> str:
    """A gain above what the measured peak leaves is cut to it."""
    for rank in asked.ranks:
        panel.lever(asked.kernel, rank.lever)
    room = _room(panel.situations[asked.kernel])
    for rank in asked.ranks:
        panel.ranking.values[asked.kernel, rank.lever] = min(rank.expected_gain, room) * rank.chance
    panel.decided += 1
    return f"{len(asked.ranks)} levers of {asked.kernel} ranked; at most {room:.1%} can be saved there"


async def stop_lever(panel: StrategyPanel, asked: StopLever) -> str:
    """Refused without evidence: what was hardly tried, or won under this head, goes on."""
    panel.lever(asked.kernel, asked.lever)
    mine = [t for t in panel.situations[asked.kernel].tried if t.lever == asked.lever and t.outcome != "INVALID"]
    if any(t.outcome == "KEEP" for t in mine[-DEAD_AFTER:]):
        raise ToolFailed(
            f"{asked.lever} was promoted among its last {DEAD_AFTER} attempts on {asked.kernel}: it goes on"
        )
    if len(mine) < DEAD_AFTER:
        raise ToolFailed(
            f"{asked.lever} was judged {len(mine)} times on {asked.kernel}; {DEAD_AFTER} are needed to stop it"
        )
    panel.ranking.stopped[asked.kernel, asked.lever] = asked.why
    panel.decided += 1
    return f"no further brief for {asked.lever} on {asked.kernel} until the next ranking, while others are left"


async def write_brief(panel: StrategyPanel, asked: WriteBrief) -> str:
    panel.lever(asked.kernel, asked.lever)
    panel.ranking.words[asked.kernel, asked.lever] = asked.text
    panel.decided += 1
    return f"the next briefs of {asked.lever} on {asked.kernel} say that"


def _room(situation: Situation) -> float:
    """Share of the head's time that lies above the measured peak."""
    return 1.0 if situation.peak_ns is None else max(1.0 - situation.peak_ns / situation.head_ns, 0.0)


STRATEGIST: Final[Kit[StrategyPanel]] = Kit(
    {
        "read_kernel": Entry(ReadKernel, read_kernel, "Figures, levers with beliefs, and what failed on one kernel."),
        "recall": Entry(Recall, recall, "Wins, traps, notes and what was tried on all kernels, by words."),
        "rank_levers": Entry(RankLevers, rank_levers, "What levers of a kernel are worth; orders the next briefs."),
        "stop_lever": Entry(StopLever, stop_lever, "No more briefs for a lever that evidence shows to be dead."),
        "write_brief": Entry(WriteBrief, write_brief, "Words for the worker who gets this lever next."),
        "finish": Entry(Finish, finish, "Close this round."),
    },
    "this round is closed",
)
