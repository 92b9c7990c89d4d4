"""Tab Agents: who is there, what state it is in, what it said last; with room all of them as cards."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from typing_extensions import override

from app.messages import Target
from app.screens import agent_text
from app.screens.arranged import Arrangement
from app.screens.listed import ListedPane
from app.screens.pane import Apply, Request
from app.screens.transcript_text import transcript_page
from app.source import Source
from app.views import Line, count
from app.widgets.board import Board
from app.widgets.chooser import Chooser
from app.widgets.lines import tone_line
from app.widgets.supplier import Listed
from store.said_views import SaidView
from store.views import AgentView

ORDERS: dict[str, Callable[[AgentView], tuple[str | float, str]]] = {
    "name": lambda agent: (agent.name, ""),
    "state": lambda agent: (agent.state, agent.name),
    "kernel": lambda agent: (agent.kernel, agent.name),
    "age": lambda agent: (agent.since, agent.name),
    "role": lambda agent: (agent.role, agent.name),
}


CARDS = "-cards"
ROOMY: Final = (160, 45)
"""Columns and lines of a screen from which cards say more than a list."""
LINES: Final = 9
CARD_HINT: Final[Line] = (("arrows go from card to card   enter opens   t list", "dim"),)


class AgentsPane(ListedPane):
    """`t` shows the list in place of the cards, or the cards again; `T` the transcript of the selected one."""

    TITLE = "Agents"
    PACE_S = 0.75  # with a tick of 0.25 s: once a second, however fast the agents say where they are

    def __init__(self, widget_id: str, clock: Callable[[], float]) -> None:
        self._arranged = Arrangement[AgentView](_said, ORDERS)
        super().__init__(widget_id, clock, list_title="agents", arrangement=self._arranged)
        self.board = Board(widget_id=f"{widget_id}-board", classes="list")
        self._as_cards, self._agents = True, tuple[AgentView, ...]()
        self._talking = False
        self._one: AgentView | None = None

    @override
    def compose(self) -> ComposeResult:
        with Horizontal(classes="listed"):
            with Vertical(classes="side"):
                yield self.headline
                yield self.board
                yield self.rows
            yield self.detail

    @override
    def main_list(self) -> Chooser:
        return self.board if self.has_class(CARDS) else self.rows

    @override
    def fit_room(self) -> None:
        width, height = self.app.size
        self._lay_out(cards=self._as_cards and width >= ROOMY[0] and height >= ROOMY[1])

    def _lay_out(self, *, cards: bool) -> None:
        """The cursor stays on the agent."""
        if cards == self.has_class(CARDS):
            return
        before, key = self.main_list(), self.selected
        self.set_class(cards, CARDS)
        self.main_list().marks = set(before.marks)
        self.main_list().choose(key)
        if before.has_focus:
            self.screen.set_focus(self.main_list(), scroll_visible=False)
        self.want()

    @override
    def plots(self) -> str:
        width, height = self.app.size
        if width < ROOMY[0] or height < ROOMY[1]:
            return f"cards need {ROOMY[0]}x{ROOMY[1]}"
        self._as_cards = not self._as_cards
        self._lay_out(cards=self._as_cards)
        return "cards" if self._as_cards else "list"

    @override
    def request(self) -> Request:
        selected, lines = self.selected, LINES if self.has_class(CARDS) else 0
        one_of = self._reader(selected)

        def read(source: Source) -> Apply:
            agents = tuple(source.agents(lines))
            return partial(self._show, agents, *one_of(source))

        return read

    def _reader(self, selected: object) -> "Callable[[Source], tuple[AgentView | None, tuple[SaidView, ...]]]":
        """Reads the selected agent, and its transcript while that is what is shown."""
        talking = self._talking

        def read(source: Source) -> tuple[AgentView | None, tuple[SaidView, ...]]:
            if selected is None:
                return None, ()
            said = tuple(source.transcript(str(selected))) if talking else ()
            return source.agent(str(selected)), said

        return read

    @override
    def detail_request(self) -> Request:
        one_of = self._reader(self.selected)

        def read(source: Source) -> Apply:
            return partial(self._show_detail, *one_of(source))

        return read

    def _show(self, agents: tuple[AgentView, ...], one: AgentView | None, said: tuple[SaidView, ...]) -> None:
        self._agents = agents
        self._list()
        self._show_detail(one, said)

    def _list(self) -> None:
        now = self.clock()
        kept = self._arranged.of(self._agents)
        cards = self.has_class(CARDS)
        self.headline.show_with(lambda width: [CARD_HINT if cards else agent_text.agent_title(width)])
        self.headline.name_panel(f"{count(len(kept), 'agent')}{self._arranged.title}")
        self.rows.explain(self._arranged.why_none("no agent yet: they come when baselines are measured"))
        self.rows.supply(Listed(kept, lambda agent: agent.name, partial(agent_text.agent_row, now)))
        self.board.deal(AgentCards(kept, now, "-" if self.app.has_class("-ascii") else "─"))

    @override
    def talk(self) -> str:
        self._talking = not self._talking
        if self._talking:
            self.open_row()
        self.detail.scroll_home(animate=False)
        self.want(detail=True)
        return "transcript" if self._talking else "last lines"

    def _show_detail(self, one: AgentView | None, said: tuple[SaidView, ...]) -> None:
        """What is read of one agent alone is newer than the list, which is read once a second: its row says it too."""
        self._one = one
        newer = tuple(
            replace(one, lines=agent.lines) if one and one.name == agent.name else agent for agent in self._agents
        )
        if newer != self._agents:
            self._agents = newer
            self._list()
        if one is not None and one.name == self.selected:
            self.detail.name_panel(f"{one.name}, transcript" if self._talking else one.name)
            page = partial(agent_text.agent_page, one, self.clock())
            self.detail.show_with(partial(transcript_page, one, said) if self._talking else page)
        elif not self._agents:
            self.detail.show([tone_line("no agent yet", "dim")])

    @override
    def rearranged(self) -> None:
        self._list()

    @override
    def copied(self) -> str:
        target = self.target()
        return "" if target is None else target.about

    @override
    def target_of(self, key: Hashable) -> Target | None:
        agent = next((agent for agent in self._agents if agent.name == key), None)
        return None if agent is None else agent_text.agent_target(agent, self.clock())


class AgentCards(Listed[AgentView]):
    """Agents as cards."""

    def __init__(self, agents: Sequence[AgentView], now: float, rule: str) -> None:
        super().__init__(agents, lambda agent: agent.name, partial(agent_text.agent_row, now))
        self._now, self._rule = now, rule

    def card(self, index: int, width: int, height: int) -> list[Line]:
        return agent_text.agent_card(self._values[index], self._now, width, height, self._rule)


def _said(agent: AgentView) -> str:
    return f"{agent.name} {agent.role} {agent.kernel} {agent.state} {agent.brief} {agent.step}"
