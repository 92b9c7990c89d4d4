"""Tab 4: the tests, why one ended as it did, what the device can see, and what waits for it."""

from collections.abc import Callable, Hashable
from functools import partial
from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from typing_extensions import override

from app.messages import Moved, Opened, Target
from app.screens import device_text, judge_text, pair_text, trust_text
from app.screens.arranged import Arrangement
from app.screens.dialogs import Sheet
from app.screens.figures import noise_figure, trail_figure
from app.screens.judged import ORDERS, Shown, running, said
from app.screens.judged import read as read_shown
from app.screens.pane import Apply, Pane, Request
from app.source import Source
from app.views import count
from app.widgets.lines import Lines, Scrolling, tone_line
from app.widgets.plot import Plot
from app.widgets.rows import Rows
from app.widgets.supplier import Listed
from store.device_views import DeviceView
from store.views import TestView

PAGES: Final = ("test", "device", "queue")
ALL_FROM: Final = 47
"""Lines of the screen from which every page is shown at once."""


class JudgingPane(Pane):
    """The running test stays selected while `f` follows it; moving the cursor stops that. Left and right turn the page:
    the test, the device, the queue; a tall screen shows all three."""

    TITLE = "Judging"

    def __init__(self, widget_id: str, clock: Callable[[], float]) -> None:
        self._arranged = Arrangement[TestView](said, ORDERS, down=True)
        super().__init__(widget_id, clock, arrangement=self._arranged)
        self.headline = Lines("tests", widget_id=f"{widget_id}-head", classes="panel headed")
        self.rows = Rows(widget_id=f"{widget_id}-rows")
        self.trust = Lines("trust", widget_id=f"{widget_id}-trust", classes="panel")
        self.state = Scrolling("test", widget_id=f"{widget_id}-state", classes="panel")
        self.curve = Plot("score", widget_id=f"{widget_id}-curve", classes="panel")
        self.pairs_head = Lines("pairs", widget_id=f"{widget_id}-pairs-head", classes="panel right")
        self.pairs = Rows(widget_id=f"{widget_id}-pairs", classes="right")
        self.calibration = Scrolling("device", widget_id=f"{widget_id}-calibration", classes="panel")
        self.noise = Plot("noise", widget_id=f"{widget_id}-noise", classes="panel right")
        self.queue = Scrolling("queue", widget_id=f"{widget_id}-queue", classes="panel judging-page")
        self._seen = Shown()
        self._following, self._page = True, 0

    @override
    def compose(self) -> ComposeResult:
        with Vertical():
            yield self.headline
            yield self.rows
            yield self.trust
            with Horizontal(id="judging-test", classes="judging-page"):
                with Vertical(classes="side"):
                    yield self.state
                    yield self.curve
                with Vertical():
                    yield self.pairs_head
                    yield self.pairs
            with Horizontal(id="judging-device", classes="judging-page"):
                yield self.calibration
                yield self.noise
            yield self.queue

    def on_mount(self) -> None:
        self._turn(0)

    @override
    def fit_room(self) -> None:
        self.set_class(self.app.size.height >= ALL_FROM, "-all")
        self._entitle()

    @override
    def request(self) -> Request:
        selected, following = self.rows.cursor_key, self._following

        def read(source: Source) -> Apply:
            tests = tuple(source.tests())
            wanted = running(tests) if following or selected is None else selected
            return partial(self._show, read_shown(source, tests, wanted))

        return read

    @override
    def detail_request(self) -> Request:
        selected, tests = self.rows.cursor_key, self._seen.tests

        def read(source: Source) -> Apply:
            return partial(self._show_one, read_shown(source, tests, selected))

        return read

    def _show(self, seen: Shown) -> None:
        self._seen = seen
        self._list()
        if self._following and seen.one is not None:
            where = next((i for i, test in enumerate(self._kept()) if test.id == seen.one.id), None)
            if where is not None:
                self.rows.move_to(where)
        self._show_one(seen)

    def _kept(self) -> list[TestView]:
        return self._arranged.of(self._seen.tests)

    def _list(self) -> None:
        kept = self._kept()
        following = ", following the running one" if self._following and kept else ""
        self.headline.name_panel(f"{count(len(kept), 'test')}{following}{self._arranged.title}")
        self.headline.show_with(lambda width: [judge_text.title(width)])
        self.rows.explain(self._arranged.why_none("no test yet: it takes a candidate that passed all gates"))
        self.rows.supply(Listed(kept, lambda test: test.id, judge_text.row))

    def _show_one(self, seen: Shown) -> None:
        self._seen, now = seen, self.clock()
        if seen.campaign is not None:
            self.trust.show_with(partial(trust_text.trust_strip, seen.campaign, seen.device, seen.here, now))
        self._show_test(seen.one, seen.device, now)
        self._show_device(seen, now)
        self.queue.show_with(partial(device_text.queue_page, seen.queue))
        self._entitle()

    def _show_test(self, one: TestView | None, device: DeviceView | None, now: float) -> None:
        if one is None:
            self.state.show([tone_line("no test yet", "dim")])
            return
        power = device.power if device is not None else None
        self.state.show_with(partial(judge_text.page, one, power, now))
        self.curve.name_panel(judge_text.figure_title(one))
        self.curve.show_figure(trail_figure(one))
        self.pairs_head.name_panel(f"pairs of test {one.id}, newest first")
        self.pairs_head.show_with(lambda width: [pair_text.pair_title(width)])
        newest = tuple(reversed(one.pairs))
        self.pairs.supply(Listed(newest, lambda pair: (one.id, pair.seq), pair_text.pair_row))
        if not self.pairs.has_focus:
            self.pairs.move_to(0)

    def _show_device(self, seen: Shown, now: float) -> None:
        ascii_only = self.app.has_class("-ascii")
        self.calibration.show_with(partial(device_text.page, seen.device, seen.here, now, ascii_only=ascii_only))
        if seen.device is not None:
            self.noise.name_panel(device_text.noise_title(seen.device.noise))
            self.noise.show_figure(noise_figure(seen.device, now))

    def _entitle(self) -> None:
        """Titles name the page and how to turn it, while only one is shown."""
        turn = "" if self.has_class("-all") else f"  ({self._page + 1}/{len(PAGES)}, left right)"
        one, device = self._seen.one, self._seen.device
        self.state.name_panel((f"test {one.id}" if one is not None else "test") + turn)
        self.calibration.name_panel((f"device, kernel {device.kernel}" if device is not None else "device") + turn)
        self.queue.name_panel(device_text.queue_title(self._seen.queue) + turn)

    def _turn(self, step: int) -> None:
        self._page = (self._page + step) % len(PAGES)
        for index, name in enumerate(PAGES):
            self.set_class(index == self._page, f"-on-{name}")
        self._entitle()

    @override
    def side(self, step: int) -> None:
        if self.has_class("-all"):
            super().side(step)
            return
        self._turn(step)
        self.screen.set_focus(self.rows, scroll_visible=False)

    def on_moved(self, message: Moved) -> None:
        message.stop()
        if message.list_id != self.rows.id:
            return
        if self._seen.one is None or self.rows.cursor_key != self._seen.one.id:
            self._following = False
            self.want(detail=True)

    def on_opened(self, message: Opened) -> None:
        message.stop()
        self.open_row()

    @override
    def main_list(self) -> Rows:
        return self.rows

    @override
    def open_row(self) -> None:
        """enter: from the test to its pairs, from a pair to its evidence."""
        if not self.pairs.has_focus:
            self._turn(-self._page)
            self.screen.set_focus(self.pairs, scroll_visible=False)
            return
        one = self._seen.one
        pair = next((p for p in one.pairs if (one.id, p.seq) == self.pairs.cursor_key), None) if one else None
        if one is not None and pair is not None:
            title = f"pair {pair.seq + 1} of test {one.id}"
            self.app.push_screen(Sheet(title, partial(pair_text.pair_page, one, pair)))

    @override
    def go_back(self) -> bool:
        if self.pairs.has_focus:
            self.screen.set_focus(self.rows, scroll_visible=False)
            return True
        if self._page and not self.has_class("-all"):
            self._turn(-self._page)
            return True
        return super().go_back()

    @override
    def toggle_follow(self) -> str:
        self._following = not self._following
        self.want()
        return "following the running test" if self._following else "not following"

    @override
    def rearranged(self) -> None:
        self._list()

    @override
    def target_of(self, key: Hashable) -> Target | None:
        one = next((test for test in self._seen.tests if test.id == key), None)
        if one is None:
            return None
        if one.state == "running" and one.agent:
            return Target("agent", one.agent, f"{one.agent} on {one.kernel}: {one.lever}")
        return Target("kernel", one.kernel, f"kernel {one.kernel}", node=one.node_id)

    @override
    def crumbs(self) -> tuple[str, ...]:
        one = self._seen.one
        pair = self.pairs.cursor_key if self.pairs.has_focus else None
        inside = (f"pair {pair[1] + 1}",) if isinstance(pair, tuple) else (PAGES[self._page],) if self._page else ()
        return inside if one is None else (one.kernel, f"test {one.id}", *inside)

    @override
    def copied(self) -> str:
        return judge_text.identity(self._seen.one) if self._seen.one is not None else super().copied()
