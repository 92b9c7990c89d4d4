"""Tools of an owner's model: look at what workers brought, keep the notebook, write wins and traps, suspect a fold."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pydantic import Field

from kernels.values.verdict import Outcome
from knowledge.memory import Conclusion
from roles.attempt import Attempt, Result
from roles.nodes import title_of
from roles.tools.arguments import Arguments, Finish, Recall, Remember
from roles.tools.clipping import clip
from roles.tools.kit import Entry, Kit
from roles.tools.panel import Panel, finish
from roles.tools.reading import recalled
from roles.tools.remembering import refuse_unkept
from roles.tools.suspecting import Quote, suspect
from roles.tools.workbench import ToolFailed
from store import memory, notebook, reads
from store.views import NodeDetail

FAILED: Final = frozenset({Outcome.REVERT, Outcome.REJECT})


class OfNode(Arguments):
    node: int = Field(ge=1, description="as the list of attempts numbers it")


class Note(Arguments):
    text: str = Field(min_length=1, max_length=800, description="what the next worker on this kernel has to know")


class Learned(OfNode, Remember):
    pass


class Suspect(OfNode):
    quote: Quote
    why: str = Field(min_length=1, max_length=400, description="which value or property of the inputs it exploits")


@dataclass(frozen=True, slots=True)
class Reviewed:
    """One attempt that waits for its review."""

    attempt: Attempt
    result: Result

    @property
    def line(self) -> str:
        """`node 12 by worker-03: threads n=2 -> KEEP FASTER +12.0%; expected +10%`."""
        verdict = f" {self.result.verdict}" if self.result.verdict is not None else ""
        gain = "" if self.result.gain is None else f" {self.result.gain:+.1%}"
        why = f": {self.result.kind} {self.result.reason}"[:200].rstrip() if self.result.reason else ""
        said = f"; expected {self.attempt.prediction.text}" if self.attempt.prediction.text else ""
        what = f"node {self.result.node_id} by {self.attempt.agent or 'the policy'}: {title_of(self.attempt)}"
        return f"{what} -> {self.result.outcome}{verdict}{gain}{why}{said}"


@dataclass(slots=True, kw_only=True)
class ReviewPanel(Panel):
    """batch: attempts under review, by node."""

    kernel: str
    batch: Mapping[int, Reviewed]

    def reviewed(self, node: int) -> Reviewed:
        """Raises: ToolFailed."""
        if node not in self.batch:
            raise ToolFailed(f"node {node} is not under review; these are: {', '.join(map(str, self.batch))}")
        return self.batch[node]


async def read_attempt(panel: ReviewPanel, asked: OfNode) -> str:
    one = panel.reviewed(asked.node)
    detail = await panel.campaign.store.read(lambda s: reads.node_detail(s, asked.node))
    return f"{one.line}\n{_text(detail)}"


def _text(detail: NodeDetail) -> str:
    gates = "\n".join(f"{g.gate}: {g.state} {g.kind} {g.reason}".rstrip() for g in detail.gates)
    return f"Why: {detail.reason}\n{gates}\nChange against its parent:\n{clip(detail.diff) or detail.source}"


async def recall(panel: ReviewPanel, asked: Recall) -> str:
    return await recalled(panel.campaign, [panel.kernel], asked.words)


async def note(panel: ReviewPanel, asked: Note) -> str:
    campaign = panel.campaign
    await campaign.store.write(lambda s: notebook.write(s, campaign.id, panel.kernel, asked.text, author=panel.agent))
    panel.decided += 1
    return "noted"


async def remember(panel: ReviewPanel, asked: Learned) -> str:
    """Nothing is claimed that was not measured: a win is of a promotion, a trap of what was refused or slower."""
    one, campaign = panel.reviewed(asked.node), panel.campaign
    refuse_unkept(campaign.policy.memory, asked)
    if asked.kind == "win" and one.result.outcome is not Outcome.KEEP:
        raise ToolFailed(f"a win is of a promotion; node {asked.node} is {one.result.outcome}")
    if asked.kind == "trap" and one.result.outcome not in FAILED:
        raise ToolFailed(f"a trap is of what was refused or reverted; node {asked.node} is {one.result.outcome}")
    kind = campaign.kernels[panel.kernel].character.type
    found = Conclusion(asked.kind, kind, one.attempt.lever, asked.strategy, asked.reflection, one.result.gain or 0.0)
    await campaign.store.write(
        lambda s: memory.remember(
            s, found, campaign.policy.memory, kernel=panel.kernel, campaign_id=campaign.id,
            candidate_id=one.attempt.candidate.id,
        )
    )  # fmt: skip
    panel.decided += 1
    return f"{asked.kind} noted"


async def suspect_fold(panel: ReviewPanel, asked: Suspect) -> str:
    panel.reviewed(asked.node)
    said = await suspect(panel.campaign, panel.agent, asked.node, asked.quote, asked.why)
    panel.decided += 1
    return said


OWNER: Final[Kit[ReviewPanel]] = Kit(
    {
        "read_attempt": Entry(OfNode, read_attempt, "Reason, gates and change of one attempt under review."),
        "recall": Entry(Recall, recall, "Wins, traps, the notebook and what was tried, by words."),
        "note": Entry(Note, note, "One entry in the kernel's notebook, which every later worker reads."),
        "remember": Entry(Learned, remember, "A win or a trap of one attempt, for all kernels of its type."),
        "suspect_fold": Entry(Suspect, suspect_fold, "Have a promotion audited next because of lines in its source."),
        "finish": Entry(Finish, finish, "Close this review."),
    },
    "this review is closed",
)
