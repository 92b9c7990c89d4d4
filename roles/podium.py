"""What a race ends with: the places, the winner's attempt, and one line that says it. Pure."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from kernels.judge.race import RaceResult
from kernels.levers.grid import lever_of, turned, turns_knobs
from kernels.values.candidate import Candidate
from kernels.values.params import params_text
from roles.attempt import Attempt
from store.races import Entry, Place


def by_id(entries: Sequence[Entry]) -> dict[str, Entry]:
    return {entry.candidate.id: entry for entry in entries}


def places_of(ready: Sequence[str], result: RaceResult | None, caught: Collection[str]) -> list[Place]:
    """Best first, without those that were caught or never gave a usable reading. Who started alone has won."""
    if result is None:
        return [Place(key, math.nan, 0, 0, False) for key in ready]
    found = [s for s in result.standings if s.name not in caught and math.isfinite(s.median)]
    tied = set(result.ties) if found and found[0].name == result.winner else set()
    return [Place(s.name, s.median, s.blocks, s.rounds, s.name in tied) for s in found]


def of_winner(attempt: Attempt, head: Candidate, entry: Entry, race_id: int) -> Attempt:
    """The attempt that goes on to be judged, under the lever that made this variant; it is not raced again."""
    tunable = turns_knobs(attempt.lever)
    return replace(
        attempt,
        candidate=entry.candidate,
        lever=lever_of(turned(head, entry.candidate)) if tunable else attempt.lever,
        params={**({} if tunable else attempt.params), **entry.params},
        reason=f"{attempt.reason}; picked by race {race_id}",
        knobs=(),
    )


def text_of(
    kernel: str, lever: str, entries: Mapping[str, Entry], places: Sequence[Place], readings: int
) -> str:  # fmt: skip
    """`race of 16 variants of tune_any on gemv: winner 1f3c.. (prefetch_1=4096) ..., ties ..., 102 readings`."""
    race_of = f"race of {len(entries)} variants of {lever} on {kernel}"
    gone = len(entries) - len(places)
    out = f"{gone} dropped out, {readings} readings" if gone else f"{readings} readings"
    if not places:
        return f"{race_of}: nobody is left, {out}"
    best, tied = places[0], [place.candidate_id[:8] for place in places if place.tied]
    ties = f"ties {', '.join(tied)}" if tied else "no ties"
    return f"{race_of}: winner {_named(best, entries[best.candidate_id])}, {ties}, {out}"


def _named(best: Place, entry: Entry) -> str:
    values = params_text(entry.params) or "as proposed"
    gain = -math.expm1(-best.median)
    lead = f" {gain:+.2%} of the head's time (selected)" if math.isfinite(gain) else ""
    return f"{best.candidate_id[:8]} ({values}){lead}"
