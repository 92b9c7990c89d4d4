"""Tab 4: the tests, the pairs of one as they arrive, and its score between the boundaries."""

from collections.abc import Callable, Hashable
from functools import partial

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from typing_extensions import override

from app.feed_bridge import Source
from app.messages import Moved, Target
from app.screens import judge_text
from app.screens.figures import trail_figure
from app.screens.pane import Apply, Pane, Request
from app.views import count
from app.widgets.lines import Lines, Scrolling, tone_line
from app.widgets.plot import Plot
from app.widgets.rows import Listed, Rows
from store.views import TestView


class JudgingPane(Pane):
    """The running test stays selected while `f` follows it; moving the cursor stops that."""

    TITLE = "Judging"

    def __init__(self, widget_id: str, clock: Callable[[], float]) -> None:
        super().__init__(widget_id, clock)
        self.headline = Lines("tests", widget_id=f"{widget_id}-head", classes="panel headed")
        self.rows = Rows(widget_id=f"{widget_id}-rows")
        self.state = Lines("test", widget_id=f"{widget_id}-state", classes="panel")
        self.curve = Plot("score", widget_id=f"{widget_id}-curve", classes="panel")
        self.pairs = Scrolling("pairs", widget_id=f"{widget_id}-pairs", classes="panel right")
        self._tests: tuple[TestView, ...] = ()
        self._one: TestView | None = None
        self._following, self._words = True, ""

    @override
    def compose(self) -> ComposeResult:
        with Vertical():
            yield self.headline
            yield self.rows
            with Horizontal(classes="judging-lower"):
                with Vertical(classes="side"):
                    yield self.state
                    yield self.curve
                yield self.pairs

    @override
    def request(self) -> Request:
        selected, following = self.rows.cursor_key, self._following

        def read(source: Source) -> Apply:
            tests = tuple(source.tests())
            wanted = _running(tests) if following or selected is None else selected
            return partial(self._show, tests, _test(source, wanted))

        return read

    @override
    def detail_request(self) -> Request:
        selected = self.rows.cursor_key

        def read(source: Source) -> Apply:
            return partial(self._show_one, _test(source, selected))

        return read

    def _show(self, tests: tuple[TestView, ...], one: TestView | None) -> None:
        self._tests = tests
        self._list()
        if self._following and one is not None:
            where = next((i for i, test in enumerate(self._kept()) if test.id == one.id), None)
            if where is not None:
                self.rows.move_to(where)
        self._show_one(one)

    def _kept(self) -> list[TestView]:
        words = self._words.lower().split()
        return [
            test for test in self._tests
            if all(w in f"{test.kernel} {test.lever} {test.verdict} {test.kind} {test.agent}".lower() for w in words)
        ]  # fmt: skip

    def _list(self) -> None:
        kept = self._kept()
        following = ", following the running one" if self._following else ""
        filtered = f", filter: {self._words}" if self._words else ""
        self.headline.name_panel(f"{count(len(kept), 'test')}{following}{filtered}")
        self.headline.show_with(lambda width: [judge_text.title(width)])
        self.rows.supply(Listed(kept, lambda test: test.id, judge_text.row))

    def _show_one(self, one: TestView | None) -> None:
        self._one = one
        if one is None:
            self.state.show([tone_line("no test yet", "dim")])
            return
        self.state.name_panel(f"test {one.id}")
        self.state.show_with(partial(judge_text.page, one, self.clock()))
        self.curve.name_panel(judge_text.figure_title(one))
        self.curve.show_figure(trail_figure(one))
        self.pairs.name_panel(f"pairs of test {one.id}, newest first")
        self.pairs.show([judge_text.pair_title(), *(judge_text.pair_row(p) for p in reversed(one.pairs))])

    def on_moved(self, message: Moved) -> None:
        message.stop()
        if self._one is None or self.rows.cursor_key != self._one.id:
            self._following = False
            self.want(detail=True)

    @override
    def main_list(self) -> Rows:
        return self.rows

    @override
    def open_row(self) -> None:
        self.pairs.focus(scroll_visible=False)

    @override
    def go_back(self) -> bool:
        if self.pairs.has_focus:
            self.rows.focus(scroll_visible=False)
            return True
        return super().go_back()

    @override
    def toggle_follow(self) -> str:
        self._following = not self._following
        self.want()
        return "following the running test" if self._following else "not following"

    @property
    @override
    def can_filter(self) -> bool:
        return True

    @override
    def set_filter(self, text: str) -> None:
        self._words = text
        self._list()

    @override
    def target(self) -> Target | None:
        one = next((test for test in self._tests if test.id == self.rows.cursor_key), None)
        if one is None:
            return None
        if one.state == "running" and one.agent:
            return Target("agent", one.agent, f"{one.agent} on {one.kernel}: {one.lever}")
        return Target("kernel", one.kernel, f"kernel {one.kernel}")

    @override
    def copied(self) -> str:
        return judge_text.identity(self._one) if self._one is not None else super().copied()


def _running(tests: tuple[TestView, ...]) -> Hashable:
    return next((test.id for test in tests if test.state == "running"), tests[0].id if tests else None)


def _test(source: Source, selected: Hashable) -> TestView | None:
    return source.test(selected) if isinstance(selected, int) else None
