"""A device without an engine: this process owns the home and the device for a check, a test or a calibration.

The tests are kept in the home's campaign `by hand`; nothing is promoted and no campaign's head moves.
"""

import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from app.gates import gates_for
from app.policy import policy_of
from app.settings import MissingError
from app.verdict.asked import Asked
from kernels.device.auditing import Audit
from kernels.device.client import Device, DeviceUnhealthy
from kernels.gates.base import Subject
from kernels.judge.retest import PastTest, Permission, may_test
from kernels.packs.loader import baseline as baseline_of
from kernels.sandbox.runner import RunnerFailed
from kernels.targets.base import CompileFailed, Target
from kernels.targets.registry import get_target
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec
from kernels.values.verdict import GateReport, Verdict
from roles.attempt import Attempt
from roles.audits import audit_of, told
from roles.brains.offline.policy import OfflineBrain
from roles.budget import Budget
from roles.calibration import CalibrationFailed
from roles.campaign import Campaign
from roles.kernel_state import Head, KernelState
from roles.testing import Tester, TestResult
from roles.timing import FIRST_GUESS_NS, first_time
from store import by_hand, designs, ledger
from store.clock import steady
from store.engine import Session, Store
from store.lock import EngineLock, Owned
from store.reconcile import reconcile
from store.toolchain import toolchain_text

OnReport = Callable[[GateReport], Awaitable[None]]


class DeviceSession:
    """Made by `own_device`. campaign: the one that holds the tests of the command line."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.store = campaign.store
        self._gates = gates_for(campaign.target, campaign.device, store=campaign.store)

    async def prepare(self, spec: KernelSpec, head: Candidate) -> KernelState:
        """Build, load and time what the candidate is to be measured against.

        Raises: MissingError when it does not build or run, DeviceUnhealthy.
        """
        campaign = self.campaign
        await self.store.write(lambda s: designs.add_candidate(s, head))
        try:
            artefact = await campaign.build(head, spec)
            await campaign.device.load(spec.name, head.id, artefact.path)
            ns = await first_time(campaign.device, spec.name, head.id)
        except (CompileFailed, RunnerFailed) as failure:
            raise MissingError(f"the head of {spec.name} cannot be run on this device: {failure}") from failure
        code = artefact.machine_code_sha256
        await self.store.write(lambda s: designs.set_machine_code(s, head.id, code))
        state = KernelState(spec, Head(head, 0, ns, code), Head(head, 0, ns, code), 0)
        campaign.kernels[spec.name] = state
        return state

    async def gates(
        self, spec: KernelSpec, candidate: Candidate, on_report: OnReport, state: KernelState | None = None
    ) -> Subject:
        """All gates against a prepared head, or without one those up to `correct`; the subject stays loaded.

        A candidate that is the baseline itself passes where nothing is measured.
        """
        head = state.head if state else Head(baseline_of(spec), 0, FIRST_GUESS_NS, "")
        subject = Subject(
            candidate, spec, head.candidate, head.key, head.ns, self.campaign.build_folder(candidate),
            one_lever=True, exempt=state is None, head_machine_code=head.machine_code,
            head_folder=self.campaign.build_folder(head.candidate),
        )  # fmt: skip
        await self.store.write(lambda s: designs.add_candidate(s, candidate))
        await self._gates.run(subject, on_report, until="" if state else "correct")
        if subject.artefact is not None:
            code = subject.artefact.machine_code_sha256
            await self.store.write(lambda s: designs.set_machine_code(s, candidate.id, code))
        return subject

    async def audit(self, spec: KernelSpec, subject: Subject, plan: Audit) -> dict[str, Any]:
        """What an audit of a subject that passed the gates says, with the baseline as control.

        Raises: MissingError when the baseline does not build or run, DeviceUnhealthy.
        """
        device, control = self.campaign.device, baseline_of(spec)
        try:
            artefact = await self.campaign.build(control, spec)
            await device.load(spec.name, control.id, artefact.path)
        except (CompileFailed, RunnerFailed) as failure:
            raise MissingError(f"the baseline of {spec.name} cannot be run on this device: {failure}") from failure
        return told(await audit_of(device, spec.name, subject.key, replace(plan, control=control.id)))

    async def permission(self, subject: Subject) -> Permission:
        """Whether this machine code may be tested (again) against this head, by this rule."""
        rule = self.campaign.policy.rule

        def past(s: Session) -> list[PastTest]:
            found = ledger.tests_of(s, self.campaign.id, subject.key, subject.head_key)
            return [
                PastTest("", subject.head_key, Verdict(t.verdict), t.pairs, t.no_sign)
                for t in found
                if t.kind == "acceptance" and t.state == "done" and ledger.get_test(s, t.id).rule == rule
            ]

        return may_test(await self.store.read(past), "", subject.head_key)

    async def accept(self, state: KernelState, subject: Subject, *, kind: str = "acceptance") -> TestResult:
        """The acceptance test with its confirmation; what is confirmed has to pass the last check of a promotion.

        Raises: DeviceUnhealthy.
        """
        attempt = Attempt(state.spec.name, subject.candidate, "command line", "operator", "design", agent="operator")
        result = await Tester(self.campaign).accept(state, subject, attempt, None, kind=kind)
        if not result.confirmed:
            return result
        try:
            report = await self.campaign.device.check(state.spec.name, subject.key, promotion=True)
        except RunnerFailed as failure:
            return replace(result, confirmed=False, kind=failure.kind, reason=f"in the last check: {failure.detail}")
        if report.ok:
            return result
        return replace(result, confirmed=False, kind=report.kind, reason=f"in the last check: {report.reason}")


@asynccontextmanager
async def own_device(asked: Asked, store: Store) -> AsyncGenerator[DeviceSession]:
    """Own the home of this store and its device until the block ends; a test that is cut off counts as INVALID.

    Raises: MissingError when another process owns the home or the device cannot run.
    """
    settings = asked.settings
    try:
        with EngineLock.acquire(asked.home):
            target = get_target(settings.target, asked.home / "cache", asked.workspace, settings.compiler)
            device = await Device.start(target, asked.pack, asked.home / "cache", epoch_s=settings.epoch_s)
            campaign = await _campaign(asked, store, target, device)
            try:
                yield DeviceSession(campaign)
            finally:
                await device.close()
                store.write_sync(lambda s: reconcile(s, campaign.id))
    except Owned as owned:
        found = f"pid {owned.pid} on {owned.host} owns {asked.home}"
        raise MissingError(f"{found} and runs no campaign that could take this; wait for it") from owned
    except (DeviceUnhealthy, CalibrationFailed) as failure:
        raise MissingError(str(failure)) from failure


async def _campaign(asked: Asked, store: Store, target: Target, device: Device) -> Campaign:
    number = await store.write(lambda s: _row(s, asked, target))
    settings = asked.settings
    return Campaign(
        id=number, pack=asked.pack, target=target, store=store, device=device,
        brain=OfflineBrain(plateau_draft=settings.plateau_draft), policy=policy_of(settings), budget=Budget(),
        seed=secrets.randbits(48), folder=asked.home / "campaigns" / str(number), clock=steady(),
    )  # fmt: skip


def _row(s: Session, asked: Asked, target: Target) -> int:
    prints = target.fingerprint
    return by_hand.campaign(
        s, pack=asked.pack.name, pack_digest=asked.pack.digest, target=target.name, fingerprint=prints.id,
        kernels=[k.name for k in asked.pack.kernels], device=prints.device,
        toolchain=toolchain_text(prints),
    )  # fmt: skip
