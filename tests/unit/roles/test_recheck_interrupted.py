"""A re-check that ends in the middle, by a stop or a kill, goes on where it was: nothing is tried or counted twice."""

import asyncio
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from kernels.gates.sequence import GateSequence
from kernels.values.verdict import GATE_ORDER
from knowledge import facts as measuring
from knowledge.facts import ChipFact
from knowledge.memory import Conclusion
from knowledge.probes.catalogue import definitions
from knowledge.rules.plant import Planted
from knowledge.rules.rule import Rule
from roles.inbox import Inbox
from roles.ledger_keeper import LedgerKeeper
from roles.main import Main
from roles.recheck import facts, rules, whole
from roles.sources import SourceWatcher
from store import campaigns, chip_facts, commands, legality, memory, promotions, reads, sql, toolchain
from store.engine import Session
from tests.unit.roles.pipeline_rig import Rig, ScriptedGate
from tests.unit.roles.toolchain_rig import OTHER, ExchangedTarget, checked_again, make_toolchain_rig, promoted

ROOT = Path(__file__).parents[3]
HELD = Rule("a", "cpu-c", "compile_error", "is not allowed", "a", "b", "said", state="verified", fingerprint="1")
RULES = (HELD, replace(HELD, name="b", forbidden="c"))
STEPS = ("recheck_resting", "recheck_rules", "recheck_facts", "recheck_claims")
COUNTS = {
    "fact": {"rewritten": 2}, "rule": {"re_verified": 1, "retired": 1}, "head": {"re_verified": 1, "retired": 1},
    "filing": {"re_verified": 1, "retired": 1}, "memory": {"re_verified": 1},
}  # fmt: skip


class Killed(BaseException):
    """Ends the engine where it is met."""


class Tried:
    """What was planted and measured, in order; kill_at: before the try of this number, from 1."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.names: list[str] = []
        patch.setattr(rules, "is_healthy", lambda *_: True)
        patch.setattr(rules, "plant", self.plant)
        patch.setattr(facts, "measure_one", self.measure)
        self.before = lambda: None

    def plant(self, rule: Rule, *_: Any, **__: Any) -> Planted:
        self.before()
        self.names.append(rule.name)
        return Planted("holds", "said", "said") if rule.name == "a" else Planted("compiles", "it takes it")

    def measure(self, definition: Any, *_: Any) -> measuring.Outcome:
        self.before()
        self.names.append(definition.name)
        return ChipFact(definition.name, "cpu-c", "t", 9.0, 8.5, 9.5, "ns", OTHER.id, definition.digest)


async def filled(home: Path) -> Rig:
    """Two promotions, the second no better than the baseline under another toolchain; a win, two rules, two facts."""
    rig, target = await make_toolchain_rig(home)
    first, second = await promoted(rig, "int first;", 2.0), await promoted(rig, "int second;", 1.5)
    judge_as(rig, first.id, second.id)

    def rows(s: Session) -> None:
        win = Conclusion("win", "matvec", "threads", "threads", "why", 0.1)
        memory.remember(s, win, campaign_id=rig.campaign.id, candidate_id=first.id)
        for rule in RULES:
            legality.put(s, replace(rule, fingerprint=target.fingerprint.id))
        for probe in definitions("cpu-c")[:2]:
            chip_facts.add(
                s, target="cpu-c", name=probe.name, fingerprint=target.fingerprint.id, title="t", value=2.0, low=2.0,
                high=2.0, unit="ns", readings=(), points=(), fit={}, probe=probe.digest, environment={},
            )  # fmt: skip

    await rig.campaign.store.write(rows)
    return rig


def judge_as(rig: Rig, first: str, second: str) -> None:
    rig.device.ratio |= {first: 2.0, second: 0.8}


def settled(rig: Rig) -> set[Any]:
    """Every record that was tried, with what it came to and when."""
    query = "SELECT kind, record, outcome, at FROM recheck WHERE outcome <> ''"
    return {tuple(row.values()) for row in rig.read(lambda s: sql.rows(s, query))}


def ledgers(rig: Rig) -> int:
    return int(rig.read(lambda s: sql.scalar(s, "SELECT count(*) FROM ledger")))


def assert_whole(rig: Rig) -> None:
    (change,) = rig.read(lambda s: reads.toolchain_changes(s, rig.campaign.id))
    found = {kind: {word: n for word, n in of.items() if n} for kind, of in change.counts.items()}
    assert (change.state, change.waiting, found) == ("done", {}, COUNTS)
    assert list(change.notes) == [
        "facts measured anew with 3 readings each: 2", "new cheat sheet of 2 statements: 2 verified; left out: 0",
    ]  # fmt: skip
    said = [e.subject for e in rig.read(lambda s: reads.events(s, rig.campaign.id)) if e.kind == "recheck"]
    assert sorted(said) == sorted(COUNTS)
    rejudged = [f for f in rig.read(lambda s: reads.filings(s, rig.campaign.id)) if f.kind == "rejudged"]
    assert len(rejudged) == 1
    assert rig.read(lambda s: campaigns.get(s, rig.campaign.id)).state == "running"
    assert {r.name: r.state for r in rig.read(lambda s: legality.every(s, "cpu-c"))} == {
        "a": "verified",
        "b": "retired",
    }


@pytest.mark.parametrize("step", STEPS)
async def test_a_kill_between_two_kinds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    rig, tried = await filled(tmp_path), Tried(monkeypatch)

    async def killed(*_: Any) -> None:
        raise Killed

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(whole, step, killed)
        await checked_again(rig)
    before, measured = settled(rig), ledgers(rig)
    assert before
    assert rig.read(lambda s: toolchain.open_change(s, rig.campaign.id)) is not None
    await checked_again(rig)
    assert before <= settled(rig)
    assert ledgers(rig) == measured  # no head is measured against the baseline again
    assert tried.names == ["a", "b", *(probe.name for probe in definitions("cpu-c")[:2])]
    assert_whole(rig)
    assert rig.state.ledger_head is rig.state.head


async def test_a_kill_within_a_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rig, tried = await filled(tmp_path), Tried(monkeypatch)
    for already in (1, 3):

        def kill(already: int = already) -> None:
            if len(tried.names) == already:
                tried.before = lambda: None
                raise Killed

        tried.before = kill
        with pytest.raises(Killed):
            await checked_again(rig)
    await checked_again(rig)
    assert len(tried.names) == 4
    assert_whole(rig)


async def test_a_head_that_fell_before_the_kill_stays_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rig, _ = await filled(tmp_path), Tried(monkeypatch)
    judge = whole.HeadCheck._restored

    async def killed(self: Any, state: Any) -> None:
        raise Killed

    monkeypatch.setattr(whole.HeadCheck, "_restored", killed)
    with pytest.raises(Killed):
        await checked_again(rig)
    monkeypatch.setattr(whole.HeadCheck, "_restored", judge)
    await checked_again(rig)
    assert len(rig.read(lambda s: promotions.fallen_since(s, rig.campaign.id, 0.0))) == 1
    assert_whole(rig)


DIES = """
import asyncio, os, signal, sys
from pathlib import Path
import pytest
from tests.unit.roles.test_recheck_interrupted import Tried, checked_again, filled

