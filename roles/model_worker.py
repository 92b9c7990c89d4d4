"""A worker whose briefs a model serves. What the model brings goes down the same pipeline as everything else.

Where the model brings nothing (it got stuck, refused, cannot be paid or reached) the brief's suggestion is judged as
the offline worker would.
"""

from functools import partial

from typing_extensions import override

from kernels.values.verdict import Outcome
from roles import telling, trouble
from roles.agent_loop import AgentLoop, LoopEnded
from roles.attempt import Result
from roles.brains.base import Proposal
from roles.brains.failure import Final
from roles.brains.metered import Caller
from roles.brains.open_ideas import is_open
from roles.brains.pool import Models, Seat
from roles.campaign import Campaign
from roles.counsel import out
from roles.mail import Mail
from roles.pipeline import Pipeline
from roles.prompts import render
from roles.situations import situation_of
from roles.toolbox import WORKER
from roles.tools import judging
from roles.tools.workbench import EVALUATIONS, SUBMISSIONS, Infrastructure, Workbench
from roles.worker import Worker
from store import agents, events
from store.engine import Session
from store.llm_calls import LimitReached
from store.reads.model_views import of_brief

ROLE = "worker"
PARKED = "parked: "
INFRA_IN_A_ROW = 3


class ModelWorker(Worker):
    """number: from 0, which spreads the workers over the models."""

    def __init__(self, campaign: Campaign, pipeline: Pipeline, name: str, number: int, models: Models) -> None:
        super().__init__(campaign, pipeline, name)
        self._number = number
        self._models = models

    @override
    async def work(self, brief_id: int, proposal: Proposal) -> tuple[str, str]:
        said, results = "", list[Result]()
        if self._first_time(proposal):
            session = await self.killable(proposal.kernel, self._session(brief_id, proposal), brief_id)
            if session is None:
                return "dropped", "killed"
            said, results = session
        await self._park(proposal, said)
        if said and (cost := await self._campaign.store.read(lambda s: of_brief(s, brief_id))):
            said = f"{said} ({cost})"
        if results:
            return "done", f"{judging.told(_best(results))}; {said}"
        if is_open(proposal) or self._campaign.stop.is_set():
            return "dropped", said or "no model is left to ask"
        if said:
            await self._say(f"{said}; the suggestion is judged as it is")
        return await super().work(brief_id, proposal)

    async def _park(self, proposal: Proposal, said: str) -> None:
        """An idea of its own with which a model got stuck is not asked for again under this head."""
        key = (proposal.kernel, proposal.candidate.id)
        if said.startswith(PARKED) and is_open(proposal) and key not in self._models.parked:
            self._models.parked.add(key)
            await self._event("parked", f"{proposal.kernel}: no more own ideas under this head: {said}")

    def _first_time(self, proposal: Proposal) -> bool:
        """A suggestion that comes again was passed over by a model: it is judged as it is."""
        if is_open(proposal):
            return True
        key = (proposal.kernel, proposal.candidate.id)
        known = key in self._models.served
        self._models.served.add(key)
        return not known and not proposal.retest_under

    async def _session(self, brief_id: int, proposal: Proposal) -> tuple[str, list[Result]]:
        """How it ended and what was judged; a model that is out for good is followed by the next."""
        while (seat := self._models.seat(ROLE, self._number)) is not None:
            bench = self._bench(brief_id, proposal)
            try:
                return await self._served(seat, bench), bench.results
            except Final as failed:
                why = f"{seat.spec.words}: {failed}"
                if not failed.for_all:
                    return why, bench.results
                await out(self._campaign, self._models, seat, ROLE, self.name, str(failed))
                if bench.results:
                    return why, bench.results
        return "", []

    async def _served(self, seat: Seat, bench: Workbench) -> str:
        """What came of it in words. Raises: Final."""
        try:
            said = await self._loop(seat, bench)
        except LoopEnded as end:
            said = f"{PARKED}{end}" if end.parked else str(end)
        except LimitReached as limit:
            said = f"budget reached: {limit}"
        except Infrastructure as failure:
            return await self._spoiled(str(failure))
        self._models.infra = 0
        return said

    async def _loop(self, seat: Seat, bench: Workbench) -> str:
        campaign = self._campaign
        who = Caller(self.name, ROLE, bench.kernel, bench.brief_id)

        async def passage() -> None:
            await campaign.latches.passage(self.name, bench.kernel)
            if campaign.stop.is_set():
                raise LoopEnded("the campaign ends")

        await self._say(f"{bench.kernel}: asks {seat.spec.words}")
        mail = Mail(campaign, self.name, ROLE, bench.kernel, seat.spec.words)
        loop = AgentLoop(self._models.meter, seat.wire, seat.spec, WORKER, bench, who, passage, mail)
        kept, minutes = campaign.policy.memory, f"{campaign.policy.in_flight_s / 60:g}"
        system = render("worker", submissions=SUBMISSIONS, evaluations=EVALUATIONS, kept=kept, minutes=minutes)
        return await loop.run(system, await self._first_words(bench))

    async def _first_words(self, bench: Workbench) -> str:
        campaign, proposal, state = self._campaign, bench.proposal, bench.state
        situation = await situation_of(campaign, bench.kernel)
        values = await campaign.store.read(lambda s: telling.history(s, campaign, bench.kernel))
        return render(
            "brief", **values, contract=telling.contract(campaign, bench.kernel),
            sheet=await telling.sheet(campaign, ROLE, bench.kernel), failed=telling.failed(situation),
            skills=telling.skills(campaign, bench.kernel), brief_id=bench.brief_id, figures=telling.figures(state),
            open_brief=is_open(proposal), design=proposal.application.params.get("design", ""),
            lever=proposal.application.lever, reason=proposal.reason, prediction=proposal.prediction,
            words=campaign.ranking.words.get((bench.kernel, proposal.application.lever), ""),
            flags=" ".join(bench.own.flags), source=bench.own.source, refining=bench.kernel in campaign.refining,
        )  # fmt: skip

    def _bench(self, brief_id: int, proposal: Proposal) -> Workbench:
        head = self._campaign.kernels[proposal.kernel].head.candidate
        judge = partial(self._pipeline.run, proposal.kernel)
        return Workbench(
            self._campaign, self._pipeline, proposal, self.name, brief_id, head, head, judge, self._say,
        )  # fmt: skip

    async def _spoiled(self, why: str) -> str:
        """Nothing is paid for while the infrastructure is at fault: a few times in a row pause the campaign."""
        campaign, models = self._campaign, self._models
        models.infra += 1
        if models.infra >= INFRA_IN_A_ROW and not campaign.stop.is_set():
            models.infra = 0
            text = f"the infrastructure ended {INFRA_IN_A_ROW} briefs in a row: {why}"
            await trouble.pause(campaign, self.name, text)
        return f"not the candidate's doing: {why}"

    async def _event(self, kind: str, text: str) -> None:
        campaign = self._campaign
        await campaign.store.write(lambda s: events.append(s, campaign.id, kind, self.name, text))

    async def _say(self, text: str) -> None:
        campaign = self._campaign

        def rows(s: Session) -> None:
            agents.add_line(s, campaign.id, self.name, text)
            agents.set_step(s, campaign.id, self.name, text)

        await campaign.store.write(rows)


def _best(results: list[Result]) -> Result:
    """The one that was kept, else the last."""
    return next((r for r in reversed(results) if r.outcome is Outcome.KEEP), results[-1])
