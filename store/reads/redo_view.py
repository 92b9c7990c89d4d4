"""On which side the redone pairs of a campaign had their long reading."""

from itertools import groupby

from sqlmodel import Session

from kernels.judge.redo import side_of
from kernels.values.reading import Pair, Reading
from store import sql

NEWEST = 100


def redos(s: Session, campaign_id: int) -> dict[str, int]:
    """Redone pairs by side, "head" and "candidate", in the newest tests that had any. A test has at most three; a
    campaign may show a lean."""
    rows = sql.rows(
        s,
        "SELECT test_id, first, head_ns, candidate_ns, redo_reason FROM pair WHERE test_id IN (SELECT DISTINCT"
        " test_id FROM pair JOIN test ON test.id = test_id WHERE campaign_id = :campaign AND redo_reason <> ''"
        " ORDER BY test_id DESC LIMIT :limit) ORDER BY test_id, seq",
        campaign=campaign_id, limit=NEWEST,
    )  # fmt: skip
    found = {"head": 0, "candidate": 0}
    for _, of_test in groupby(rows, key=lambda row: row["test_id"]):
        pairs = [pair_of(r["first"], r["head_ns"], r["candidate_ns"], r["redo_reason"]) for r in of_test]
        for _, side in sides(pairs):
            if side:
                found[side] += 1
    return found


def sides(pairs: list[Pair]) -> list[tuple[int, str]]:
    """(index, side) of every redone pair of one test, in run order; "" when it could not be read."""
    kept: list[Pair] = []
    found: list[tuple[int, str]] = []
    for index, pair in enumerate(pairs):
        if pair.redo_reason:
            found.append((index, side_of(pair, kept)))
        else:
            kept.append(pair)
    return found


def pair_of(first: str, head_ns: float | None, candidate_ns: float | None, redo_reason: str) -> Pair:
    """A stored pair as the judge knows it; a time that could not be read is 0, which is not valid."""
    head, candidate = head_ns or 0.0, candidate_ns or 0.0
    side = "candidate" if first == "candidate" else "head"
    return Pair(
        Reading(head, 1, head, head), Reading(candidate, 1, candidate, candidate), side, redo_reason=redo_reason
    )
