"""Arms that cannot change what this brain does on this pack: they are named, and not run to show noise.

A setting is called inert only where the code that reads it is never reached, or reached with the same effect. What is
not known to be inert may matter. What the offline policy reads: levers that fit, attempts of this campaign,
conclusions of the other kernels' owners (`roles/architect.py`).
"""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from app.brains import specs_of
from app.experiment.ground import Ground
from app.experiment.plan import Arm
from app.policy import policy_of
from app.settings import Settings
from kernels.levers import registry
from kernels.levers.base import Context
from kernels.packs.loader import baseline
from kernels.profiling.agreement import NEEDED
from kernels.profiling.schedulers import scheduler_of
from knowledge.baselines.character import character_of
from knowledge.memory import Kind, Retention
from roles.field import LEAST

Check = Callable[[Ground, Settings, Settings], str]
KINDS: Final[tuple[Kind, ...]] = ("win", "trap")
NOT_COMPARED: Final = frozenset({"seed"})
RANDOM: Final = "offline:random"


def runs(ground: Ground) -> list[Arm]:
    """The arms that can differ from those before them, or all where the plan says so."""
    return [arm for arm in ground.plan.arms if ground.plan.idle_too or not idle(ground, arm)]


def idle(ground: Ground, arm: Arm) -> str:
    """Why the arm can do nothing else than one before it, which is named; "" when it may."""
    for other in ground.plan.arms[: ground.plan.arms.index(arm)]:
        if why := reason(ground, other, arm):
            return f"it does what {other.name} does: {why}"
    return ""


def reason(ground: Ground, control: Arm, arm: Arm) -> str:
    """Why nothing that the arm has otherwise than the control can matter; "" when something may."""
    changed = changes(control.settings, arm.settings)
    if not changed:
        return f"it has the settings of {control.name}"
    whys = {name: why(ground, name, control.settings, arm.settings) for name in changed}
    return "; ".join(dict.fromkeys(whys.values())) if all(whys.values()) else ""


def remarks(ground: Ground, control: Arm, arm: Arm) -> dict[str, str]:
    """What of its settings cannot matter, of an arm of which something may."""
    found = {n: why(ground, n, control.settings, arm.settings) for n in changes(control.settings, arm.settings)}
    return {name: text for name, text in found.items() if text}


def said(ground: Ground, control: Arm, arm: Arm) -> list[str]:
    """The remarks, each once: several settings may have the same."""
    return list(dict.fromkeys(remarks(ground, control, arm).values()))


def changes(control: Settings, arm: Settings) -> dict[str, Any]:
    """What the arm has otherwise."""
    one, other = control.model_dump(mode="json"), arm.model_dump(mode="json")
    return {name: other[name] for name in other if name not in NOT_COMPARED and one[name] != other[name]}


def why(ground: Ground, name: str, control: Settings, arm: Settings) -> str:
    """Why this one setting cannot matter here; "" when it may."""
    check = CHECKS.get(name)
    return "" if check is None else check(ground, control, arm)


def _workers(ground: Ground, control: Settings, arm: Settings) -> str:
    kernels = len(ground.kernels)
    both = [policy_of(one) for one in (control, arm)]
    if len({min(one.workers, kernels * one.kernel_workers) for one in both}) > 1:
        return ""
    most = both[0].kernel_workers
    briefs = "one open brief" if most == 1 else f"{most} open briefs"
    return f"agents: a kernel has {briefs} at a time, and there {_are(kernels, 'kernel')}"


def _memory(ground: Ground, control: Settings, arm: Settings) -> str:
    """Of any setting of memory, and of siblings: what of a kernel's lessons other kernels of its type hear."""
    if _models(control, arm):
        return ""
    if not _policy(control, arm):
        return f"memory: {_brain(arm)} reads none"
    types = [character_of(baseline(spec), spec).type for spec in ground.kernels]
    if len(set(types)) == len(types):
        named = ", ".join(f"{spec.name} {kind}" for spec, kind in zip(ground.kernels, types, strict=True))
        return f"memory: the offline policy hears of other kernels of one type only, and here all differ ({named})"
    one, other = policy_of(control), policy_of(arm)
    if not (one.lessons_of_others or other.lessons_of_others):
        return "memory: the offline policy hears of other kernels only, which neither of both arms tells"
    if one.lessons_of_others == other.lessons_of_others and one.memory == other.memory:
        return "memory: it is the same in both arms"
    if one.lessons_of_others == other.lessons_of_others and _never_full(ground, one.memory, other.memory):
        return f"memory: it cannot overflow, a trajectory has {ground.plan.budget.text}"
    return ""


