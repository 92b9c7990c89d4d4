"""One reading of the store for the screen, done in the feed's thread. Pure but for the source and the clock."""

import time
from dataclasses import dataclass

from app.screens.pane import Apply, Request
from app.source import Source
from store.views import CommandView, OverviewView


@dataclass(frozen=True, slots=True)
class Question:
    """full: read all even if nothing changed. due: news may be read again; stale: the pane has missed some.

    frozen: no news for the pane; the header, the answers and what a key asks for are read all the same.
    after: the last event known, -1 = none. commands: ids still unanswered.
    """

    full: bool
    due: bool
    stale: bool
    frozen: bool
    after: int
    commands: tuple[int, ...]
    everything: Request | None
    detail: Request | None


@dataclass(frozen=True, slots=True)
class Answer:
    """fresh: overview and last_event were read. whole: the pane was read whole; stale: it has missed news.

    apply: shows the pane's part. cost_s: processor seconds of the feed's thread.
    """

    fresh: bool
    whole: bool
    stale: bool
    overview: OverviewView | None
    last_event: int
    commands: tuple[CommandView, ...]
    apply: Apply | None
    cost_s: float = 0.0


def ask(question: Question, source: Source) -> Answer:
    """Raises: SourceError."""
    began = time.thread_time()
    news = source.changed() or question.full
    behind = news or question.stale
    fresh = question.full or (behind and question.due)
    whole = question.full or (behind and question.due and not question.frozen)
    states = [source.command_state(number) for number in question.commands]
    commands = tuple(state for state in states if state is not None)
    request = question.everything if whole else question.detail
    apply = None if request is None else request(source)
    overview = source.overview() if fresh else None
    last = _last_event(source, question.after) if fresh else question.after
    cost_s = time.thread_time() - began
    return Answer(fresh, whole, behind and not whole, overview, last, commands, apply, cost_s)


def _last_event(source: Source, after: int) -> int:
    """The newest event's id, in steps small enough for a tick."""
    found = source.events(after, 1 if after < 0 else 2000)
    return found[-1].id if found else after
