"""What the screen reads and where its commands go: the `Source`, with the values that only a screen asks with.

`app.store_source` is the one over a home's store.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from app.messages import Arguments
from store.device_views import DeviceView, PlaceboView, QueueItem
from store.filed_views import ComparedView, SeriesView
from store.knowledge_views import AnalysisView, ClaimView, PassageView, ReleaseView, SkillView
from store.money_views import MoneyView
from store.profile_views import ProfileView
from store.said_views import SaidView
from store.toolchain_views import ToolchainChangeView
from store.views import (
    AgentView,
    CommandView,
    End,
    EventView,
    FilingView,
    NodeDetail,
    NodeView,
    OverviewView,
    TestView,
    TreePart,
)  # fmt: skip


class SourceError(Exception):
    """The store could not be read or written; says what was asked and what it answered."""


@dataclass(frozen=True, slots=True)
class FilingQuery:
    """sort: one of FILING_SORTS; text: words that kernel, lever, kind or device contain; rows from `offset` on."""

    sort: str = "filed_at"
    descending: bool = True
    text: str = ""
    offset: int = 0
    limit: int = 200


@dataclass(frozen=True, slots=True)
class FilingPage:
    """rows of one page, and how many rows the whole query has."""

    query: FilingQuery
    rows: tuple[FilingView, ...]
    total: int


FILING_SORTS = ("filed_at", "kernel", "gain", "ledger_speedup", "times_peak", "lever")


class Source(Protocol):
    """What the screen shows and where its commands go. Every method blocks and is called in a thread.

    Raises: SourceError, from each of them.
    """

    def overview(self) -> OverviewView | None:
        """None while there is no campaign."""
        ...

    def branches(self, kernel: str, opened: Collection[int] = ()) -> TreePart:
        """Of its tree: what hangs below the kernel, the lineage of its head, and the opened nodes."""
        ...

    def matching(self, kernel: str, words: str) -> TreePart:
        """Of its tree: the newest nodes that have every word, and all above them."""
        ...

    def lineage(self, node_id: int) -> Collection[int]:
        """A node and all above it."""
        ...

    def ends_below(self, node_id: int) -> Sequence[End]:
        """How everything under a node ended."""
        ...

    def node(self, node_id: int) -> NodeDetail | None: ...

    def find_nodes(self, words: str) -> Sequence[NodeView]:
        """A few of all kernels that have every word, newest first."""
        ...

    def filing(self, filing_id: int) -> FilingView | None: ...

    def agents(self, lines: int = 0) -> Sequence[AgentView]:
        """Each with so many of its last lines."""
        ...

    def agent(self, name: str) -> AgentView | None:
        """With its last lines."""
        ...

    def transcript(self, agent: str) -> Sequence[SaidView]:
        """What it and its model said last, oldest first; () when no model was asked."""
        ...

    def tests(self, limit: int = 200) -> Sequence[TestView]:
        """Newest first, without trail and pairs."""
        ...

    def test(self, test_id: int) -> TestView | None:
        """With trail and pairs, and why it ended."""
        ...

    def device(self, kernel: str) -> DeviceView | None:
        """One kernel on the campaign's device: power, calibration, noise over time."""
        ...

    def profile(self, kernel: str) -> ProfileView | None:
        """The last one of the kernel's head on the campaign's device."""
        ...

    def money(self) -> MoneyView | None:
        """What the campaign cost; None while there is none."""
        ...

    def placebos_here(self) -> PlaceboView | None:
        """Of all campaigns of this home on the campaign's device."""
        ...

    def queue(self) -> Sequence[QueueItem]:
        """What is on the device, waits for it, or will be due."""
        ...

    def filings(self, query: FilingQuery) -> FilingPage:
        """A limit below 0 gives every row from the offset on."""
        ...

    def compare_filings(self, first: int, second: int) -> ComparedView | None:
        """None when one of them is not there."""
        ...

    def filing_series(self, campaign: int, kernel: str) -> SeriesView | None:
        """Curves over time; None when there is no such campaign."""
        ...

    def book_claims(self) -> Sequence[ClaimView]:
        """Of every book of this home, dropped ones too."""
        ...

    def book_releases(self) -> Sequence[ReleaseView]:
        """Oldest first."""
        ...

    def baselines(self) -> Sequence[AnalysisView]:
        """The newest analysis of each kernel's baseline."""
        ...

    def skills(self) -> Sequence[SkillView]:
        """Shipped ones and those of the folder that the screen was started in."""
        ...

    def toolchain_changes(self) -> Sequence[ToolchainChangeView]:
        """Of the campaign, oldest first, with what the re-checks came to."""
        ...

    def passages(self, claim: int) -> Sequence[PassageView]:
        """What a claim rests on, with its surroundings."""
        ...

    def events(self, after: int, limit: int = 500) -> Sequence[EventView]:
        """The oldest `limit` events with an id above `after`; after < 0: the newest `limit`."""
        ...

    def changed(self) -> bool:
        """Whether anybody wrote since the last call. Cheap."""
        ...

    def command(self, verb: str, target: str, arguments: Arguments) -> int: ...

    def command_state(self, command_id: int) -> CommandView | None: ...

    def close(self) -> None: ...
