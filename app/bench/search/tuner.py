"""A search by Kernel Tuner: what its strategy asks for is made, judged and answered with a relative time."""

import asyncio
import math
import statistics
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from app.bench.search.shim import TunerEnded
from app.bench.search.space import Space
from kernels.values.candidate import Candidate
from kernels.values.verdict import Outcome
from roles.attempt import Attempt, Result
from roles.campaign import Campaign
from roles.kernel_state import KernelState
from roles.pipeline import Pipeline
from store import ledger
from store.engine import Session
from store.reads.node_views import gates_of_nodes

STRATEGIES: Final = ("bayes_opt", "genetic_algorithm", "diff_evo")
REPEATS: Final = 500  # known configurations in a row, after which it has nothing new to ask
UNCHANGED: Final = ("unchanged", "unchanged_code")
JUDGED: Final = ("", "below_min_gain")
REFUSED: Final = 2.0  # time relative to the baseline of what has none, at least


class Asking(Protocol):
    """What asks for configurations; see `shim.Tuner`."""

    async def ask(self) -> tuple[int, ...]: ...

    async def answer(self, milliseconds: float) -> None: ...

    async def close(self) -> None: ...


def options_of(strategy: str, budget: int) -> dict[str, Any]:
    """Its own defaults, but for the size of a population: a quarter of the budget, at least 4, at most its default."""
    default = {"bayes_opt": 20, "genetic_algorithm": 26, "diff_evo": 16}[strategy]
    size = min(max(budget // 4, 4), default)
    return {"popsize": size} | ({"popsize_times_dimensions": False} if strategy == "diff_evo" else {})


@dataclass(frozen=True, slots=True)
class Gauge:
    """Time relative to the baseline of an attempt that was judged against a head with this relative time."""

    head: float

    def of(self, result: Result, batch: list[float], same_code: float | None) -> float | None:
        """batch: log(head / candidate) of the batch gate's pairs. same_code: what its machine code took before. None
        when it was not measured, or proved wrong."""
        if result.kind in UNCHANGED:
            return self.head
        if result.kind == "already_judged":
            return same_code
        if result.kind == "slower" and batch:
            return self.head * math.exp(-statistics.median(batch))
        if result.kind in JUDGED and result.estimate is not None:
            return self.head * (1.0 - result.estimate.gain)
        return None


class TunerSearch:
    """start: makes what asks, at the first step."""

    def __init__(
        self, campaign: Campaign, pipeline: Pipeline, space: Space, start: Callable[[], Awaitable[Asking]], name: str
    ) -> None:
        self._campaign = campaign
        self._pipeline = pipeline
        self._space = space
        self._start = start
        self._tuner: Asking | None = None
        self._name = name
        self._times = {space.baseline.id: 1.0}
        self._answers: dict[str, float] = {space.baseline.id: 1.0}
        self._owed: float | None = None
        self._baseline_ms = 1.0

    @property
    def _state(self) -> KernelState:
        return next(iter(self._campaign.kernels.values()))

    async def step(self) -> str:
        """The last answer is given when the next turn begins, so that the tuner computes in its own turn only."""
        try:
            if self._tuner is None:
                self._baseline_ms = self._state.baseline.ns / 1e6
            asking = self._tuner = self._tuner or await self._start()
            for _ in range(REPEATS):
                if self._owed is not None:
                    await asking.answer(self._owed * self._baseline_ms)
                asked = await asking.ask()
                candidate = await asyncio.to_thread(self._space.candidate, asked)
                self._owed = self._answers.get(candidate.id)
                if self._owed is None:
                    self._owed = self._answers[candidate.id] = await self._judged(candidate, asked)
                    return ""
        except TunerEnded as end:
            return str(end)
        return f"it asked for {REPEATS} known configurations in a row"

    async def _judged(self, candidate: Candidate, asked: tuple[int, ...]) -> float:
        """Its relative time; one that has none gets the worst."""
        state = self._state
        head, gauge = state.head.key, Gauge(self._times.get(state.head.key, 1.0))
        result = await self._pipeline.run(state.spec.name, lambda: self._attempt(candidate, asked))
        if result.outcome is Outcome.INVALID:
            result = await self._pipeline.run(state.spec.name, lambda: self._attempt(candidate, asked))
        found = gauge.of(result, await self._batch(result), await self._same_code(candidate, head))
        if found is None:
            return max(REFUSED, *self._times.values())
        self._times[candidate.id] = found
        return found

    def _attempt(self, candidate: Candidate, asked: tuple[int, ...]) -> Attempt:
        chosen = [choice.text for choice in self._space.chosen(asked)]
        return Attempt(
            self._state.spec.name, candidate, self._name, "operator", "design", reason=", ".join(chosen),
            agent=self._name, base=self._space.baseline.id,
        )  # fmt: skip

    async def _batch(self, result: Result) -> list[float]:
        """What the batch gate measured of a node."""
        reports = await self._campaign.store.read(lambda s: gates_of_nodes(s, [result.node_id]))
        batch: list[Mapping[str, Any]] = [g.facts for g in reports.get(result.node_id, ()) if g.gate == "batch"]
        return [float(x) for facts in batch for x in facts.get("log_ratios", ())]

    async def _same_code(self, candidate: Candidate, head: str) -> float | None:
        def known(s: Session) -> list[str]:
            return [t.candidate_id for t in ledger.tests_of(s, self._campaign.id, candidate.id, head)]

        found = await self._campaign.store.read(known)
        return next((self._times[key] for key in found if key in self._times), None)

    async def close(self) -> None:
        if self._tuner is not None:
            await self._tuner.close()
