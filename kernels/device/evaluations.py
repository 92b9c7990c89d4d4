"""What the engine asks of a device for a check or a test; `client.Device` sends it behind the same lock as the rest."""

import secrets
from abc import ABC, abstractmethod
from typing import Any

from kernels.device.auditing import Audit
from kernels.device.report import CheckReport, HeadFailed, pair_from_json
from kernels.values.reading import First, Pair


class EvaluationRequests(ABC):
    """The part of `Device` for checks and tests."""

    @abstractmethod
    async def request(self, op: str, holder: str, kernel: str = "", **args: Any) -> Any:
        """Raises: RunnerFailed, HeadFailed, DeviceUnhealthy."""

    async def check(self, kernel: str, key: str, *, promotion: bool = False, audit: Audit | None = None) -> CheckReport:
        """Gate `correct`. A fault of the candidate is a report, never an exception. audit: look further, as it says;
        what was covered stands in the report's fact "audit", with the "point" that a fold was found at.

        Raises: DeviceUnhealthy.
        """
        holder = f"{'auditing' if audit is not None else 'checking'} {kernel} {key[:8]}"
        asked = None if audit is None else audit.to_json()
        raw = await self.request("check", holder, kernel, key=key, promotion=promotion, audit=asked)
        return CheckReport.from_json(raw)

    async def begin_test(self, kernel: str, head: str, candidate: str) -> str:
        """Both must be loaded. Returns the name of the test. Raises: DeviceUnhealthy."""
        test = secrets.token_hex(8)
        holder = f"testing {kernel} {candidate[:8]}"
        await self.request("begin_test", holder, kernel, test=test, head=head, candidate=candidate)
        return test

    async def pair(self, test: str, first: First, head_ns: float) -> Pair:
        """One head and one candidate reading, atomic. head_ns sets the number of calls.

        A reading in quarantine has ns = nan, and its reason stands in the pair's environment and in `end_test`.
        Raises: RunnerFailed when the candidate's runner fails, HeadFailed when the head fails, DeviceUnhealthy.
        """
        return pair_from_json(
            await self.request("pair", f"pair of test {test[:8]}", test=test, first=first, head_ns=head_ns)
        )

    async def end_test(self, test: str) -> CheckReport:
        """Verify the secret sample of timed calls. A wrong candidate is a report.

        Raises: HeadFailed when a call of the head was wrong, DeviceUnhealthy.
        """
        report = CheckReport.from_json(await self.request("end_test", f"verifying test {test[:8]}", test=test))
        if report.facts.get("side") == "head":
            raise HeadFailed(report.kind, report.reason)
        return report
