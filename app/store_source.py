"""The `Source` over a home's store: opened in the feed's thread, so that importing it never holds up a frame."""

import getpass
from collections.abc import Callable, Collection, Sequence
from functools import cache, wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from app.explained import explained
from app.home import workspace_folder
from app.messages import Arguments
from app.source import FilingPage, FilingQuery, SourceError
from kernels.judge.registry import get_rule
from store import baseline_views, campaigns, commands, profiles, reads
from store.device_views import DeviceView, PlaceboView, QueueItem
from store.engine import Session, Store
from store.errors import StoreError
from store.feed import Feed
from store.filed_views import ComparedView, SeriesView
from store.knowledge_views import AnalysisView, ClaimView, PassageView, ReleaseView, SkillView
from store.money_views import MoneyView
from store.profile_views import ProfileView
from store.reads.transcript_view import transcript
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

NO_TREE = TreePart((), {}, frozenset())
P = ParamSpec("P")
T = TypeVar("T")


def _reported(method: "Callable[Concatenate[StoreSource, P], T]") -> "Callable[Concatenate[StoreSource, P], T]":
    """Whatever the store or SQLite raises becomes a SourceError that says what was asked."""

    asked = getattr(method, "__name__", "read")

    @wraps(method)
    def guarded(self: "StoreSource", *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return method(self, *args, **kwargs)
        except Exception as error:  # the screen shows it and asks again
            raise SourceError(f"{asked}: {error}") from error

    return guarded


@cache
def _boundaries(rule: str, pairs: int) -> tuple[float | None, float | None, float | None]:
    """For the trail of a test: what the rule compares the score with after so many pairs."""
    try:
        bounds = get_rule(rule).bounds(pairs)
    except ValueError:
        return None, None, None
    return bounds.faster, bounds.slower, bounds.unclear_below


class StoreSource:
    """Shows one campaign, the latest when none is named; follows on to a newer one then."""

    def __init__(self, home: Path, *, read_only: bool = False, campaign: int | None = None) -> None:
        self._store = Store.open(home, read_only=read_only)
        self._store.remember()
        self._feed = Feed(self._store)
        self._asked = campaign
        self._campaign: int | None = campaign
        self._overview: OverviewView | None = None

    @classmethod
    def opened(cls, home: Path, *, read_only: bool = False, campaign: int | None = None) -> "StoreSource":
        """Raises: SourceError."""
        try:
            return cls(home, read_only=read_only, campaign=campaign)
        except StoreError as error:
            raise SourceError(str(error)) from error

    def _read(self, job: Callable[[Session, int], T], otherwise: T) -> T:
        """`job` on the campaign, or `otherwise` while there is none."""

        def read(s: Session) -> T:
            return otherwise if self._campaign is None else job(s, self._campaign)

        return self._store.read_sync(read)

    @_reported
    def changed(self) -> bool:
        changed = self._feed.changed()
        if changed:
            self._overview = None
            if self._asked is None:
                latest = self._store.read_sync(campaigns.latest)
                self._campaign = None if latest is None else latest.id
        return changed

    @_reported
    def overview(self) -> OverviewView | None:
        """Kept until something is written: several panels ask in one round."""
        if self._overview is None and self._campaign is not None:
            number = self._campaign
            self._overview = self._store.read_sync(lambda s: reads.overview(s, number, _boundaries))
        return self._overview

    @_reported
    def branches(self, kernel: str, opened: Collection[int] = ()) -> TreePart:
        return self._read(lambda s, c: reads.branches(s, c, kernel, opened), NO_TREE)

    @_reported
    def matching(self, kernel: str, words: str) -> TreePart:
        return self._read(lambda s, c: reads.matching(s, c, kernel, words), NO_TREE)

    @_reported
    def lineage(self, node_id: int) -> Collection[int]:
        return self._store.read_sync(lambda s: reads.lineage(s, node_id))

    @_reported
    def ends_below(self, node_id: int) -> Sequence[End]:
        return self._store.read_sync(lambda s: reads.ends_below(s, node_id))

    @_reported
    def node(self, node_id: int) -> NodeDetail | None:
        try:
            return self._store.read_sync(lambda s: reads.node_detail(s, node_id))
        except StoreError:
            return None

    @_reported
    def find_nodes(self, words: str) -> Sequence[NodeView]:
        return self._read(lambda s, c: reads.find_nodes(s, c, words), ())

    @_reported
    def filing(self, filing_id: int) -> FilingView | None:
        try:
            return self._store.read_sync(lambda s: reads.filing(s, filing_id))
        except StoreError:
            return None

    @_reported
    def agents(self, lines: int = 0) -> Sequence[AgentView]:
        return self._read(lambda s, c: reads.agents(s, c, lines), ())

    @_reported
    def agent(self, name: str) -> AgentView | None:
        return self._read(lambda s, c: reads.agent(s, c, name), None)

    @_reported
    def transcript(self, agent: str) -> Sequence[SaidView]:
        return self._read(lambda s, c: transcript(s, c, agent, self._store.artefacts.read_text), ())

    @_reported
    def tests(self, limit: int = 200) -> Sequence[TestView]:
        return self._read(lambda s, c: reads.tests(s, c, limit), ())

    @_reported
    def test(self, test_id: int) -> TestView | None:
        def read(s: Session) -> tuple[TestView | None, float]:
            return reads.test(s, test_id, _boundaries), reads.flat_within(s, test_id)

        found, flat_within = self._store.read_sync(read)
        return None if found is None else explained(found, flat_within)

    @_reported
    def device(self, kernel: str) -> DeviceView | None:
        return self._read(lambda s, c: reads.device(s, c, kernel), None)

    @_reported
    def profile(self, kernel: str) -> ProfileView | None:
        return self._read(lambda s, c: profiles.latest(s, c, kernel), None)

    @_reported
    def money(self) -> MoneyView | None:
        return self._read(reads.money, None)

    @_reported
    def placebos_here(self) -> PlaceboView | None:
        return self._read(reads.placebos_here, None)

    @_reported
    def queue(self) -> Sequence[QueueItem]:
        return self._read(reads.queue, ())

    @_reported
    def filings(self, query: FilingQuery) -> FilingPage:
        """Of every campaign of this home."""
        rows, total = self._store.read_sync(
            lambda s: reads.filings_page(
                s, self._asked, sort=query.sort, descending=query.descending, text=query.text, offset=query.offset,
                limit=query.limit,
            )
        )  # fmt: skip
        return FilingPage(query, rows, total)

    @_reported
    def compare_filings(self, first: int, second: int) -> ComparedView | None:
        try:
            return self._store.read_sync(lambda s: reads.compare_filings(s, first, second))
        except StoreError:
            return None

    @_reported
    def filing_series(self, campaign: int, kernel: str) -> SeriesView | None:
        try:
            return self._store.read_sync(lambda s: reads.filing_series(s, campaign, kernel))
        except StoreError:
            return None

    @_reported
    def book_claims(self) -> Sequence[ClaimView]:
        return self._store.read_sync(reads.book_claims)

    @_reported
    def book_releases(self) -> Sequence[ReleaseView]:
        return self._store.read_sync(reads.book_releases)

    @_reported
    def baselines(self) -> Sequence[AnalysisView]:
        return self._store.read_sync(baseline_views.kept)

    @_reported
    def skills(self) -> Sequence[SkillView]:
        from app.chip.skills import view as skill_view
        from knowledge.skills.playbook import playbook

        book = playbook(workspace_folder())
        return [skill_view(book, skill) for skill in book.skills]

    @_reported
    def toolchain_changes(self) -> Sequence[ToolchainChangeView]:
        return self._read(reads.toolchain_changes, ())

    @_reported
    def passages(self, claim: int) -> Sequence[PassageView]:
        return self._store.read_sync(lambda s: reads.passages(s, claim))

    @_reported
    def events(self, after: int, limit: int = 500) -> Sequence[EventView]:
        return self._read(lambda s, c: reads.events(s, c, after, limit), ())

    @_reported
    def command(self, verb: str, target: str, arguments: Arguments) -> int:
        actor = f"{getpass.getuser()}@screen"
        return self._store.write_sync(lambda s: commands.enqueue(s, actor, verb, target, arguments))

    @_reported
    def command_state(self, command_id: int) -> CommandView | None:
        return self._store.read_sync(lambda s: reads.command(s, command_id))

    def close(self) -> None:
        self._feed.close()
        self._store.close()
