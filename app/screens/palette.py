"""The command palette: every key's command, and commands that name an agent or a kernel; nodes and
filings by number or words."""

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from typing_extensions import override

from app import themes
from app.messages import Steer, Target
from app.sanitise import clean
from app.screens import rates
from app.screens.agent_text import agent_target
from app.screens.dialogs import Sheet
from app.screens.filing_text import filing_page
from app.screens.main import MainScreen
from app.screens.node_text import label
from app.screens.tabs import TABS
from app.screens.trees import TreesPane
from app.source import FilingQuery, Source
from store.views import FilingView, NodeView

NUMBERED = re.compile(r"(node|filing)\s+(\d+)$")
LEAST, FOUND, LEAST_SCORE = 3, 4, 0.2
"""Characters from which the store is asked, how many filings it may give, and how high what it gives ranks at least."""
Found = tuple[Sequence[NodeView], Sequence[FilingView]]
NONE: Found = ((), ())


@dataclass(frozen=True, slots=True)
class Entry:
    """text: clean; help: ours, so it may be read as markup."""

    text: str
    help: str
    run: Callable[[], object]


class Commands(Provider):
    """Searches the entries of the screen below, and nodes and filings in the store."""

    _asking: "asyncio.Task[tuple[Target, ...]] | None" = None

    async def _agents(self) -> tuple[Target, ...]:
        """Who there is, whether or not the tab Agents was opened. Asked once a palette, and not broken off with the
        search for words that are no longer typed."""
        if self._asking is None:
            self._asking = asyncio.create_task(self._ask_agents())
        return await asyncio.shield(self._asking)

    async def _ask_agents(self) -> tuple[Target, ...]:
        screen = self.screen
        if not isinstance(screen, MainScreen):
            return ()
        agents = await screen.ask(lambda source: tuple(source.agents()), ())
        now = screen.options.clock()
        return tuple(agent_target(agent, now) for agent in agents)

    @override
    async def discover(self) -> Hits:
        for entry in await self._entries():
            yield DiscoveryHit(Content(entry.text), entry.run, entry.text, entry.help)

    @override
    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for entry in await self._entries():
            score = matcher.match(entry.text)
            if score > 0:
                yield Hit(score, matcher.highlight(entry.text), entry.run, entry.text, entry.help)
        for entry in await self._found(query.strip().lower()):
            score = max(matcher.match(entry.text), LEAST_SCORE)
            yield Hit(score, matcher.highlight(entry.text), entry.run, entry.text, entry.help)

    async def _entries(self) -> list[Entry]:
        screen = self.screen
        return [*_fixed(screen), *_named(screen, await self._agents())] if isinstance(screen, MainScreen) else []

    async def _found(self, query: str) -> list[Entry]:
        """A node or filing by its number, else some that have all words."""
        screen = self.screen
        if not isinstance(screen, MainScreen) or len(query) < LEAST:
            return []
        numbered = NUMBERED.match(query)
        look = partial(_by_number, numbered[1], int(numbered[2])) if numbered else partial(_by_words, query)
        nodes, filings = await screen.ask(look, NONE)
        found = [
            Entry(f"node {one.id} {one.kernel} {clean(label(one), 60)}", "show this node of the Design Trees",
                  partial(_reveal, screen, one.id))
            for one in nodes
        ]  # fmt: skip
        return found + [
            Entry(f"filing {one.id} {one.kernel} {clean(one.lever, 60)}", "show this filing",
                  partial(screen.app.push_screen, Sheet(f"filing {one.id}", partial(filing_page, one))))
            for one in filings
        ]  # fmt: skip


def _fixed(screen: MainScreen) -> Iterator[Entry]:
    """What keys do, tabs, themes and rates."""
    for key in screen.keys:
        if key.group != "Moving":
            run = partial(screen.run_action, key.action)
            yield Entry(key.title, f"{key.help} (key {key.shown})".replace("[", "\\["), run)
    for index, tab in enumerate(TABS):
        yield Entry(f"tab {tab.name}", "go there", partial(screen.open_tab, index))
    for name in themes.NAMES:
        yield Entry(f"theme {name}", "colours", partial(setattr, screen.app, "theme", name))
    for wait in rates.WAITS:
        yield Entry(f"news {rates.name(wait)}", rates.said(wait), partial(screen.look_every, wait))


def _by_number(kind: str, number: int, source: Source) -> Found:
    if kind == "node":
        node = source.node(number)
        return ((), ()) if node is None else ((node.node,), ())
    filing = source.filing(number)
    return ((), ()) if filing is None else ((), (filing,))


def _by_words(words: str, source: Source) -> Found:
    return source.find_nodes(words), source.filings(FilingQuery(text=words, limit=FOUND)).rows


def _named(screen: MainScreen, agents: Sequence[Target]) -> Iterator[Entry]:
    kernels = [] if screen.view is None else [kernel.name for kernel in screen.view.kernels]
    for one in () if screen.view is None else screen.view.pending:
        yield Entry(
            f"decide on node {one.node} on {clean(one.kernel, 60)}",
            "approve or veto it",
            partial(screen.ask_decision, one),
        )
    yield Entry("refine all", "no new designs, polish the heads", partial(screen.steer, Steer("refine", "all")))
    yield Entry("explore all", "new designs again", partial(screen.steer, Steer("explore", "all")))
    targets = [*(Target("kernel", name, f"kernel {name}") for name in kernels), *agents]
    for target in targets:
        name = clean(target.name, 60)
        pause, resume = Steer("pause", target.name), Steer("resume", target.name)
        yield Entry(f"pause {name}", f"{target.kind}: start nothing new", partial(screen.steer, pause))
        yield Entry(f"resume {name}", f"{target.kind}: go on", partial(screen.steer, resume))
        if target.kind == "kernel":
            profile = Steer("profile", target.name)
            refine, explore = Steer("refine", target.name), Steer("explore", target.name)
            yield Entry(f"refine {name}", "no new design, polish the head", partial(screen.steer, refine))
            yield Entry(f"explore {name}", "new designs again", partial(screen.steer, explore))
            yield Entry(
                f"profile {name}", "run the head with marks: where its time goes", partial(screen.steer, profile)
            )
        yield Entry(f"message {name}", "write to it", partial(screen.ask_words, [target.name]))
        yield Entry(f"kill {name}", f"{target.kind}: asks first", partial(screen.ask_kill, [target]))


def _reveal(screen: MainScreen, number: int) -> None:
    index = next(i for i, tab in enumerate(TABS) if tab.make is TreesPane)
    screen.open_tab(index)
    pane = screen.pane
    if isinstance(pane, TreesPane):
        pane.reveal(number)
