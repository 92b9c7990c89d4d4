"""How late the event loop wakes: sampled all the time, told in milliseconds.

The lag of a sample is the time between when a sleep should have ended and when it did. Part of it is the machine's: our
own part of a sample is at most the processor time that this process had in it.
"""

import asyncio
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Final

PERIOD_S: Final = 0.05
MINUTE: Final = int(60 / PERIOD_S)
BUDGET_MS: Final = 100.0
"""The p99 that the screens and the commands can stand without anybody noticing."""
BINS: Final = 10_001
"""Of one millisecond; what is longer is in the last one."""


@dataclass(slots=True)
class Histogram:
    """Counts by whole milliseconds."""

    counts: list[int] = field(default_factory=lambda: [0] * BINS)
    n: int = 0
    most: float = 0.0

    def add(self, ms: float) -> None:
        self.counts[min(int(ms), BINS - 1)] += 1
        self.n += 1
        self.most = max(self.most, ms)

    def quantile(self, q: float) -> float:
        """The upper end of the bin that has it, not above the longest; 0 without a sample."""
        left = q * self.n
        for ms, count in enumerate(self.counts):
            left -= count
            if left <= 0 and self.n:
                return min(float(ms + 1), self.most)
        return 0.0


@dataclass(slots=True)
class LoopLag:
    """Of one loop since it began. late: of all samples; own: the part of each that is this process's doing."""

    late: Histogram = field(default_factory=Histogram)
    own: Histogram = field(default_factory=Histogram)
    _recent: deque[float] = field(default_factory=lambda: deque(maxlen=MINUTE))

    async def run(self) -> None:
        while True:
            due, spent = time.monotonic() + PERIOD_S, time.process_time()
            await asyncio.sleep(PERIOD_S)
            self.add(time.monotonic() - due, time.process_time() - spent)

    def add(self, late_s: float, spent_s: float) -> None:
        """late_s: seconds after the sleep's end. spent_s: processor time of the process since it began."""
        late = max(late_s, 0.0) * 1e3
        self.late.add(late)
        self.own.add(min(late, spent_s * 1e3))
        self._recent.append(late)

    @property
    def minute_p99_ms(self) -> float:
        """Of the last minute."""
        last = sorted(self._recent)
        return last[int(0.99 * (len(last) - 1))] if last else 0.0

    @property
    def text(self) -> str:
        late, own = self.late, self.own
        return (
            f"event loop lag in {late.n:,} samples: p50 {late.quantile(0.5):.0f} ms, p99 {late.quantile(0.99):.0f} ms, "
            f"most {late.most:.0f} ms; of it our own work p99 {own.quantile(0.99):.0f} ms, most {own.most:.0f} ms"
        )

    @property
    def data(self) -> dict[str, float]:
        return {
            "samples": self.late.n, "p50_ms": self.late.quantile(0.5), "p99_ms": self.late.quantile(0.99),
            "max_ms": self.late.most, "own_p99_ms": self.own.quantile(0.99), "own_max_ms": self.own.most,
            "within": self.own.quantile(0.99) <= BUDGET_MS,
        }  # fmt: skip
