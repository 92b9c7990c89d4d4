"""What was reached: baselines, the ledger, accepted steps, lineages, peaks, and how noisy the readings were."""

import math
from collections.abc import Mapping

from sqlalchemy import RowMapping
from sqlmodel import Session

from store import calibrations, campaigns, kernel_states, sql
from store import peaks as peaks_of
from store.columns import loads
from store.reads.kernel_views import ledger_speedups
from store.reads.report.cited import Cited
from store.reads.tree_views import COLUMNS, head_path, node_view
from store.report_views import BaselineView, EntryView, LineageView, NoiseView, PeakView, StepView
from store.scores import Speedup

NOISE_TESTS = 120


def baselines(s: Session, campaign_id: int) -> tuple[BaselineView, ...]:
    """In the pack's order; of a kernel without a baseline yet the candidate is ""."""
    found = sql.rows(
        s,
        "SELECT kernel_state.kernel, baseline_id, baseline_ns, language, main, flags FROM kernel_state LEFT JOIN"
        " candidate ON candidate.id = baseline_id WHERE campaign_id = :campaign ORDER BY position, kernel_state.kernel",
        campaign=campaign_id,
    )
    return tuple(
        BaselineView(
            r["kernel"], r["baseline_id"] or "", r["language"] or "", r["main"] or "", tuple(loads(r["flags"], [])),
            r["baseline_ns"],
        )
        for r in found
    )  # fmt: skip


def entries(s: Session, campaign_id: int, cited: Cited) -> tuple[EntryView, ...]:
    """All entries of the ledger, oldest first."""
    speaking = ledger_speedups(s, campaign_id)
    found = sql.rows(s, "SELECT * FROM ledger WHERE campaign_id = :campaign ORDER BY id", campaign=campaign_id)
    last = {row["kernel"]: row["id"] for row in found if _speaks(row, speaking)}
    return tuple(_entry(row, row["id"] == last.get(row["kernel"]), cited) for row in found)


def _speaks(row: RowMapping, speaking: Mapping[str, Speedup]) -> bool:
    number = speaking.get(row["kernel"])
    said = Speedup(row["speedup"], row["low"], row["high"])
    return bool(row["against"] == "baseline" and not row["tainted"]) and number == said


def _entry(row: RowMapping, speaks: bool, cited: Cited) -> EntryView:
    event = cited.last("ledger", row["kernel"], speedup=row["speedup"], low=row["low"], against=row["against"])
    return EntryView(
        id=row["id"], kernel=row["kernel"], against=row["against"], head=row["head_id"], speedup=row["speedup"],
        low=row["low"], high=row["high"], pairs=row["pairs"], mode=row["mode"], head_ns=row["head_ns"],
        against_ns=row["against_ns"], at=row["at"], tainted=bool(row["tainted"]), speaks=speaks, event=event,
    )  # fmt: skip


def steps(s: Session, campaign_id: int, cited: Cited) -> tuple[StepView, ...]:
    """Every promotion, oldest first."""
    found = sql.rows(
        s,
        "SELECT promotion.*, node.lever, node.title, node.agent, node.tainted, promotion.fingerprint <>"
        " (SELECT fingerprint FROM campaign WHERE campaign.id = :campaign) AS former FROM promotion JOIN node"
        " ON node.id = promotion.node_id WHERE promotion.campaign_id = :campaign ORDER BY promotion.id",
        campaign=campaign_id,
    )
    return tuple(_step(s, row, cited) for row in found)


def _step(s: Session, row: RowMapping, cited: Cited) -> StepView:
    names = ("gain", "low", "high", "fresh_gain", "fresh_low", "fresh_high", "head_ns", "mode", "at")
    return StepView(
        kernel=row["kernel"], node=row["node_id"], lever=row["lever"], title=row["title"], agent=row["agent"],
        candidate=row["candidate_id"], lost=row["demoted_why"], tainted=bool(row["tainted"]),
        former=bool(row["former"]), times_peak=None if row["former"] else peaks_of.times_peak(
            s, row["campaign_id"], row["kernel"], row["head_ns"], row["mode"]
        ),
        event=cited.last("promotion", row["kernel"], node=row["node_id"]), **{name: row[name] for name in names},
    )  # fmt: skip


def lineages(s: Session, campaign_id: int) -> tuple[LineageView, ...]:
    """Of every kernel, in the pack's order; without nodes before the baseline stands."""
    made = []
    for state in kernel_states.of(s, campaign_id):
        path = head_path(s, campaign_id, state.kernel)
        ids = ", ".join(map(str, sorted(path.path)))
        found = sql.rows(s, f"{COLUMNS} WHERE node.id IN ({ids}) ORDER BY node.depth, node.id") if ids else ()
        made.append(LineageView(state.kernel, tuple(node_view(row, path) for row in found)))
    return tuple(made)


def peaks(s: Session, campaign_id: int, cited: Cited) -> tuple[PeakView, ...]:
    """The fastest of each kernel and mode."""
    found = sql.rows(
        s,
        "SELECT kernel, min(ns) AS ns, gbs, style, mode FROM peak WHERE campaign_id = :campaign AND fingerprint ="
        " (SELECT fingerprint FROM campaign WHERE campaign.id = :campaign) GROUP BY kernel, mode"
        " ORDER BY kernel, mode",
        campaign=campaign_id,
    )
    return tuple(
        PeakView(r["kernel"], r["ns"], r["gbs"], r["style"], r["mode"], cited.last("peak", r["kernel"], ns=r["ns"]))
        for r in found
    )


def noise_of(s: Session, campaign_id: int, cited: Cited) -> tuple[NoiseView, ...]:
    """Of every kernel, over the last 120 finished tests against its head."""
    row = campaigns.get(s, campaign_id)
    made = []
    for state in kernel_states.of(s, campaign_id):
        cv, tests, readings = _pooled_cv(s, campaign_id, state.kernel)
        known = calibrations.latest(s, row.fingerprint, row.pack, state.kernel)
        event = cited.last("calibration", state.kernel)
        made.append(NoiseView(state.kernel, cv, tests, readings, known, event))
    return tuple(made)


def _pooled_cv(s: Session, campaign_id: int, kernel: str) -> tuple[float | None, int, int]:
    """The root of: squared relative deviations from each test's mean, summed, over the summed n - 1."""
    found = sql.rows(
        s,
        "SELECT count(*) AS n, avg(head_ns) AS mean, sum(head_ns * head_ns) AS squares FROM pair WHERE redo_reason = ''"
        " AND test_id IN (SELECT id FROM test WHERE campaign_id = :campaign AND kernel = :kernel AND state = 'done'"
        " AND fingerprint = (SELECT fingerprint FROM campaign WHERE campaign.id = :campaign)"
        f" AND kind IN ('acceptance', 'confirmation', 'placebo') ORDER BY id DESC LIMIT {NOISE_TESTS})"
        " GROUP BY test_id HAVING n > 1",
        campaign=campaign_id, kernel=kernel,
    )  # fmt: skip
    freedom = sum(int(row["n"]) - 1 for row in found)
    if not freedom:
        return None, 0, 0
    spread = sum(max(row["squares"] / row["mean"] ** 2 - row["n"], 0.0) for row in found)
    return math.sqrt(spread / freedom), len(found), freedom + len(found)
