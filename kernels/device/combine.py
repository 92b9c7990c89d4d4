"""One result of the results at every shape of a kernel. Pure.

Times are averaged by the weighted geometric mean (`values/shapes.py`), so that the log ratio of a pair is the weighted
mean of the log ratios at the shapes, and the judge's rule goes on seeing one number a pair.
"""

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from kernels.device.report import CheckReport, PeakReport, RaceReport
from kernels.values.reading import Block, Pair, Reading
from kernels.values.shapes import geometric

Weights = Mapping[str, float]  # of the shapes, by name; their sum is 1
VOID: Final = Reading(math.nan, 0, math.nan, math.nan)
ADDED: Final = ("calls", "calls_s", "reference_s", "decode_s", "pairs", "timed_calls_verified")
SHOWN: Final = ("median_ns", "calls", "slots", "ring_mib", "sampled")  # of every shape


def reading_of(readings: Mapping[str, Reading], weights: Weights) -> Reading:
    """The reading of all shapes; not a number when one of them is not."""

    def mean(field: str) -> float:
        return geometric({name: getattr(one, field) for name, one in readings.items()}, weights)

    calls = sum(one.calls for one in readings.values())
    shapes = {name: one.ns for name, one in readings.items()}
    return Reading(mean("ns"), calls, mean("minimum_ns"), mean("maximum_ns"), mean("own_ns"), shapes)


def pair_of(pairs: Mapping[str, Pair], weights: Weights) -> Pair:
    """The pair of all shapes. Its probes are means over the shapes, so that each shape is compared with itself."""
    every = list(pairs.values())
    return Pair(
        reading_of({name: pair.head for name, pair in pairs.items()}, weights),
        reading_of({name: pair.candidate for name, pair in pairs.items()}, weights),
        every[0].first,
        *_probes(pairs, weights),
        statistics.mode(pair.mode for pair in every),
        _joined({name: pair.redo_reason for name, pair in pairs.items()}),
        _environment({name: pair.environment for name, pair in pairs.items()}),
    )


def block_of(blocks: Mapping[str, Block], weights: Weights) -> Block:
    """The block of all shapes: a variant that dropped out at one has no reading that counts. Whether it is to be taken
    again is not said here."""
    every = list(blocks.values())
    readings = {
        key: reading_of({name: block.readings.get(key, VOID) for name, block in blocks.items()}, weights)
        for key in every[0].readings
    }
    dropped = {key: why for block in every for key, why in block.dropped.items()}
    return Block(
        readings, dropped, *_probes(blocks, weights), statistics.mode(block.mode for block in every),
        "", _environment({name: block.environment for name, block in blocks.items()}),
    )  # fmt: skip


def check_of(reports: Mapping[str, CheckReport], weights: Weights) -> CheckReport:
    """The report of all shapes that were looked at: the first that failed, which is the last, decides."""
    last = next((one for one in reports.values() if not one.ok), next(iter(reports.values())))
    facts: dict[str, Any] = dict(last.facts)
    for name in ADDED:
        if name in facts:
            facts[name] = sum(one.facts.get(name, 0) for one in reports.values())
    if "tolerance_used" in facts:
        facts["tolerance_used"] = _worst([one.facts.get("tolerance_used", {}) for one in reports.values()])
    medians = {name: one.facts.get("median_ns", 0.0) for name, one in reports.items()}
    if set(reports) == set(weights) and all(medians.values()):  # an audit may make no call at some shapes
        facts["median_ns"] = geometric(medians, weights)
    facts["shapes"] = {
        name: {"ok": one.ok} | {fact: one.facts[fact] for fact in SHOWN if fact in one.facts}
        for name, one in reports.items()
    }
    findings = tuple(f"{name}: {text}" for name, one in reports.items() for text in one.findings)
    return replace(last, facts=facts, findings=findings, seconds=sum(one.seconds for one in reports.values()))


def _worst(every: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {name: max(one.get(name, 0.0) for one in every) for name in dict.fromkeys(n for one in every for n in one)}


def race_of(reports: Mapping[str, RaceReport]) -> RaceReport:
    """A variant that was caught at one shape is caught."""
    caught: dict[str, tuple[str, str]] = {}
    for report in reports.values():
        for key, why in report.caught.items():
            caught.setdefault(key, why)
    findings = tuple(f"{name}: {text}" for name, one in reports.items() for text in one.findings)
    every = reports.values()
    return RaceReport(caught, max(one.blocks for one in every), sum(one.verified for one in every), findings)


def peak_of(peaks: Mapping[str, PeakReport], weights: Weights) -> PeakReport:
    """The weighted geometric mean of the peaks; none, as 0 GB/s, where a shape has none. styles: those that every shape
    has; style: the one of them that is the best at most shapes."""
    every = list(peaks.values())
    gbs = geometric({name: one.gbs for name, one in peaks.items()}, weights)
    ns = geometric({name: one.ns for name, one in peaks.items()}, weights)
    if not math.isfinite(gbs):
        return PeakReport(max(one.ns for one in every), 0.0, "none", {}, statistics.mode(one.mode for one in every))
    known = set.intersection(*(set(one.styles) for one in every))
    styles = {style: geometric({name: one.styles[style] for name, one in peaks.items()}, weights) for style in known}
    found = {style: value for style, value in sorted(styles.items()) if math.isfinite(value)}
    best = [one.style for one in every]
    style = max(found, key=lambda name: (best.count(name), found[name]), default="none")
    return PeakReport(ns, gbs, style, found, statistics.mode(one.mode for one in every))


def _probes(results: Mapping[str, Pair] | Mapping[str, Block], weights: Weights) -> tuple[float, float]:
    """GB/s before and after; 0 for a kernel without weights."""
    before = geometric({name: one.probe_before_gbs for name, one in results.items()}, weights)
    after = geometric({name: one.probe_after_gbs for name, one in results.items()}, weights)
    return (before, after) if math.isfinite(before) and math.isfinite(after) else (0.0, 0.0)


def _joined(texts: Mapping[str, str]) -> str:
    return "; ".join(f"{name}: {text}" for name, text in texts.items() if text)


def _environment(facts: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Of the last shape; what was in quarantine at any, and the worst of load by others and real-time rights."""
    every = list(facts.values())
    found = dict(every[-1])
    quarantine = _joined({name: one.get("quarantine", "") for name, one in facts.items()})
    if "foreign" in found:
        found["foreign"] = max((one.get("foreign", "0") for one in every), key=float)
    if any(one.get("realtime") == "no" for one in every):
        found["realtime"] = "no"
    found.pop("quarantine", None)
    return found | ({"quarantine": quarantine} if quarantine else {})
