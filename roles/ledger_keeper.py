"""Takes the ledger's measurements: a fixed number of coin-flip pairs, kept whatever they say."""

import math
import statistics
from dataclasses import dataclass

from kernels.judge.collect import Progress, coin_of, judge
from kernels.judge.fixed import Fixed
from kernels.judge.ledger import FULL_PAIRS, SHORT_PAIRS, speedup_of
from kernels.judge.score import signed_rank_score
from kernels.values.reading import First, Pair
from kernels.values.verdict import Verdict
from roles.campaign import Campaign
from roles.failure import TimedCallsFailed
from roles.guard import before_evaluation
from roles.kernel_state import Head, KernelState
from roles.latches import ledger_of
from roles.shielding import complete
from store import ledger, modes
from store.engine import Session

__all__ = ["FULL_PAIRS", "SHORT_PAIRS", "Entry", "LedgerKeeper"]


@dataclass(frozen=True, slots=True)
class Entry:
    """speedup: old time over new time with its interval; score: signed-rank score of "new is faster"."""

    speedup: float
    low: float
    high: float
    score: float
    mode: str
    test_id: int


class LedgerKeeper:
    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign

    async def measure(self, state: KernelState, old: Head, new: Head, against: str, pairs: int) -> Entry | None:
        """One ledger entry of `new` against `old` ("baseline" or "previous"); None when no pair was valid.

        Raises: RunnerFailed when one of both cannot run, TimedCallsFailed when outputs prove wrong, HeadWithdrawn,
        DeviceUnhealthy.
        """
        campaign = self._campaign
        await before_evaluation(campaign, ledger_of(state.spec.name), state.spec.name)
        seed = campaign.seed_of("ledger", state.spec.name, old.key, new.key, against, campaign.finished_attempts)
        test_id = await campaign.store.write(
            lambda s: ledger.start_test(
                s, campaign.id, state.spec.name, "ledger", candidate_id=new.key, head_id=old.key, node_id=new.node_id,
                lever=f"ledger against {against}", agent="main", rule="fixed", seed=str(seed), pairs_budget=pairs,
            )
        )  # fmt: skip
        try:
            taken = await self._pairs(state, old, new, pairs, seed, test_id)
        except BaseException as end:
            why = f"not finished: {type(end).__name__} {end}".strip()
            await complete(campaign.store.write(lambda s: ledger.finish_test(s, test_id, Verdict.INVALID, reason=why)))
            raise
        if against == "baseline":
            await self.peak(state)
        return await self._enter(state, old, new, against, test_id, taken)

    async def peak(self, state: KernelState) -> None:
        """Measure the kernel's peak in the mode that the device is in now; times peak compares equal modes."""
        campaign = self._campaign
        found = await campaign.device.peak(state.spec.name)
        state.peak_ns = found.ns if found.gbs > 0 else None
        if state.peak_ns is None:
            return
        await campaign.store.write(
            lambda s: ledger.add_peak(
                s, campaign.id, state.spec.name, style=found.style, ns=found.ns, gbs=found.gbs, mode=found.mode,
                styles=found.styles,
            )
        )  # fmt: skip

    async def _pairs(
        self, state: KernelState, old: Head, new: Head, count: int, seed: int, test_id: int
    ) -> tuple[Pair, ...]:
        """By the judge's own loop, with its redo rule; a ledger keeps whatever its pairs say."""
        device = self._campaign.device
        session = await device.begin_test(state.spec.name, old.key, new.key)
        spent = 0.0

        async def measure(first: First) -> Pair:
            nonlocal spent
            await self._campaign.latches.passage(ledger_of(state.spec.name), state.spec.name)
            state.refuse_withdrawn()
            pair = await device.pair(session, first, old.ns)
            spent = device.last_hold_s
            return pair

        async def keep(progress: Progress) -> None:
            await self._keep(test_id, progress, spent)

        judged = await judge(measure, Fixed(count), coin_of(seed), on_pair=keep)
        report = await device.end_test(session)
        if not report.ok:
            raise TimedCallsFailed(report.kind, report.reason)
        return judged.pairs

    async def _keep(self, test_id: int, progress: Progress, seconds: float) -> None:
        await self._campaign.store.write(
            lambda s: ledger.add_pair(s, test_id, progress.pair, score=progress.decision.score, seconds=seconds)
        )

    async def _enter(
        self, state: KernelState, old: Head, new: Head, against: str, test_id: int, taken: tuple[Pair, ...]
    ) -> Entry | None:
        campaign = self._campaign
        if not taken:
            await campaign.store.write(
                lambda s: ledger.finish_test(s, test_id, Verdict.INVALID, reason="no valid pair")
            )
            return None
        entry = _entry([p.log_ratio for p in taken], _mode(taken), test_id)
        old_ns, new_ns = (statistics.median(getattr(p, side).ns for p in taken) for side in ("head", "candidate"))
        new.ns, old.ns = new_ns, old_ns

        def rows(s: Session) -> None:
            ledger.finish_test(s, test_id, "", score=entry.score, mode=entry.mode)
            ledger.add_ledger_entry(
                s, campaign.id, state.spec.name, head_id=new.key, against=against, against_id=old.key,
                speedup=entry.speedup, low=entry.low, high=entry.high, pairs=len(taken), mode=entry.mode,
                test_id=test_id, score=entry.score, head_ns=new_ns, against_ns=old_ns,
            )  # fmt: skip
            modes.keep(s, campaign.id)

        await campaign.store.write(rows)
        return entry


def _entry(ratios: list[float], mode: str, test_id: int) -> Entry:
    found = speedup_of(ratios)
    high = found.high if math.isfinite(found.high) else found.speedup * 100.0
    return Entry(found.speedup, found.low, high, signed_rank_score(ratios), mode, test_id)


def _mode(pairs: tuple[Pair, ...]) -> str:
    modes = [p.mode for p in pairs]
    return max(modes, key=modes.count)
