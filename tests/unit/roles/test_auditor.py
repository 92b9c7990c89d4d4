"""The auditor: a fold found late taints what was made from it, and the head of the running campaign moves back."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from kernels.device.auditing import Audit
from kernels.device.report import CheckReport, DeviceUnhealthy
from kernels.gates.sequence import GateSequence
from kernels.values.candidate import Candidate
from kernels.values.machine import Machine
from kernels.values.verdict import GATE_ORDER, Outcome
from roles.architect import Architect
from roles.auditor import Auditor
from roles.bootstrap import Bootstrap
from roles.campaign import Serving
from roles.final import Finale
from roles.ledger_keeper import LedgerKeeper
from store import agents, audits, designs, folds, ledger, memory, reads, shapes
from tests.unit.roles.pipeline_rig import BASE, SPEC, Rig, ScriptedGate, make_rig, variant

POINT = ("pos", 2777)


class Checks:
    """fold: ids that an audit finds wrong; broken: ids whose audit cannot be made; last: audits of the head's own
    process, as at the end of a campaign."""

    def __init__(self, rig: Rig) -> None:
        self.fold: set[str] = set()
        self.broken: set[str] = set()
        self.asked: list[tuple[str, Audit]] = []
        self.promotions: list[Audit | None] = []
        self.now = 0.0
        self.last = False
        rig.device.check = self.check  # ty: ignore[invalid-assignment]
        rig.campaign.clock = lambda: self.now

    async def check(self, kernel: str, key: str, *, promotion: bool = False, audit: Audit | None = None) -> CheckReport:
        if audit is None or not (self.last or key.endswith("-audit")):
            self.promotions += [audit] if promotion else []
            return CheckReport(True)
        candidate = key.removesuffix("-audit")
        self.asked.append((candidate, audit))
        if candidate in self.broken:
            return CheckReport(False, "hang", "did not return")
        swept = {"sweep": {"from": audit.start, "to": audit.start + 48, "of": 1000, "whole": True}}
        if candidate in self.fold:
            return CheckReport(False, "wrong_values", f"pos = {POINT[1]}", {"audit": {**swept, "point": list(POINT)}})
        return CheckReport(True, facts={"audit": swept})


@pytest.fixture
async def rig(tmp_path: Path) -> Rig:
    rig = await make_rig(tmp_path)
    await rig.campaign.store.write(lambda s: agents.upsert_agent(s, 1, "auditor", "auditor", state="working"))
    return rig


async def promoted(rig: Rig, *texts: str) -> list[Candidate]:
    """Heads, each made from the one before."""
    made: list[Candidate] = []
    for number, text in enumerate(texts):
        one = variant(" ".join(texts[: number + 1]))
        rig.device.ratio[one.id] = 1.3
        result = await rig.judge(one, parent_node=rig.state.head.node_id, lever=f"lever-{number}")
        assert result.outcome is Outcome.KEEP, text
        made.append(one)
    return made


async def audited(rig: Rig, times: int = 1) -> Auditor:
    auditor = Auditor(rig.campaign)
    for _ in range(times):
        await step(auditor)
    return auditor


async def step(auditor: Auditor) -> str:
    """One turn of the auditor; whose it was, "" when it was nobody's."""
    chosen = await auditor._next()
    if chosen is None:
        return ""
    await auditor._audit(chosen)
    return chosen.candidate


async def test_a_fold_taints_from_where_it_came_in_and_the_head_moves_back(rig: Rig) -> None:
    checks = Checks(rig)
    clean, fold, child = await promoted(rig, "int clean;", "int fold;", "int child;")
    checks.fold = {fold.id, child.id}
    rig.state.proposals.append(object())  # ty: ignore[invalid-argument-type]
    await audited(rig)
    assert (rig.state.head.key, rig.state.chain, rig.state.proposals) == (clean.id, [rig.state.head], [])
    assert clean.id in rig.device.loaded
    assert not rig.state.withdrawn
    assert [key for key, _ in checks.asked] == [child.id, fold.id, clean.id]
    assert checks.asked[1][1].points == (POINT,)
    assert rig.read(lambda s: designs.head(s, 1, "gemv")) == clean.id
    assert [(one.candidate, one.lever) for one in rig.read(lambda s: folds.promotions(s, 1))] == [
        (fold.id, "lever-1"), (child.id, "lever-2"),
    ]  # fmt: skip


