"""The sampling loop: takes pairs until the rule decides. What measures is handed in; no rule and no clock here.

The order of each pair is a fair coin from a recorded seed, so under "no difference" the signs are fair coins whatever
the drift, the server rota or the order effect: that is what makes the test a randomisation test.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from kernels.judge.estimate import estimate
from kernels.judge.redo import Redo, RedoLog, RedoPolicy, VoidPair, side_of
from kernels.judge.rule import Decision, Rule, State
from kernels.values.reading import Estimate, First, Pair
from kernels.values.verdict import Verdict

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True)
class Progress:
    """After one pair, kept or not. x: log ratios of the kept pairs; a redone pair carries its redo_reason."""

    pair: Pair
    kept: bool
    x: tuple[float, ...]
    decision: Decision


Measure: TypeAlias = Callable[[First], Awaitable[Pair]]
OnPair: TypeAlias = Callable[[Progress], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Judged:
    """One test. decision: the rule's last word; verdict INVALID (with its reason) when it could not be computed."""

    verdict: Verdict
    decision: Decision
    pairs: tuple[Pair, ...]
    redos: tuple[Redo, ...] = ()
    reason: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def x(self) -> tuple[float, ...]:
        return tuple(p.log_ratio for p in self.pairs)

    @property
    def estimate(self) -> Estimate | None:
        """By these pairs; None without any. Raises nothing: kept pairs are valid."""
        return estimate(self.x) if self.pairs else None

    @property
    def confirmed(self) -> bool:
        """Of a confirmation: whether it promotes."""
        return self.verdict is Verdict.FASTER

    @property
    def mode(self) -> str:
        """The device mode that held most pairs."""
        modes = [p.mode for p in self.pairs]
        return max(modes, key=modes.count, default="")

    @property
    def modes(self) -> dict[str, int]:
        return {mode: sum(p.mode == mode for p in self.pairs) for mode in sorted({p.mode for p in self.pairs})}


def coin_of(seed: int) -> "np.random.Generator":
    """The coin of one test, from the seed that is recorded with it."""
    import numpy as np

    return np.random.Generator(np.random.PCG64(seed))


async def judge(
    measure: Measure,
    rule: Rule,
    coin: "np.random.Generator",
    *,
    on_pair: OnPair | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    policy: RedoPolicy | None = None,
) -> Judged:
    """Run one test.

    measure: takes one atomic pair, first reading as told. It may raise VoidPair (redone, at most three times a test);
    every other exception passes through. cancelled: asked before every pair.
    """
    test = _Test(rule, RedoLog(policy or RedoPolicy()))
    while not test.decision.stopped:
        if cancelled():
            return test.invalid("cancelled")
        first = first_of(rule, len(test.kept), coin)
        try:
            pair = await measure(first)
        except VoidPair as void:
            if not test.redo(Redo(f"void: {void.reason}", void.side, first)):
                return test.invalid(f"void after {len(test.log.redos)} redos: {void.reason}")
            continue
        kept = test.take(pair)
        if kept is None:
            return test.invalid(_unusable(pair))
        if on_pair is not None:
            await on_pair(Progress(kept, not kept.redo_reason, tuple(test.x), test.decision))
    return test.judged()


def first_of(rule: Rule, index: int, coin: "np.random.Generator") -> First:
    """Which side is read first: by the coin, or in turns for a rule that alternates."""
    head = index % 2 == 0 if rule.alternating else bool(coin.integers(2))
    return "head" if head else "candidate"


class _Test:
    """State of a running test."""

    def __init__(self, rule: Rule, log: RedoLog) -> None:
        self.rule = rule
        self.log = log
        self.kept: list[Pair] = []
        self.x: list[float] = []
        self.decision = rule.decide([])

    def take(self, pair: Pair) -> Pair | None:
        """The pair as it goes on record, with a redo_reason if it was not kept; None when it cannot be used at all.

        A doubtful pair that comes after the last redo is kept: dropping it would bend the sample.
        """
        reason = self.log.policy.reason(pair, self.kept)
        if reason and self.redo(Redo(reason, side_of(pair, self.kept), pair.first)):
            return replace(pair, redo_reason=reason)
        if not pair.valid or reason.startswith("void"):
            return None
        pair = replace(pair, redo_reason="")
        self.kept.append(pair)
        self.x.append(pair.log_ratio)
        self.decision = self.rule.decide(self.x)
        return pair

    def redo(self, redo: Redo) -> bool:
        if self.log.spent:
            return False
        self.log.redos.append(redo)
        return True

    def invalid(self, reason: str) -> Judged:
        return self._judged(Verdict.INVALID, reason)

    def judged(self) -> Judged:
        return self._judged(verdict_of(self.decision), "")

    def _judged(self, verdict: Verdict, reason: str) -> Judged:
        warnings = (self.log.warning,) if self.log.warning else ()
        return Judged(verdict, self.decision, tuple(self.kept), tuple(self.log.redos), reason, warnings)


def verdict_of(decision: Decision) -> Verdict:
    """The verdict of a decision that has stopped. A confirmation's DROP is UNCLEAR.

    Raises: ValueError while the rule wants more pairs.
    """
    if not decision.stopped:
        raise ValueError(f"no verdict yet: the rule wants more than {decision.pairs} pairs")
    return Verdict.UNCLEAR if decision.state is State.DROP else Verdict(decision.state.value)


def _unusable(pair: Pair) -> str:
    if pair.valid:
        return f"void after the last redo: {pair.redo_reason}"
    found = f"a reading must be finite and > 0, got head {pair.head.ns}, candidate {pair.candidate.ns}"
    why = pair.environment.get("quarantine", "")
    return f"{found} ({why})" if why else found
