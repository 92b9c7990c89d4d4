"""A rig whose toolchain a test may exchange."""

from dataclasses import replace
from pathlib import Path
from typing import cast

from kernels.gates.sequence import GateSequence
from kernels.targets.base import Target, TargetError
from kernels.values.candidate import Candidate
from kernels.values.fingerprint import Fingerprint
from kernels.values.verdict import GATE_ORDER, GateName, Outcome
from roles.bootstrap import Bootstrap
from roles.ledger_keeper import LedgerKeeper
from roles.recheck.whole import recheck
from store import agents, campaigns, toolchain
from store.engine import Session
from tests.unit.roles.pipeline_rig import Rig, ScriptedGate, ScriptedTarget, make_rig, variant

OTHER = replace(ScriptedTarget.fingerprint, compiler_version="2")


class ExchangedTarget(ScriptedTarget):
    """now: what is on disk; None while there is nothing."""

    def __init__(self) -> None:
        self.now: Fingerprint | None = self.fingerprint

    def present(self) -> Fingerprint:
        if self.now is None:
            raise TargetError("compiler cc", "there is no program at this path", "Install it")
        return self.now


async def make_toolchain_rig(home: Path) -> tuple[Rig, ExchangedTarget]:
    rig, target = await make_rig(home), ExchangedTarget()
    rig.campaign.target = cast(Target, target)

    def rows(s: Session) -> None:
        row, known = campaigns.get(s, rig.campaign.id), target.fingerprint
        row.fingerprint, row.toolchain, row.device = known.id, toolchain.toolchain_text(known), known.device
        s.add(row)
        agents.upsert_agent(s, rig.campaign.id, "maintainer", "maintainer")

    await rig.campaign.store.write(rows)
    return rig, target


async def promoted(rig: Rig, text: str, ratio: float) -> Candidate:
    """A new head. ratio: its head's time over its own."""
    found = variant(text)
    rig.device.ratio[found.id] = ratio
    assert (await rig.judge(found)).outcome is Outcome.KEEP
    return found


async def checked_again(rig: Rig, refuse: dict[GateName, dict[str, str]] | None = None) -> None:
    """Under another toolchain, as the next start of the engine does it. refuse: by gate, kinds by candidate."""
    campaign = rig.campaign
    await campaign.store.write(lambda s: toolchain.start(s, campaign.id, OTHER))
    await taken_up(rig, refuse)


async def taken_up(rig: Rig, refuse: dict[GateName, dict[str, str]] | None = None) -> None:
    """As the next start of the engine takes up a campaign with an open change."""
    campaign = rig.campaign
    gates = GateSequence([ScriptedGate(name, (refuse or {}).get(name, {})) for name in GATE_ORDER], lambda: 0.0)
    keeper = LedgerKeeper(campaign)
    bootstrap = Bootstrap(campaign, gates, keeper)
    await bootstrap.restore_head(rig.state)
    await recheck(campaign, keeper, bootstrap.restore_head, "maintainer")
