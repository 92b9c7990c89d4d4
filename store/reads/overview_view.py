"""All that the first screen shows, from one snapshot."""

from sqlmodel import Session

from store import sql
from store.reads.campaign_views import campaign_view, engine_of
from store.reads.feed_views import events
from store.reads.kernel_views import kernels
from store.reads.score_views import score
from store.reads.team_views import agent_states
from store.reads.test_views import Boundaries, live_test, no_boundaries
from store.views import CampaignView, EngineView, OverviewView

QUEUE = 8
RECENT = 20
ATTENTION_WITHIN = 2000
ATTENTION = ("attention", "unhealthy", "stale", "tainted", "grader_changed", "alarm")
ALARMS = {20: 4, 40: 5, 60: 7, 100: 10, 200: 16}


def overview(s: Session, campaign_id: int, boundaries: Boundaries = no_boundaries) -> OverviewView:
    """Raises: StoreError when there is no such campaign."""
    views = kernels(s, campaign_id)
    campaign = campaign_view(s, campaign_id, views)
    engine = engine_of(s, campaign_id)
    live = live_test(s, campaign_id, boundaries)
    return OverviewView(
        campaign=campaign, engine=engine, kernels=views, score=score(s, campaign_id), live=live,
        queue=queue(s, campaign_id, live.node_id if live else None), attention=attention(s, campaign, engine),
        agent_states=agent_states(s, campaign_id), recent=events(s, campaign_id, after=-1, limit=RECENT),
    )  # fmt: skip


def queue(s: Session, campaign_id: int, live_node: int | None = None) -> tuple[str, ...]:
    """Nodes that are at work or wait, and briefs that nobody has taken, as lines; at most eight.

    The plus keeps SQLite from the index of the campaign: few nodes are at work, many are in a campaign.
    """
    found = sql.rows(
        s,
        "SELECT kernel || ' ' || title AS line, state FROM node WHERE +campaign_id = :campaign"
        " AND state IN ('gates', 'testing', 'queued') AND id <> :live ORDER BY state = 'queued', id LIMIT :limit",
        campaign=campaign_id, live=live_node or 0, limit=QUEUE,
    )  # fmt: skip
    waiting = sql.rows(
        s,
        "SELECT kernel || ' ' || lever AS line, 'brief' AS state FROM brief WHERE campaign_id = :campaign"
        " AND state = 'queued' ORDER BY priority DESC, id LIMIT :limit",
        campaign=campaign_id, limit=QUEUE,
    )  # fmt: skip
    return tuple(f"{row['line']} ({row['state']})" for row in (*found, *waiting)[:QUEUE])


def attention(s: Session, campaign: CampaignView, engine: EngineView | None) -> tuple[str, ...]:
    """What a person should look at, most urgent first."""
    lines = []
    if campaign.state in ("running", "pausing", "stopping") and (engine is None or not engine.alive):
        lines.append("the engine is gone: start it again to go on")
    if placebo_alarm(s, campaign.id):
        lines.append(f"placebos were called FASTER {campaign.placebo_faster} times of {campaign.placebo_tests}")
    crashed = sql.rows(
        s, "SELECT name FROM agent WHERE campaign_id = :campaign AND state = 'crashed' ORDER BY since DESC LIMIT 3",
        campaign=campaign.id,
    )  # fmt: skip
    lines += [f"{row['name']} crashed" for row in crashed]
    return tuple(lines + _told(s, campaign.id))


def placebo_alarm(s: Session, campaign_id: int) -> bool:
    """Whether too many of the first 20, 40, 60, 100 or 200 placebo tests were FASTER."""
    found = sql.rows(
        s,
        "SELECT verdict FROM test WHERE campaign_id = :campaign AND kind = 'placebo' AND state = 'done'"
        " AND verdict <> 'INVALID' ORDER BY id LIMIT 200",
        campaign=campaign_id,
    )
    fooled = [row["verdict"] == "FASTER" for row in found]
    return any(len(fooled) >= n and sum(fooled[:n]) >= most for n, most in ALARMS.items())


def _told(s: Session, campaign_id: int) -> list[str]:
    """The last events that ask for attention, among the last 2000."""
    kinds = ", ".join(f"'{kind}'" for kind in ATTENTION)
    found = sql.rows(
        s,
        "SELECT subject, text FROM event WHERE id > (SELECT max(id) FROM event) - :within AND campaign_id = :campaign"
        f" AND kind IN ({kinds}) ORDER BY id DESC LIMIT 3",
        campaign=campaign_id, within=ATTENTION_WITHIN,
    )  # fmt: skip
    return [f"{row['subject']}: {row['text']}" for row in found]
