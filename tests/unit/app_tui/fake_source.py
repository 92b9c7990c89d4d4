"""A source with seeded data for tests of the screen: 3 kernels, trees, agents, tests, filings, events, commands."""

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from app.messages import Arguments
from app.source import FilingPage, FilingQuery
from store import device_views as d
from store import views as v
from store.filed_views import ComparedView, SeriesView
from store.knowledge_views import AnalysisView, ClaimView, PassageView, ReleaseView, SkillView
from store.money_views import MoneyView
from store.profile_views import ProfileView
from store.said_views import SaidView
from store.toolchain_views import ToolchainChangeView
from tests.unit.app_tui import fake_claims, fake_money, fake_profiles, fake_strategies, fake_trees
from tests.unit.app_tui import fake_values as values

NOW = 1_796_000_000.0


@dataclass
class FakeSource:
    """Everything at hand; `touch()` makes the next `changed()` true. text: replaces names, for hostile tests."""

    now: float = NOW
    kernels: tuple[str, ...] = ("qkv", "attn_out", "ffn")
    node_count: int = 60
    agent_count: int = 12
    filing_count: int = 450
    event_count: int = 80
    text: str = ""
    unprofiled: str = "qkv"
    live: bool = False
    overview_override: v.OverviewView | None = None
    no_campaign: bool = False
    paid: bool = False
    other_toolchain: bool = False
    commands: list[v.CommandView] = field(default_factory=list)
    answer: str = "done"
    waits_for: str = ""
    paused: set[str] = field(default_factory=set)
    closed: bool = False
    reads: dict[str, int] = field(default_factory=dict)
    _changed: bool = True
    _started: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.trees = {k: values.tree(k, self.node_count, self.now, self.text) for k in self.kernels}
        self.event_list = values.events(self.event_count, self.now, self.text)
        self.filing_list = values.filings(self.filing_count, self.kernels, self.now, self.text)

    def touch(self) -> None:
        self._changed = True

    def tick(self) -> float:
        """Seconds of the made-up campaign that have passed since the source was made."""
        return time.monotonic() - self._started if self.live else 0.0

    def _count(self, name: str) -> None:
        self.reads[name] = self.reads.get(name, 0) + 1

    def changed(self) -> bool:
        changed, self._changed = self._changed or self.live, False
        return changed

    def overview(self) -> v.OverviewView | None:
        self._count("overview")
        if self.no_campaign:
            return None
        if self.overview_override is not None:
            return self.overview_override
        state = "paused" if "all" in self.paused else "running"
        return values.overview(self, state)

    def whole(self, kernel: str) -> v.TreePart:
        return fake_trees.part(self.trees[kernel])

    def branches(self, kernel: str, opened: Collection[int] = ()) -> v.TreePart:
        self._count("tree")
        return fake_trees.branches(self.trees[kernel], opened)

    def matching(self, kernel: str, words: str) -> v.TreePart:
        self._count("tree")
        return fake_trees.matching(self.trees[kernel], words)

    def lineage(self, node_id: int) -> Collection[int]:
        return fake_trees.lineage(self._every_node(), node_id)

    def ends_below(self, node_id: int) -> Sequence[v.End]:
        return fake_trees.ends_below(self._every_node(), node_id)

    def _every_node(self) -> list[v.NodeView]:
        return [node for nodes in self.trees.values() for node in nodes]

    def node(self, node_id: int) -> v.NodeDetail | None:
        for nodes in self.trees.values():
            for node in nodes:
                if node.id == node_id:
                    return values.detail(node, self.now, self.text)
        return None

    def find_nodes(self, words: str) -> Sequence[v.NodeView]:
        every = self._every_node()
        said = {node.id: f"{node.kernel} {node.lever} {node.title} {node.agent}".lower() for node in every}
        return [node for node in every if all(word in said[node.id] for word in words.lower().split())][:6]

    def filing(self, filing_id: int) -> v.FilingView | None:
        return next((filing for filing in self.filing_list if filing.id == filing_id), None)

    def agents(self, lines: int = 0) -> Sequence[v.AgentView]:
        self._count("agents")
        agents = values.agents(self.agent_count, self.kernels, self.now, self.text, self.tick())
        agents = [replace(a, lines=a.lines[len(a.lines) - lines :]) for a in agents]
        return [replace(a, state="paused") if a.name in self.paused else a for a in agents]

    def agent(self, name: str) -> v.AgentView | None:
        return next((agent for agent in self.agents(8) if agent.name == name), None)

    def transcript(self, agent: str) -> Sequence[SaidView]:
        if not agent.startswith("worker"):
            return ()
        said = (("to the model", self.text or f"Brief for {agent}"), ("the model", "check {}"), ("tool", "it compiles"))
        return [SaidView(7, self.now, who, text, "m-1", "done", 1200, 30, 0.0123) for who, text in said]

    def tests(self, limit: int = 200) -> Sequence[v.TestView]:
        return values.tests(self.kernels, self.now, self.text, self.tick())[:limit]

    def test(self, test_id: int) -> v.TestView | None:
        found = next((test for test in self.tests() if test.id == test_id), None)
        return None if found is None else values.with_pairs(found, self.now)

    def device(self, kernel: str) -> d.DeviceView | None:
        return values.device(kernel, self.now)

    def profile(self, kernel: str) -> ProfileView | None:
        self._count("profile")
        return None if kernel == self.unprofiled else fake_profiles.view(kernel, self.now, self.text)

    def money(self) -> MoneyView | None:
        self._count("money")
        return None if self.no_campaign else fake_money.view(self.kernels, self.paid, self.text)

    def placebos_here(self) -> d.PlaceboView | None:
        return d.PlaceboView(5, 120, 0.086)

    def queue(self) -> Sequence[d.QueueItem]:
        return values.queue(self.text)

    def filings(self, query: FilingQuery) -> FilingPage:
        self._count("filings")
        words = query.text.lower().split()
        kept = [f for f in self.filing_list if all(w in f"{f.kernel} {f.lever} {f.kind}".lower() for w in words)]
        kept.sort(key=lambda f: (getattr(f, query.sort) or 0, f.id), reverse=query.descending)
        end = query.offset + query.limit if query.limit >= 0 else len(kept)
        return FilingPage(query, tuple(kept[query.offset : end]), len(kept))

    def compare_filings(self, first: int, second: int) -> ComparedView | None:
        self._count("compare_filings")
        known = {filing.id: filing for filing in self.filing_list}
        return values.compared(known[first], known[second], self.text) if {first, second} <= known.keys() else None

    def filing_series(self, campaign: int, kernel: str) -> SeriesView | None:
        self._count("filing_series")
        return values.series(campaign, kernel, self.filing_list)

    def book_claims(self) -> Sequence[ClaimView]:
        self._count("book_claims")
        return fake_claims.claims(self.text)

    def book_releases(self) -> Sequence[ReleaseView]:
        return fake_claims.releases(self.text)

    def baselines(self) -> Sequence[AnalysisView]:
        return fake_strategies.baselines(self.text)

    def skills(self) -> Sequence[SkillView]:
        return fake_strategies.skills(self.text)

    def toolchain_changes(self) -> Sequence[ToolchainChangeView]:
        return fake_claims.toolchain_changes(self.now, self.text) if self.other_toolchain else ()

    def passages(self, claim: int) -> Sequence[PassageView]:
        self._count("passages")
        return fake_claims.passages(claim, self.text)

    def events(self, after: int, limit: int = 500) -> Sequence[v.EventView]:
        if self.live:
            self.event_list = values.events(self.event_count + int(self.tick() * 2), self.now, self.text)
        return self.event_list[-limit:] if after < 0 else [e for e in self.event_list if e.id > after][:limit]

    def command(self, verb: str, target: str, arguments: Arguments) -> int:
        view = v.CommandView(len(self.commands) + 1, self.now, "tui", verb, target, "queued", "", arguments)
        self.commands.append(view)
        if verb == "pause":
            self.paused.add(target)
        elif verb in ("resume", "release"):
            self.paused.discard(target if verb == "resume" else "all")
        self.touch()
        return view.id

    def command_state(self, command_id: int) -> v.CommandView | None:
        found = self.commands[command_id - 1]
        said = "paused" if found.verb == "pause" else ""
        result = self.waits_for if self.answer == "taken" else said
        return replace(found, state=self.answer, result=result)

    def close(self) -> None:
        self.closed = True


def verbs(source: FakeSource) -> list[tuple[str, str]]:
    """The commands that were sent, as (verb, target)."""
    return [(command.verb, command.target) for command in source.commands]
