"""When the store is read: one tick, one reading at a time, paced by what a reading costs; and what comes of it."""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar

from textual.worker import Worker, WorkerState
from typing_extensions import override

from app.feed_bridge import Feed
from app.files_out import write_files
from app.messages import Steer, Wanted
from app.options import UiOptions
from app.sanitise import clean
from app.screens import rates
from app.screens.looking import LookingScreen
from app.screens.notices import Notice
from app.screens.pane import Files, Pane
from app.screens.rounds import Answer, Question, ask
from app.source import Source, SourceError
from app.views import Tone

T = TypeVar("T")
TICK_S: Final = rates.WAITS[0]
DEAD_S: Final = 60.0
OVER: Final = ("finished", "interrupted")
REST: Final = 16.0  # a reading of t processor seconds is followed by REST * t without one, unless a key asks


class ReadingScreen(LookingScreen):
    """Base of the main screen: reads for the header and the active pane, sends commands, says what they came to."""

    def __init__(self, feed: Feed, options: UiOptions) -> None:
        super().__init__(read_only=options.read_only)
        self.options = options
        self._feed = feed
        self._full, self._detail, self._busy = True, False, False
        self._once_more = False  # something was sent while a reading was under way
        self._stale, self._not_before = False, 0.0
        self.wait_s, self._next_look = rates.WAITS[0], 0.0
        self._last_event, self._frozen_at = -1, -1
        self.trouble_text = ""
        self.first_read = asyncio.Event()

    def show_bars(self) -> None:
        """Header, tabs and notices, from what is known now."""
        raise NotImplementedError

    @property
    def new_since_freeze(self) -> int | None:
        """Events that came since the view was frozen; None when it is not."""
        return None if self._frozen_at < 0 else self._last_event - self._frozen_at

    @property
    @override
    def heard(self) -> bool:
        """Until the engine was silent for so long that it is dead rather than slow: it may be what has to be killed."""
        view = self.view
        if view is None:
            return True
        if view.engine is None or view.campaign.state in OVER:
            return False
        return self.options.clock() - view.engine.heartbeat_at < DEAD_S

    def start_ticking(self) -> None:
        self.set_interval(TICK_S, self._tick)

    def look_every(self, wait_s: float) -> None:
        """For this session; what a key asks for is read at once all the same."""
        self.wait_s, self._next_look = wait_s, 0.0
        self.say(rates.said(wait_s))
        self.show_bars()

    def action_rate(self) -> None:
        self.look_every(rates.after(self.wait_s))

    def read_all(self) -> None:
        """The pane is read whole in the next round."""
        self._full = True

    def _tick(self) -> None:
        """A look when it is due, and as long as a command is not answered."""
        now = time.monotonic()
        if now < self._next_look and not self.notices.pending():
            self.show_notices()
            return
        self._next_look = now + self.wait_s - TICK_S / 2
        self.show_bars()
        self.start_round()

    def on_wanted(self, message: Wanted) -> None:
        message.stop()
        self._detail = True
        self._full = self._full or not message.detail
        self.start_round()

    def start_round(self) -> None:
        if self._busy or not self._feed.ready:
            return
        self._busy = True
        self.run_worker(self._round(), group="feed", exit_on_error=False)

    async def _round(self) -> None:
        """Asks until nothing is wanted any more, then waits for the next tick."""
        try:
            await self._ask_once()
            while self._full or self._detail or self._once_more:
                await self._ask_once()
        except SourceError as error:
            self.trouble_text, self._full = clean(str(error), 200), True
            self._detail = self._once_more = False
        finally:
            self._busy = False

    async def _ask_once(self) -> None:
        started, pane = time.monotonic(), self.pane
        question = Question(
            self._full, started >= self._not_before, self._stale, self._frozen_at >= 0, self._last_event,
            tuple(self.notices.pending()), pane.request(), pane.detail_request() if self._detail else None,
        )  # fmt: skip
        self._full = self._detail = self._once_more = False
        answer = await self._feed.ask(partial(ask, question))
        if answer.whole or answer.fresh:
            self._not_before = time.monotonic() + max(REST * answer.cost_s, pane.PACE_S)
        self._stale, self.trouble_text = answer.stale, ""
        self._take(answer, pane)

    def _take(self, answer: Answer, pane: Pane) -> None:
        now = self.options.clock()
        for command in answer.commands:
            self._full = self.notices.answered(command, now) or self._full
        if answer.fresh:
            self.view, self._last_event = answer.overview, answer.last_event
            self.first_read.set()
        if answer.apply is not None and pane is self.pane:
            answer.apply()
        self.show_bars()

    def trouble(self, text: str) -> None:
        """The store cannot be read: said in the header until it can."""
        self.trouble_text = clean(text, 300)
        self.show_bars()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A worker that died is said, with what it died of."""
        if event.state == WorkerState.ERROR:
            error = event.worker.error
            self.say(f"! {event.worker.group}: {type(error).__name__}: {error}", "bad")

    @override
    def say(self, text: str, tone: Tone = "") -> None:
        self.notices.say(clean(text, 160), self.options.clock(), tone)
        self.show_notices()

    async def ask(self, question: Callable[[Source], T], otherwise: T) -> T:
        """What the store answers; `otherwise` while it cannot be read, which the header says."""
        try:
            return await self._feed.ask(question)
        except SourceError:
            return otherwise

    @override
    async def send(self, steer: Steer, notice: Notice) -> None:
        try:
            notice.command = await self._feed.ask(lambda s: s.command(steer.verb, steer.target, steer.arguments))
        except SourceError as error:
            notice.text, notice.tone = f"! {steer.verb} {steer.target}: {clean(str(error), 120)}", "bad"
            notice.until = self.options.clock() + 10.0
        self._once_more = True
        self.start_round()

    def action_export(self) -> None:
        """e: read in the feed's thread, written in another, said when it is there."""
        request = self.pane.export_request()
        if request is None:
            self.say("this tab has nothing to export")
        else:
            self.run_worker(self._export(request), group="export", exclusive=True, exit_on_error=False)

    async def _export(self, request: Callable[[Source], Files]) -> None:
        try:
            files = await self._feed.ask(request)
            folder = await asyncio.to_thread(write_files, self.options.state_dir, files)
        except (SourceError, OSError) as error:
            self.say(f"! not exported: {error}", "bad")
        else:
            self.say(f"exported {' and '.join(files)} to {folder}")

    def action_freeze(self) -> None:
        """space: the view stands still, the loop goes on; again: everything new at once."""
        self._frozen_at = -1 if self._frozen_at >= 0 else max(0, self._last_event)
        self._full = self._frozen_at < 0
        self.show_bars()
        self.start_round()

    def action_refresh_now(self) -> None:
        self._full = True
        self.start_round()
        self.refresh(layout=True)
