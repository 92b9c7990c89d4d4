"""What a home holds, whichever campaign is shown: read by the number of what is asked for. Orders of the screen too."""

import getpass
from collections.abc import Callable, Collection, Sequence
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from app.home import workspace_folder
from app.messages import Arguments
from app.source import SourceError
from store import baseline_views, commands, reads
from store.engine import Session, Store
from store.errors import StoreError
from store.filed_views import ComparedView, SeriesView
from store.knowledge_views import AnalysisView, ClaimView, PassageView, ReleaseView, SkillView
from store.views import CommandView, End, FilingView, NodeDetail

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")


def reported(method: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
    """Whatever the store or SQLite raises becomes a SourceError that says what was asked."""
    asked = getattr(method, "__name__", "read")

    @wraps(method)
    def guarded(self: S, *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return method(self, *args, **kwargs)
        except Exception as error:  # the screen shows it and asks again
            raise SourceError(f"{asked}: {error}") from error

    return guarded


class HomeSource:
    """The half of a `Source` that knows of no campaign."""

    def __init__(self, home: Path, *, read_only: bool = False) -> None:
        self._store = Store.open(home, read_only=read_only)
        self._store.remember()

    def _found(self, job: Callable[[Session], T]) -> T | None:
        """What the job reads, None when it is not there."""
        try:
            return self._store.read_sync(job)
        except StoreError:
            return None

    @reported
    def lineage(self, node_id: int) -> Collection[int]:
        return self._store.read_sync(lambda s: reads.lineage(s, node_id))

    @reported
    def ends_below(self, node_id: int) -> Sequence[End]:
        return self._store.read_sync(lambda s: reads.ends_below(s, node_id))

    @reported
    def node(self, node_id: int) -> NodeDetail | None:
        return self._found(lambda s: reads.node_detail(s, node_id))

    @reported
    def filing(self, filing_id: int) -> FilingView | None:
        return self._found(lambda s: reads.filing(s, filing_id))

    @reported
    def compare_filings(self, first: int, second: int) -> ComparedView | None:
        return self._found(lambda s: reads.compare_filings(s, first, second))

    @reported
    def filing_series(self, campaign: int, kernel: str) -> SeriesView | None:
        return self._found(lambda s: reads.filing_series(s, campaign, kernel))

    @reported
    def book_claims(self) -> Sequence[ClaimView]:
        return self._store.read_sync(reads.book_claims)

    @reported
    def book_releases(self) -> Sequence[ReleaseView]:
        return self._store.read_sync(reads.book_releases)

    @reported
    def baselines(self) -> Sequence[AnalysisView]:
        return self._store.read_sync(baseline_views.kept)

    @reported
    def skills(self) -> Sequence[SkillView]:
        from app.chip.skills import view as skill_view
        from knowledge.skills.playbook import playbook

        book = playbook(workspace_folder())
        return [skill_view(book, skill) for skill in book.skills]

    @reported
    def passages(self, claim: int) -> Sequence[PassageView]:
        return self._store.read_sync(lambda s: reads.passages(s, claim))

    @reported
    def command(self, verb: str, target: str, arguments: Arguments) -> int:
        actor = f"{getpass.getuser()}@screen"
        return self._store.write_sync(lambda s: commands.enqueue(s, actor, verb, target, arguments))

    @reported
    def command_state(self, command_id: int) -> CommandView | None:
        return self._store.read_sync(lambda s: reads.command(s, command_id))
