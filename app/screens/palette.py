"""The command palette: every key's command, and commands that name an agent, a kernel or a node."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from typing_extensions import override

from app import themes
from app.messages import Steer, Target
from app.sanitise import clean
from app.screens.main import MainScreen
from app.screens.tabs import TABS
from app.screens.trees import TreesPane

NODE = re.compile(r"node\s+(\d+)$")


@dataclass(frozen=True, slots=True)
class Entry:
    """text: clean; help: ours, so it may be read as markup."""

    text: str
    help: str
    run: Callable[[], object]


class Commands(Provider):
    """Searches the entries of the screen below."""

    @override
    async def discover(self) -> Hits:
        for entry in self._entries():
            yield DiscoveryHit(Content(entry.text), entry.run, entry.text, entry.help)

    @override
    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for entry in [*self._entries(), *self._numbered(query)]:
            score = matcher.match(entry.text)
            if score > 0:
                yield Hit(score, matcher.highlight(entry.text), entry.run, entry.text, entry.help)

    def _entries(self) -> Iterator[Entry]:
        screen = self.screen
        if not isinstance(screen, MainScreen):
            return
        for key in screen.keys:
            if key.group != "Moving":
                run = partial(screen.run_action, key.action)
                yield Entry(key.title, f"{key.help} (key {key.shown})".replace("[", "\\["), run)
        for index, tab in enumerate(TABS):
            yield Entry(f"tab {tab.name}", "go there", partial(screen.open_tab, index))
        for name in themes.NAMES:
            yield Entry(f"theme {name}", "colours", partial(setattr, screen.app, "theme", name))
        yield from _named(screen)

    def _numbered(self, query: str) -> Iterator[Entry]:
        found = NODE.match(query.strip().lower())
        screen = self.screen
        if found and isinstance(screen, MainScreen):
            number = int(found.group(1))
            yield Entry(f"node {number}", "show this node of the Design Trees", partial(_reveal, screen, number))


def _named(screen: MainScreen) -> Iterator[Entry]:
    kernels = [] if screen.view is None else [kernel.name for kernel in screen.view.kernels]
    for one in () if screen.view is None else screen.view.pending:
        yield Entry(f"decide on node {one.node}", "approve or veto it", partial(screen.ask_decision, one))
    yield Entry("refine all", "no new designs, polish the heads", partial(screen.steer, Steer("refine", "all")))
    yield Entry("explore all", "new designs again", partial(screen.steer, Steer("explore", "all")))
    targets = [*(Target("kernel", name, f"kernel {name}") for name in kernels), *screen.known_agents()]
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
