"""The operator's verb `profile`: the head, or a source from a person through the gates and then beside the head."""

import json
from collections.abc import Mapping
from typing import Any

from kernels.values.verdict import GateState
from roles.campaign import Campaign
from roles.operator import Refused
from roles.operator_source import attempt_of
from roles.pipeline import Pipeline
from roles.profiling import ProfileFailed, profiled

UNTIL = "correct"


class ProfileCommand:
    def __init__(self, campaign: Campaign, pipeline: Pipeline) -> None:
        self._campaign = campaign
        self._pipeline = pipeline

    async def command(self, kernel: str, arguments: Mapping[str, Any]) -> str:
        """JSON: the gates of the source, and "artefact": the profile's hash; null when a gate refused the source or it
        failed, and then "reason" may say why.

        Holds the kernel while it measures: its head does not move meanwhile.
        Raises: Refused, DeviceUnhealthy.
        """
        campaign = self._campaign
        attempt = attempt_of(campaign, kernel, arguments)
        gates: list[dict[str, Any]] = []
        if attempt is not None and attempt.candidate.id != campaign.kernels[kernel].head.key:
            reports, _ = await self._pipeline.check_only(attempt, until=UNTIL)
            gates = [{"gate": r.gate, "state": r.state, "kind": r.kind, "reason": r.reason} for r in reports]
            if any(report.state is GateState.REFUSED for report in reports):
                return json.dumps({"artefact": None, "gates": gates})
        state = campaign.kernels[kernel]
        async with state.lock:
            await campaign.latches.passage("operator", kernel)
            try:
                candidate = None if attempt is None else attempt.candidate
                digest, _ = await profiled(campaign, state.spec, state.head.candidate, candidate)
            except ProfileFailed as failure:
                if failure.whose == "head":
                    raise Refused(str(failure)) from failure
                return json.dumps({"artefact": None, "gates": gates, "reason": str(failure)})
        return json.dumps({"artefact": digest, "gates": gates})
