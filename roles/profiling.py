"""Profiles a kernel's head, alone or beside a candidate: builds with marks, profiled calls on the device, one record.

Nothing is decided by a profile; it is an artefact and an event, which screens and commands show.
"""

from dataclasses import dataclass
from pathlib import Path

from kernels.device.building import build_under_lock
from kernels.profiling.assemble import profile_of
from kernels.profiling.join import Compute
from kernels.profiling.mca import NoEstimate
from kernels.profiling.profile import Profile
from kernels.profiling.record import Record, record_of
from kernels.profiling.schedulers import scheduler_of
from kernels.profiling.trace import Trace
from kernels.targets.base import Artefact, CompileFailed, Target
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec
from kernels.values.timetable import Timetable
from roles.campaign import Campaign
from store import designs, profiles
from store.engine import Session


class ProfileFailed(Exception):
    """No profile came of it. whose: "head" or "candidate"; kind: one word."""

    def __init__(self, whose: str, kind: str, reason: str) -> None:
        super().__init__(f"the {whose} has no profile: {kind}: {reason}")
        self.whose = whose
        self.kind = kind
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Built:
    """A build with marks. compute: by its static schedule, None where there is none."""

    path: Path
    compute: Compute | None


async def profiled(
    campaign: Campaign, spec: KernelSpec, head: Candidate, candidate: Candidate | None = None
) -> tuple[str, Record]:
    """Measure and keep; returns the artefact's hash. candidate: has passed the gates, and is profiled in turns with the
    head.

    Raises: ProfileFailed, DeviceUnhealthy.
    """
    sides = {"head": head} | ({} if candidate is None else {"candidate": candidate})
    built = {whose: await _built(campaign, spec, whose, one) for whose, one in sides.items()}
    traces = await campaign.device.profile(spec.name, {whose: one.path for whose, one in built.items()})
    found = {whose: _profile(whose, traces[whose], spec, one, built[whose].compute) for whose, one in sides.items()}
    record = record_of(spec, found["head"], found.get("candidate"))

    def rows(s: Session) -> str:
        for one in sides.values():
            designs.add_candidate(s, one)
        return profiles.keep(s, campaign.id, record)

    return await campaign.store.write(rows), record


async def _built(campaign: Campaign, spec: KernelSpec, whose: str, one: Candidate) -> Built:
    """Raises: ProfileFailed."""
    folder = campaign.build_folder(one)
    folder.mkdir(parents=True, exist_ok=True)

    def job() -> Built:
        artefact = campaign.target.compile(one, spec, folder, profile=True)
        return Built(artefact.path, _cycles(campaign.target, artefact, spec))

    try:
        return await build_under_lock(campaign.device, f"build {spec.name} with marks", job)
    except CompileFailed as failure:
        raise ProfileFailed(whose, failure.kind, failure.root_cause) from failure


def _cycles(target: Target, artefact: Artefact, spec: KernelSpec) -> Compute | None:
    """None where no static schedule tells the time of some bytes: that of a whole call does not."""
    scheduler = scheduler_of(target)
    if scheduler is None:
        return None
    try:
        planned = scheduler.schedule(artefact, spec)
    except NoEstimate:
        return None
    return None if isinstance(planned, Timetable) else planned.compute_ns


def _profile(whose: str, trace: Trace, spec: KernelSpec, one: Candidate, compute: Compute | None) -> Profile:
    """Raises: ProfileFailed."""
    kind, reason = trace.caught
    if kind:
        raise ProfileFailed(whose, kind, reason)
    try:
        return profile_of(trace, spec, one, compute=compute)
    except ValueError as nothing:
        raise ProfileFailed(whose, "no timeline", str(nothing)) from nothing
