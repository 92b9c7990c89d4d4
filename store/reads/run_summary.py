"""The one JSON object at the end of a run."""

from typing import Any

from sqlmodel import Session

from store import approvals, audits, folds
from store.reads.campaign_views import campaign_view
from store.reads.kernel_views import kernels
from store.reads.model_views import spending
from store.reads.planned_view import planned_view
from store.reads.toolchain_view import toolchain_json
from store.shape_views import shapes_json
from store.views import KernelView


def summary(s: Session, campaign_id: int) -> dict[str, Any]:
    """Ready for `json.dumps`. Times are nanoseconds; ledger_interval is [low, high] or None. tainted: promotions that
    count in no figure here, each with the reason. claimed_toolchains: that the steps behind claimed_gain are of.

    Raises: StoreError when there is no such campaign.
    """
    views = kernels(s, campaign_id)
    c = campaign_view(s, campaign_id, views)
    known = c.ledger_low is not None and c.ledger_high is not None
    return {
        "campaign": c.id, "pack": c.pack, "target": c.target, "fingerprint": c.fingerprint, "toolchain": c.toolchain,
        "toolchain_changes": toolchain_json(s, campaign_id), "claimed_toolchains": c.claimed_toolchains,
        "claimed_gain": c.claimed_gain, "ledger_speedup": c.ledger_speedup,
        "ledger_interval": [c.ledger_low, c.ledger_high] if known else None, "refused": c.refused, "mode": c.mode,
        "tests_run": c.tests_run, "promotions": c.promotions, "rejections": c.rejections,
        "expected_false_promotions": c.expected_false_promotions, "device_busy_fraction": c.device_busy_fraction,
        "kernels": {view.name: _kernel(view) for view in views}, "sandbox_level": c.sandbox_level,
        "stopped_because": c.stopped_because, "candidates": c.candidates, "elapsed_s": c.elapsed_s,
        "seconds": c.seconds, "tainted": [_tainted(one) for one in folds.promotions(s, campaign_id)],
        "audits": {a.kernel: _audited(a) for a in audits.coverage(s, campaign_id)},
        "static_estimates": {view.name: planned_view(s, campaign_id, view.name).text for view in views},
        **spending(s, campaign_id), "approvals": [_approval(one) for one in approvals.listing(s, campaign_id)],
    }  # fmt: skip


def _approval(one: approvals.Waiting) -> dict[str, Any]:
    return {
        "node": one.node, "kernel": one.kernel, "title": one.title, "evidence": one.evidence.text, "state": one.state,
        "by": one.actor, "asked_at": one.at, "decided_at": one.decided_at,
    }  # fmt: skip


def _audited(one: audits.Coverage) -> dict[str, int]:
    return {"audits": one.audits, "swept": one.swept, "of": one.of}


def _tainted(one: folds.Tainted) -> dict[str, Any]:
    return {"kernel": one.kernel, "node": one.node, "candidate": one.candidate, "lever": one.lever, "why": one.why}


def _kernel(view: KernelView) -> dict[str, Any]:
    return {
        "baseline_ns": view.baseline_ns, "head_ns": view.head_ns, "peak_ns": view.peak_ns,
        "ledger_speedup": view.ledger_speedup, "times_peak": view.times_peak, "head_id": view.head_id,
        "candidates": view.candidates, "tests": view.tests, "promotions": view.promotions,
        "score": view.score, **({"reference": view.reference} if view.reference else {}),
        **({"shapes": shapes_json(view.shapes)} if view.shapes else {}),
    }  # fmt: skip
