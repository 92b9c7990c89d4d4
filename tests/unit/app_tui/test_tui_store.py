"""The screen's source over a real store: what the engine writes is what the screen shows, and its commands arrive."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.options import UiOptions
from app.plain import lines
from app.source import FilingQuery, SourceError
from app.store_source import StoreSource
from app.tui import KernelwrightApp
from kernels.values.candidate import Candidate
from kernels.values.reading import Estimate, Pair, Reading
from kernels.values.verdict import GateReport, GateState, Verdict
from store import agents, campaigns, commands, designs, heartbeat, kernel_states, ledger
from store.clock import now
from store.engine import Session, Store

GAIN = Estimate(0.2, 0.1, 0.3)
BASE = "void f(void) { slow(); }\n"
FAST = "void f(void) { fast(); }\n"


@dataclass
class Home:
    path: Path
    store: Store
    node: int
    test: int


def seed(s: Session) -> tuple[int, int]:
    """A campaign with one promoted variant of one kernel and one agent; returns the node and its running test."""
    campaign = campaigns.create(
        s, pack="p", pack_digest="d", target="cpu-c", fingerprint="f", kernels=["gemv"], toolchain="gcc", device="cpu"
    )
    base = designs.add_candidate(s, Candidate("gemv", {"kernel.c": BASE}))
    fast = designs.add_candidate(s, Candidate("gemv", {"kernel.c": FAST}))
    kernel_states.set_baseline(s, campaign, "gemv", base, 2e6)
    idea = designs.add_node(s, campaign, "gemv", "idea", candidate_id=base, title="baseline")
    node = designs.add_node(
        s, campaign, "gemv", "variant", parent=idea, candidate_id=fast, lever="unroll", title="unroll 4",
        agent="worker-01", reason="hides latency",
    )  # fmt: skip
    designs.add_gate_report(s, node, GateReport("compile", GateState.PASSED, seconds=0.3))
    agents.upsert_agent(s, campaign, "worker-01", role="worker", kernel="gemv")
    agents.add_line(s, campaign, "worker-01", "built it")
    test = _test(s, campaign, node, fast, base)
    ledger.finish_test(s, test, Verdict.FASTER, estimate=GAIN)
    designs.promote(s, node, test_id=test, estimate=GAIN, fresh=GAIN, head_ns=1.6e6)
    return node, _test(s, campaign, node, fast, base)


def _test(s: Session, campaign: int, node: int, candidate: str, head: str) -> int:
    test = ledger.start_test(
        s, campaign, "gemv", "acceptance", candidate_id=candidate, head_id=head, node_id=node, lever="unroll",
        agent="worker-01", rule="paired",
    )  # fmt: skip
    for n in range(8):
        pair = Pair(Reading(2e6, 8, 2e6, 2e6), Reading(1.6e6, 8, 1.6e6, 1.6e6), "head")
        ledger.add_pair(s, test, pair, score=0.3 * n, next_look=10)
    return test


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with Store.open(tmp_path) as store:
        yield Home(tmp_path, store, *store.write_sync(seed))


@pytest.fixture
def source(home: Home) -> Iterator[StoreSource]:
    opened = StoreSource.opened(home.path)
    yield opened
    opened.close()


def test_every_view_comes_from_the_store(home: Home, source: StoreSource) -> None:
    assert source.changed() and not source.changed()
    view = source.overview()
    assert view is not None and view.campaign.pack == "p" and view.live is not None and view.live.lever == "unroll"
    assert [node.lever for node in source.branches("gemv").nodes] == ["", "unroll"]
    detail = source.node(home.node)
    assert detail is not None and "+void f(void) { fast(); }" in detail.diff and detail.node.is_head
    assert source.node(999) is None
    assert [agent.name for agent in source.agents()] == ["worker-01"]
    one = source.agent("worker-01")
    assert one is not None and one.lines == ("built it",)
    page = source.filings(FilingQuery(text="unroll"))
    assert page.total == 1 and page.rows[0].gain is not None and math.isclose(page.rows[0].gain, 0.2)
    assert source.filings(FilingQuery(text="nothing like it")).total == 0
    events = source.events(0)
    assert events and source.events(-1, 1)[0].id == events[-1].id and source.events(events[-1].id) == ()


def test_the_trail_carries_the_rules_boundaries_at_its_looks(home: Home, source: StoreSource) -> None:
    source.changed()
    test = source.test(home.test)
    assert test is not None and test.state == "running" and len(test.pairs) == 8
    assert [(p.n, p.faster, p.slower) for p in test.trail if p.faster is not None] == [
        (6, 2.15, -1.85), (8, 2.15, -1.85),
    ]  # fmt: skip
    assert [test.id for test in source.tests()] == sorted((t.id for t in source.tests()), reverse=True)


def test_a_command_reaches_the_engine_and_its_answer_comes_back(home: Home, source: StoreSource) -> None:
    number = source.command("extend", "", {"minutes": 30})
    taken = home.store.write_sync(lambda s: (row.id, row.verb, row.args) if (row := commands.take_next(s)) else None)
    assert taken == (number, "extend", {"minutes": 30})
    home.store.write_sync(lambda s: commands.finish(s, number, "done", "now 60 minutes"))
    state = source.command_state(number)
    assert state is not None and (state.state, state.result) == ("done", "now 60 minutes")
    assert source.changed()


def test_an_engine_that_fell_silent_is_news_though_nobody_writes_it(
    home: Home, source: StoreSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.store.write_sync(lambda s: campaigns.set_state(s, 1, "running"))
    home.store.write_sync(lambda s: heartbeat.beat(s, 1, started_at=now(), holder="pair of test 2"))
    assert source.changed()
    view = source.overview()
    assert view is not None and view.campaign.holder == "pair of test 2" and not view.attention
    monkeypatch.setattr(heartbeat, "now", lambda: now() + heartbeat.ALIVE_S + 1)
    assert source.changed()
    later = source.overview()
    assert later is not None and later.campaign.holder == ""
    assert "the engine is gone" in " ".join(later.attention)
    assert not source.changed(), "said once"


def test_the_device_is_nobodys_in_a_campaign_that_is_over(home: Home, source: StoreSource) -> None:
    home.store.write_sync(lambda s: heartbeat.beat(s, 1, started_at=now(), holder="pair of test 2"))
    home.store.write_sync(lambda s: campaigns.finish(s, 1, "time"))
    source.changed()
    view = source.overview()
    assert view is not None and view.engine is not None and view.engine.alive
    assert view.campaign.holder == ""


def test_a_home_that_was_deleted_under_the_screen_is_said(home: Home, source: StoreSource) -> None:
    source.changed()
    aside = home.path.with_name("aside")
    home.path.rename(aside)
    with pytest.raises(SourceError, match="last state of a home that is gone"):
        source.changed()
    aside.rename(home.path)
    source.changed()


def test_a_home_without_a_campaign_shows_none(tmp_path: Path) -> None:
    with Store.open(tmp_path):
        source = StoreSource.opened(tmp_path)
        assert source.changed() and source.overview() is None
        assert source.branches("gemv").nodes == () and source.agents() == () and source.tests() == ()
        source.close()


def test_what_cannot_be_opened_is_said(tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        StoreSource.opened(tmp_path / "missing", read_only=True)


def test_the_plain_display_prints_every_event(source: StoreSource) -> None:
    printed = list(lines(source, as_json=False, following=False, sleep=lambda _: None))
    assert len(printed) == len(source.events(0)) and any("unroll" in line for line in printed)


async def test_the_screen_shows_a_real_store(home: Home, tmp_path: Path) -> None:
    app = KernelwrightApp(lambda: StoreSource.opened(home.path), UiOptions(theme="dark", state_dir=tmp_path))
    async with app.run_test(size=(120, 40)) as pilot:
        for _ in range(200):
            await pilot.pause(0.02)
            if app.main.view is not None:
                break
        await pilot.press("2")
        await pilot.pause(0.3)
        await pilot.press("G")
        await pilot.pause(0.3)
        strips = app.screen._compositor.render_strips()
        text = "\n".join("".join(segment.text for segment in strip) for strip in strips)
        assert "unroll 4" in text and "hides latency" in text and "<head" in text


def test_nodes_are_found_by_all_of_their_words(home: Home, source: StoreSource) -> None:
    source.changed()
    assert [node.id for node in source.find_nodes("WORKER-01 unroll keep")] == [home.node]
    assert source.find_nodes("unroll nothing") == () and source.find_nodes("") == ()
    filing = source.filings(FilingQuery()).rows[0]
    assert source.filing(filing.id) == filing and source.filing(999) is None
