"""The path of a candidate: every ending it can have, what the rows say then, and that nothing stays behind."""

import asyncio
from pathlib import Path

import pytest

from kernels.device.report import CheckReport, DeviceUnhealthy, HeadFailed
from kernels.sandbox.runner import RunnerFailed
from kernels.values.verdict import Outcome, Verdict
from roles.attempt import Attempt, Result
from store import designs, ledger, promotions
from tests.unit.roles.pipeline_rig import BASE, Rig, make_rig, variant


@pytest.fixture
async def rig(tmp_path: Path) -> Rig:
    return await make_rig(tmp_path)


def outcome_of(rig: Rig, result: Result) -> str:
    return str(rig.read(lambda s: designs.get_node(s, result.node_id)).outcome)


async def test_a_faster_candidate_is_confirmed_and_becomes_the_head(rig: Rig) -> None:
    better = variant("int better;")
    rig.device.ratio[better.id] = 1.3
    result = await rig.judge(better)
    assert (result.outcome, result.verdict) == (Outcome.KEEP, Verdict.FASTER)
    assert rig.state.head.key == better.id
    assert rig.read(lambda s: designs.head(s, 1, "gemv")) == better.id
    assert outcome_of(rig, result) == "KEEP"


async def test_a_slower_one_is_reverted_and_let_go(rig: Rig) -> None:
    worse = variant("int worse;")
    rig.device.ratio[worse.id] = 0.8
    result = await rig.judge(worse)
    assert (result.outcome, result.verdict) == (Outcome.REVERT, Verdict.SLOWER)
    assert worse.id not in rig.device.loaded
    assert rig.state.head.key == BASE.id
    assert rig.state.plateau == 1


async def test_a_verdict_binds_the_machine_code_under_this_head(rig: Rig) -> None:
    one, two = variant("int same; /* one */"), variant("int same; /* two */")
    rig.device.ratio = {one.id: 0.8, two.id: 0.8}
    assert (await rig.judge(one)).verdict is Verdict.SLOWER
    pairs = rig.device.pairs
    again = await rig.judge(two)
    assert (again.outcome, again.kind) == (Outcome.REJECT, "already_judged")
    assert rig.device.pairs == pairs


async def test_a_confirmed_gain_too_small_to_file_leaves_the_head(rig: Rig) -> None:
    small = variant("int small;")
    rig.device.ratio[small.id] = 1.003
    result = await rig.judge(small)
    assert result.outcome is Outcome.ACCEPT
    assert rig.state.head.key == BASE.id


async def test_what_the_last_check_finds_stops_the_promotion(rig: Rig) -> None:
    fold = variant("int fold;")
    rig.device.ratio[fold.id] = 1.5
    rig.device.check_says = CheckReport(False, "wrong_values", "element 3")
    result = await rig.judge(fold)
    assert (result.outcome, result.kind) == (Outcome.REVERT, "promotion_check")
    assert rig.read(lambda s: promotions.head_promotion(s, 1, "gemv")) is None


@pytest.mark.parametrize(
    ("failure", "outcome", "kind"),
    [
        (RunnerFailed("crash", "SIGSEGV"), Outcome.REVERT, "crash"),
        (DeviceUnhealthy("the referee is gone"), Outcome.INVALID, "device"),
        (HeadFailed("crash", "SIGSEGV"), Outcome.INVALID, "head"),
    ],
)
async def test_whose_fault_a_failure_is(rig: Rig, failure: Exception, outcome: Outcome, kind: str) -> None:
    def fail(_: str) -> None:
        raise failure

    rig.device.on_pair = fail
    result = await rig.judge(variant("int x;"))
    assert (result.outcome, result.kind) == (outcome, kind)
    tests = rig.read(lambda s: [t.state for t in ledger.tests_of(s, 1, variant("int x;").id)])
    assert tests == ["done"]
    assert rig.campaign.finished_attempts == (0 if outcome is Outcome.INVALID else 1)


async def test_killed_in_mid_test_it_is_interrupted_and_nothing_stays(rig: Rig) -> None:
    reached, candidate = asyncio.Event(), variant("int slow;")

    def stall(_: str) -> None:
        reached.set()

    rig.device.on_pair = stall
    rig.device.ratio[candidate.id] = 1.0
    task = asyncio.create_task(rig.judge(candidate))
    await reached.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    states = rig.read(lambda s: [(a.state, a.outcome) for a in designs.attempts(s, 1, "gemv")])
    assert states in ([("interrupted", "")], [("done", "ACCEPT")])
    assert candidate.id not in rig.device.loaded
    assert not rig.state.lock.locked()


async def test_a_win_that_was_cut_off_in_its_confirmation_is_judged_again(rig: Rig) -> None:
    better, reached = variant("int better;"), asyncio.Event()
    rig.device.ratio[better.id] = 1.3

    def stop_in_confirmation(_: str) -> None:
        if len(rig.device.tests) == 2 and not reached.is_set():
            reached.set()
            raise asyncio.CancelledError

    rig.device.on_pair = stop_in_confirmation
    with pytest.raises(asyncio.CancelledError):
        await rig.judge(better)
    assert reached.is_set()
    again = await rig.judge(better)
    assert again.outcome is Outcome.KEEP


async def test_a_head_that_falls_in_its_ledger_is_no_win(rig: Rig) -> None:
    lucky = variant("int lucky;")
    rig.device.ratio[lucky.id] = 1.4

    def fail_in_ledger(_: str) -> None:
        if rig.state.head.key == lucky.id:
            raise RunnerFailed("crash", "in the ledger")

    rig.device.on_pair = fail_in_ledger
    result = await rig.judge(lucky)
    assert (result.outcome, result.kind) == (Outcome.REVERT, "fell_in_ledger")
    assert rig.state.head.key == BASE.id
    assert rig.read(lambda s: designs.head(s, 1, "gemv")) == BASE.id


async def test_the_attempt_is_made_when_its_turn_has_come(rig: Rig) -> None:
    better, seen = variant("int better;"), []
    rig.device.ratio[better.id] = 1.3

    async def second() -> None:
        def make() -> Attempt:
            seen.append(rig.state.head.key)
            raise RuntimeError("enough")

        with pytest.raises(RuntimeError):
            await rig.pipeline.run("gemv", make)

    await asyncio.gather(rig.judge(better), second())
    assert seen == [better.id]
