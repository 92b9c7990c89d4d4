"""The score over time, for a step plot: what the ledger measured, and nothing that is only claimed."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import RowMapping
from sqlmodel import Session

from store import campaigns, kernel_states, sql
from store.events import need_id
from store.memo import JUDGED, remembered
from store.scores import geometric_mean, usable
from store.tables import CampaignRow
from store.views import ScorePoint

STEPS = """
SELECT max(at) OVER (ORDER BY id) AS at, 0 AS rank, kernel, 'promotion' AS step, candidate_id AS head,
    NULL AS value, '' AS mode
    FROM promotion WHERE campaign_id = :campaign AND NOT (SELECT tainted FROM node WHERE node.id = node_id)
UNION ALL
SELECT demoted_at, 1, kernel, 'demotion', candidate_id, NULL, ''
    FROM promotion WHERE campaign_id = :campaign AND demoted_at IS NOT NULL
UNION ALL
SELECT max(at) OVER (ORDER BY id), 2, kernel, 'ledger', head_id, speedup, mode
    FROM ledger WHERE campaign_id = :campaign AND against = 'baseline' AND NOT tainted
UNION ALL
SELECT at, 3, '', 'toolchain', present, NULL, '' FROM toolchain_change WHERE campaign_id = :campaign
    AND former <> present
ORDER BY 1, 2
"""


def score(s: Session, campaign_id: int) -> tuple[ScorePoint, ...]:
    """A point per change of a kernel's ledger number, and one of the geometric mean (kernel "") after it, oldest first;
    none before the first entry.

    A kernel counts as 1 until its first entry. A promotion moves nothing until its own entry; a demotion goes back to
    what was measured of the heads before. A clock that was set back makes no step earlier than the one before it. Under
    another toolchain nothing is known until it is measured there.
    """
    campaign = campaigns.get(s, campaign_id)
    name = f"score in mode {campaign.mode!r}"
    return remembered(s, name, campaign_id, JUDGED, lambda: _points(s, campaign))


def _points(s: Session, campaign: CampaignRow) -> tuple[ScorePoint, ...]:
    campaign_id = need_id(campaign.id)
    levels = {state.kernel: Level(campaign.mode) for state in kernel_states.of(s, campaign_id)}
    points: list[ScorePoint] = []
    for row in sql.rows(s, STEPS, campaign=campaign_id):
        if row["step"] == "toolchain":
            known = [name for name, level in levels.items() if level.forget()]
            points += [one for name in known for one in _both(float(row["at"]) - campaign.started_at, name, levels)]
            continue
        kernel = levels.get(row["kernel"])
        if kernel is None or not kernel.take(row):
            continue
        points += _both(float(row["at"]) - campaign.started_at, row["kernel"], levels)
    return tuple(points)


def _both(at: float, kernel: str, levels: Mapping[str, "Level"]) -> list[ScorePoint]:
    mean = geometric_mean(1.0 if level.now is None else level.now for level in levels.values())
    whole = [] if mean is None else [ScorePoint(at, "", mean)]
    return [ScorePoint(at, kernel, levels[kernel].now or 1.0), *whole]


@dataclass(slots=True)
class Level:
    """The ledger entries of one kernel against the baseline, and its heads in force, both oldest first.

    mode: the campaign's device mode. The entry that speaks is chosen as `kernel_views.ledger_speedups` does.
    """

    mode: str
    heads: list[str] = field(default_factory=list)
    entries: list[tuple[str, str, float]] = field(default_factory=list)  # head, mode, speedup
    now: float | None = None

    def forget(self) -> bool:
        """Whether anything was known until now."""
        had, self.now = self.now is not None, None
        self.entries.clear()
        return had

    def take(self, row: RowMapping) -> bool:
        """Whether the kernel's number changed."""
        before, head = self.now, str(row["head"])
        match row["step"]:
            case "promotion":
                self.heads.append(head)
            case "demotion":
                self.heads = [one for one in self.heads if one != head]
            case _ if usable(row["value"]):
                self.entries.append((head, str(row["mode"]), float(row["value"])))
        self.now = self._speaking()
        return self.now != before

    def _speaking(self) -> float | None:
        known = [entry for entry in self.entries if entry[0] in self.heads]
        if not known:
            return None
        usual = [(head == self.heads[-1], mode == self.mode, order) for order, (head, mode, _) in enumerate(known)]
        return known[max(range(len(known)), key=usual.__getitem__)][2]
