"""What the checks of source and object refuse, past them: the sandbox and the referee hold alone, or it is harmless."""

import pytest

from kernels.cheats.examine import Examiner
from kernels.cheats.registry import PASSED, Case, corpus

BEHIND = [case for case in corpus() if case.behind]


def test_most_of_what_is_refused_by_its_text_is_tried_without_that() -> None:
    refused = [case for case in corpus() if case.gate in ("source", "compile")]
    assert len(BEHIND) > 0.7 * len(refused)
    assert sum(PASSED in case.behind for case in BEHIND) < 0.2 * len(BEHIND)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("case", BEHIND, ids=lambda case: case.id)
async def test_it_is_stopped_all_the_same(found: Examiner, case: Case) -> None:
    if lacks := case.lacks(found.target.machine):
        raise pytest.skip.Exception(f"needs {lacks}")
    row = await found.row(case, "behind")
    assert row.ok, row


@pytest.mark.asyncio(loop_scope="module")
async def test_the_device_is_well_afterwards(found: Examiner) -> None:
    row = await found.after()
    assert row.ok, row
