"""The figures of `bench search`, and how they are said."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from app.bench.search import shim
from app.bench.search.counting import SHARE, reached, spread, target_of
from app.bench.search.final import PAIRS, TWIN, Scored
from app.bench.search.lane import BUDGET, Lane
from app.bench.search.space import Space
from app.bench.search.tuner import STRATEGIES
from app.text import factor, table
from kernels.judge.ledger import Speedup

TITLES: Final = {"offline": "offline policy", "offline:random": "random search"}
Found = dict[str, Any]


def results(lanes: Sequence[Lane], scored: Mapping[str, Scored], first: str, *, has_tuner: bool) -> Found:
    """The rows by policy and by run. first: id of the baseline, which scores 1."""
    scores: dict[str, float | None] = {key: _value(one) for key, one in scored.items()} | {first: 1.0}
    target = target_of([scores.get(lane.points[-1].head) for lane in lanes]) if scored else None
    runs = [_of_lane(lane, scored, scores, target) for lane in lanes]
    names = list(dict.fromkeys(lane.policy for lane in lanes))
    rows = [_row(name, [run for run in runs if run["policy"] == name]) for name in names]
    twin = scored.get(TWIN)
    best = _best([row for row in rows if row["policy"] in STRATEGIES])
    return {
        "share": SHARE, "target": target, "pairs": PAIRS,
        "baseline_against_itself": _speedup(twin.speedup) if twin else None,
        "policies": rows, "best_of_kernel_tuner": best if has_tuner else shim.MISSING, "runs": runs,
    }  # fmt: skip


def of_space(space: Space | None) -> Found | None:
    if space is None:
        return None
    slots = {slot.name: [choice.text for choice in slot.choices] for slot in space.slots}
    return {"configurations": space.size, "slots": slots, "left_out": list(space.left_out)}


def _value(one: Scored) -> float | None:
    return one.speedup.speedup if one.speedup else None


def _speedup(found: Speedup | None) -> Found | None:
    """Bounds that are not finite, as of a few pairs, are None."""
    if found is None:
        return None
    low, high = (value if math.isfinite(value) else None for value in (found.low, found.high))
    return {"speedup": found.speedup, "low": low, "high": high}


def _of_lane(
    lane: Lane, scored: Mapping[str, Scored], scores: Mapping[str, float | None], target: float | None
) -> Found:
    last = lane.points[-1]
    hit = reached(lane.points, scores, target) if target is not None else None
    one = scored.get(last.head)
    return {
        "policy": lane.policy, "seed": lane.seed, "ended": lane.ended, "candidates": last.candidates,
        "device_seconds": last.device_seconds, "final": scores.get(last.head),
        "interval": _speedup(one.speedup) if one else None, "problem": one.problem if one else "",
        "reached": {"candidates": hit.candidates, "device_seconds": hit.device_seconds} if hit else None,
        "points": [[p.candidates, round(p.device_seconds, 3), p.head, scores.get(p.head)] for p in lane.points],
    }  # fmt: skip


def _row(policy: str, runs: Sequence[Found]) -> Found:
    hits = [run["reached"] for run in runs]
    return {
        "policy": policy, "seeds": len(runs), "reached": sum(hit is not None for hit in hits),
        "candidates": spread([hit and hit["candidates"] for hit in hits]),
        "device_seconds": spread([hit and hit["device_seconds"] for hit in hits]),
        "final": spread([run["final"] for run in runs]),
        "seconds_a_candidate": sum(r["device_seconds"] for r in runs) / max(sum(r["candidates"] for r in runs), 1),
    }  # fmt: skip


def _best(rows: Sequence[Found]) -> str:
    """Of Kernel Tuner's strategies: fewest candidates in the median, then most seeds, then the best score."""

    def rank(row: Found) -> tuple[float, int, float]:
        median, final = row["candidates"]["median"], row["final"]["median"]
        return math.inf if median is None else float(median), -int(row["reached"]), -float(final or 0.0)

    return str(min(rows, key=rank)["policy"]) if rows else ""


def text(found: Found) -> str:
    return "\n".join(_lines(found))


def _lines(found: Found) -> Iterator[str]:
    seeds = ", ".join(str(seed) for seed in found["seeds"])
    target = f"{found['target']:.2f}x" if found["target"] is not None else "-"
    yield (
        f"{found['kernel']} on {found['device']}: {found['budget']} candidates a run, seeds {seeds}; to reach "
        f"{target}, {found['share']:.0%} of the best final score of this run"
    )
    header = ("policy", "candidates to it", "device seconds to it", "reached", "final score", "s a candidate")
    rows = [_cells(row, found["best_of_kernel_tuner"]) for row in found["policies"]]
    if found["best_of_kernel_tuner"] == shim.MISSING:
        rows.append(["Kernel Tuner", shim.MISSING, "", "", "", ""])
    yield table(header, rows)
    yield from _caveats(found)
    yield from _early(found)
    yield f"kept in {found['kept']}"


def _cells(row: Found, best: str) -> list[str]:
    title = TITLES.get(row["policy"], f"Kernel Tuner {row['policy']}")
    return [
        title + (" (its best)" if row["policy"] == best else ""), _range(row["candidates"], "{:.0f}"),
        _range(row["device_seconds"], "{:.0f}"), f"{row['reached']} of {row['seeds']}", _range(row["final"], "{:.2f}x"),
        f"{row['seconds_a_candidate']:.1f}",
    ]  # fmt: skip


def _range(found: Found, form: str) -> str:
    """`12 (8 .. never)`: the median over the seeds and the range."""
    median, low, high = (form.format(v) if v is not None else "never" for v in found.values())
    return median if median == low == high else f"{median} ({low} .. {high})"


def _early(found: Found) -> Iterator[str]:
    """Runs that ended before their budget, and what failed in the final block."""
    if found["problem"]:
        yield f"! no final block, so no scores: {found['problem']}"
    if found["target"] is not None and found["target"] <= 1.0:
        yield "! nobody found more than the baseline has: nothing to compare on this kernel"
    for run in found["runs"]:
        who = f"{TITLES.get(run['policy'], run['policy'])}, seed {run['seed']}"
        if run["ended"] != BUDGET:
            yield f"! {who}: ended after {run['candidates']} candidates: {run['ended']}"
        if run["problem"]:
            yield f"! {who}: its head failed in the final block: {run['problem']}"


def _caveats(found: Found) -> Iterator[str]:
    twin = found["baseline_against_itself"]
    noise = factor(twin["speedup"], twin["low"], twin["high"]) if twin else "not measured"
    space = found["space"]
    yield (
        f"medians over the seeds (range); scores by {found['pairs']} pairs of each head at the same time, the baseline "
        f"against itself then: {noise}"
    )
    yield "the best score is picked by noisy readings and so a little too high; races count every variant"
    if len(found["seeds"]) < 5:
        yield f"{len(found['seeds'])} seeds: differences of this size come by luck; --seeds 5 or more to quote them"
    if space:
        thinned = f", {len(space['left_out'])} slots or values left out" if space["left_out"] else ""
        yield f"Kernel Tuner {found['kernel_tuner']}: {space['configurations']} configurations{thinned}"
    if found["waited_seconds"] > 0.05 * found["wall_seconds"]:
        yield f"others held the machine for {found['waited_seconds']:.0f} s of this run: a quieter hour tells more"
