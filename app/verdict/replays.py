"""Stored and imported series decided again, with the noise figures of readings."""

import math
from collections.abc import Sequence
from dataclasses import asdict
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

from app.settings import UsageError
from app.verdict import pairs_csv
from kernels.judge import replay as judge_replay
from kernels.judge.registry import get_rule
from kernels.judge.replay import Replayed, Series
from kernels.judge.rule import Rule
from kernels.judge.screen import estimate_text, one_line
from kernels.values.reading import Estimate
from store import reads
from store.engine import Store

KNOWN_RULES: Final = ("paired", "paper", "margin", "mean")
AT_LEAST: Final = 3
Found = dict[str, Any]


def rule_of(name: str) -> Rule:
    """Raises: UsageError."""
    if name not in KNOWN_RULES:
        raise UsageError(f"rule {name!r}: there is none of that name; known rules: {', '.join(KNOWN_RULES)}")
    return get_rule(name)


def of_file(file: Path, rule: Rule, base: float | None = None, leave_out: Sequence[str] = ()) -> Found:
    """Raises: UsageError when the file cannot be read or holds neither pairs nor differences nor readings."""
    try:
        text = file.read_text(encoding="utf-8-sig")
        return {"source": str(file), "rule": rule.name, **_decided(text, rule, base, leave_out)}
    except OSError as error:
        raise UsageError(f"series {file}: {error.strerror or error}; give a CSV file") from error
    except (ValueError, UnicodeDecodeError) as error:
        raise UsageError(f"series {file}: {error}; give a CSV of pairs, differences or readings") from error


def of_test(store: Store, number: int, rule: Rule, export: Path | None = None) -> Found:
    """A stored test again. Raises: UsageError when there is none of that number."""
    test = store.read_sync(lambda s: reads.test(s, number))
    if test is None:
        raise UsageError(f"test {number}: there is none in {store.home}; `./run.sh status` shows how many there are")
    if export is not None:
        export.write_text(pairs_csv.write(test.id, test.kernel, test.pairs), encoding="utf-8")
    kept = [(p.head_ns, p.candidate_ns) for p in test.pairs if not p.redo_reason]
    label = f"test {test.id} {test.kernel} {test.kind}"
    said = {"rule": test.rule, "verdict": test.verdict, "score": test.score, "reason": test.reason, "seed": test.seed}
    return {
        "source": label, "rule": rule.name, "decided": [_pairs(label, kept, rule)], "noise": [], "stored": said,
        "redone": sum(bool(p.redo_reason) for p in test.pairs), "exported": str(export) if export else None,
    }  # fmt: skip


def _decided(text: str, rule: Rule, base: float | None, leave_out: Sequence[str]) -> Found:
    header = text.split("\n", 1)[0].strip().split(",")
    if pairs_csv.sides_of(header):
        return {"decided": [_pairs(label, p, rule) for label, p in pairs_csv.read(text).items()], "noise": []}
    series = [s for s in judge_replay.parse_series(text) if not any(fnmatchcase(s.variant, p) for p in leave_out)]
    differences = [s for s in series if s.kind == "differences"]
    return {
        "decided": [_differences(s, rule, base) for s in differences],
        "noise": _noise([s for s in series if s.kind == "readings"]),
        "left_out": list(leave_out),
    }


def _pairs(label: str, pairs: Sequence[tuple[float, float]], rule: Rule) -> Found:
    x = [math.log(head / candidate) for head, candidate in pairs]
    found = _told(judge_replay.replay(x, rule, label))
    stopped = found["decided_after"] or len(x)
    found["line"] = one_line(x[:stopped], rule) if x else "no pairs"
    return found


def _differences(series: Series, rule: Rule, base: float | None) -> Found:
    found = _told(judge_replay.replay_series(series, rule, base))
    n = len(series.values)
    return {
        **found,
        "mean": series.mean,
        "sd": _finite(series.sd),
        "negative": sum(v < 0 for v in series.values),
        "n": n,
    }


def _told(found: Replayed) -> Found:
    decision = found.decision
    return {
        "label": found.label, "pairs": found.pairs, "state": decision.state.value, "said": decision.label,
        "z": _finite(decision.score), "decided_after": decision.pairs if decision.stopped else None,
        "next_look": decision.next_look, "z_of_all_pairs": _finite(found.score),
        "estimate_of_all_pairs": asdict(found.estimate) if found.estimate else None,
    }  # fmt: skip


def _noise(series: Sequence[Series]) -> list[Found]:
    """By kernel: CV pooled over the series that are long enough, and the figures of each of them."""
    found = []
    for kernel, every in judge_replay.by_kernel(series).items():
        usable = [s for s in every if len(s.values) >= AT_LEAST]
        if usable:
            rows = [
                {"variant": s.variant, "n": len(s.values), "mean": s.mean, "cv": s.cv, "lag1": _finite(s.lag1)}
                for s in usable
            ]
            found.append(
                {
                    "kernel": kernel, "pooled_cv": judge_replay.pooled_cv(usable), "series": len(usable),
                    "readings": sum(len(s.values) for s in usable), "of_series": len(every), "by_series": rows,
                }
            )  # fmt: skip
    return found


def text(found: Found) -> str:
    lines = [f"{found['source']} under rule {found['rule']}"]
    lines += [f"  {_line(one)}" for one in found["decided"]]
    for noise in found["noise"]:
        lines.append(
            f"{noise['kernel']}: pooled CV {100 * noise['pooled_cv']:.2f} % over {noise['series']} series of at least "
            f"{AT_LEAST} readings ({noise['readings']} readings)"
        )
        lines += [f"    {_series(row)}" for row in noise["by_series"]]
    if found["noise"]:
        lines.append("--leave-out PATTERN leaves out series that are not of one variant on one device")
    if found.get("stored"):
        stored = found["stored"]
        lines.append(f"  stored: {stored['verdict'] or 'no verdict'} by {stored['rule']} at {stored['score']:+.2f}")
    return "\n".join(lines)


def _line(one: Found) -> str:
    if "line" in one:
        return f"{one['label']}: {one['line']}"
    after = one["decided_after"]
    state = f"{one['said']} after {after}" if after else f"series over, next look {one['next_look']}"
    sd = f", sd {one['sd']:.0f}" if one["sd"] is not None else ""
    found = one["estimate_of_all_pairs"]
    gain = f", est {estimate_text(Estimate(**found))}" if found else ""
    spread = f"n {one['n']}, mean {one['mean']:.0f}{sd}, negative {one['negative']}"
    return f"{one['label']}: {state}, z {one['z']:+.2f}; {spread}{gain}"


def _series(row: Found) -> str:
    lag = f"{row['lag1']:+.2f}" if row["lag1"] is not None else "-"
    return f"{row['variant']}: n {row['n']}, mean {row['mean']:.0f}, CV {100 * row['cv']:.2f} %, lag-1 {lag}"


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
