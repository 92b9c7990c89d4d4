"""What campaigns measured of a kernel's baseline: its time, its peak, the last profile of the kernel."""

from dataclasses import dataclass

from sqlmodel import Session

from kernels.profiling.profile import Profile
from store import campaigns, kernel_states, peaks, profiles


@dataclass(frozen=True, slots=True)
class Measured:
    """ns: of the baseline when the campaign began. profile: the last one of this kernel's head on that device.
    of_baseline: the profile is of the baseline itself."""

    campaign: int
    ns: float
    peak_ns: float | None
    profile: Profile | None
    of_baseline: bool


def measured(s: Session, pack: str, target: str, kernel: str, baseline: str) -> Measured | None:
    """By the newest campaign in which this baseline (a candidate's id) was timed."""
    for row in campaigns.listing(s):
        if (row.pack, row.target) != (pack, target):
            continue
        for state in kernel_states.of(s, row.id):
            if state.kernel == kernel and state.baseline_id == baseline and state.baseline_ns is not None:
                view = profiles.latest(s, row.id, kernel)
                profile = None if view is None else view.record.head
                peak = peaks.peak_ns(s, row.id, kernel, row.mode)
                of_baseline = profile is not None and profile.candidate == baseline
                return Measured(row.id, state.baseline_ns, peak, profile, of_baseline)
    return None
