"""Tab Log: the events of the campaign as they arrive."""

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from typing_extensions import override

from app.sanitise import cells, clean
from app.screens.arranged import Arrangement
from app.screens.listed import ListedPane
from app.screens.pane import Apply, Request
from app.source import Source
from app.views import Line, Tone, columns, count, fit, moment, wrap
from app.widgets.supplier import Listed
from store.views import EventView

KEPT = 5000
EVENT_TONES: dict[str, Tone] = {"promotion": "good", "refused": "dim", "crash": "bad", "alarm": "warn"}


class LogPane(ListedPane):
    """Follows the newest event until the cursor goes up; `f` follows again."""

    TITLE = "Log"
    NOUN = "event"
    PACE_S = 1.0  # every new row scrolls, and so repaints, the whole list

    def __init__(self, widget_id: str, clock: Callable[[], float]) -> None:
        self._arranged = Arrangement[EventView](lambda event: f"{event.kind} {event.subject} {event.text}")
        super().__init__(widget_id, clock, list_title="log", follows=True, arrangement=self._arranged)
        self._events: list[EventView] = []
        self._by_id: dict[int, EventView] = {}
        self._kept = 0

    @override
    def request(self) -> Request:
        after = self._events[-1].id if self._events else -1

        def read(source: Source) -> Apply:
            return partial(self._take, tuple(source.events(after)), after)

        return read

    def _take(self, events: Sequence[EventView], after: int) -> None:
        known = self._events[-1].id if self._events else -1
        if after != known:
            return
        self._events = [*self._events, *events][-KEPT:]
        if events or not self._by_id:
            self._by_id = {event.id: event for event in self._events}
            self._list()

    def _list(self) -> None:
        kept = self._arranged.of(self._events)
        self._kept = len(kept)
        self.headline.show([columns((("time", 8, "dim"), ("kind", 12, "dim"), ("what", 8, "dim")))])
        self.rows.explain(self._arranged.why_none("no event yet"))
        self.rows.supply(Listed(kept, lambda event: event.id, event_row))
        self._entitle()
        self._show_detail()

    def _entitle(self) -> None:
        following = ", following" if self.rows.following else ""
        self.headline.name_panel(f"{count(self._kept, 'event')}{following}{self._arranged.title}")

    def _show_detail(self) -> None:
        event = self._by_id.get(self.selected) if isinstance(self.selected, int) else None
        if event is not None:
            self.detail.name_panel(f"event {event.id}")
            self.detail.show_with(partial(event_page, event))

    @override
    def moved(self) -> None:
        self._entitle()
        self._show_detail()

    @override
    def toggle_follow(self) -> str:
        self.rows.following = not self.rows.following
        self._list()
        return "following the newest event" if self.rows.following else "not following"

    @override
    def rearranged(self) -> None:
        self._list()


def event_row(event: EventView, width: int) -> Line:
    subject = fit(f"{clean(event.subject)}  ", min(cells(clean(event.subject)) + 2, 40)) if event.subject else ""
    said = fit(event.text, max(1, width - 22 - cells(subject)))
    tone = EVENT_TONES.get(event.kind, "")
    return ((moment(event.at) + " ", "dim"), (fit(event.kind, 12) + " ", tone), (subject, "strong"), (said, ""))


def _shown(value: Any) -> str:
    """A number to six digits; what else there is as JSON."""
    return f"{value:.6g}" if isinstance(value, float) else json.dumps(value, default=str)


def event_page(event: EventView, width: int) -> list[Line]:
    lines: list[Line] = [((f"{moment(event.at, date=True)}  {event.kind}", "strong"),)]
    lines += [((row, ""),) for row in wrap(f"{event.subject}  {event.text}", width)]
    for key, value in event.data.items():
        shown = value if isinstance(value, str) else _shown(value)
        rows = wrap(shown, max(10, width - 14)) or [""]
        lines += [((fit(key if index == 0 else "", 13) + " ", "dim"), (row, "")) for index, row in enumerate(rows)]
    return lines