def _never_full(ground: Ground, *both: Retention) -> bool:
    budget = ground.plan.budget
    limits = [limit for one in both for kind in KINDS if (limit := one.most(kind)) is not None]
    same_text = len({(one.strategy, one.reflection) for one in both}) == 1
    return same_text and budget.kind == "positions" and budget.amount <= min(limits, default=math.inf)


def _for_models(what: str) -> Check:
    """Of something that only models read."""

    def check(ground: Ground, control: Settings, arm: Settings) -> str:
        return "" if _models(control, arm) else f"{what}: only models read it, and there is none"

    return check


def _knowledge(ground: Ground, control: Settings, arm: Settings) -> str:
    """Of a switch that is in force only where all knowledge is on."""
    one, other = policy_of(control), policy_of(arm)
    if _models(control, arm) or one.rules != other.rules:
        return ""
    if _policy(control, arm) and (one.skills, one.priors) != (other.skills, other.priors):
        return ""
    why = _memory(ground, control, arm)
    return why and f"knowledge: nothing of it that {_brain(arm)} reads is switched; {why}"


def _static_gate(ground: Ground, control: Settings, arm: Settings) -> str:
    if scheduler_of(ground.target) is None:
        return "static gate: there is no static cost model here, so that the gate skips everybody"
    if most := _positions(ground, NEEDED):
        return f"static gate: it refuses nobody before {NEEDED} planned candidates of a kernel were measured, {most}"
    return ""


def _trace_gate(ground: Ground, control: Settings, arm: Settings) -> str:
    if _models(control, arm) or any(_designs(ground)):
        return ""
    return f"trace gate: what {_brain(arm)} proposes here is a one-lever change of the head, which skips it"


def _races(ground: Ground, control: Settings, arm: Settings) -> str:
    if most := _positions(ground, 2 * LEAST - 1):
        return f"races: one takes at least {LEAST} variants and at most half of what is left, {most}"
    return ""


def _plateau(ground: Ground, control: Settings, arm: Settings) -> str:
    if not _policy(control, arm):
        return "" if _models(control, arm) else f"plateau drafting: {_brain(arm)} knows no plateaus"
    if not any(_designs(ground)):
        return "plateau drafting: no kernel of this pack has a design to be drafted"
    first = min(n for n in (control.plateau_draft, arm.plateau_draft) if n > 0)
    if most := _positions(ground, first):
        return f"plateau drafting: it begins after {first} attempts without a promotion, {most}"
    return ""


CHECKS: Final[Mapping[str, Check]] = {
    "workers": _workers, "kernel_workers": _workers, "static_gate": _static_gate, "trace_gate": _trace_gate,
    "races": _races, "plateau_draft": _plateau, "leaderboard": _for_models("leaderboard"), "knowledge": _knowledge,
    "rules": _knowledge, "skills": _knowledge, "priors": _knowledge,
    **dict.fromkeys(("siblings", *(f for f in Settings.model_fields if f.startswith("memory"))), _memory),
}  # fmt: skip


def _positions(ground: Ground, enough: int) -> str:
    """What the budget says when it has no more than so many positions; "" when it may have more."""
    budget = ground.plan.budget
    few = budget.kind == "positions" and budget.amount <= enough
    return f"and a trajectory has {budget.text}" if few else ""


def _designs(ground: Ground) -> Iterator[int]:
    """Whole designs that fit, by kernel."""
    for spec in ground.kernels:
        fits = registry.applications(baseline(spec), Context(spec, ground.target.machine))
        yield sum(one.family == "sketch" for one in fits)


def _models(*both: Settings) -> bool:
    return any(specs_of(one) for one in both)


def _policy(*both: Settings) -> bool:
    """Whether the offline policy proposes in one of both. It does for roles that no model serves."""
    return any(one.brain != RANDOM for one in both)


def _brain(arm: Settings) -> str:
    return "the offline policy" if arm.brain != RANDOM else "random search"


def _are(n: int, what: str) -> str:
    return f"is one {what}" if n == 1 else f"are {n} {what}s"
