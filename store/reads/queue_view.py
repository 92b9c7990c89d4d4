"""What is on the device, waits for it, or will be due: from rows of tests, nodes and briefs, and the last heartbeat."""

from sqlmodel import Session

from store import campaigns, heartbeat, sql
from store.device_views import QueueItem
from store.reads.campaign_views import engine_of, holder_of

MOST = 40
NAMED_BY_TESTS = ("pair", "verifying")
"""First words of what waits for the machine on behalf of a test that is listed as such."""


def queue(s: Session, campaign_id: int) -> tuple[QueueItem, ...]:
    """Nearest to the device first. Without a live engine, what only it knows is left out; nothing waits in a campaign
    that is over."""
    if campaigns.get(s, campaign_id).state == "finished":
        return ()
    engine = engine_of(s, campaign_id)
    alive = bool(engine and engine.alive)
    known = heartbeat.waiting(s) if alive else heartbeat.Waiting()
    holder = holder_of(s) if alive else ""
    holds = (QueueItem("holds", "", holder, "has the machine now"),) if holder else ()
    waits = tuple(
        QueueItem("device", "", text, "waits for the machine")
        for text in known.device
        if text.partition(" ")[0] not in NAMED_BY_TESTS
    )
    several = known.used if len(known.used) > 1 or any(one.unhealthy for one in known.used) else ()
    used = tuple(QueueItem("ill" if one.unhealthy else "used", "", one.name, _use(one)) for one in several)
    due = tuple(QueueItem("due", one.kernel, one.what, _when(one)) for one in known.due)
    return (*used, *holds, *_measured(s, campaign_id), *_past_the_gates(s, campaign_id), *waits,
            *_in_gates(s, campaign_id), *_behind_their_kernel(s, campaign_id), *due,
            *_later(s, campaign_id))  # fmt: skip


def _use(one: heartbeat.Used) -> str:
    said = f"{one.jobs} jobs, {one.busy_s:.0f} s in readings, {one.waited_s:.0f} s waited for others"
    return f"UNHEALTHY {one.unhealthy}; {said}" if one.unhealthy else said


def _when(due: heartbeat.Due) -> str:
    unit = "test" if due.what == "placebo" else "promotion"
    return "due now" if not due.after else f"after {due.after} more {unit}{'s' if due.after > 1 else ''}"


def _measured(s: Session, campaign_id: int) -> tuple[QueueItem, ...]:
    rows = sql.rows(
        s,
        "SELECT kernel, CASE kind WHEN 'placebo' THEN 'acceptance' ELSE kind END AS kind, lever, pairs_budget,"
        " (SELECT count(*) FROM pair WHERE test_id = test.id AND redo_reason = '') AS pairs FROM test"
        " WHERE campaign_id = :campaign AND state = 'running' ORDER BY id",
        campaign=campaign_id,
    )
    return tuple(
        QueueItem(
            "measured", r["kernel"], r["lever"] or r["kind"], f"{r['kind']}, pair {r['pairs']}/{r['pairs_budget']}"
        )
        for r in rows
    )  # fmt: skip


def _past_the_gates(s: Session, campaign_id: int) -> tuple[QueueItem, ...]:
    """The plus keeps SQLite from the index of the campaign: few nodes are at work, many are in a campaign."""
    rows = sql.rows(
        s,
        "SELECT kernel, title FROM node WHERE +campaign_id = :campaign AND state = 'testing' AND NOT EXISTS (SELECT 1"
        " FROM test WHERE test.node_id = node.id AND test.state = 'running') ORDER BY id LIMIT :limit",
        campaign=campaign_id, limit=MOST,
    )  # fmt: skip
    return tuple(QueueItem("testing", r["kernel"], r["title"], "past the gates, between two tests") for r in rows)


def _in_gates(s: Session, campaign_id: int) -> tuple[QueueItem, ...]:
    rows = sql.rows(
        s,
        "SELECT kernel, title, (SELECT gate FROM gate_report WHERE node_id = node.id ORDER BY id DESC LIMIT 1) AS gate"
        " FROM node WHERE +campaign_id = :campaign AND state = 'gates' ORDER BY id LIMIT :limit",
        campaign=campaign_id, limit=MOST,
    )  # fmt: skip
    return tuple(
        QueueItem("gates", r["kernel"], r["title"], f"through gate {r['gate']}" if r["gate"] else "at the first gate")
        for r in rows
    )


def _behind_their_kernel(s: Session, campaign_id: int) -> tuple[QueueItem, ...]:
    """Briefs that a worker holds without a node yet: another attempt of their kernel has to end first. Only the last
    nodes are looked through: there is no index by brief."""
    rows = sql.rows(
        s,
        "SELECT kernel, lever, agent FROM brief WHERE campaign_id = :campaign AND state = 'taken' AND NOT EXISTS"
        " (SELECT 1 FROM node WHERE node.campaign_id = :campaign AND node.kernel = brief.kernel AND node.id >"
        " (SELECT max(id) FROM node) - 200 AND node.brief_id = brief.id) ORDER BY taken_at, id LIMIT :limit",
        campaign=campaign_id, limit=MOST,
    )  # fmt: skip
    return tuple(QueueItem("kernel", r["kernel"], r["lever"], f"{r['agent']} waits for its kernel") for r in rows)


def _later(s: Session, campaign_id: int) -> tuple[QueueItem, ...]:
    rows = sql.rows(
        s,
        "SELECT kernel, title AS what, 'queued' AS state FROM node WHERE +campaign_id = :campaign AND state = 'queued'"
        " ORDER BY id LIMIT :limit",
        campaign=campaign_id, limit=MOST,
    )  # fmt: skip
    briefs = sql.rows(
        s,
        "SELECT kernel, lever AS what, 'brief' AS state FROM brief WHERE campaign_id = :campaign AND state = 'queued'"
        " ORDER BY priority DESC, id LIMIT :limit",
        campaign=campaign_id, limit=MOST,
    )  # fmt: skip
    return tuple(QueueItem(r["state"], r["kernel"], r["what"], "waits for a worker") for r in (*rows, *briefs))
