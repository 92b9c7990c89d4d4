"""The final block: every head of every search, and a twin of the baseline, against the baseline at the same time."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from app.bench.search.device import SharedDevice
from app.views import count
from kernels.device.building import build_under_lock
from kernels.device.fit import contenders_that_fit
from kernels.judge.ledger import Speedup, speedup_of
from kernels.judge.redo import Redo, RedoLog, side_of
from kernels.packs.loader import baseline as baseline_of
from kernels.sandbox.runner import RunnerFailed
from kernels.targets.base import CompileFailed, Target
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec
from kernels.values.reading import First, Pair
from roles.placebo import placebo_of

PAIRS: Final = 8
FEWEST: Final = 6
"""Usable pairs below which nothing is said of a head: no interval of fewer excludes anything."""
MOST_ROUNDS: Final = 3
"""Times as many rounds as pairs are wanted, for heads of which some could not be used."""
TWIN: Final = "the baseline itself"


@dataclass(slots=True)
class Scored:
    """speedup: against the baseline, by these pairs; None when it failed, for what problem says. unread: that is no
    fault of the head, whose readings could not be used."""

    problem: str = ""
    ratios: list[float] = field(default_factory=list)
    kept: list[Pair] = field(default_factory=list)
    log: RedoLog = field(default_factory=RedoLog)
    unread: bool = False

    def take(self, pair: Pair) -> None:
        """Or not: it is taken again for the reasons of every test, as often as in every test. A doubtful one after the
        last redo counts, one that cannot be used never does."""
        reason = self.log.policy.reason(pair, self.kept)
        if reason and not self.log.spent:
            self.log.redos.append(Redo(reason, side_of(pair, self.kept), pair.first))
        elif pair.valid and not reason.startswith("void"):
            self.kept.append(pair)
            self.ratios.append(pair.log_ratio)

    @property
    def speedup(self) -> Speedup | None:
        return speedup_of(self.ratios) if self.ratios and not self.problem else None


@dataclass(frozen=True, slots=True)
class Block:
    device: SharedDevice
    target: Target
    spec: KernelSpec
    folder: Path
    head_ns: float
    seed: int
    say: Callable[[str], None]
    pairs: int = PAIRS

    async def run(self, heads: Mapping[str, Candidate]) -> dict[str, Scored]:
        """By id; the twin by `TWIN`. The baseline is not measured: it scores 1. Raises: DeviceUnhealthy, HeadFailed."""
        first = baseline_of(self.spec)
        wanted = {TWIN: placebo_of(first, secrets.token_hex(8))}
        wanted |= {key: candidate for key, candidate in heads.items() if key != first.id}
        room = max(contenders_that_fit(self.spec), 2)
        names = list(wanted)
        parts = [names[i : i + room] for i in range(0, len(names), room)]
        self.say(
            f"final block of {self.spec.name}: {count(len(wanted), 'head')}, {self.pairs} pairs each"
            + f", in {len(parts)} parts" * (len(parts) > 1)
        )
        found: dict[str, Scored] = {}
        for part in parts:
            found |= await self._part({key: wanted[key] for key in part}, first.id)
        return found

    async def _part(self, wanted: Mapping[str, Candidate], first: str) -> dict[str, Scored]:
        await self.device.enter("", self.spec.name, [first])
        scored, tests = {key: Scored() for key in wanted}, dict[str, str]()
        for key, candidate in wanted.items():
            try:
                await self._load(key, candidate)
                tests[key] = await self.device.begin_test(self.spec.name, first, key)
            except (CompileFailed, RunnerFailed) as failure:
                scored[key].problem = str(failure)
        await self._rounds(tests, scored)
        for key, test in tests.items():
            report = await self.device.end_test(test)
            if not report.ok:
                scored[key].problem = f"{report.kind}: {report.reason}"
            elif len(scored[key].ratios) < min(FEWEST, self.pairs) and not scored[key].problem:
                scored[key].problem = f"no figure: {len(scored[key].ratios)} of {self.pairs} pairs could be used"
                scored[key].unread = True
            await self.device.unload(key)
        return scored

    async def _rounds(self, tests: Mapping[str, str], scored: Mapping[str, Scored]) -> None:
        """One pair of every head a round, in an order drawn anew, until each has its usable ones."""
        rng = np.random.Generator(np.random.PCG64([self.seed, len(scored)]))
        for _ in range(MOST_ROUNDS * self.pairs):
            short = [key for key in tests if len(scored[key].ratios) < self.pairs and not scored[key].problem]
            if not short:
                return
            for index in rng.permutation(len(short)):
                key = short[int(index)]
                await self._pair(tests[key], scored[key], "head" if rng.random() < 0.5 else "candidate")

    async def _load(self, key: str, candidate: Candidate) -> None:
        """In a fresh process, whatever the searches have left of it."""
        folder = self.folder / candidate.id
        folder.mkdir(parents=True, exist_ok=True)
        job = partial(self.target.compile, candidate, self.spec, folder)
        artefact = await build_under_lock(self.device, f"build {self.spec.name}", job)
        await self.device.load(self.spec.name, key, artefact.path)

    async def _pair(self, test: str, scored: Scored, first: First) -> None:
        if scored.problem:
            return
        try:
            pair = await self.device.pair(test, first, self.head_ns)
        except RunnerFailed as failure:
            scored.problem = f"{failure.kind}: {failure.detail}"
            return
        scored.take(pair)
