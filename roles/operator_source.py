"""Operator commands `check`, `accept`, `inject`: a source from a person, through the same gates as everybody's."""

import json
from collections.abc import Mapping
from typing import Any

from kernels.device.auditing import Audit
from kernels.targets.registry import dialect_of
from roles.attempt import Attempt
from roles.audits import told
from roles.campaign import Campaign
from roles.operator import Refused
from roles.pipeline import Pipeline

Arguments = Mapping[str, Any]


def attempt_of(campaign: Campaign, kernel: str, arguments: Arguments) -> Attempt | None:
    """The source that a command brings, under the present head; None when it brings none.

    Raises: Refused for a kernel that is not here or a campaign that is ending.
    """
    if kernel not in campaign.kernels:
        raise Refused(f"no kernel {kernel!r} here; known: {', '.join(campaign.kernels)}")
    if campaign.stop.is_set():
        raise Refused("the campaign is ending")
    if "source" not in arguments:
        return None
    dialect = dialect_of(campaign.target.name)
    candidate = dialect.candidate(kernel, str(arguments["source"]), arguments.get("flags", ()))
    return Attempt(
        kernel, candidate, "operator source", "operator", "design",
        reason=str(arguments.get("reason", "sent by the operator")), agent="operator",
        parent_node=campaign.kernels[kernel].head.node_id,
    )  # fmt: skip


class OperatorSource:
    def __init__(self, campaign: Campaign, pipeline: Pipeline) -> None:
        self._campaign = campaign
        self._pipeline = pipeline

    async def command(self, kernel: str, arguments: Arguments) -> str:
        """The outcome, or what the gates say where `until` names the last one; as JSON. Raises: Refused."""
        campaign = self._campaign

        def attempt() -> Attempt:
            found = attempt_of(campaign, kernel, arguments)
            if found is None:
                raise Refused(
                    "there is no source to judge: save one into the kernel's folder, or use `accept KERNEL FILE`"
                )
            return found

        first = attempt()
        if arguments.get("until"):
            return await self._checked(first, arguments)
        result = await self._pipeline.run(kernel, attempt)
        return json.dumps(
            {
                "outcome": result.outcome,
                "verdict": result.verdict,
                "gain": result.gain,
                "reason": result.reason,
                "node": result.node_id,
            }
        )

    async def _checked(self, attempt: Attempt, arguments: Arguments) -> str:
        """What `check` shows, as JSON."""
        audit = Audit.from_json(arguments["audit"]) if arguments.get("audit") else None
        reports, found = await self._pipeline.check_only(attempt, until=str(arguments["until"]), audit=audit)
        gates = [{"gate": r.gate, "state": r.state, "kind": r.kind, "reason": r.reason} for r in reports]
        return json.dumps(gates if found is None else [*gates, told(found)])
