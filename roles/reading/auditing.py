"""An auditor's desk: numbered statements with the passages that they cite, and a verdict on each."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from pydantic import Field

from knowledge.claims import AuditVerdict
from roles.brains.talk import Call
from roles.replies import Unusable
from roles.tools.arguments import Arguments, Text
from roles.tools.kit import Entry, Kit
from roles.tools.workbench import ToolFailed

FORM: Final = "Answer with tool calls: verdict for each number, then finish."
Verdicts = dict[str, tuple[AuditVerdict, str]]
SILENT: Final = "the auditor ended without a word on it"


@dataclass(frozen=True, slots=True)
class Statement:
    """One wording with what it cites, and what stands around that, as a reader sees them."""

    wording: str
    cited: Sequence[str]
    around: Sequence[str]


class Verdict(Arguments):
    number: int = Field(ge=1, le=10_000, description="of the statement")
    verdict: AuditVerdict = Field(description="what the cited passage says of it")
    reason: str = Field(max_length=400, description="why it is not supported; empty when it is")


class Finish(Arguments):
    summary: Text = Field(description="one sentence")


@dataclass(slots=True)
class AuditBench:
    """said: verdicts by number, from 1."""

    statements: Sequence[Statement]
    say: Callable[[str], Awaitable[None]]
    said: dict[int, tuple[AuditVerdict, str]] = field(default_factory=dict)
    finished: str = ""
    form: str = FORM

    def in_words(self, text: str) -> Call | Unusable:
        return Unusable("prose", "words only: no verdict was taken")

    @property
    def open(self) -> list[int]:
        return [number for number in range(1, len(self.statements) + 1) if number not in self.said]


async def verdict(bench: AuditBench, asked: Verdict) -> str:
    """Raises: ToolFailed for a number that is not there, and for a refusal without a reason."""
    if asked.number > len(bench.statements):
        raise ToolFailed(f"there is no statement {asked.number}; they are 1 to {len(bench.statements)}")
    if asked.verdict != "supported" and not asked.reason.strip():
        raise ToolFailed(f"statement {asked.number}: say why it is {asked.verdict}")
    bench.said[asked.number] = (asked.verdict, asked.reason)
    return f"{asked.number} noted; {len(bench.open)} left"


async def finish(bench: AuditBench, asked: Finish) -> str:
    """Raises: ToolFailed while a statement has no verdict."""
    if bench.open:
        raise ToolFailed(f"no verdict yet on {', '.join(map(str, bench.open[:20]))}")
    bench.finished = asked.summary
    return "the audit is closed"


AUDITOR: Final[Kit[AuditBench]] = Kit(
    {
        "verdict": Entry(Verdict, verdict, "Say whether the cited passage supports one statement."),
        "finish": Entry(Finish, finish, "Close the audit once every statement has a verdict."),
    },
    closed="the audit is closed",
)


@dataclass(frozen=True, slots=True)
class Heard:
    """An auditor as the rules of settling want one: what a model said of each wording. What it was never asked, or left
    out, is not supported."""

    name: str
    method: str
    verdicts: Mapping[str, tuple[AuditVerdict, str]]
    lexical: bool = False

    def judge(self, claim: str, cited: Sequence[str], section: Sequence[str]) -> tuple[AuditVerdict, str]:
        return self.verdicts.get(claim, ("unsupported", SILENT))
