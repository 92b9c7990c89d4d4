"""A campaign on the scripted device whose roles are asked of scripted models, on a clock of the test's own."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from roles.brains.metered import Meter
from roles.brains.pool import Models, Seat
from roles.brains.prices import Prices
from roles.brains.registry import Spec
from roles.brains.scripted import ScriptedWire
from roles.brains.secrets import Secrets
from roles.brains.talk import Turn
from roles.limits import at_limit
from store import agents, call_views, reads
from store.llm_calls import Account, Cap
from tests.unit.roles.pipeline_rig import Rig, make_rig


@dataclass
class Council:
    rig: Rig
    models: Models
    wire: ScriptedWire
    now: float = 0.0

    def clock(self) -> float:
        return self.now

    @property
    def calls(self) -> Any:
        return self.rig.read(lambda s: call_views.calls(s, self.rig.campaign.id))

    @property
    def results(self) -> list[tuple[str, bool]]:
        """What the tools gave in the last conversation, oldest first."""
        return [(r.text, r.is_error) for i in self.wire.asked[-1].items for r in getattr(i, "results", ())]

    @property
    def first_words(self) -> str:
        """Of the last conversation."""
        return str(getattr(self.wire.asked[-1].items[0], "text", ""))

    def events(self, kind: str) -> list[Any]:
        return [e for e in self.rig.read(lambda s: reads.events(s, self.rig.campaign.id)) if e.kind == kind]

    def lines(self, agent: str) -> str:
        return str("\n".join(self.rig.read(lambda s: reads.agent(s, self.rig.campaign.id, agent)).lines))


async def make_council(
    home: Path, role: str, agent: str, *conversations: list[Turn], caps: tuple[Cap, ...] = (), also: str = ""
) -> Council:
    """One role has a model. also: another role that has the same."""
    rig = await make_rig(home)
    campaign = rig.campaign
    await campaign.store.write(lambda s: agents.upsert_agent(s, campaign.id, agent, role))
    wire = ScriptedWire(conversations)
    meter = Meter(campaign.store, Account(campaign.id), caps, Prices({}), Secrets())
    seat = Seat(Spec("scripted", "s"), wire)
    models = Models(meter, {role: [seat]} | ({also: [seat]} if also else {}))
    campaign.models = models
    meter.at_limit(at_limit(campaign))
    council = Council(rig, models, wire)
    campaign.clock = council.clock
    return council
