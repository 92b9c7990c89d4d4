"""Who fills a role, and how many workers one kernel has at once."""

from dataclasses import replace
from pathlib import Path

import pytest

from kernels.levers.base import Application
from roles import casting
from roles.architect import Architect
from roles.brains.base import Proposal
from roles.model_architect import ModelArchitect
from roles.model_owner import ModelOwner
from roles.model_strategist import ModelStrategist
from roles.owner import Owner
from roles.strategist import Strategist
from roles.worker import Worker
from store import agents
from tests.unit.roles.council_rig import make_council
from tests.unit.roles.model_rig import BASE, variant
from tests.unit.roles.pipeline_rig import make_rig

ROLES = {"strategist": ModelStrategist, "architect": ModelArchitect, "owner": ModelOwner}


async def test_without_models_all_roles_are_offline(tmp_path: Path) -> None:
    rig = await make_rig(tmp_path)
    campaign = rig.campaign
    found = [casting.strategist(campaign), casting.architect(campaign, "gemv"), casting.owner(campaign, "gemv")]
    assert [type(one) for one in found] == [Strategist, Architect, Owner]
    assert type(casting.worker(campaign, rig.pipeline, 0)) is Worker
    assert casting.readers(campaign) == []


@pytest.mark.parametrize("role", [*ROLES, "auditor"])
async def test_a_model_serves_its_own_role_alone(tmp_path: Path, role: str) -> None:
    council = await make_council(tmp_path, role, role)
    campaign = council.rig.campaign
    found = {
        "strategist": casting.strategist(campaign), "architect": casting.architect(campaign, "gemv"),
        "owner": casting.owner(campaign, "gemv"),
    }  # fmt: skip
    assert {name for name, one in found.items() if type(one) is ROLES[name]} == {role} & set(ROLES)
    assert len(casting.readers(campaign)) == (role == "auditor")
    assert type(casting.worker(campaign, council.rig.pipeline, 0)) is Worker
    assert council.models.describe() == f"{role}: scripted:s; all other roles: offline"


@pytest.mark.parametrize(("at_once", "opened"), [(1, 1), (3, 3), (4, 3)])
async def test_one_kernel_has_as_many_briefs_as_the_setting_allows(tmp_path: Path, at_once: int, opened: int) -> None:
    rig = await make_rig(tmp_path)
    campaign = rig.campaign
    campaign.policy = replace(campaign.policy, workers=3, kernel_workers=at_once)
    await campaign.store.write(lambda s: agents.upsert_agent(s, campaign.id, "strategist", "strategist"))
    lever = Application("accumulators", "structure", {}, "", "", "")
    rig.state.proposals = [
        Proposal("gemv", "variant", BASE, lever, variant(f"int p{n};"), 0.1, 0.5, "", "", float(n)) for n in range(5)
    ]
    strategist = Strategist(campaign)
    for _ in range(2):
        await strategist.turn()
    assert [p.score for p in campaign.briefed.values()] == [4.0, 3.0, 2.0][:opened]
    assert len(rig.state.proposals) == 5 - opened