async def test_nothing_tainted_counts_and_all_of_it_stays_to_be_seen(rig: Rig) -> None:
    checks = Checks(rig)
    clean, fold = await promoted(rig, "int clean;", "int fold;")
    checks.fold = {fold.id}
    await audited(rig)
    view = rig.read(lambda s: reads.overview(s, 1))
    assert view.kernels[0].head_id == clean.id
    assert view.campaign.claimed_gain == pytest.approx(1.3, rel=1e-3)
    assert view.campaign.promotions == 1
    assert any("lever-1" in line and "pos = 2777" in line for line in view.campaign.tainted)
    assert any("pos = 2777" in line for line in view.attention)
    summary: dict[str, Any] = rig.read(lambda s: reads.summary(s, 1))
    assert [one["candidate"] for one in summary["tainted"]] == [fold.id]
    tree = {node.candidate_id: node for node in rig.read(lambda s: reads.tree(s, 1, "gemv"))}
    assert (tree[fold.id].sign, tree[clean.id].sign) == ("!", "+")
    assert "pos = 2777" in tree[fold.id].taint
    filings = shapes.filings(rig.read(lambda s: reads.filings(s, 1)))["filings"]
    assert [filing["tainted"] for filing in filings] == [False, True]
    assert {"audit", "taint", "demotion", "head"} <= {e.kind for e in rig.read(lambda s: reads.events(s, 1))}


async def test_the_fold_is_not_built_again(rig: Rig) -> None:
    checks = Checks(rig)
    clean, fold = await promoted(rig, "int clean;", "int fold;")
    checks.fold = {fold.id}
    await audited(rig)
    rig.campaign.target.machine = Machine("test", "x86_64", frozenset(), 2)
    situation = await Architect(rig.campaign, "gemv").situation()
    assert situation.banned == {("lever-1", clean.id)}
    assert [t.outcome for t in situation.tried if t.candidate == fold.id] == ["REVERT"]
    (trap,) = rig.read(lambda s: memory.recall(s, "streaming matvec", "trap"))
    assert (trap.lever, trap.candidate_id) == ("lever-1", fold.id)
    refusal = rig.read(lambda s: designs.refused_before(s, 1, fold.id))
    assert (refusal.kind, "pos = 2777" in refusal.reason) == ("fold", True)
    same_code = Candidate("gemv", {"kernel.c": f"{fold.source}/* same code */"})
    again = await rig.judge(same_code, parent_node=rig.state.head.node_id)
    assert (again.outcome, again.kind) == (Outcome.REJECT, "already_judged")
    await promoted(rig, "int clean; int honest;")
    assert [audit.points for audit in checks.promotions if audit is not None] == [(POINT,)]
    await audited(rig)
    assert checks.asked[-1][1].points == (POINT,)


async def test_a_resumed_campaign_starts_from_the_clean_head(rig: Rig) -> None:
    checks = Checks(rig)
    clean, fold, child = await promoted(rig, "int clean;", "int fold;", "int child;")
    checks.fold = {fold.id, child.id}
    await audited(rig)
    rig.campaign.kernels.clear()
    gates = GateSequence([ScriptedGate(name) for name in GATE_ORDER], lambda: 0.0)
    await Bootstrap(rig.campaign, gates, LedgerKeeper(rig.campaign)).run([SPEC])
    assert rig.campaign.kernels["gemv"].head.key == clean.id
    assert {one.candidate for one in rig.read(lambda s: folds.promotions(s, 1))} == {fold.id, child.id}
    assert [p.candidate for p in rig.read(lambda s: audits.promoted(s, 1))] == [clean.id]


async def test_the_last_audit_of_a_campaign_taints_as_well(rig: Rig) -> None:
    checks = Checks(rig)
    clean, fold = await promoted(rig, "int clean;", "int fold;")
    checks.fold, checks.last = {fold.id}, True
    await Finale(rig.campaign, LedgerKeeper(rig.campaign)).run()
    assert rig.state.head.key == clean.id
    assert [one.candidate for one in rig.read(lambda s: folds.promotions(s, 1))] == [fold.id]
    assert [key for key, _ in checks.asked] == [fold.id, clean.id]


