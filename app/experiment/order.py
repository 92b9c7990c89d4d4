"""Which trajectory runs next. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.bench.search.plan import turns


@dataclass(frozen=True, slots=True)
class Place:
    """Where a trajectory stands. id: of its row; begun: it has a campaign; ended: that has come to its end."""

    id: int
    arm: str
    number: int
    begun: bool
    ended: bool


def upcoming(places: Sequence[Place], seed: int) -> Place | None:
    """What has begun goes on first; else one of every arm a round, in an order drawn anew. None when all have ended."""
    for place in places:
        if place.begun and not place.ended:
            return place
    waiting = [place for place in places if not place.begun]
    if not waiting:
        return None
    done = {place.arm: 0 for place in waiting}
    for place in places:
        if place.ended and place.arm in done:
            done[place.arm] += 1
    arm = turns(done, min(done.values()), seed)[0]
    return min((place for place in waiting if place.arm == arm), key=lambda place: place.number)
