"""One audit of a promoted head: a fresh process, new secrets, regimes that no gate draws, the next part of its domains.

Used by the auditor while a campaign runs and by the finale at its end. Every audit is a row and an event.
"""

from dataclasses import replace
from typing import Any, Final

from kernels.device.auditing import SECONDS, Audit
from kernels.device.executor import Executor
from kernels.device.report import CheckReport, DeviceUnhealthy
from kernels.sandbox.runner import RunnerFailed
from kernels.targets.base import CompileFailed
from roles.campaign import Campaign
from roles.guard import before_evaluation
from store import audits, designs
from store.audits import Found, Promoted

FOLDS: Final = frozenset(
    """wrong_values not_written non_finite writes_inputs out_of_bounds crash forbidden_call exit nondeterministic
    late_output changed_fp_mode own_threads""".split()
)
"""Kinds of a check report that only the kernel's own doing explains; a hang may be the machine's."""


class Audits:
    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign

    async def whole(self, of: Promoted, key: str, *, seconds: float) -> Found:
        """The check of a promotion and all that an audit adds. key: names the process. seconds: for the sweep.

        The process stays loaded. Raises: DeviceUnhealthy.
        """
        points = await self._campaign.store.read(lambda s: audits.points(s, self._campaign.id, of.kernel))
        return await self._look(of, key, Audit(start=of.swept, seconds=seconds, points=points))

    async def at(self, of: Promoted, key: str, found: Found) -> Found:
        """Only where a fold was found: that value, or the regimes of audits. As `whole` otherwise."""
        points = () if found.point is None else (found.point,)
        return await self._look(of, key, Audit(seconds=0.0, points=points, regimes=not points, alone=True))

    async def _look(self, of: Promoted, key: str, plan: Audit) -> Found:
        campaign, kernel = self._campaign, of.kernel
        await before_evaluation(campaign, f"audit of {kernel}", kernel)
        seed = campaign.seed_of("audit", kernel, of.candidate)
        plan = replace(plan, seed=seed, control=campaign.kernels[kernel].baseline.key)
        found = await self._found(of, key, plan)
        await campaign.store.write(lambda s: audits.add(s, campaign.id, of, found))
        return found

    async def _found(self, of: Promoted, key: str, plan: Audit) -> Found:
        campaign = self._campaign
        try:
            candidate = await campaign.store.read(lambda s: designs.get_candidate(s, of.candidate))
            artefact = await campaign.build(candidate, campaign.kernels[of.kernel].spec)
            await campaign.device.unload(key)
            await campaign.device.load(of.kernel, key, artefact.path)
            return await audit_of(campaign.device, of.kernel, key, plan)
        except CompileFailed as failure:
            raise DeviceUnhealthy(f"head {of.candidate[:8]} cannot be built again: {failure.root_cause}") from failure
        except RunnerFailed as failure:
            return Found("failed", failure.kind, failure.detail)


def told(found: Found) -> dict[str, Any]:
    """As what a gate says, under the name `audit`."""
    state = "passed" if found.state == "passed" else "refused"
    return {
        "gate": "audit", "state": state, "kind": found.kind, "reason": found.reason or covered(found.facts),
        "seconds": round(found.seconds, 3), "findings": list(found.facts.get("findings", [])),
    }  # fmt: skip


def covered(facts: dict[str, Any]) -> str:
    """What an audit looked at, in words."""
    parts = [f"regimes {', '.join(facts['audit_regimes'])}"] if facts.get("audit_regimes") else []
    sweep = facts.get("sweep")
    if sweep:
        whole = "" if sweep["whole"] else ", a sample of them"
        parts.append(f"calls {sweep['from']} .. {sweep['to']} of {sweep['of']} through its domains{whole}")
    if facts.get("unswept"):
        parts.append(f"not swept, the pack has no inputs_at: {', '.join(facts['unswept'])}")
    return "; ".join(parts)


async def audit_of(device: Executor, kernel: str, key: str, plan: Audit) -> Found:
    """What is loaded as `key`, audited in parts of a few seconds of the device, so that others get their turn between.

    Raises: DeviceUnhealthy, RunnerFailed.
    """
    left, spent = plan.seconds, 0.0
    part = replace(plan, seconds=min(left, SECONDS))
    while True:
        found = found_of(await device.check(kernel, key, promotion=not part.alone, audit=part))
        spent, left = spent + found.seconds, left - part.seconds
        sweep: dict[str, Any] = found.facts.get("sweep", {})
        if found.state != "passed" or left <= 0 or not sweep or sweep["to"] >= sweep["of"]:
            break
        part = replace(part, start=sweep["to"], seconds=min(left, SECONDS), points=(), regimes=False, alone=True)
    whole = {"sweep": {**sweep, "from": plan.start}} if sweep else {}
    return replace(found, seconds=spent, facts={**found.facts, **whole})


def found_of(report: CheckReport) -> Found:
    """What a check in its audit form says."""
    facts: dict[str, Any] = dict(report.facts.get("audit", {}))
    at = facts.pop("point", None)
    swept = int(facts.get("sweep", {}).get("to", 0))
    facts |= {"findings": list(report.findings)} if report.findings else {}
    if report.ok:
        return Found("passed", seconds=report.seconds, swept=swept, facts=facts)
    point = None if at is None else (str(at[0]), int(at[1]))
    state = "fold" if report.kind in FOLDS else "failed"
    return Found(state, report.kind, report.reason, report.seconds, swept, point, facts)
