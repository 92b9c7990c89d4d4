"""One reading of the store for the screen, done in the feed's thread. Pure but for the source."""

from dataclasses import dataclass

from app.feed_bridge import Source
from app.screens.pane import Apply, Request
from store.views import CommandView, OverviewView


@dataclass(frozen=True, slots=True)
class Question:
    """full: read even if nothing changed. after: the last event known, -1 = none. commands: ids still unanswered.

    frozen: the pane keeps what it shows; only the header, the answers and the selected row's detail are read.
    """

    full: bool
    frozen: bool
    after: int
    commands: tuple[int, ...]
    everything: Request | None
    detail: Request | None


@dataclass(frozen=True, slots=True)
class Answer:
    """overview: only meaningful when fresh. apply: shows the pane's part."""

    fresh: bool
    overview: OverviewView | None
    last_event: int
    commands: tuple[CommandView, ...]
    apply: Apply | None


def ask(question: Question, source: Source) -> Answer:
    """Raises: SourceError."""
    fresh = source.changed() or question.full
    states = [source.command_state(number) for number in question.commands] if question.commands else []
    commands = tuple(state for state in states if state is not None)
    if not fresh:
        apply = question.detail(source) if question.detail is not None else None
        return Answer(False, None, question.after, commands, apply)
    request = question.detail if question.frozen else question.everything
    apply = request(source) if request is not None else None
    return Answer(True, source.overview(), _last_event(source, question.after), commands, apply)


def _last_event(source: Source, after: int) -> int:
    """The newest event's id, in steps small enough for a tick."""
    found = source.events(after, 1 if after < 0 else 2000)
    return found[-1].id if found else after