async def main():
    rig, tried = await filled(Path(sys.argv[1])), Tried(pytest.MonkeyPatch())
    tried.before = lambda: len(tried.names) == 1 and os.kill(os.getpid(), signal.SIGKILL)
    await checked_again(rig)

asyncio.run(main())
"""


async def test_a_real_kill_leaves_a_file_that_the_next_engine_goes_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dying = await asyncio.create_subprocess_exec(sys.executable, "-c", DIES, str(tmp_path), cwd=ROOT)
    assert await dying.wait() == -signal.SIGKILL
    rig, _ = await make_toolchain_rig(tmp_path)
    rig.campaign.id, tried = 1, Tried(monkeypatch)
    query = "SELECT candidate_id FROM promotion ORDER BY id"
    judge_as(rig, *rig.read(lambda s: [row["candidate_id"] for row in sql.rows(s, query)]))
    before = settled(rig)
    assert {row[:2] for row in before if row[0] == "rule"} == {("rule", "a")}
    await checked_again(rig)
    assert before <= settled(rig)
    assert tried.names[0] == "b"
    assert_whole(rig)


async def test_a_stop_in_the_middle_leaves_the_campaign_to_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig, _ = await filled(tmp_path), Tried(monkeypatch)
    campaign, reached = rig.campaign, asyncio.Event()
    monkeypatch.setattr(ExchangedTarget, "fingerprint", OTHER)
    cast(ExchangedTarget, campaign.target).now = OTHER
    await campaign.store.write(lambda s: toolchain.start(s, campaign.id, OTHER))

    async def hangs(*_: Any) -> None:
        reached.set()
        await asyncio.sleep(600)

    with monkeypatch.context() as patch:
        patch.setattr(whole, "recheck_rules", hangs)
        engine = asyncio.create_task(main_of(rig).run([]))
        await asyncio.wait_for(reached.wait(), 20)
        number = await campaign.store.write(lambda s: commands.enqueue(s, "ann", "stop", "all"))
        await asyncio.wait_for(engine, 20)
    stop = rig.read(lambda s: commands.get(s, number))
    assert (stop.state, stop.result) == ("done", "stopping in the re-check: the next start goes on with it")
    row = rig.read(lambda s: campaigns.get(s, campaign.id))
    assert (row.state, row.stopped_because) == (
        "paused",
        "stopped by the operator; the next start goes on with the re-check",
    )
    assert rig.read(campaigns.latest_unfinished).id == campaign.id
    await checked_again(rig)
    assert_whole(rig)


def main_of(rig: Rig) -> Main:
    campaign = rig.campaign
    gates = GateSequence([ScriptedGate(name) for name in GATE_ORDER], lambda: 0.0)

    async def nobody(*_: str) -> None:
        raise AssertionError("nothing was saved")

    watcher, inbox = SourceWatcher(campaign, nobody), Inbox(campaign, [])
    return Main(campaign, gates, rig.pipeline, LedgerKeeper(campaign), watcher, inbox)
