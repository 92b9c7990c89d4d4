"""Peaks: the time to move a kernel's weights, by device mode."""

from collections.abc import Mapping

from sqlmodel import Session

from store import events, sql
from store.campaigns import fingerprint_of
from store.clock import now
from store.tables import PeakRow


def add_peak(
    s: Session, campaign_id: int, kernel: str, *, style: str, ns: float, gbs: float, mode: str,
    styles: Mapping[str, float],
) -> int:  # fmt: skip
    """styles: nanoseconds by style of reading."""
    row = PeakRow(
        campaign_id=campaign_id, kernel=kernel, style=style, ns=ns, gbs=gbs, mode=mode, styles=dict(styles),
        fingerprint=fingerprint_of(s, campaign_id), at=now(),
    )  # fmt: skip
    s.add(row)
    s.flush()
    events.append(
        s, campaign_id, "peak", kernel, f"{ns / 1000:.1f} us, {gbs:.1f} GB/s by {style}", ns=ns, gbs=gbs, mode=mode
    )
    return events.need_id(row.id)


def peak_ns(s: Session, campaign_id: int, kernel: str, mode: str = "") -> float | None:
    found = fastest(s, campaign_id, kernel, mode)
    return None if found is None else found[0]


def fastest(s: Session, campaign_id: int, kernel: str, mode: str = "") -> tuple[float, str] | None:
    """ns and device mode of the fastest peak of this kernel under the present toolchain, in this mode when one was
    measured in it; never slower within a mode."""
    found = sql.first(
        s,
        "SELECT ns, mode FROM peak WHERE campaign_id = :campaign AND kernel = :kernel AND fingerprint ="
        " (SELECT fingerprint FROM campaign WHERE campaign.id = :campaign) ORDER BY mode = :mode DESC, ns LIMIT 1",
        campaign=campaign_id, kernel=kernel, mode=mode,
    )  # fmt: skip
    return None if found is None else (float(found["ns"]), str(found["mode"]))


def times_peak(s: Session, campaign_id: int, kernel: str, ns: float | None, mode: str = "") -> float | None:
    """How many times the peak a kernel takes; None when either is unknown."""
    peak = peak_ns(s, campaign_id, kernel, mode)
    return None if ns is None or peak is None else ns / peak
