"""What did not work, and what was caught: levers, refusals, folds, audits."""

from collections.abc import Iterable

from sqlalchemy import RowMapping
from sqlmodel import Session

from store import sql
from store.reads.report.cited import Cited
from store.report_views import AuditsView, FoldView, LeverView, RefusalView

NOT_PLACEBO = "NOT EXISTS (SELECT 1 FROM test WHERE test.node_id = node.id AND test.kind = 'placebo')"


def levers(s: Session, campaign_id: int, cited: Cited) -> tuple[LeverView, ...]:
    """Those with an attempt that ended otherwise than as head, by kernel and attempts; placebos are in none."""
    found = sql.rows(
        s,
        "SELECT kernel, lever, outcome, verdict, refusal, count(*) AS n, max(gain) AS best FROM node"
        f" WHERE campaign_id = :campaign AND outcome <> '' AND kind <> 'idea' AND {NOT_PLACEBO}"
        " GROUP BY kernel, lever, outcome, verdict, refusal",
        campaign=campaign_id,
    )
    groups: dict[tuple[str, str], list[RowMapping]] = {}
    for row in found:
        groups.setdefault((row["kernel"], row["lever"]), []).append(row)
    events = cited.lever_outcomes()
    made = [_lever(kernel, lever, rows, events.get((kernel, lever))) for (kernel, lever), rows in groups.items()]
    return tuple(sorted((v for v in made if v.ended), key=lambda v: (v.kernel, -v.tried, v.lever)))


def _lever(kernel: str, lever: str, rows: Iterable[RowMapping], event: int | None) -> LeverView:
    ended: dict[str, int] = {}
    kept, best = 0, None
    for row in rows:
        if row["outcome"] == "KEEP":
            kept += row["n"]
            continue
        word = _word(row)
        ended[word] = ended.get(word, 0) + row["n"]
        best = row["best"] if best is None or (row["best"] or best) > best else best
    return LeverView(kernel, lever, kept + sum(ended.values()), kept, ended, best, event)


def _word(row: RowMapping) -> str:
    """How an attempt ended: a refusal by its kind, else the verdict; FASTER that is no head was dropped by fresh
    pairs."""
    if row["refusal"]:
        return f"refused: {row['refusal']}"
    if row["verdict"] == "FASTER":
        return "FASTER, dropped in confirmation"
    return str(row["verdict"] or row["outcome"])


def refusals(s: Session, campaign_id: int, cited: Cited) -> tuple[RefusalView, ...]:
    """By gate and kind, the most frequent first; variants of races beside the nodes."""
    found = sql.rows(
        s,
        "SELECT gate, gate_report.kind, count(*) AS n, max(node_id) AS node, gate_report.reason FROM gate_report"
        " JOIN node ON node.id = node_id WHERE node.campaign_id = :campaign AND gate_report.state = 'refused'"
        " GROUP BY gate, gate_report.kind",
        campaign=campaign_id,
    )
    raced = {
        (row["gate"], row["kind"]): (int(row["n"]), str(row["reason"]))
        for row in sql.rows(
            s,
            "SELECT gate, kind, count(*) AS n, max(race_variant.reason) AS reason FROM race_variant JOIN race ON"
            " race.id = race_id WHERE race.campaign_id = :campaign AND race_variant.state IN ('refused', 'caught')"
            " GROUP BY gate, kind",
            campaign=campaign_id,
        )
    }
    views = []
    for row in found:
        n, _ = raced.pop((row["gate"], row["kind"]), (0, ""))
        event = cited.outcome(row["node"])
        views.append(RefusalView(row["gate"], row["kind"], row["n"] + n, n, row["node"], row["reason"], event))
    views += [RefusalView(gate, kind, n, n, None, reason, None) for (gate, kind), (n, reason) in raced.items()]
    return tuple(sorted(views, key=lambda v: (-v.count, v.gate, v.kind)))


def folds_of(s: Session, campaign_id: int, cited: Cited) -> tuple[FoldView, ...]:
    """Nodes in whose content a fold was found, oldest first."""
    found = sql.rows(
        s,
        "SELECT kernel, id, lever, taint, (SELECT count(*) FROM node AS made WHERE made.campaign_id = :campaign"
        " AND made.taint_root = node.id AND made.id <> node.id) AS spread, (SELECT count(*) FROM promotion JOIN node"
        " AS fell ON fell.id = promotion.node_id WHERE fell.taint_root = node.id) AS promotions FROM node"
        " WHERE campaign_id = :campaign AND taint_root = id ORDER BY id",
        campaign=campaign_id,
    )
    return tuple(
        FoldView(
            r["kernel"], r["id"], r["lever"], r["taint"], r["spread"], r["promotions"],
            cited.last("taint", r["kernel"], root=r["id"]) or cited.last("taint", r["kernel"]),
        )
        for r in found
    )  # fmt: skip


def audits_of(s: Session, campaign_id: int, cited: Cited) -> tuple[AuditsView, ...]:
    """Of every kernel that was audited."""
    found = sql.rows(
        s,
        "SELECT kernel, count(*) FILTER (WHERE state = 'passed') AS passed, count(*) FILTER (WHERE state = 'fold') AS"
        " folds, count(*) FILTER (WHERE state = 'failed') AS failed FROM audit WHERE campaign_id = :campaign"
        " GROUP BY kernel ORDER BY kernel",
        campaign=campaign_id,
    )
    return tuple(
        AuditsView(r["kernel"], r["passed"], r["folds"], r["failed"], cited.last("audit", r["kernel"])) for r in found
    )
