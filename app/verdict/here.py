"""Check, accept and calibrate on a device that this process owns."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from app.device_session import DeviceSession, own_device
from app.verdict import power, told
from app.verdict.asked import Asked
from app.verdict.follow import Follower, following
from app.verdict.heads import head_of
from kernels.device.auditing import Audit
from kernels.gates.base import Subject
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec
from kernels.values.verdict import GateReport
from roles.calibration import Calibrator
from roles.kernel_state import KernelState
from store import reads
from store.engine import Session, Store
from store.views import TestView

Say = Callable[[str], None]
Told = dict[str, Any]


async def check(store: Store, asked: Asked, candidate: Candidate, say: Say, audit: Audit | None) -> list[Told]:
    """What the gates said, and the audit of what passed them."""
    async with own_device(asked, store) as session:
        subject, gates = await gates_of(session, asked.spec, candidate, say)
        if audit is not None and told.refusal(gates) is None:
            gates.append(await session.audit(asked.spec, subject, audit))
            say(told.gate_text(gates[-1]))
        return gates


async def accept(store: Store, asked: Asked, candidate: Candidate, say: Say, *, against: str, again: bool) -> Told:
    """Power line, gates, test, confirmation."""
    head, name = await store.read(lambda s: head_of(s, asked, against))
    async with own_device(asked, store) as session:
        say(power.text(_power(session, asked), asked.name))
        say(f"head: {name} {head.id[:8]}; candidate {candidate.id[:8]}")
        state = await session.prepare(asked.spec, head)
        subject, gates = await gates_of(session, asked.spec, candidate, say, state)
        found = await _judged(session, state, subject, gates, say, again=again)
    return {**found, "against": name, "head": head.id, "power": _power(session, asked), "gates": gates}


async def calibrate(store: Store, asked: Asked, say: Say) -> list[Told]:
    """Figures of every kernel asked for, each with the head that a test would be run against."""
    found = []
    async with own_device(asked, store) as session:
        for spec in asked.kernels:
            head, name = await store.read(lambda s, k=spec: head_of(s, replace(asked, kernels=(k,))))
            say(f"{asked.pack.name}/{spec.name}: 24 pairs of the {name} {head.id[:8]} with itself")
            await session.prepare(spec, head)
            work = Calibrator(session.campaign).run(spec.name)
            found.append(await following(_follower(session, lambda t: t.kind == "calibration", say), work))
            for line in found[-1]["lines"]:
                say(f"  {line}")
            await session.campaign.device.unload(head.id)
    return found


async def gates_of(
    session: DeviceSession, spec: KernelSpec, candidate: Candidate, say: Say, state: KernelState | None = None
) -> tuple[Subject, list[Told]]:
    """What the gates say of a candidate, told as they say it. state: of what it is measured against."""
    gates: list[Told] = []

    async def keep(report: GateReport) -> None:
        gates.append(told.gate(report))
        say(told.gate_text(gates[-1]))

    return await session.gates(spec, candidate, keep, state), gates


async def _judged(
    session: DeviceSession, state: KernelState, subject: Subject, gates: list[Told], say: Say, *, again: bool
) -> Told:
    refused = told.refusal(gates)
    if refused is not None:
        return {**told.verdict(()), "reason": f"gate {refused['gate']}: {refused['kind']}: {refused['reason']}"}
    permission = await session.permission(subject)
    if not permission.allowed and not again:
        earlier = told.verdict(await session.store.read(lambda s: _earlier(s, session, subject)))
        return {**earlier, "reason": f"{permission.reason}; --again runs a new test, which counts as one more"}
    follower = _follower(session, lambda t: t.candidate_id == subject.key, say)
    result = await following(follower, session.accept(state, subject))
    found = told.verdict(follower.tests())
    return {**found, "confirmed": result.confirmed, "reason": result.reason if not result.confirmed else ""}


def _earlier(s: Session, session: DeviceSession, subject: Subject) -> list[TestView]:
    """The tests that a refusal of a retest speaks of, oldest first."""
    from store import ledger

    known = ledger.tests_of(s, session.campaign.id, subject.key, subject.head_key)
    found = [reads.test(s, t.id) for t in known if t.state == "done"]
    return [t for t in found if t is not None and t.rule in (session.campaign.policy.rule, "confirmation")]


def _follower(session: DeviceSession, wanted: Callable[[TestView], bool], say: Say) -> Follower:
    return Follower(
        session.store, session.campaign.id, wanted, say, flat_within=session.campaign.policy.flat_within
    )  # fmt: skip


def _power(session: DeviceSession, asked: Asked) -> Told | None:
    fingerprint = session.campaign.target.fingerprint.id
    return power.before(session.store, fingerprint, asked.pack.name, asked.spec.name)
