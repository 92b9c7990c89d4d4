"""Where a bench takes its readings from: noise models, or what this device was recorded doing."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from kernels.judge.acceptance import ACCEPTANCE
from kernels.judge.noise import log_readings
from kernels.judge.placebo import Placebos
from kernels.judge.power import Power, robust_sd
from kernels.judge.rule import State
from kernels.judge.score_table import Floats
from store.reads.recorded import Recorded

ENOUGH_PAIRS: Final = 24
Draw: TypeAlias = Callable[[int, int, np.random.Generator], Floats]


@dataclass(frozen=True, slots=True)
class Source:
    """draw: (tests, slots, generator) to log readings of one kernel in run order. gain: of a good candidate.

    pair_seconds: of device time; nan for a model. tests, pairs: what a recorded source rests on, 0 for a model.
    stands: what `paired` says of the recorded head-head tests just as they are.
    """

    name: str
    draw: Draw
    gain: float
    pair_seconds: float = math.nan
    tests: int = 0
    pairs: int = 0
    note: str = ""
    stands: dict[str, Any] | None = None


def models(gain: float) -> list[Source]:
    """Noise models of the acceptance table at a CV of 0.7 %."""
    return [
        Source(f"{noise} 0.7 %", lambda tests, slots, rng, n=noise: log_readings(n, 0.007, tests, slots, rng), gain)
        for noise in ("normal", "skew10", "ar1", "step", "rr4")
    ]


def recordings(found: Sequence[Recorded], gain: float | None) -> list[Source]:
    """One source a kernel, of those with at least 24 pairs. gain: None = 1.5 x the smallest visible gain."""
    names = sorted({(r.fingerprint, r.pack, r.kernel) for r in found})
    sources = [_recording([r for r in found if (r.fingerprint, r.pack, r.kernel) == name], gain) for name in names]
    return [s for s in sources if s.pairs >= ENOUGH_PAIRS]


def _recording(tests: Sequence[Recorded], gain: float | None) -> Source:
    series = [residuals(test) for test in tests]
    pairs = sum(len(test.pairs) for test in tests)
    ratios = np.concatenate([s[0::2] - s[1::2] for s in series])
    visible = Power(robust_sd(ratios)).visible_gain
    seconds = sum(test.device_seconds for test in tests) / pairs
    kinds = {kind: sum(t.kind == kind for t in tests) for kind in sorted({t.kind for t in tests})}
    said = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    name = f"recorded {tests[0].pack}/{tests[0].kernel}"
    chosen = gain if gain is not None else max(1.5 * visible, 1e-4)
    return Source(
        name, lambda n, slots, rng: resample(series, n, slots, rng), chosen, seconds, len(tests), pairs, said,
        as_they_stand([t for t in tests if t.head_head]),
    )  # fmt: skip


def as_they_stand(tests: Sequence[Recorded]) -> dict[str, Any]:
    """Verdicts of `paired` on head-head tests, nothing resampled: only these show a lasting difference between two
    runners of the same code. z_sd: of the scores over all pairs of a test; 1 when there is no such difference."""
    ratios = [[math.log(h / c) for _, h, c in t.pairs] for t in tests]
    stops = [d for d in (ACCEPTANCE.decide(x) for x in ratios) if d.stopped]
    faster = sum(d.state is State.FASTER for d in stops)
    scores = [ACCEPTANCE.statistic(x) for x in ratios if len(x) >= ACCEPTANCE.looks[0]]
    return {
        "tests": len(stops), "faster": faster, "slower": sum(d.state is State.SLOWER for d in stops),
        "faster_upper": Placebos(faster, len(stops)).upper,
        "z_sd": float(np.sqrt(np.mean(np.square(scores)))) if scores else None,
    }  # fmt: skip


def residuals(test: Recorded) -> Floats:
    """Log readings in run order without what is not noise: the test's own level; of a ledger, whose sides run
    different code, the level of each side."""
    head = np.log([h for _, h, _ in test.pairs])
    candidate = np.log([c for _, _, c in test.pairs])
    if test.head_head:
        level = float(np.median(np.concatenate([head, candidate])))
        head, candidate = head - level, candidate - level
    else:
        head, candidate = head - np.median(head), candidate - np.median(candidate)
    head_first = np.array([first == "head" for first, _, _ in test.pairs])
    in_order = np.empty(2 * len(head))
    in_order[0::2] = np.where(head_first, head, candidate)
    in_order[1::2] = np.where(head_first, candidate, head)
    return in_order


def resample(series: Sequence[Floats], tests: int, slots: int, rng: np.random.Generator) -> Floats:
    """Stretches of recorded tests, cut at pairs, put together until there are enough slots: neighbours stay neighbours.

    Tests are drawn by their length. Shape [tests, slots].
    """
    lengths = np.array([len(s) for s in series])
    rows = np.empty((tests, slots))
    for row in rows:
        filled = 0
        while filled < slots:
            one = series[int(rng.choice(len(series), p=lengths / lengths.sum()))]
            piece = one[2 * int(rng.integers(len(one) // 2)) :][: slots - filled]
            row[filled : filled + len(piece)] = piece
            filled += len(piece)
    return rows
