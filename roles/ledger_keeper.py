"""Takes the ledger's measurements: a fixed number of coin-flip pairs, kept whatever they say."""

from dataclasses import dataclass

from kernels.judge.ledger import speedup_of
from kernels.judge.score import signed_rank_score
from kernels.sandbox.runner import RunnerFailed
from kernels.values.reading import First, Pair
from roles.campaign import Campaign, Head, KernelState
from store import ledger

SHORT_PAIRS = 12
FULL_PAIRS = 24


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

        Raises: RunnerFailed when one of both cannot run, DeviceUnhealthy when the device cannot.
        """
        campaign = self._campaign
        seed = campaign.seed_of("ledger", state.spec.name, old.key, new.key, against, int(campaign.clock()))
        test_id = await campaign.store.write(
            lambda s: ledger.start_test(
                s, campaign.id, state.spec.name, kind="ledger", head_id=old.key, candidate_id=new.key,
                node_id=new.node_id, seed=seed, rule="fixed", pairs_budget=pairs,
                lever=f"ledger against {against}", agent="main",
            )
        )  # fmt: skip
        taken = await self._pairs(state, old, new, pairs, seed, test_id)
        return await self._enter(state, old, new, against, test_id, taken)

    async def _pairs(self, state: KernelState, old: Head, new: Head, count: int, seed: int, test_id: int) -> list[Pair]:
        campaign = self._campaign
        coin = campaign.rng("ledger-coin", seed)
        session = await campaign.device.begin_test(state.spec.name, old.key, new.key)
        taken: list[Pair] = []
        for seq in range(count):
            first: First = "head" if coin.integers(2) else "candidate"
            pair = await campaign.device.pair(session, first, min(old.ns, new.ns))
            await self._keep(test_id, seq, pair)
            if pair.valid:
                taken.append(pair)
        report = await campaign.device.end_test(session)
        if not report.ok:
            raise RunnerFailed(report.kind, report.reason)
        return taken

    async def _keep(self, test_id: int, seq: int, pair: Pair) -> None:
        await self._campaign.store.write(lambda s: ledger.add_pair(s, test_id, seq, pair))

    async def _enter(
        self, state: KernelState, old: Head, new: Head, against: str, test_id: int, taken: list[Pair]
    ) -> Entry | None:
        campaign = self._campaign
        if not taken:
            await campaign.store.write(
                lambda s: ledger.finish_test(s, test_id, verdict="INVALID", reason="no valid pair")
            )
            return None
        ratios = [p.log_ratio for p in taken]
        found = speedup_of(ratios)
        mode = max({p.mode for p in taken}, key=[p.mode for p in taken].count)
        score = signed_rank_score(ratios)

        def rows(s: ledger.Session) -> None:
            ledger.finish_test(s, test_id, verdict="", score=score, reason=f"{found.speedup:.3f}x against {against}")
            ledger.add_ledger_entry(
                s, campaign.id, state.spec.name, head_id=new.key, against=against, test_id=test_id,
                speedup=found.speedup, low=found.low, high=found.high, mode=mode, pairs=len(taken),
            )  # fmt: skip

        await campaign.store.write(rows)
        return Entry(found.speedup, found.low, found.high, score, mode, test_id)
