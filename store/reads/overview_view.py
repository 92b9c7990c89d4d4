"""All that the first screen shows, from one snapshot."""

from sqlmodel import Session

from store import approvals, heartbeat, sql
from store.candidates import artefacts_of
from store.device_views import QueueItem
from store.lock import engine_owner
from store.reads.campaign_views import campaign_view, engine_of
from store.reads.feed_views import events
from store.reads.kernel_views import kernels
from store.reads.queue_view import queue
from store.reads.score_views import score
from store.reads.team_views import agent_states, paused_agents
from store.reads.test_views import Boundaries, live_test, no_boundaries
from store.reads.toolchain_view import toolchain_changes
from store.space import is_full
from store.views import CampaignView, EngineView, OverviewView, PendingView

QUEUE = 8
RECENT = 20
ATTENTION_WITHIN = 2000
ATTENTION = ("attention", "unhealthy", "stale", "taint", "grader_changed", "alarm", "budget", "model_out")
WAITING = {
    "testing": "testing", "device": "waits", "gates": "gates", "kernel": "behind its kernel", "queued": "queued",
    "brief": "brief",
}  # fmt: skip


def overview(s: Session, campaign_id: int, boundaries: Boundaries = no_boundaries) -> OverviewView:
    """Raises: StoreError when there is no such campaign."""
    views = kernels(s, campaign_id)
    campaign = campaign_view(s, campaign_id, views)
    engine = engine_of(s, campaign_id)
    pending = tuple(
        PendingView(one.node, one.kernel, one.title, one.evidence.text, one.at)
        for one in approvals.pending(s, campaign_id)
    )
    live = live_test(s, campaign_id, boundaries)
    return OverviewView(
        campaign=campaign, engine=engine, kernels=views, score=score(s, campaign_id), live=live,
        queue=_lines(queue(s, campaign_id)), attention=attention(s, campaign, engine, pending),
        agent_states=agent_states(s, campaign_id), recent=events(s, campaign_id, after=-1, limit=RECENT),
        pending=pending, paused=(*paused_agents(s, campaign_id), *(k.name for k in views if k.status == "paused")),
        held=campaign.holder in (heartbeat.OWNER, heartbeat.OWNER_OF_PAUSED),
        only_held=campaign.holder == heartbeat.OWNER,
    )  # fmt: skip


def _lines(items: tuple[QueueItem, ...]) -> tuple[str, ...]:
    """What waits, nearest to the device first; at most eight."""
    waiting = [item for item in items if item.state in WAITING]
    return tuple(f"{item.kernel} {item.what} ({WAITING[item.state]})".strip() for item in waiting[:QUEUE])


def _silent(s: Session) -> str:
    """Why nothing is heard of the engine."""
    home = artefacts_of(s).folder.parent
    if engine_owner(home) is None:
        return "the engine is gone: start it again to go on"
    if is_full(home):
        return f"the disk of {home} is full: the engine waits, and goes on once there is space"
    return "nothing is heard of the engine, which still owns this home: it may be stopped, or the machine overloaded"


def attention(
    s: Session, campaign: CampaignView, engine: EngineView | None, pending: tuple[PendingView, ...]
) -> tuple[str, ...]:
    """What a person should look at, most urgent first. pending: what waits for approval."""
    lines = []
    if campaign.state in ("running", "pausing", "stopping") and (engine is None or not engine.alive):
        lines.append(_silent(s))
    changes = toolchain_changes(s, campaign.id)
    if changes and changes[-1].state == "rechecking":
        lines.append(f"the toolchain changed, re-check under way: {changes[-1].said}")
    placebo = campaign.placebo
    if placebo.alarm_at is not None:
        lines.append(f"placebos were called FASTER {placebo.faster} times of {placebo.tests}")
    if placebo.bias is not None and placebo.bias.alarming:
        bias = placebo.bias
        lines.append(f"the head differs from itself by {100 * bias.gain:+.2f} % over {bias.pairs} pairs")
    lines += [f"{one.kernel} node {one.node} waits for approval: {one.title} {one.evidence}" for one in pending]
    crashed = sql.rows(
        s, "SELECT name FROM agent WHERE campaign_id = :campaign AND state = 'crashed' ORDER BY since DESC LIMIT 3",
        campaign=campaign.id,
    )  # fmt: skip
    lines += [f"{row['name']} crashed" for row in crashed]
    return tuple(lines + _told(s, campaign.id))


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
