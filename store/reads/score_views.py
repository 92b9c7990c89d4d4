"""The score over time, for a step plot."""

from dataclasses import dataclass, field

from sqlalchemy import RowMapping
from sqlmodel import Session

from store import campaigns, kernel_states, sql
from store.scores import factor_of, geometric_mean
from store.views import ScorePoint

STEPS = """
SELECT at, 0 AS rank, kernel, 'promotion' AS step, candidate_id AS head, coalesce(fresh_gain, gain) AS value
    FROM promotion WHERE campaign_id = :campaign
UNION ALL
SELECT demoted_at, 1, kernel, 'demotion', candidate_id, NULL
    FROM promotion WHERE campaign_id = :campaign AND demoted_at IS NOT NULL
UNION ALL
SELECT at, 2, kernel, 'ledger', head_id, speedup FROM ledger WHERE campaign_id = :campaign AND against = 'baseline'
ORDER BY 1, 2
"""


def score(s: Session, campaign_id: int) -> tuple[ScorePoint, ...]:
    """A point per step of a kernel, and one of the geometric mean (kernel "") after it, oldest first.

    A head's level is claimed (that of the head before it times its accepted estimate) until a ledger entry against the
    baseline sets it to what was measured; a demotion goes back to the level of the head before.
    """
    start = campaigns.get(s, campaign_id).started_at
    levels = {state.kernel: Levels() for state in kernel_states.of(s, campaign_id)}
    points = [ScorePoint(0.0, name, 1.0) for name in ("", *levels)]
    for row in sql.rows(s, STEPS, campaign=campaign_id):
        kernel = levels.get(row["kernel"])
        if kernel is None:
            continue
        kernel.take(row)
        at, mean = float(row["at"]) - start, geometric_mean(level.now for level in levels.values())
        points += [ScorePoint(at, row["kernel"], kernel.now), ScorePoint(at, "", mean)]
    return tuple(points)


@dataclass(slots=True)
class Levels:
    """The heads in force of one kernel, oldest first, each with its speedup over the baseline."""

    heads: dict[str, float] = field(default_factory=dict)

    @property
    def now(self) -> float:
        return next(reversed(self.heads.values()), 1.0)

    def take(self, row: RowMapping) -> None:
        head = str(row["head"])
        match row["step"]:
            case "promotion":
                self.heads[head] = self.now * factor_of(row["value"])
            case "demotion":
                self.heads.pop(head, None)
            case _ if head in self.heads:
                self.heads[head] = float(row["value"])
