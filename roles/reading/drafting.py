"""A reader's desk: a part of a document, and the claims drawn from it so far."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from pydantic import Field

from knowledge.book.index import BookIndex, Placed
from knowledge.book.values import fold
from knowledge.citations import Citation
from knowledge.claims import Draft
from knowledge.drafting import LONGEST
from knowledge.onboarding import checked
from roles.brains.talk import Call
from roles.replies import Unusable
from roles.tools.arguments import Arguments, Text
from roles.tools.kit import Entry, Kit
from roles.tools.workbench import ToolFailed

SPANS: Final = 3
SPAN_LIMIT: Final = 2000
FORM: Final = "Answer with tool calls: claim, and finish when the part has no further facts."


class Claim(Arguments):
    section: Text = Field(description="the anchor of the section that it rests on")
    kind: Literal["rule", "limit", "definition", "table"] = Field(description="what it states")
    text: str = Field(min_length=1, max_length=LONGEST, description="one short statement that holds beyond this page")
    spans: list[str] = Field(min_length=1, max_length=SPANS, description="what it rests on, copied letter by letter")


class Finish(Arguments):
    summary: Text = Field(description="one sentence")


@dataclass(slots=True)
class DraftBench:
    """finished: the reader's last words, "" before them."""

    part: Sequence[Placed]
    say: Callable[[str], Awaitable[None]]
    drafts: list[Draft] = field(default_factory=list)
    finished: str = ""
    form: str = FORM
    index: BookIndex = field(init=False)

    def __post_init__(self) -> None:
        self.index = BookIndex(self.part)

    def in_words(self, text: str) -> Call | Unusable:
        return Unusable("prose", "words only: no claim was taken")


async def claim(bench: DraftBench, asked: Claim) -> str:
    """Raises: ToolFailed for a section that is not there, and when the script check fails."""
    place = next((one for one in bench.part if one.section.anchor == asked.section), None)
    if place is None:
        known = ", ".join(one.section.anchor for one in bench.part[:20])
        raise ToolFailed(f"there is no section {asked.section!r} in this part; there are: {known}")
    citations = tuple(Citation(place.document, asked.section, span) for span in asked.spans)
    if (longest := max(map(len, asked.spans))) > SPAN_LIMIT:
        raise ToolFailed(f"a span has {longest:,} characters and may have {SPAN_LIMIT:,}; quote less")
    if not (check := checked(asked.text, citations, bench.index)).passed:
        raise ToolFailed(f"not taken: {check.reason}. Copy spans letter by letter; use no other numbers and names")
    if any(fold(asked.text) == fold(one.text) for one in bench.drafts):
        raise ToolFailed("not taken: you drew this claim before")
    literal = " ".join(fold(place.plain(span)) for span in asked.spans)
    bench.drafts.append(Draft(asked.kind, asked.text, citations, literal))
    return f"claim {len(bench.drafts)} taken"


async def finish(bench: DraftBench, asked: Finish) -> str:
    bench.finished = asked.summary
    return "the part is closed"


READER: Final[Kit[DraftBench]] = Kit(
    {
        "claim": Entry(Claim, claim, "Keep one claim with the passages that it rests on."),
        "finish": Entry(Finish, finish, "Close this part."),
    },
    closed="the part is closed",
)
