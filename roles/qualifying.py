"""The way of a race's variants through the cheap gates: who may start, and why the others may not."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kernels.gates.base import Subject
from kernels.gates.sequence import GateSequence
from kernels.values.verdict import GateReport, GateState
from roles.campaign import Attempt, Campaign, KernelState
from roles.guard import before_evaluation
from roles.judged import AlreadyJudged, refuse_what_is_judged
from roles.subjects import subject_of
from store import designs, races
from store.races import Entry

LAST_GATE = "correct"


@dataclass(frozen=True, slots=True)
class Refusal:
    """gate: "" for what no gate says."""

    gate: str
    kind: str
    reason: str


class _SameCode(Exception):
    """Another variant of the race compiles to the same machine code."""


class Qualifying:
    def __init__(self, campaign: Campaign, gates: GateSequence) -> None:
        self._campaign = campaign
        self._gates = gates

    async def run(
        self, race_id: int, attempt: Attempt, state: KernelState, entries: Sequence[Entry], loaded: set[str]
    ) -> list[str]:
        """Keys of those that may start; they are loaded. loaded: gets every key that may have a runner.

        Raises: DeviceUnhealthy, asyncio.CancelledError.
        """
        campaign, codes, ready = self._campaign, dict[str, str](), list[str]()
        for entry in entries:
            await before_evaluation(campaign, attempt.agent, attempt.kernel)
            subject = await subject_of(campaign, replace(attempt, candidate=entry.candidate), state)
            try:
                refusal = await self._refusal(attempt, subject, codes)
            finally:
                loaded |= {subject.key} if subject.loaded else set()
            if refusal is None:
                ready.append(subject.key)
            else:
                await self._drop(race_id, subject, refusal, loaded)
        return ready

    async def _refusal(self, attempt: Attempt, subject: Subject, codes: dict[str, str]) -> Refusal | None:
        async def look(report: GateReport) -> None:
            if report.gate == "compile" and report.state is GateState.PASSED:
                await self._new_code(subject, codes)
            await self._campaign.latches.passage(attempt.agent, attempt.kernel)

        try:
            found = await self._gates.run(subject, look, until=LAST_GATE)
        except AlreadyJudged as judged:
            return Refusal("", "already_judged", str(judged))
        except _SameCode as same:
            return Refusal("", "same_code", str(same))
        return None if found is None else Refusal(found.gate, found.kind, found.reason)

    async def _new_code(self, subject: Subject, codes: dict[str, str]) -> None:
        """Raises: _SameCode, AlreadyJudged."""
        if subject.artefact is None:
            return
        code = subject.artefact.machine_code_sha256
        if code in codes:
            raise _SameCode(f"compiles to the machine code of variant {codes[code][:8]}")
        codes[code] = subject.key
        await self._campaign.store.write(lambda s: designs.set_machine_code(s, subject.key, code))
        await refuse_what_is_judged(self._campaign, subject)

    async def _drop(self, race_id: int, subject: Subject, why: Refusal, loaded: set[str]) -> None:
        await self._campaign.store.write(
            lambda s: races.drop(s, race_id, subject.key, gate=why.gate, kind=why.kind, reason=why.reason)
        )
        if subject.loaded:
            await self._campaign.device.unload(subject.key)
            loaded.discard(subject.key)
