"""What one model has before it while it serves one brief: its own file, what was said of it, what it submitted."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from kernels.levers.base import with_source
from kernels.values.candidate import Candidate
from kernels.values.prediction import NOTHING, Prediction
from roles.attempt import Attempt, Result
from roles.brains.base import Proposal
from roles.brains.talk import Call
from roles.campaign import Campaign
from roles.kernel_state import KernelState
from roles.pipeline import Pipeline
from roles.replies import Unusable, source_in

FAMILY = "written"
SUBMISSIONS = 3
EVALUATIONS = 24
FORM = "Go on with tool calls: your file, then compile, check, time, submit, finish."


class ToolFailed(Exception):
    """The model's own fault, or a limit; the reason goes back to it."""


class Infrastructure(Exception):
    """The device, the toolchain or the head failed: nothing that the model could mend, and it is not told as if."""


@dataclass(slots=True)
class Workbench:
    """start: the head when the brief was taken. own: the file as it is now. said: what was found of a text, by content
    and stage, so that no text is evaluated twice. judge: sends an attempt down the pipeline. hinted_pairs: that `time`
    took."""

    campaign: Campaign
    pipeline: Pipeline
    proposal: Proposal
    agent: str
    brief_id: int
    start: Candidate
    own: Candidate
    judge: Callable[[Callable[[], Attempt]], Awaitable[Result]]
    say: Callable[[str], Awaitable[None]]
    said: dict[tuple[str, str], str] = field(default_factory=dict)
    results: list[Result] = field(default_factory=list)
    evaluations: int = 0
    hinted_pairs: int = 0
    finished: str = ""

    @property
    def kernel(self) -> str:
        return self.proposal.kernel

    @property
    def form(self) -> str:
        return FORM

    def in_words(self, text: str) -> Call | Unusable:
        """A whole source in words is taken as if it had been written."""
        found = source_in(text, self.state.spec.entry)
        return found if isinstance(found, Unusable) else Call("in words", "write_file", {"text": found.text})

    @property
    def state(self) -> KernelState:
        return self.campaign.kernels[self.kernel]

    def change(self, text: str) -> Candidate:
        """Take another text as the own file; line ends and a byte-order mark are put right. Raises: ToolFailed when
        nothing changes."""
        clean = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        made = with_source(self.own, clean if clean.endswith("\n") else f"{clean}\n")
        if made.id == self.own.id:
            raise ToolFailed("nothing changed: that is your file as it was")
        self.own = made
        return made

    def refuse_unchanged(self) -> None:
        """Raises: ToolFailed when there is nothing new to evaluate."""
        if self.own.id in (self.state.head.candidate.id, self.start.id):
            raise ToolFailed("your file is the head, unchanged: write or edit it first; nothing was evaluated")
        if self.own.id == self.state.baseline.candidate.id:
            raise ToolFailed("your file is the baseline: write or edit it first; nothing was evaluated")

    def attempt(self, idea: str, why: str, prediction: Prediction, *, new_design: bool) -> Attempt:
        """The own file, to be judged. It grows from the head when that is what it started from."""
        head, grows = self.state.head, not new_design and self.start.id == self.state.head.candidate.id
        return Attempt(
            kernel=self.kernel, candidate=self.own, lever=FAMILY, family=FAMILY,
            kind="design" if new_design else "variant", params={"idea": idea}, reason=why, prediction=prediction,
            agent=self.agent, brief_id=self.brief_id, parent_node=head.node_id if grows else None,
            base=self.start.id,
        )  # fmt: skip

    def probe(self) -> Attempt:
        """The own file, for the gates alone."""
        return replace(self.attempt("probe", "probe", NOTHING, new_design=False), parent_node=self.state.head.node_id)
