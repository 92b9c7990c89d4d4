"""Makes a confirmed candidate the head: the last check, the rows, the ledger when it is due."""

from kernels.device.auditing import Audit
from kernels.device.report import DeviceUnhealthy
from kernels.gates.base import Subject
from kernels.judge.ledger import Bisection, claimed_gain, must_bisect
from kernels.sandbox.runner import RunnerFailed
from kernels.targets.base import CompileFailed
from kernels.values.verdict import Outcome
from roles.attempt import Result
from roles.campaign import Campaign
from roles.failure import HeadWithdrawn, TimedCallsFailed
from roles.guard import before_evaluation
from roles.heads import head_from_rows
from roles.kernel_state import Head, KernelState
from roles.ledger_keeper import SHORT_PAIRS, LedgerKeeper
from roles.shielding import complete
from roles.testing import TestResult
from store import approvals, audits, designs, events
from store.approvals import Evidence
from store.engine import Session

STALE_FROM = 1.2  # claimed speedup since the last ledger entry from which it is measured anew


def ledger_after(state: KernelState, every: int) -> int:
    """Promotions until the ledger of a kernel is due; 0 when it is: at the first promotion, every so many, and when the
    claims since the last entry make it say too little."""
    if not state.promotions_since_ledger:
        return 1 if state.ledger_head is None else max(every, 1)
    if state.ledger_head is None or state.claimed_since_ledger >= STALE_FROM:
        return 0
    return max(every - state.promotions_since_ledger, 0)