async def test_attempts_on_a_withdrawn_head_end_and_promote_nothing(rig: Rig) -> None:
    checks = Checks(rig)
    (fold,) = await promoted(rig, "int fold;")
    checks.fold = {fold.id}
    better, reached = variant("int fold; int better;"), asyncio.Event()
    rig.device.ratio[better.id] = 1.3
    rig.device.on_pair = lambda _: reached.set()
    at_work = asyncio.create_task(rig.judge(better, parent_node=rig.state.head.node_id))
    rig.campaign.serving["worker-01"] = Serving("gemv", at_work)
    await reached.wait()
    await audited(rig)
    assert at_work.cancelled() or at_work.result().outcome is Outcome.INVALID
    assert rig.state.head.key == BASE.id
    assert rig.read(lambda s: [a.tainted for a in designs.attempts(s, 1, "gemv")]) == [True, True]


async def test_a_ledger_that_is_under_way_ends_when_its_head_is_withdrawn(rig: Rig) -> None:
    checks, fold, audits_made = Checks(rig), variant("int fold;"), []
    rig.device.ratio[fold.id], checks.fold = 1.3, {fold.id}

    def audit_in_the_ledger(_: str) -> None:
        if rig.state.head.key == fold.id and not audits_made:
            audits_made.append(asyncio.create_task(audited(rig)))

    rig.device.on_pair = audit_in_the_ledger
    result = await rig.judge(fold)
    await asyncio.gather(*audits_made)
    assert (result.outcome, result.kind) == (Outcome.REVERT, "fold")
    assert rig.state.head.key == BASE.id
    kinds = rig.read(lambda s: [(t.kind, t.state, t.verdict) for t in ledger.tests_of(s, 1, fold.id)])
    assert kinds[-1] == ("ledger", "done", "INVALID")
    assert rig.read(lambda s: reads.overview(s, 1)).kernels[0].ledger_speedup is None


async def test_new_heads_come_first_then_heads_and_former_heads_in_turn(rig: Rig) -> None:
    checks = Checks(rig)
    first, second = await promoted(rig, "int a;", "int b;")
    auditor = Auditor(rig.campaign)
    assert [await step(auditor) for _ in range(2)] == [second.id, ""]
    order = []
    for _ in range(4):
        checks.now += rig.campaign.policy.audit_s
        order += [await step(auditor), await step(auditor)]
    assert order == [second.id, "", first.id, "", second.id, "", first.id, ""]
    assert [audit.start for key, audit in checks.asked if key == first.id] == [0, 48]
    assert {audit.control for _, audit in checks.asked} == {BASE.id}


async def test_what_the_audits_came_to_is_told(rig: Rig) -> None:
    Checks(rig)
    await promoted(rig, "int a;")
    await audited(rig)
    assert rig.read(lambda s: audits.coverage(s, 1)) == (audits.Coverage("gemv", 1, 48, 1000),)
    assert rig.read(lambda s: reads.overview(s, 1)).campaign.audited == ("gemv 1, 48 of 1000 calls of its domains",)
    assert rig.read(lambda s: reads.summary(s, 1))["audits"] == {"gemv": {"audits": 1, "swept": 48, "of": 1000}}


async def test_what_cannot_be_audited_falls_at_the_second_try_without_taint(rig: Rig) -> None:
    checks = Checks(rig)
    (head,) = await promoted(rig, "int a;")
    checks.broken = {head.id}
    auditor = await audited(rig)
    assert rig.state.head.key == head.id
    checks.now += rig.campaign.policy.audit_s
    await step(auditor)
    assert rig.state.head.key == BASE.id
    assert rig.read(lambda s: folds.promotions(s, 1)) == ()


async def test_a_device_in_trouble_binds_nobody(rig: Rig) -> None:
    checks = Checks(rig)
    (head,) = await promoted(rig, "int a;")

    async def fail(*_: object, **__: object) -> CheckReport:
        raise DeviceUnhealthy("the referee is gone")

    rig.device.check = fail
    auditor = await audited(rig)
    assert rig.state.head.key == head.id
    assert await step(auditor) == ""
    checks.now += 60.0
    assert rig.read(lambda s: [p.audited_at for p in audits.promoted(s, 1)]) == [None]
