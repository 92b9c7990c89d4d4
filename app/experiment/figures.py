"""What an experiment shows: every arm with n and interval, and against the control with an exact p."""

import math
from collections.abc import Sequence
from typing import Any, Final

from app.experiment import again, inert, reaching
from app.experiment.ground import Ground
from app.experiment.plan import Arm, Plan
from app.experiment.spending import spent_curve
from kernels.judge import sample_size
from kernels.judge.arms import effect, figures, pooled_sd
from kernels.judge.ledger import Speedup, geometric_mean, speedup_of
from kernels.judge.permutation import holm, permutation_p
from kernels.judge.trajectory import Curve, mean_curve
from store import experiments
from store.engine import Store
from store.experiments import Final as Measured
from store.reads import experiment_view
from store.reads.experiment_view import Acted, TrajectoryView

Found = dict[str, Any]
MANY: Final = 1000


def of(ground: Ground, store: Store, number: int) -> Found:
    """Ready for `json.dumps`. Raises: StoreError when there is no such experiment."""
    row = store.read_sync(lambda s: experiments.get(s, number))
    views = store.read_sync(lambda s: experiment_view.trajectories(s, number))
    plan = ground.plan
    curves = {view.id: _curve(plan, view) for view in views} if row.state == "done" else {}
    by_arm = {arm.name: [view for view in views if view.arm == arm.name] for arm in plan.arms}
    logs = {name: [math.log(curves[v.id].final) for v in own if v.id in curves] for name, own in by_arm.items()}
    arms = [_arm(ground, store, arm, by_arm[arm.name], curves, logs) for arm in plan.arms]
    asked = [arm for arm in arms if arm["against_control"] and not arm["cannot_change"]]
    p_values = {arm["name"]: arm["against_control"]["permutation_p"] for arm in asked}
    corrected = holm({name: p for name, p in p_values.items() if p is not None})
    for one in asked:
        both = logs[plan.control.name], logs[one["name"]]
        against = one["against_control"]
        against["holm_p"] = corrected.get(one["name"])
        against["needed"] = sample_size.needed(pooled_sd(*both), against["ratio"], plan.least_effect, len(asked))
        one["verdict"] = _verdict(plan, against, min(map(len, both)))
    every = permutation_p([own for own in logs.values() if own], plan.seed)
    return {
        "experiment": number, "name": row.name, "state": row.state, "pack": row.pack, "target": row.target,
        "device": row.device, "toolchain": row.toolchain, "kernels": [k.name for k in ground.kernels],
        "budget": {plan.budget.kind: plan.budget.amount}, "trajectories": plan.trajectories, "pairs": plan.pairs,
        "least_effect": plan.least_effect, "control": plan.control.name, "arms": arms,
        "permutation_p": every.p if every else None, "exact": every.exact if every else None,
        "to_target": reaching.to_target(by_arm, {key: one.final for key, one in curves.items()}),
        "remarks": _remarks(plan, views, curves), "replay": _replay(store, views) if curves else None,
    }  # fmt: skip


def _replay(store: Store, views: Sequence[TrajectoryView]) -> Found:
    """What other rules would have promoted of all that was tested."""
    return again.replayed(store, [view.campaign for view in views if view.campaign is not None])


def _arm(
    ground: Ground, store: Store, arm: Arm, views: Sequence[TrajectoryView], curves: dict[int, Curve],
    logs: dict[str, list[float]],
) -> Found:  # fmt: skip
    plan, control = ground.plan, ground.plan.control
    found, mine = figures(logs[arm.name], plan.seed), [curves[v.id] for v in views if v.id in curves]
    inert_why = inert.idle(ground, arm)
    did = store.read_sync(
        lambda s: experiment_view.acted(s, tuple(v.campaign for v in views if v.campaign is not None))
    )
    return {
        "name": arm.name, "said": dict(arm.said), "cannot_change": inert_why,
        "remarks": [] if arm is control or inert_why else inert.said(ground, control, arm),
        "n": found.n if found else 0, "geomean": found.geomean.value if found else None,
        "interval": found.geomean.interval if found else None, "spread": found.spread if found else None,
        "trajectories": [_trajectory(plan, view, curves.get(view.id)) for view in views],
        "curve": [[step.spent, step.speedup] for step in mean_curve(mine)], "acted": _did(did),
        "against_control": None if arm is control else _against(plan, logs[control.name], logs[arm.name]),
        "verdict": "control" if arm is control else inert_why and "cannot change what this brain does here",
    }  # fmt: skip


