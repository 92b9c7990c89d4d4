"""Every candidate of the corpus on the way of all: the hostile are refused where they must be, the honest pass."""

import pytest

from kernels.cheats.examine import Examiner
from kernels.cheats.registry import HONEST, Case, corpus
from kernels.values.verdict import GATE_ORDER

KINDS = {
    "aggregation", "aliasing", "borrowed libraries", "caching", "candidates that will not die",
    "clock and process tricks", "degenerate answers", "edited graders", "floating-point state",
    "forged or leaked results", HONEST, "late or skipped work", "leaked workloads", "loose tolerance", "memory damage",
    "pair poisoning", "phase and shape detection", "public seeds", "re-rolled dice", "residency", "second doors",
}  # fmt: skip


def test_the_corpus_has_every_kind_and_tries_every_gate_that_can_refuse() -> None:
    assert {case.kind for case in corpus()} == KINDS
    assert {case.gate for case in corpus()} - {None} == set(GATE_ORDER) - {"legality", "estimate", "trace"}
    assert all((case.gate is None) == (case.kind == HONEST or bool(case.finding)) for case in corpus())


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("case", corpus(), ids=lambda case: case.id)
async def test_the_right_gate_refuses_it_or_none(found: Examiner, case: Case) -> None:
    if lacks := case.lacks(found.target.machine):
        raise pytest.skip.Exception(f"needs {lacks}")
    row = await found.row(case, "all gates")
    assert row.ok, row


@pytest.mark.asyncio(loop_scope="module")
async def test_the_device_is_well_afterwards(found: Examiner) -> None:
    row = await found.after()
    assert row.ok, row
