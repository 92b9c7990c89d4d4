"""A worker with a scripted model on the scripted device."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernels.levers.base import Application
from kernels.values.candidate import Candidate
from kernels.values.verdict import GateName
from roles.brains.base import Proposal
from roles.brains.metered import Meter
from roles.brains.pool import Models, Seat
from roles.brains.prices import Prices
from roles.brains.registry import Spec
from roles.brains.scripted import ScriptedWire
from roles.brains.secrets import Secrets
from roles.brains.talk import END, TOOLS, Call, Turn, Usage
from roles.limits import at_limit
from roles.model_worker import ModelWorker
from store import agents, call_views, reads
from store.llm_calls import Account, Cap
from tests.unit.roles.pipeline_rig import BASE, Rig, make_rig, variant

__all__ = ["BASE", "Desk", "make_desk", "said", "uses", "variant"]


def uses(*calls: tuple[str, dict[str, Any] | None], stop: str = TOOLS) -> Turn:
    """A turn that calls tools."""
    made = tuple(Call(f"call-{n}-{name}", name, arguments) for n, (name, arguments) in enumerate(calls))
    return Turn(stop, "", made, {"calls": [c.name for c in made]}, Usage(100, 0, 0, 10))


def said(text: str, stop: str = END) -> Turn:
    return Turn(stop, text, (), {"text": text}, Usage(100, 0, 0, 10))


@dataclass
class Desk:
    rig: Rig
    worker: ModelWorker
    models: Models
    wire: ScriptedWire

    async def serve(self, lever: str = "threads", candidate: Candidate | None = None) -> tuple[str, str]:
        proposal = Proposal(
            "gemv", "variant", BASE, Application(lever, "structure", {}, "", "it fits", "time"),
            candidate or variant("/* suggested */ int suggested;"), 0.1, 0.5, "because", "+10%",
        )  # fmt: skip
        campaign = self.rig.campaign
        brief = await campaign.store.write(lambda s: agents.add_brief(s, campaign.id, "gemv", lever=lever))
        return await self.worker.work(brief, proposal)

    @property
    def results(self) -> list[tuple[str, bool]]:
        """What the tools gave in the last conversation, oldest first."""
        last = self.wire.asked[-1]
        return [(r.text, r.is_error) for i in last.items for r in getattr(i, "results", ())]

    @property
    def told(self) -> list[str]:
        """What we said in words in the last conversation."""
        return [text for i in self.wire.asked[-1].items if isinstance(text := getattr(i, "text", None), str)]

    @property
    def lines(self) -> str:
        agent = self.rig.read(lambda s: reads.agent(s, self.rig.campaign.id, "worker-01"))
        return str("\n".join(agent.lines))

    @property
    def calls(self) -> Any:
        return self.rig.read(lambda s: call_views.calls(s, self.rig.campaign.id))

    def events(self, kind: str) -> list[str]:
        found = self.rig.read(lambda s: reads.events(s, self.rig.campaign.id))
        return [e.text for e in found if e.kind == kind]


async def make_desk(
    home: Path, *conversations: list[Turn], refuse: dict[GateName, dict[str, str]] | None = None,
    caps: tuple[Cap, ...] = (), turns: int = 40,
) -> Desk:  # fmt: skip
    rig = await make_rig(home, refuse)
    campaign = rig.campaign
    await campaign.store.write(lambda s: agents.upsert_agent(s, campaign.id, "worker-01", "worker"))
    wire = ScriptedWire(conversations)
    meter = Meter(campaign.store, Account(campaign.id), caps, Prices({}), Secrets())
    models = Models(meter, {"worker": [Seat(Spec("scripted", "s", turns=turns), wire)]})
    campaign.models = models
    meter.at_limit(at_limit(campaign))
    return Desk(rig, ModelWorker(campaign, rig.pipeline, "worker-01", 0, models), models, wire)
