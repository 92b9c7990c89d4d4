"""Prints the pairs of a running test as they reach the store, whoever measures: a live engine or this process."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from kernels.judge.registry import RULES, get_rule
from kernels.judge.rule import Rule
from kernels.judge.screen import one_line
from store import reads
from store.engine import Store
from store.views import PairView, TestView

POLL_S = 0.25
KINDS_SHOWN = ("acceptance", "confirmation", "calibration")
T = TypeVar("T")


class Follower:
    """Watches the tests of one campaign that begin after it was made. wanted: which of them; say: prints a line."""

    def __init__(
        self, store: Store, campaign: int, wanted: Callable[[TestView], bool], say: Callable[[str], None], *,
        flat_within: float,
    ) -> None:  # fmt: skip
        self._store = store
        self._campaign = campaign
        self._wanted = wanted
        self._say = say
        self._flat_within = flat_within
        newest = store.read_sync(lambda s: reads.tests(s, campaign, 1))
        self._after = newest[0].id if newest else 0
        self._printed: dict[int, int] = {}

    def poll(self) -> None:
        for test in self.tests():
            if test.kind in KINDS_SHOWN:
                self._show(test)

    def tests(self) -> list[TestView]:
        """What has begun since, oldest first, with pairs."""

        def read(s: Any) -> list[TestView]:
            heads = [t for t in reads.tests(s, self._campaign, 50) if t.id > self._after and self._wanted(t)]
            full = [reads.test(s, t.id) for t in reversed(heads)]
            return [t for t in full if t is not None]

        return self._store.read_sync(read)

    def _show(self, test: TestView) -> None:
        if test.id not in self._printed:
            self._say(f"{test.kind} test {test.id}: {test.candidate_id[:8]} against {test.head_id[:8]}")
        done = self._printed.get(test.id, 0)
        rule = rule_of(test, self._flat_within)
        for number in range(done, len(test.pairs)):
            self._say(line(test.pairs[: number + 1], rule))
        self._printed[test.id] = len(test.pairs)


def line(pairs: tuple[PairView, ...], rule: Rule) -> str:
    """What the last of these pairs changed."""
    last = pairs[-1]
    if last.redo_reason:
        return f"  pair redone: {last.redo_reason}"
    return f"  {one_line([p.log_ratio for p in pairs if not p.redo_reason], rule)}"


def rule_of(test: TestView, flat_within: float) -> Rule:
    """The rule that a stored test was run under."""
    if test.rule == "paired":
        return get_rule("paired", flat_within=flat_within)
    if test.rule == "fixed":
        return get_rule("fixed", pairs=test.pairs_budget or 24)
    return get_rule(test.rule if test.rule in RULES else "paired")


async def following(follower: Follower, work: Coroutine[Any, Any, T]) -> T:
    """Run `work` and print its pairs as they come; a cancelled caller cancels it."""
    task = asyncio.create_task(work)
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=POLL_S)
            await asyncio.to_thread(follower.poll)
    finally:
        if not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
    return task.result()
