"""What is said of gates and tests afterwards: the same text and JSON whoever ran them."""

from collections.abc import Mapping, Sequence
from typing import Any

from kernels.values.verdict import GateReport
from store.shape_views import shapes_json, shapes_of
from store.views import GateView, TestView

Gate = Mapping[str, Any]


def gate(report: GateReport | GateView) -> dict[str, Any]:
    return {
        "gate": report.gate, "state": str(report.state), "kind": report.kind, "reason": report.reason,
        "seconds": round(report.seconds, 3), "check_seconds": report.facts.get("check_s"),
        "findings": list(report.findings),
    }  # fmt: skip


def gate_text(found: Gate) -> str:
    why = ": ".join(part for part in (found["kind"], found["reason"]) if part and part != "skipped")
    seconds = f" ({found['seconds']:.2f} s{_of_that(found)})" if found.get("seconds") else ""
    lines = [f"  gate {found['gate']:<9} {found['state']}{f': {why}' if why else ''}{seconds}"]
    return "\n".join(lines + [f"      {finding}" for finding in found.get("findings", ())])


def _of_that(found: Gate) -> str:
    """The rest of the gate's time went into the weights of a new device, the load, and waiting for the machine."""
    check = found.get("check_seconds")
    return "" if check is None else f", the check itself {check:.2f} s"


def refusal(gates: Sequence[Gate]) -> Gate | None:
    return next((g for g in gates if g["state"] == "refused"), None)


def verdict(tests: Sequence[TestView]) -> dict[str, Any]:
    """The last acceptance test among these and the confirmation that followed it, oldest first.

    verdict None: there was no test. z is the acceptance test's score; estimate and interval are its (selected) ones,
    `fresh` those of the confirmation's own pairs. shapes: head's over candidate's time at each shape of a kernel that
    has some, by the confirmation's pairs where there are any.
    """
    accepted = next((t for t in reversed(tests) if t.kind == "acceptance"), None)
    if accepted is None:
        return {"verdict": None, "z": None, "pairs": 0, "estimate": None, "interval": None, "confirmed": False}
    later = [t for t in tests if t.kind == "confirmation" and t.id > accepted.id]
    fresh = later[-1] if later else None
    broken = fresh is not None and fresh.verdict == "INVALID"
    return {
        "verdict": "INVALID" if broken else accepted.verdict,
        "z": round(accepted.score, 4), "pairs": accepted.pairs_done,
        "estimate": accepted.estimate, "interval": _interval(accepted),
        "confirmed": fresh is not None and fresh.verdict == "FASTER",
        "reason": fresh.reason if fresh is not None and broken else accepted.reason,
        "fresh": None if fresh is None else {
            "verdict": fresh.verdict, "z": round(fresh.score, 4), "pairs": fresh.pairs_done,
            "estimate": fresh.estimate, "interval": _interval(fresh),
        },
        "rule": accepted.rule, "tests": [t.id for t in (accepted, fresh) if t is not None],
        **({"shapes": shapes_json(shapes)} if (shapes := shapes_of((fresh or accepted).pairs)) else {}),
        "device_seconds": round(accepted.device_seconds + (fresh.device_seconds if fresh else 0.0), 3),
    }  # fmt: skip


def verdict_text(found: Mapping[str, Any]) -> str:
    if found["verdict"] is None:
        return f"not tested: {found.get('reason', '')}"
    fresh = found["fresh"]
    best = fresh or found
    parts = [found["verdict"] + ("" if not fresh else ", confirmed" if found["confirmed"] else ", not confirmed")]
    parts.append(f"z {found['z']:+.2f} after {found['pairs']} pairs")
    if best["estimate"] is not None:
        which = "fresh-pair" if fresh else "selected"
        parts.append(f"{which} estimate {_percent(best['estimate'])}{_between(best['interval'])}")
    parts += [f"at {name} {one['ratio']:.3f}x" for name, one in found.get("shapes", {}).items()]
    if found.get("reason"):
        parts.append(found["reason"])
    return "; ".join(parts)


def _interval(test: TestView) -> list[float] | None:
    return None if test.low is None or test.high is None else [test.low, test.high]


def _between(interval: Sequence[float] | None) -> str:
    return (
        f" ({_percent(interval[0])} .. {_percent(interval[1])})" if interval is not None and interval[0] > -10 else ""
    )


def _percent(share: float) -> str:
    return f"{100 * share:+.2f} %"