def _did(acted: Acted) -> Found:
    return {"refused": acted.refused, "raced": acted.raced, "remembered": acted.remembered}


def _against(plan: Plan, control: Sequence[float], arm: Sequence[float]) -> Found | None:
    """The arm's geometric mean over the control's. least_p: the smallest that so few trajectories can give."""
    found, p = effect(control, arm, plan.seed), permutation_p([control, arm], plan.seed)
    if found is None:
        return None
    return {
        "ratio": found.value, "interval": found.interval, "permutation_p": p.p if p else None,
        "exact": p.exact if p else None, "least_p": p.least if p else None, "needed": None,
    }  # fmt: skip


def _verdict(plan: Plan, against: Found, n: int) -> str:
    """Effects are told with n and interval; this says whether they are more than chance, or what it would take."""
    p = against["holm_p"]
    if p is not None and p < sample_size.LEVEL:
        return f"differs from {plan.control.name}"
    if n < against["needed"]:
        many = f"about {against['needed']}" if against["needed"] <= MANY else f"more than {MANY:,}"
        return f"under-powered: needs {many} trajectories an arm"
    if abs(math.log(against["ratio"])) >= math.log1p(plan.least_effect):
        return f"cannot be told from {plan.control.name}: what is seen may be chance"
    return f"no difference of {plan.least_effect:.0%} or more seen"


def _curve(plan: Plan, view: TrajectoryView) -> Curve:
    """Over what the budget is about."""
    budget = plan.budget.amount * (60.0 if plan.budget.kind == "minutes" else 1.0)
    return spent_curve(view, plan.budget.kind, speedup(view).speedup, budget)


def speedup(view: TrajectoryView) -> Speedup:
    """Of the final heads against their start, over all kernels. A head that failed in the final block counts as the
    start, as does a kernel without a promotion."""
    return geometric_mean([_speedup(one) for one in view.finals.values()]) or Speedup(1.0, 1.0, 1.0)


def _speedup(one: Measured) -> Speedup:
    return speedup_of(one.ratios) if one.ratios and not one.problem else Speedup(1.0, 1.0, 1.0)


def _trajectory(plan: Plan, view: TrajectoryView, drawn: Curve | None) -> Found:
    found = speedup(view) if drawn else None
    problems = {kernel: one.problem for kernel, one in view.finals.items() if one.problem}
    return {
        "number": view.number, "seed": view.seed, "campaign": view.campaign, "state": view.state,
        "stopped_because": view.stopped_because, "positions": view.positions, "device_seconds": view.device_s,
        "elapsed_s": view.elapsed_s, "usd": view.usd, "speedup": found.speedup if found else None,
        "interval": [found.low, found.high] if found and math.isfinite(found.high) and found.low > 0 else None,
        "carried_forward": drawn.carried if drawn else None, "problems": problems,
        "steps": [[step.spent, step.speedup] for step in drawn.steps] if drawn else [],
    }  # fmt: skip


def _remarks(plan: Plan, views: Sequence[TrajectoryView], curves: dict[int, Curve]) -> list[str]:
    found = []
    early = [view for view in views if view.id in curves and curves[view.id].carried]
    if early:
        who = ", ".join(f"{v.arm} {v.number + 1} at {curves[v.id].spent:g} ({v.stopped_because})" for v in early[:6])
        more = f" and {len(early) - 6} more" if len(early) > 6 else ""
        found.append(f"stopped before the budget, last incumbent carried forward: {who}{more}")
    failed = [f"{v.arm} {v.number + 1} {k}: {f.problem}" for v in views for k, f in v.finals.items() if f.problem]
    if failed:
        found.append(f"failed in the final block and count as their start: {'; '.join(failed)}")
    return found
