"""What one kernel's measurements say of the device: its power, its calibration, its noise over time."""

import statistics
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import RowMapping
from sqlmodel import Session

from kernels.judge.power import VISIBLE_PAIRS, Power, device_minutes, robust_sd
from store import calibrations, campaigns, sql
from store.device_views import DeviceView, NoisePoint, PowerView
from store.reads.planned_view import planned_view
from store.reads.redo_view import redos

SHOWN = 120
TIMED = "('acceptance', 'confirmation', 'placebo')"
QUIET = "('acceptance', 'confirmation', 'placebo', 'calibration')"
"""Both sides of these tests take about as long; the ledger's baseline has a noise of its own."""
ENOUGH = 6
"""Pairs from which an sd is told: the first look of a test."""
HERE = (
    "campaign_id IN (SELECT id FROM campaign WHERE pack = :pack) AND kernel = :kernel"
    " AND test.fingerprint = :fingerprint"
)


def device(s: Session, campaign_id: int, kernel: str) -> DeviceView:
    """One kernel on the device of this campaign. Raises: StoreError when there is no such campaign."""
    row = campaigns.get(s, campaign_id)
    where = {"fingerprint": row.fingerprint, "pack": row.pack, "kernel": kernel}
    known = calibrations.latest(s, row.fingerprint, row.pack, kernel)
    return DeviceView(
        kernel=kernel, pack=row.pack, fingerprint=row.fingerprint,
        power=power(s, row.fingerprint, row.pack, kernel), calibration=known,
        noise=noise(s, where), modes=_modes(s, where),
        calibrated_elsewhere=_elsewhere(s, row.pack, kernel) if known is None else "", redos=redos(s, campaign_id),
        planned=planned_view(s, campaign_id, kernel),
    )  # fmt: skip


def power(s: Session, fingerprint: str, pack: str, kernel: str) -> PowerView | None:
    """By the calibration, else by the pairs of finished placebos; None when there is neither."""
    where = {"fingerprint": fingerprint, "pack": pack, "kernel": kernel}
    known = calibrations.latest(s, fingerprint, pack, kernel)
    seconds, timed = _pair_seconds(s, where)
    if known is not None:
        seconds = seconds if timed else known.get("pair_seconds")
        return _power("calibration", known["pairs"], known["pair_sd"], seconds, timed, known["at"])
    rows = sql.rows(
        s,
        "SELECT log_ratio, at FROM pair WHERE redo_reason = '' AND test_id IN (SELECT id FROM test WHERE kind ="
        f" 'placebo' AND state = 'done' AND verdict NOT IN ('', 'INVALID') AND {HERE}) ORDER BY id DESC LIMIT 2000",
        **where,
    )
    if len(rows) < ENOUGH:
        return None
    return _power("placebo pairs", len(rows), robust_sd(r["log_ratio"] for r in rows), seconds, timed, rows[0]["at"])


def pair_seconds(s: Session, campaign_id: int, kernel: str) -> float | None:
    """Device seconds of a pair of this kernel under the campaign's toolchain; None before the first test."""
    row = campaigns.get(s, campaign_id)
    return _pair_seconds(s, {"fingerprint": row.fingerprint, "pack": row.pack, "kernel": kernel})[0]


def brief_seconds(s: Session, brief_id: int) -> float:
    """For which the device tested and raced what came of one brief."""
    found = sql.scalar(
        s,
        "SELECT sum((SELECT coalesce(sum(device_seconds), 0) FROM test WHERE node_id = node.id)"
        " + (SELECT coalesce(sum(device_seconds), 0) FROM race WHERE node_id = node.id))"
        " FROM node WHERE brief_id = :brief AND campaign_id = (SELECT campaign_id FROM brief WHERE id = :brief)",
        brief=brief_id,
    )  # fmt: skip
    return float(found or 0.0)


def _power(source: str, pairs: int, sd: float, seconds: float | None, timed: int, at: float) -> PowerView:
    known = Power(sd)
    minutes = None if seconds is None else device_minutes(VISIBLE_PAIRS, seconds)
    return PowerView(source, pairs, sd, known.visible_gain, known.promotable_gain, seconds, timed, minutes, at)


def _pair_seconds(s: Session, where: dict[str, str]) -> tuple[float | None, int]:
    """Device seconds of a pair, redone ones included, by the last tests near the head; and how many pairs that is."""
    row = sql.first(
        s,
        "SELECT sum(device_seconds) AS seconds, sum((SELECT count(*) FROM pair WHERE test_id = test.id)) AS pairs FROM"
        f" test WHERE id IN (SELECT id FROM test WHERE state = 'done' AND device_seconds > 0 AND kind IN {TIMED}"
        f" AND {HERE} ORDER BY id DESC LIMIT {SHOWN})",
        **where,
    )
    if row is None or not row["pairs"]:
        return None, 0
    return float(row["seconds"]) / int(row["pairs"]), int(row["pairs"])


def noise(s: Session, where: dict[str, str]) -> tuple[NoisePoint, ...]:
    """The last finished tests with enough pairs, oldest first."""
    rows = sql.rows(
        s,
        "SELECT t.id, t.kind, t.started_at, t.mode AS test_mode, pair.log_ratio, pair.probe_before_gbs AS before,"
        " pair.probe_after_gbs AS after FROM (SELECT * FROM test WHERE state = 'done' AND"
        f" kind IN {QUIET} AND {HERE} ORDER BY id DESC LIMIT {SHOWN}) AS t JOIN pair ON pair.test_id = t.id"
        " WHERE pair.redo_reason = '' ORDER BY t.id, pair.seq",
        **where,
    )
    by_test: dict[int, list[RowMapping]] = {}
    for row in rows:
        by_test.setdefault(row["id"], []).append(row)
    return tuple(_point(found) for found in by_test.values() if len(found) >= ENOUGH)


def _point(rows: Sequence[RowMapping]) -> NoisePoint:
    first = rows[0]
    sd = robust_sd(row["log_ratio"] for row in rows)
    probes = [(row["before"] * row["after"]) ** 0.5 for row in rows if row["before"] > 0 and row["after"] > 0]
    gbs = statistics.median(probes) if probes else 0.0
    return NoisePoint(first["id"], first["kind"], first["started_at"], len(rows), sd, gbs, first["test_mode"])


def _modes(s: Session, where: dict[str, str]) -> dict[str, int]:
    rows = sql.rows(
        s,
        "SELECT mode, count(*) AS pairs FROM pair WHERE redo_reason = '' AND mode <> '' AND test_id IN"
        f" (SELECT id FROM test WHERE state = 'done' AND {HERE} ORDER BY id DESC LIMIT {SHOWN})"
        " GROUP BY mode ORDER BY pairs DESC, mode",
        **where,
    )
    return {row["mode"]: int(row["pairs"]) for row in rows}


def _elsewhere(s: Session, pack: str, kernel: str) -> str:
    """The device of the last calibration of this kernel, whichever it was."""
    same: Iterable[dict[str, Any]] = (
        c for c in calibrations.listing(s) if (c.get("pack"), c.get("kernel")) == (pack, kernel)
    )
    return next((str(c.get("fingerprint", "")) for c in reversed(list(same))), "")
