"""Tab 3: who is there, what state it is in, what it said last."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from typing_extensions import override

from app.feed_bridge import Source
from app.messages import Target
from app.screens import agent_text
from app.screens.arranged import Arrangement
from app.screens.listed import ListedPane
from app.screens.pane import Apply, Request
from app.views import count
from app.widgets.lines import tone_line
from app.widgets.rows import Listed
from store.views import AgentView

ORDERS: dict[str, Callable[[AgentView], tuple[str | float, str]]] = {
    "name": lambda agent: (agent.name, ""),
    "state": lambda agent: (agent.state, agent.name),
    "kernel": lambda agent: (agent.kernel, agent.name),
    "age": lambda agent: (agent.since, agent.name),
    "role": lambda agent: (agent.role, agent.name),
}


class AgentsPane(ListedPane):
    TITLE = "Agents"
    PACE_S = 0.75  # with a tick of 0.25 s: once a second, however fast the agents say where they are

    def __init__(self, widget_id: str, clock: Callable[[], float]) -> None:
        self._arranged = Arrangement[AgentView](_said, ORDERS)
        super().__init__(widget_id, clock, list_title="agents", arrangement=self._arranged)
        self._agents: tuple[AgentView, ...] = ()
        self._one: AgentView | None = None

    @override
    def request(self) -> Request:
        selected = self.selected

        def read(source: Source) -> Apply:
            agents = tuple(source.agents())
            one = source.agent(str(selected)) if selected is not None else None
            return partial(self._show, agents, one)

        return read

    @override
    def detail_request(self) -> Request:
        selected = self.selected

        def read(source: Source) -> Apply:
            return partial(self._show_detail, source.agent(str(selected)) if selected is not None else None)

        return read

    def _show(self, agents: tuple[AgentView, ...], one: AgentView | None) -> None:
        self._agents = agents
        self._list()
        self._show_detail(one)

    def _list(self) -> None:
        now = self.clock()
        kept = self._arranged.of(self._agents)
        self.headline.show_with(lambda width: [agent_text.agent_title(width)])
        self.headline.name_panel(f"{count(len(kept), 'agent')}{self._arranged.title}")
        self.rows.supply(Listed(kept, lambda agent: agent.name, partial(agent_text.agent_row, now)))

    def _show_detail(self, one: AgentView | None) -> None:
        """What is read of one agent alone is newer than the list, which is read once a second: its row says it too."""
        self._one = one
        newer = tuple(replace(one, lines=()) if one and one.name == agent.name else agent for agent in self._agents)
        if newer != self._agents:
            self._agents = newer
            self._list()
        if one is not None and one.name == self.selected:
            self.detail.name_panel(one.name)
            self.detail.show_with(partial(agent_text.agent_page, one, self.clock()))
        elif not self._agents:
            self.detail.show([tone_line("no agent yet", "dim")])

    @override
    def rearranged(self) -> None:
        self._list()

    @override
    def target(self) -> Target | None:
        return self._target(self.selected)

    @override
    def targets(self) -> list[Target]:
        marked = [self._target(name) for name in sorted(map(str, self.rows.marks))]
        return [target for target in marked if target is not None] or super().targets()

    @override
    def copied(self) -> str:
        target = self.target()
        return "" if target is None else target.about

    def known(self) -> list[Target]:
        """Everybody, for the palette."""
        found = [self._target(agent.name) for agent in self._agents]
        return [target for target in found if target is not None]

    def _target(self, name: object) -> Target | None:
        agent = next((agent for agent in self._agents if agent.name == name), None)
        if agent is None:
            return None
        about = agent_text.agent_about(agent, self.clock())
        return Target("agent", agent.name, about, agent_text.agent_target_state(agent))


def _said(agent: AgentView) -> str:
    return f"{agent.name} {agent.role} {agent.kernel} {agent.state} {agent.brief} {agent.step}"
