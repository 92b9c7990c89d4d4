"""The way of a race's variants to its start: who may start, and why the others may not.

The proposal passes gate `correct` as well, for all of them: they differ from it in their knobs alone. Timed calls of a
race are verified by a secret sample, and the winner has all gates before it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kernels.gates.base import Subject
from kernels.gates.sequence import GateSequence
from kernels.sandbox.runner import RunnerFailed
from kernels.values.verdict import GateReport, GateState
from roles.attempt import Attempt
from roles.campaign import Campaign
from roles.giving_way import onward
from roles.guard import before_evaluation
from roles.judged import AlreadyJudged, refuse_what_is_judged
from roles.kernel_state import KernelState
from roles.subjects import subject_of
from store import designs, races
from store.races import Entry

LAST_GATE, LAST_CHEAP_GATE = "correct", "estimate"


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
        """Keys of those that may start; they are loaded. No more of them when the first entry, the proposal, does not
        pass gate `correct`. loaded: gets every key that may have a runner.

        Raises: DeviceUnhealthy, HeadWithdrawn, asyncio.CancelledError.
        """
        campaign, codes, ready = self._campaign, dict[str, str](), list[str]()
        for entry in entries:
            await onward(campaign, attempt.agent, state)
            await before_evaluation(campaign, attempt.agent, attempt.kernel)
            subject = await subject_of(campaign, replace(attempt, candidate=entry.candidate), state)
            proposal = entry is entries[0]
            try:
                refusal = await self._refusal(
                    attempt, state, subject, codes, LAST_GATE if proposal else LAST_CHEAP_GATE
                )
            finally:
                loaded |= {subject.key} if subject.loaded else set()
            if refusal is None:
                ready.append(subject.key)
                continue
            await self._drop(race_id, subject, refusal, loaded)
            if proposal and refusal.gate == LAST_GATE:
                break
        return ready

    async def _refusal(
        self, attempt: Attempt, state: KernelState, subject: Subject, codes: dict[str, str], until: str
    ) -> Refusal | None:
        async def look(report: GateReport) -> None:
            if report.gate == "compile" and report.state is GateState.PASSED:
                await self._new_code(subject, codes)
            await onward(self._campaign, attempt.agent, state)

        try:
            found = await self._gates.run(subject, look, until=until)
        except AlreadyJudged as judged:
            return Refusal("", "already_judged", str(judged))
        except _SameCode as same:
            return Refusal("", "same_code", str(same))
        if found is not None:
            return Refusal(found.gate, found.kind, found.reason)
        return None if subject.loaded else await self._load(subject)

    async def _load(self, subject: Subject) -> Refusal | None:
        if subject.artefact is None:
            return Refusal("", "not_built", "gate compile did not build it")
        subject.loaded = True  # also when a cancel comes in mid-load
        try:
            await self._campaign.device.load(subject.spec.name, subject.key, subject.artefact.path)
        except RunnerFailed as failure:
            return Refusal("", failure.kind, failure.detail)
        return None

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
