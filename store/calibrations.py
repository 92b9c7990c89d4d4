"""What is known of a device: the last calibration of each kernel, by toolchain and device fingerprint."""

from collections.abc import Mapping
from typing import Any

from sqlmodel import Session, col, select

from store import events, setting
from store.tables import SettingRow

PREFIX = "calibration/"


def keep(s: Session, campaign_id: int, *, fingerprint: str, pack: str, kernel: str, figures: Mapping[str, Any]) -> None:
    """Replaces the one before; the pairs of both stay in their tests. figures: JSON values only."""
    setting.put(s, _name(fingerprint, pack, kernel), dict(figures))
    text = f"sd of a pair {100 * float(figures['pair_sd']):.2f} %, sees {100 * float(figures['visible_gain']):.2g} %"
    events.append(s, campaign_id, "calibration", kernel, text, fingerprint=fingerprint, test=figures.get("test"))


def latest(s: Session, fingerprint: str, pack: str, kernel: str) -> dict[str, Any] | None:
    """The figures as they were kept; None when this device was never calibrated with this kernel."""
    found = setting.get(s, _name(fingerprint, pack, kernel))
    return None if found is None else dict(found)


def listing(s: Session) -> list[dict[str, Any]]:
    """Every calibration of this home, oldest first."""
    rows = s.exec(select(SettingRow).where(col(SettingRow.name).startswith(PREFIX)).order_by(col(SettingRow.at))).all()
    return [dict(row.value) for row in rows]


def _name(fingerprint: str, pack: str, kernel: str) -> str:
    return f"{PREFIX}{fingerprint}/{pack}/{kernel}"
