"""main: starts and stops the roles, hands out the results of decisions, ends the campaign with its ledger."""

import asyncio
import time
from functools import partial

from kernels.gates.sequence import GateSequence
from kernels.values.kernel import KernelSpec
from roles import casting
from roles.accounts import since
from roles.approving import Approving
from roles.auditor import Auditor
from roles.bootstrap import Bootstrap
from roles.campaign import Campaign
from roles.final import Finale
from roles.inbox import Inbox
from roles.lag import LoopLag
from roles.latches import ALL
from roles.ledger_clock import LedgerClock
from roles.ledger_keeper import LedgerKeeper
from roles.maintainer import Maintainer
from roles.operator import Operator
from roles.operator_profile import ProfileCommand
from roles.operator_source import OperatorSource
from roles.pauses import Pauses
from roles.pipeline import Pipeline
from roles.profiler import Profiler
from roles.queue import waiting_of
from roles.quiet import QuietTime
from roles.recheck.whole import recheck
from roles.refining import Refining
from roles.sources import SourceWatcher
from roles.staff import Post, Staff
from roles.supervisor import supervise
from roles.watchdog import Watchdog
from store import approvals, campaigns, events, heartbeat, toolchain
from store.engine import Session

HEARTBEAT_S = 1.0


class Main:
    """One campaign from its first row to its last."""

    name = "main"

    def __init__(
        self, campaign: Campaign, gates: GateSequence, pipeline: Pipeline, keeper: LedgerKeeper, watcher: SourceWatcher,
        inbox: Inbox,
    ) -> None:  # fmt: skip
        self._campaign = campaign
        self._gates = gates
        self._pipeline = pipeline
        self._keeper = keeper
        self._watcher = watcher
        self._inbox = inbox
        self._staff = Staff(campaign)
        self._lag = LoopLag()
        self._maintainer = Maintainer(campaign)
        self._pauses = Pauses(campaign)
        judge, profile = OperatorSource(campaign, pipeline).command, ProfileCommand(campaign, pipeline).command
        approving, refining = Approving(campaign, pipeline), Refining(campaign)
        more = {
            "profile": profile, "approve": approving.approve, "veto": approving.veto, "refine": refining.refine,
            "explore": refining.explore, "task": inbox.command,
        }  # fmt: skip
        self._operator = Operator(campaign, self._staff.kill, judge, more)

    async def run(self, kernels: list[KernelSpec]) -> None:
        """Until the campaign ends, or is to be taken up under another toolchain: `campaign.turnover` says so then.

        Raises: BaselineRefused, DeviceUnhealthy.
        """
        always = [
            asyncio.create_task(supervise("heartbeat", self._beat, self._tell)),
            asyncio.create_task(supervise("operator", self._operator.run, self._tell)),
            asyncio.create_task(supervise("loop lag", self._lag.run, self._tell)),
            asyncio.create_task(supervise(Pauses.name, self._pauses.run, self._tell)),
        ]
        try:
            await self._staff.start([Post(Maintainer.name, "maintainer", "", self._maintainer.run)])
            await self._prepare(kernels)
            await self._work()
            await self._operator.end()
            if not self._campaign.turnover:
                await self._finish()
        finally:
            await self._staff.end(grace_s=0.0)
            await self._operator.end()
            for task in always:
                task.cancel()
            await asyncio.gather(*always, return_exceptions=True)

    async def _tell(self, name: str, state: str, detail: str) -> None:
        """States of what is no agent: only trouble is worth an event."""
        campaign = self._campaign
        if state in ("crashed", "gave_up"):
            await campaign.store.write(lambda s: events.append(s, campaign.id, "role", name, f"{state}: {detail}"))

    async def _prepare(self, kernels: list[KernelSpec]) -> None:
        """Baselines, heads and peaks; a stop during it ends it."""
        ready = asyncio.create_task(self._make_ready(kernels), name="bootstrap")
        stop = asyncio.create_task(self._campaign.stop.wait(), name="stop")
        await asyncio.wait({ready, stop}, return_when=asyncio.FIRST_COMPLETED)
        stop.cancel()
        if not ready.done():
            ready.cancel()
            await asyncio.gather(ready, return_exceptions=True)
            return
        ready.result()
        level = self._campaign.device.level
        await self._campaign.store.write(lambda s: campaigns.set_facts(s, self._campaign.id, sandbox_level=level))

    async def _make_ready(self, kernels: list[KernelSpec]) -> None:
        """And what is known checked again, when it is of another toolchain."""
        bootstrap = Bootstrap(self._campaign, self._gates, self._keeper)
        await bootstrap.run(kernels)
        await recheck(self._campaign, self._keeper, bootstrap.restore_head, Maintainer.name)

    def _posts(self) -> list[Post]:
        campaign = self._campaign
        posts = [
            Post("strategist", "strategist", "", casting.strategist(campaign).run),
            Post("watchdog", "watchdog", "", Watchdog(campaign).run),
            Post(Auditor.name, "auditor", "", Auditor(campaign).run),
            *(Post(reader.name, "auditor", "", reader.run) for reader in casting.readers(campaign)),
            Post(QuietTime.name, "quiet", "", QuietTime(campaign, self._pipeline).run),
            Post(LedgerClock.name, "ledger", "", LedgerClock(campaign, self._pipeline).run),
            Post(Profiler.name, "profiler", "", Profiler(campaign).run),
            Post("sources", "watcher", "", self._watcher.run),
            Post(Inbox.name, "inbox", "", self._inbox.run),
        ]
        for kernel in campaign.kernels:
            architect, owner = casting.architect(campaign, kernel), casting.owner(campaign, kernel)
            posts.append(Post(architect.name, "architect", kernel, architect.run))
            posts.append(Post(owner.name, "owner", kernel, owner.run))
        workers = [casting.worker(campaign, self._pipeline, number) for number in range(campaign.policy.workers)]
        return posts + [Post(worker.name, "worker", "", worker.run) for worker in workers]

    async def _work(self) -> None:
        campaign = self._campaign
        if campaign.stop.is_set():
            return
        await self._pauses.restore()
        if campaign.paused_at_start:
            await campaign.latches.close(ALL)
        await self._staff.start(self._posts())
        await campaign.stop.wait()
        if campaign.turnover:
            await self._staff.end(grace_s=0.0)
            return
        await campaign.store.write(lambda s: campaigns.set_state(s, campaign.id, "stopping"))
        if campaign.stop_now:
            await campaign.device.kill_all()
        await campaign.latches.open_every()
        await self._staff.end()

    async def _finish(self) -> None:
        campaign, lag = self._campaign, self._lag
        await campaign.store.write(lambda s: events.append(s, campaign.id, "loop_lag", self.name, lag.text, **lag.data))
        rechecks = await campaign.store.read(lambda s: toolchain.open_change(s, campaign.id)) is not None
        if campaign.suspended or rechecks:
            why = campaign.stop_reason + ("; the next start goes on with the re-check" if rechecks else "")
            await campaign.store.write(lambda s: campaigns.leave_resumable(s, campaign.id, why))
            return
        await self._finale()
        await campaign.store.write(lambda s: approvals.expire(s, campaign.id))
        await self._inbox.close()
        await campaign.store.write(lambda s: campaigns.finish(s, campaign.id, campaign.stop_reason or "done"))

    async def _finale(self) -> None:
        """The final ledgers; `stop --now` ends even these at once."""
        campaign = self._campaign
        if campaign.stop_now:
            return
        finale = asyncio.create_task(Finale(campaign, self._keeper).run(), name="finale")
        now = asyncio.create_task(campaign.now.wait(), name="now")
        await asyncio.wait({finale, now}, return_when=asyncio.FIRST_COMPLETED)
        now.cancel()
        if not finale.done():
            await campaign.device.kill_all()
            finale.cancel()
            await asyncio.gather(finale, return_exceptions=True)
            return
        finale.result()

    async def _beat(self) -> None:
        """Heartbeat rows, with the lag of the loop."""
        campaign, started = self._campaign, time.time()
        account, counted = campaign.device.spent, time.monotonic()
        while True:
            now, clock = campaign.device.spent, time.monotonic()
            spent = since(account, now, clock - counted)
            account, counted = now, clock
            await campaign.store.write(partial(self._beat_rows, started=started, spent=spent))
            await asyncio.sleep(HEARTBEAT_S)

    def _beat_rows(self, s: Session, *, started: float, spent: dict[str, float]) -> None:
        campaign = self._campaign
        owner = heartbeat.OWNER_OF_PAUSED if ALL in campaign.latches.closed else heartbeat.OWNER
        heartbeat.beat(
            s, campaign.id, started_at=started, loop_lag_ms=self._lag.minute_p99_ms,
            holder=owner if campaign.held else campaign.device.holder,
            waiting=waiting_of(campaign, self._pipeline.placebo_after),
        )  # fmt: skip
        for category, seconds in spent.items():
            campaigns.add_usage(s, campaign.id, category, seconds)
