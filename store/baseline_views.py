"""Baseline analyses that are kept for screens and reports, and what campaigns measured of a kernel's baseline."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlmodel import Session

from kernels.profiling.profile import Profile
from store import campaigns, kernel_states, peaks, profiles, setting, sql
from store.knowledge_views import AnalysisView

PREFIX: Final = "baseline "


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


def keep(s: Session, target: str, fingerprint: str, pack: str, kernel: str, record: Mapping[str, Any]) -> None:
    """The newest of a kernel under a fingerprint."""
    known = {"target": target, "fingerprint": fingerprint, "pack": pack, "kernel": kernel, "record": dict(record)}
    setting.put(s, f"{PREFIX}{fingerprint}/{pack}/{kernel}", known)


def kept(s: Session, fingerprint: str = "", pack: str = "") -> tuple[AnalysisView, ...]:
    """By pack and kernel; of one fingerprint and one pack where they are named, else the newest of each kernel."""
    names = sql.rows(s, "SELECT name FROM setting WHERE name LIKE :like ORDER BY at, name", like=f"{PREFIX}%")
    found: dict[tuple[str, str, str], AnalysisView] = {}
    for row in names:
        at, value = setting.dated(s, row["name"])
        view = AnalysisView(value["target"], value["fingerprint"], value["pack"], value["kernel"], at, value["record"])
        if fingerprint in ("", view.fingerprint) and pack in ("", view.pack):
            found[view.target, view.pack, view.kernel] = view
    return tuple(found[key] for key in sorted(found))
