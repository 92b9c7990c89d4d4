"""What is in flight is never proposed a second time."""

from pathlib import Path
from typing import Any

import pytest

from kernels.levers.base import Application
from roles.architect import Architect
from roles.brains.base import Proposal
from roles.strategist import Strategist
from store import agents
from tests.unit.roles.pipeline_rig import BASE, Rig, make_rig, variant

THREADS = Application("threads", "structure", {}, "", "", "")
PROPOSAL = Proposal("gemv", "variant", BASE, THREADS, variant("int x;"), 0.1, 0.5, "", "", 1.0)


@pytest.fixture
async def rig(tmp_path: Path) -> Rig:
    return await make_rig(tmp_path)


async def test_an_attempt_that_ends_while_the_rows_are_read(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    rig.campaign.briefed[1] = PROPOSAL
    read = rig.campaign.store.read

    async def ends_meanwhile(job: Any) -> Any:
        found = await read(job)
        rig.campaign.briefed.clear()
        return found

    monkeypatch.setattr(rig.campaign.store, "read", ends_meanwhile)
    assert PROPOSAL.candidate.id in (await Architect(rig.campaign, "gemv").situation()).in_flight


async def test_a_proposal_that_becomes_a_brief(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    rig.state.proposals.append(PROPOSAL)
    await rig.campaign.store.write(lambda s: agents.upsert_agent(s, 1, "strategist", "strategist"))
    write = rig.campaign.store.write

    async def asked_meanwhile(job: Any) -> Any:
        assert PROPOSAL.candidate.id in (await Architect(rig.campaign, "gemv").situation()).in_flight
        return await write(job)

    monkeypatch.setattr(rig.campaign.store, "write", asked_meanwhile)
    await Strategist(rig.campaign)._open_best("gemv")
    assert list(rig.campaign.briefed.values()) == [PROPOSAL]
    assert rig.state.proposals == []
