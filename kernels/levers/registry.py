"""All levers, by name."""

from functools import cache

from kernels.levers.base import Application, Context, Lever, LeverDoesNotApply
from kernels.levers.flags import flag_levers
from kernels.levers.tunables import TunableLever
from kernels.values.candidate import Candidate


@cache
def _levers() -> dict[str, Lever]:
    listed: list[Lever] = [TunableLever(), *flag_levers()]
    return {lever.name: lever for lever in listed}


def all_levers() -> tuple[Lever, ...]:
    """Sketches first, then structure, tunables, flags."""
    return tuple(_levers().values())


def applications(candidate: Candidate, context: Context) -> list[Application]:
    """Every way to pull any lever on this candidate, in a fixed order."""
    return [a for lever in all_levers() for a in lever.applications(candidate, context)]


def apply(candidate: Candidate, application: Application, context: Context) -> Candidate:
    """Raises: LeverDoesNotApply, also for an unknown lever or when nothing would change."""
    lever = _levers().get(application.lever)
    if lever is None:
        raise LeverDoesNotApply(f"there is no lever {application.lever!r}; levers: {', '.join(_levers())}")
    made = lever.apply(candidate, application, context)
    if made.id == candidate.id:
        raise LeverDoesNotApply(f"{application.lever} changes nothing")
    return made


def family_of(lever_name: str) -> str:
    """sketch, structure, tunable or flags. Raises: ValueError for an unknown lever."""
    lever = _levers().get(lever_name)
    if lever is None:
        raise ValueError(f"there is no lever {lever_name!r}; levers: {', '.join(_levers())}")
    return lever.family
