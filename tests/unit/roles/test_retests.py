"""An undecided test is offered once more under the same head, and never again."""

from pathlib import Path

import numpy as np
import pytest

from kernels.levers.base import LeverDoesNotApply
from kernels.values.verdict import Outcome, Verdict
from roles.kernel_state import Head
from roles.retests import proposal_of, undecided
from roles.worker import Worker
from store import designs
from store.engine import Session
from tests.unit.roles.pipeline_rig import Rig, make_rig, variant

WAVERING = [float(x) for x in np.exp(np.random.default_rng(16).normal(0.01, 0.03, 24))]  # UNCLEAR after all 24 pairs


@pytest.fixture
async def rig(tmp_path: Path) -> Rig:
    return await make_rig(tmp_path)


def offered(rig: Rig) -> list[str]:
    def found(s: Session) -> list[str]:
        rows = [row for row in designs.attempts(s, 1, "gemv") if row.state == "done"]
        return [candidate.id for _, candidate in undecided(s, rig.campaign, rig.state, rows)]

    return list(rig.read(found))


async def test_an_undecided_test_is_offered_once(rig: Rig) -> None:
    one = variant("int undecided;")
    for pairs in (24, 48):
        rig.device.series[one.id] = list(WAVERING)
        result = await rig.judge(one, lever="threads")
        assert (result.verdict, result.outcome, rig.device.pairs) == (Verdict.UNCLEAR, Outcome.ACCEPT, pairs)
        assert offered(rig) == ([one.id] if pairs == 24 else [])
    again = await rig.judge(one, lever="threads")
    assert (again.kind, rig.device.pairs) == ("already_judged", 48)


async def test_what_has_no_sign_of_a_gain_is_not_offered(rig: Rig) -> None:
    none = variant("int none;")
    rig.device.series[none.id] = [1.01, 0.99] * 12
    assert (await rig.judge(none, lever="threads")).verdict is Verdict.UNCLEAR
    assert offered(rig) == []


async def test_an_operators_source_is_not_offered(rig: Rig) -> None:
    one = variant("int sent;")
    rig.device.series[one.id] = list(WAVERING)
    await rig.judge(one, lever="operator source")
    assert offered(rig) == []


async def test_the_retest_falls_away_when_the_head_has_moved(rig: Rig) -> None:
    one = variant("int undecided;")
    rig.device.series[one.id] = list(WAVERING)
    await rig.judge(one, lever="threads")
    rows = rig.read(lambda s: designs.attempts(s, 1, "gemv"))
    proposal = proposal_of("gemv", rig.state, rows[-1], one)
    worker = Worker(rig.campaign, rig.pipeline, "worker-01")
    assert worker.attempt(1, proposal).candidate.id == one.id
    rig.state.head = Head(variant("int other;"), rig.state.idea_node, 1e6, "")
    assert offered(rig) == []
    with pytest.raises(LeverDoesNotApply, match="the head has moved"):
        worker.attempt(1, proposal)
