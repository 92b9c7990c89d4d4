"""Profiles a kernel's head, alone or beside a candidate: builds with marks, profiled calls on the device, one record.

Nothing is decided by a profile; it is an artefact and an event, which screens and commands show.
"""

from functools import partial

from kernels.device.building import build_under_lock
from kernels.profiling.assemble import profile_of
from kernels.profiling.profile import Profile
from kernels.profiling.record import Record, record_of
from kernels.profiling.trace import Trace
from kernels.targets.base import Artefact, CompileFailed
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec
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


async def profiled(
    campaign: Campaign, spec: KernelSpec, head: Candidate, candidate: Candidate | None = None
) -> tuple[str, Record]:
    """Measure and keep; returns the artefact's hash. candidate: has passed the gates, and is profiled in turns with the
    head.

    Raises: ProfileFailed, DeviceUnhealthy.
    """
    sides = {"head": head} | ({} if candidate is None else {"candidate": candidate})
    built = {whose: await _built(campaign, spec, whose, one) for whose, one in sides.items()}
    traces = await campaign.device.profile(spec.name, {whose: artefact.path for whose, artefact in built.items()})
    found = {whose: _profile(whose, traces[whose], spec, one) for whose, one in sides.items()}
    record = record_of(spec, found["head"], found.get("candidate"))

    def rows(s: Session) -> str:
        for one in sides.values():
            designs.add_candidate(s, one)
        return profiles.keep(s, campaign.id, record)

    return await campaign.store.write(rows), record


async def _built(campaign: Campaign, spec: KernelSpec, whose: str, one: Candidate) -> Artefact:
    """Raises: ProfileFailed."""
    folder = campaign.build_folder(one)
    folder.mkdir(parents=True, exist_ok=True)
    job = partial(campaign.target.compile, one, spec, folder, profile=True)
    try:
        return await build_under_lock(campaign.device, f"build {spec.name} with marks", job)
    except CompileFailed as failure:
        raise ProfileFailed(whose, failure.kind, failure.root_cause) from failure


def _profile(whose: str, trace: Trace, spec: KernelSpec, one: Candidate) -> Profile:
    """Raises: ProfileFailed."""
    kind, reason = trace.caught
    if kind:
        raise ProfileFailed(whose, kind, reason)
    try:
        return profile_of(trace, spec, one)
    except ValueError as nothing:
        raise ProfileFailed(whose, "no timeline", str(nothing)) from nothing