class Promoter:
    def __init__(self, campaign: Campaign, keeper: LedgerKeeper) -> None:
        self._campaign = campaign
        self._keeper = keeper

    async def promote(self, state: KernelState, subject: Subject, node_id: int, test: TestResult) -> Result:
        """KEEP and the new head; REVERT or ACCEPT with what the last check found; ACCEPT while a person is asked."""
        gain = test.fresh or test.estimate
        worth = self._campaign.policy.min_gain
        if gain is not None and gain.gain < worth:
            reason = f"confirmed, but the fresh-pair estimate {gain.gain:+.2%} is below the {worth:.1%} worth filing"
            return Result(node_id, Outcome.ACCEPT, test.verdict, "below_min_gain", reason, gain)
        problem = await self._last_check(state, subject)
        if problem:
            return Result(node_id, Outcome.REVERT, test.verdict, "promotion_check", problem, gain)
        if state.withdrawn:
            reason = f"the head moves back: {state.withdrawn}"
            return Result(node_id, Outcome.INVALID, test.verdict, "withdrawn", reason, gain)
        if await self._waits_for_approval(subject):
            await complete(self._ask(state, node_id, test))
            return Result(node_id, Outcome.ACCEPT, test.verdict, "pending", "confirmed; waits for approval", gain)
        await complete(self._move_head(state, subject, node_id, test))
        await self._checked_ledger(state)
        fold = await self._campaign.store.read(lambda s: designs.get_node(s, node_id).taint)
        if fold:
            return Result(node_id, Outcome.REVERT, test.verdict, "fold", f"promoted, but an audit found: {fold}", gain)
        if state.head.key != subject.key:
            return Result(
                node_id, Outcome.REVERT, test.verdict, "fell_in_ledger", "promoted, but fell in the ledger", gain
            )
        return Result(node_id, Outcome.KEEP, test.verdict, "", "promoted", gain)

    async def _waits_for_approval(self, subject: Subject) -> bool:
        campaign = self._campaign
        if not campaign.policy.approve:
            return False
        return not await campaign.store.read(lambda s: approvals.is_approved(s, campaign.id, subject.key))

    async def _ask(self, state: KernelState, node_id: int, test: TestResult) -> None:
        evidence = Evidence(test.test_id, test.estimate, test.fresh, test.candidate_ns, test.mode)
        await self._campaign.store.write(lambda s: approvals.ask(s, node_id, state.head.key, evidence))

    async def suspect(self, state: KernelState, why: str) -> None:
        """The head failed in a test: check it in a fresh process, and let it fall when it fails again."""
        campaign, head = self._campaign, state.head
        if head.key == state.baseline.key:
            return
        try:
            await campaign.device.restart(head.key)
            report = await campaign.device.check(state.spec.name, head.key, promotion=True)
            problem = "" if report.ok else f"{report.kind}: {report.reason}"
        except RunnerFailed as failure:
            problem = f"{failure.kind}: {failure.detail}"
        if problem:
            await self._fall(state, f"{why}; again in a fresh process: {problem}")

    async def _last_check(self, state: KernelState, subject: Subject) -> str:
        """Uniform codes, more samples, where folds were found before, and one run of a sanitized build; "" when all is
        well."""
        campaign, kernel = self._campaign, state.spec.name
        await before_evaluation(campaign, f"last check of {kernel}", kernel)
        points = await campaign.store.read(lambda s: audits.points(s, campaign.id, kernel))
        audit = Audit(seconds=0.0, points=points, regimes=False, control=state.baseline.key) if points else None
        try:
            report = await campaign.device.check(kernel, subject.key, promotion=True, audit=audit)
            if not report.ok:
                return f"{report.kind}: {report.reason}"
            return await self._sanitized(state, subject)
        except RunnerFailed as failure:
            return f"{failure.kind}: {failure.detail}"

    async def _sanitized(self, state: KernelState, subject: Subject) -> str:
        """What a build with AddressSanitizer and traps for undefined behaviour finds; "" when nothing.

        A source that cannot be built so (a compiler without the sanitizers) binds nothing: it is noted.
        """
        campaign, kernel, key = self._campaign, state.spec.name, f"{subject.key}-sanitized"
        try:
            artefact = await campaign.build(subject.candidate, state.spec, sanitize=True)
        except CompileFailed as failure:
            why = f"no sanitized build: {failure.root_cause}"
            await campaign.store.write(lambda s: events.append(s, campaign.id, "sanitizer", kernel, why))
            return ""
        await campaign.device.load(kernel, key, artefact.path)
        try:
            report = await campaign.device.check(kernel, key)
        finally:
            await campaign.device.unload(key)
        return "" if report.ok else f"sanitized build: {report.kind}: {report.reason}"

    async def _move_head(self, state: KernelState, subject: Subject, node_id: int, test: TestResult) -> None:
        campaign = self._campaign
        promotion = await campaign.store.write(
            lambda s: designs.promote(
                s, node_id, test_id=test.test_id, estimate=test.estimate, fresh=test.fresh,
                head_ns=test.candidate_ns, mode=test.mode,
            )
        )  # fmt: skip
        code = subject.artefact.machine_code_sha256 if subject.artefact else ""
        previous = state.head
        state.head = Head(subject.candidate, node_id, test.candidate_ns, code, promotion)
        state.promotions_since_ledger += 1
        state.claimed_since_ledger *= claimed_gain([test.fresh or test.estimate or 0.0])
        state.proposals.clear()
        state.exhausted = False
        state.chain.append(state.head)
        if previous.key != state.baseline.key and previous not in state.chain:
            await campaign.device.unload(previous.key)

    async def remeasure(self, state: KernelState) -> None:
        """A new ledger entry of the present head, due or not: against the previous ledger head, if that is another one,
        and against the baseline."""
        await self._checked_ledger(state, due=True)

    async def _checked_ledger(self, state: KernelState, *, due: bool = False) -> None:
        """A head that fails in its ledger measurement goes; the one before it is the head again."""
        try:
            await self._ledger(state, due=due)
        except (RunnerFailed, TimedCallsFailed) as failure:
            await self._fall(state, f"failed in the ledger: {failure.kind}: {failure.detail}")
        except HeadWithdrawn:
            return  # why stands with the taint
        except DeviceUnhealthy as failure:
            text = f"the ledger stays due: {failure}"
            campaign = self._campaign
            await campaign.store.write(lambda s: events.append(s, campaign.id, "unhealthy", state.spec.name, text))

    async def _fall(self, state: KernelState, why: str) -> None:
        campaign, fallen = self._campaign, state.head.promotion_id
        if fallen is not None:
            await campaign.store.write(lambda s: designs.demote(s, fallen, why))
        state.head = await head_from_rows(campaign, state)
        state.chain = [state.head]
        state.proposals.clear()

    async def _ledger(self, state: KernelState, *, due: bool) -> None:
        """The first promotion and every fourth are measured against the baseline and the previous ledger head."""
        if not due and ledger_after(state, self._campaign.policy.ledger_every):
            return
        previous = state.ledger_head
        if previous is not None and previous.key != state.head.key:
            step = await self._keeper.measure(state, previous, state.head, "previous", SHORT_PAIRS)
            if step is not None and must_bisect(step.score):
                await self._bisect(state, previous)
        await self._keeper.measure(state, state.baseline, state.head, "baseline", SHORT_PAIRS)
        await self._settle(state)

    async def _settle(self, state: KernelState) -> None:
        """The ledger head is the head now; runners of the heads in between may go."""
        for head in state.chain:
            if head.key not in (state.head.key, state.baseline.key):
                await self._campaign.device.unload(head.key)
        state.chain = [state.head]
        state.ledger_head = state.head
        state.promotions_since_ledger = 0
        state.claimed_since_ledger = 1.0

    async def _bisect(self, state: KernelState, previous: Head) -> None:
        """A step came out slower: find the promotion that fails, demote it and what was built on it."""
        heads = [h for h in state.chain if h.key != previous.key]
        search = Bisection.over(len(heads))
        while search.culprit is None:
            step = await self._keeper.measure(state, previous, heads[search.probe - 1], "previous", SHORT_PAIRS)
            search = search.after(step.score if step is not None else 0.0)
        good = previous if search.culprit == 1 else heads[search.culprit - 2]
        await self._demote(heads[search.culprit - 1 :], good, state)

    async def _demote(self, fallen: list[Head], good: Head, state: KernelState) -> None:
        campaign = self._campaign

        def rows(s: Session) -> None:
            for head in reversed(fallen):
                if head.promotion_id is not None:
                    designs.demote(s, head.promotion_id, "the ledger step came out slower")
            events.append(s, campaign.id, "bisected", state.spec.name, f"head moved back to node {good.node_id}")

        await campaign.store.write(rows)
        state.head = good
        state.chain = [good]
        state.proposals.clear()
