"""The `Source` over a home's store: opened in the feed's thread, so that importing it never holds up a frame."""

from collections.abc import Callable, Collection, Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

from app.explained import explained
from app.home_source import HomeSource, reported
from app.source import FilingPage, FilingQuery, SourceError
from kernels.judge.registry import get_rule
from store import campaigns, heartbeat, profiles, reads
from store.device_views import DeviceView, PlaceboView, QueueItem
from store.engine import Session
from store.errors import StoreError
from store.feed import Feed
from store.money_views import MoneyView
from store.profile_views import ProfileView
from store.reads.transcript_view import transcript
from store.said_views import SaidView
from store.toolchain_views import ToolchainChangeView
from store.views import AgentView, EventView, NodeView, OverviewView, TestView, TreePart

NO_TREE = TreePart((), {}, frozenset())
T = TypeVar("T")


@cache
def _boundaries(rule: str, pairs: int) -> tuple[float | None, float | None, float | None]:
    """For the trail of a test: what the rule compares the score with after so many pairs."""
    try:
        bounds = get_rule(rule).bounds(pairs)
    except ValueError:
        return None, None, None
    return bounds.faster, bounds.slower, bounds.unclear_below


def _file(path: Path) -> tuple[int, int] | None:
    """Which file it is; None when there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


class StoreSource(HomeSource):
    """Shows one campaign, the latest when none is named; follows on to a newer one then."""

    def __init__(self, home: Path, *, read_only: bool = False, campaign: int | None = None) -> None:
        super().__init__(home, read_only=read_only)
        self._feed = Feed(self._store)
        self._file = _file(self._store.path)
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

    def changed(self) -> bool:
        """Raises: SourceError, too, once the home has this database no more: its last state could be read for ever."""
        if _file(self._store.path) != self._file:
            raise SourceError(f"last state of a home that is gone, or another one now: {self._store.path.parent}")
        return self._news()

    @reported
    def _news(self) -> bool:
        changed = self._feed.changed() or self._fell_silent()
        if changed:
            self._overview = None
            if self._asked is None:
                latest = self._store.read_sync(campaigns.latest)
                self._campaign = None if latest is None else latest.id
        return changed

    def _fell_silent(self) -> bool:
        """That an engine is not heard any more is news that nobody writes."""
        engine = None if self._overview is None else self._overview.engine
        return engine is not None and engine.alive and not heartbeat.lately(engine.heartbeat_at)

    @reported
    def overview(self) -> OverviewView | None:
        """Kept until something is written: several panels ask in one round."""
        if self._overview is None and self._campaign is not None:
            number = self._campaign
            self._overview = self._store.read_sync(lambda s: reads.overview(s, number, _boundaries))
        return self._overview

    @reported
    def branches(self, kernel: str, opened: Collection[int] = ()) -> TreePart:
        return self._read(lambda s, c: reads.branches(s, c, kernel, opened), NO_TREE)

    @reported
    def matching(self, kernel: str, words: str) -> TreePart:
        return self._read(lambda s, c: reads.matching(s, c, kernel, words), NO_TREE)

    @reported
    def find_nodes(self, words: str) -> Sequence[NodeView]:
        return self._read(lambda s, c: reads.find_nodes(s, c, words), ())

    @reported
    def agents(self, lines: int = 0) -> Sequence[AgentView]:
        return self._read(lambda s, c: reads.agents(s, c, lines), ())

    @reported
    def agent(self, name: str) -> AgentView | None:
        return self._read(lambda s, c: reads.agent(s, c, name), None)

    @reported
    def transcript(self, agent: str) -> Sequence[SaidView]:
        return self._read(lambda s, c: transcript(s, c, agent, self._store.artefacts.read_text), ())

    @reported
    def tests(self, limit: int = 200) -> Sequence[TestView]:
        return self._read(lambda s, c: reads.tests(s, c, limit), ())

    @reported
    def test(self, test_id: int) -> TestView | None:
        def read(s: Session) -> tuple[TestView | None, float]:
            return reads.test(s, test_id, _boundaries), reads.flat_within(s, test_id)

        found, flat_within = self._store.read_sync(read)
        return None if found is None else explained(found, flat_within)

    @reported
    def device(self, kernel: str) -> DeviceView | None:
        return self._read(lambda s, c: reads.device(s, c, kernel), None)

    @reported
    def profile(self, kernel: str) -> ProfileView | None:
        return self._read(lambda s, c: profiles.latest(s, c, kernel), None)

    @reported
    def money(self) -> MoneyView | None:
        return self._read(reads.money, None)

    @reported
    def placebos_here(self) -> PlaceboView | None:
        return self._read(reads.placebos_here, None)

    @reported
    def queue(self) -> Sequence[QueueItem]:
        return self._read(reads.queue, ())

    @reported
    def filings(self, query: FilingQuery) -> FilingPage:
        """Of every campaign of this home."""
        rows, total = self._store.read_sync(
            lambda s: reads.filings_page(
                s, self._asked, sort=query.sort, descending=query.descending, text=query.text, offset=query.offset,
                limit=query.limit,
            )
        )  # fmt: skip
        return FilingPage(query, rows, total)

    @reported
    def toolchain_changes(self) -> Sequence[ToolchainChangeView]:
        return self._read(reads.toolchain_changes, ())

    @reported
    def events(self, after: int, limit: int = 500) -> Sequence[EventView]:
        return self._read(lambda s, c: reads.events(s, c, after, limit), ())

    def close(self) -> None:
        self._feed.close()
        self._store.close()
