"""`bench judge`: rules side by side at equal device seconds, on noise models and on what this device was recorded."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from app.bench import readings, rivals
from app.bench.readings import Source
from app.bench.rivals import PAIRED, USUAL, Rival

CANDIDATES: Final = 200
GOOD_SHARE: Final = 0.1
MODEL_GAIN: Final = 0.01
RECORDED_AT_MOST: Final = 4000
Found = dict[str, Any]


def run(home: Path, repetitions: int, gain: float | None, seed: int) -> Found:
    """Every rule on every source. Device time of a cell: what `paired` spends on 200 candidates, of which 10 % have
    the gain."""
    rng = np.random.Generator(np.random.PCG64(seed))
    simulated = readings.models(gain if gain is not None else MODEL_GAIN)
    recorded = _recorded(home, gain)
    return {
        "repetitions": repetitions, "seed": seed, "candidates": CANDIDATES, "good_share": GOOD_SHARE,
        "simulated": [_source(s, repetitions, rng) for s in simulated],
        "recorded": [_source(s, min(repetitions, RECORDED_AT_MOST), rng) for s in recorded],
    }  # fmt: skip


def _recorded(home: Path, gain: float | None) -> list[Source]:
    from store.engine import DATABASE, Store
    from store.reads.recorded import recorded

    if not (home / DATABASE).is_file():
        return []
    with Store.open(home, read_only=True) as store:
        return readings.recordings(store.read_sync(recorded), gain)


def _source(source: Source, tests: int, rng: np.random.Generator) -> Found:
    first = _rates(PAIRED, source, tests, rng)
    budget = CANDIDATES * _readings(first)
    rest = (*USUAL[1:], *rivals.as_long(_readings(first)))
    rows = [first, *(_rates(rival, source, tests, rng) for rival in rest)]
    pair_s = source.pair_seconds
    return {
        "source": source.name, "gain": source.gain, "tests_recorded": source.tests, "pairs_recorded": source.pairs,
        "note": source.note, "as_they_stand": source.stands, "budget_readings": budget,
        "budget_device_seconds": None if np.isnan(pair_s) else budget / 2 * pair_s,
        "rows": [_at_equal_time(row, budget) for row in rows],
    }  # fmt: skip


def _rates(rival: Rival, source: Source, tests: int, rng: np.random.Generator) -> Found:
    none = rival.decide(source.draw(tests, rival.slots, rng), 0.0, rng)
    good = rival.decide(source.draw(tests, rival.slots, rng), source.gain, rng)
    return {
        "rule": rival.name, "false_accepts": float(none.accepted.mean()), "power": float(good.accepted.mean()),
        "readings_without_gain": float(none.readings.mean()), "readings_with_gain": float(good.readings.mean()),
    }  # fmt: skip


def _readings(row: Found) -> float:
    """Mean readings a candidate, of which 10 % are good."""
    return float((1 - GOOD_SHARE) * row["readings_without_gain"] + GOOD_SHARE * row["readings_with_gain"])


def _at_equal_time(row: Found, budget: float) -> Found:
    """What the same device time brings: candidates judged, good ones found, accepted without a gain."""
    judged = budget / _readings(row)
    return {
        **row, "candidates_judged": judged, "true_accepted": judged * GOOD_SHARE * row["power"],
        "false_accepted": judged * (1 - GOOD_SHARE) * row["false_accepts"],
    }  # fmt: skip


def text(found: Found) -> str:
    lines = [
        f"{found['repetitions']} tests a cell; equal device time = what `paired` spends on {found['candidates']} "
        f"candidates, {found['good_share']:.0%} of them good"
    ]
    for source in (*found["simulated"], *found["recorded"]):
        lines += ["", *_section(source)]
    return "\n".join([*lines, "", *_caveats(found["recorded"])])


def _section(source: Found) -> Iterable[str]:
    seconds = source["budget_device_seconds"]
    cost = f"{source['budget_readings']:.0f} readings" + (f", {seconds:.0f} device seconds" if seconds else "")
    resting = f"; rests on {source['pairs_recorded']} pairs ({source['note']})" if source["pairs_recorded"] else ""
    yield f"{source['source']}, a good candidate gains {100 * source['gain']:.2g} %; {cost}{resting}"
    yield f"  {'rule':<20}{'false accept':>13}{'power':>8}{'readings':>10}{'judged':>8}{'true':>7}{'false':>7}"
    for row in source["rows"]:
        yield (
            f"  {row['rule']:<20}{row['false_accepts']:>13.4f}{row['power']:>8.3f}{_readings(row):>10.1f}"
            f"{row['candidates_judged']:>8.0f}{row['true_accepted']:>7.1f}{row['false_accepted']:>7.1f}"
        )
    if source["as_they_stand"]:
        yield f"  {_stands(source['as_they_stand'])}"


def _stands(found: Found) -> str:
    if not found["tests"]:
        return "as they stand: no head-head test long enough for a verdict"
    z = f"; rms z {found['z_sd']:.2f}, where 1 is expected" if found["z_sd"] is not None else ""
    return (
        f"as they stand, {found['tests']} head-head tests by `paired`: {found['faster']} FASTER (at most "
        f"{found['faster_upper']:.1%} at 95 %), {found['slower']} SLOWER{z}"
    )


def _caveats(recorded: Sequence[Found]) -> Iterable[str]:
    if not recorded:
        yield "recorded: none, no kernel of this home has 24 pairs of a head with itself; take them with"
        yield "./run.sh judge calibrate KERNEL"
        return
    yield "recorded: stretches of the pairs named above, drawn with replacement and put together; a gain is put in by"
    yield "arithmetic. Levels of whole tests are taken out, which spares `mean` and `best` the drift between tests; and"
    yield "sides are drawn anew, so that a lasting difference of two runners shows only in `as they stand`."
