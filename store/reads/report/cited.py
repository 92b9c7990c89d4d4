"""Which event a figure stands in. Rows and their event are written in one transaction, but do not name each other; an
event is found by what both say."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from sqlmodel import Session

from store import sql
from store.columns import loads
from store.reads.feed_views import view_of
from store.views import EventView

FEW: Final = (
    "ledger", "promotion", "taint", "audit", "peak", "demotion", "calibration", "campaign", "grader_changed", "import",
    "submission",
)  # fmt: skip
"""Kinds of which a campaign has at most some hundreds; outcomes and tests are looked up one by one."""
AT_ONCE: Final = 400


@dataclass(frozen=True, slots=True)
class Said:
    event: int
    kind: str
    subject: str
    data: dict[str, object]

    def fits(self, kind: str, subject: str | None, facts: Mapping[str, object]) -> bool:
        if self.kind != kind or subject not in (None, self.subject):
            return False
        return all(name in self.data and self.data[name] == value for name, value in facts.items())


class Cited:
    """The events of a campaign that a report may point to."""

    def __init__(self, s: Session, campaign_id: int) -> None:
        kinds = ", ".join(f"'{kind}'" for kind in FEW)
        found = sql.rows(
            s, f"SELECT * FROM event WHERE campaign_id = :campaign AND kind IN ({kinds}) ORDER BY id",
            campaign=campaign_id,
        )  # fmt: skip
        self._s, self._campaign = s, campaign_id
        self._few = [Said(row["id"], row["kind"], row["subject"], loads(row["data"], {})) for row in found]

    def last(self, kind: str, subject: str | None = None, **facts: object) -> int | None:
        """The newest event of one of the few kinds that says these facts."""
        return next((said.event for said in reversed(self._few) if said.fits(kind, subject, facts)), None)

    def first(self, kind: str) -> int | None:
        return next((said.event for said in self._few if said.kind == kind), None)

    def newest(self) -> int | None:
        """Of all kinds: until where the campaign was told when it was read."""
        found = sql.scalar(self._s, "SELECT max(id) FROM event WHERE campaign_id = :campaign", campaign=self._campaign)
        return None if found is None else int(found)

    def outcome(self, node: int) -> int | None:
        """The last outcome of a node, its promotion included."""
        kept = self.last("promotion", node=node)
        if kept is not None:
            return kept
        found = sql.scalar(
            self._s,
            "SELECT max(id) FROM event WHERE campaign_id = :campaign AND kind = 'outcome'"
            " AND json_extract(data, '$.node') = :node",
            campaign=self._campaign, node=node,
        )  # fmt: skip
        return None if found is None else int(found)

    def lever_outcomes(self) -> Mapping[tuple[str, str], int]:
        """By kernel and lever, the last outcome that was no promotion."""
        found = sql.rows(
            self._s,
            "SELECT max(id) AS id, subject, json_extract(data, '$.lever') AS lever FROM event"
            " WHERE campaign_id = :campaign AND kind = 'outcome' GROUP BY subject, lever",
            campaign=self._campaign,
        )
        return {(row["subject"], row["lever"] or ""): int(row["id"]) for row in found}


def events_by_id(s: Session, ids: Iterable[int]) -> tuple[EventView, ...]:
    """Oldest first."""
    wanted = sorted(set(ids))
    found: list[EventView] = []
    for start in range(0, len(wanted), AT_ONCE):
        marks = ", ".join(str(int(number)) for number in wanted[start : start + AT_ONCE])
        found += [view_of(row) for row in sql.rows(s, f"SELECT * FROM event WHERE id IN ({marks}) ORDER BY id")]
    return tuple(found)
