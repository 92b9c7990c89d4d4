"""The race that picked a candidate, on the page of its node: who ran, who led, who dropped out and why. Pure."""

from app.views import Line, Tone, count, folded, gain, short_id, wrap
from kernels.values.params import params_text
from store.views import RacedView, RaceView


def race_lines(race: RaceView, width: int) -> list[Line]:
    """Best first; gains of a race are selected, and say so."""
    again = f" ({race.redone} taken again)" if race.redone else ""
    blocks, readings = count(race.blocks, "block"), count(race.readings, "reading")
    said = f"{blocks}{again}, {readings}, {race.device_seconds:.1f} s; gains are selected"
    title = f"-- race {race.id}: {len(race.variants)} of {count(race.grid, 'variant')} of {race.lever} "
    told = (title, said if race.state == "done" else f"{race.state}: {race.reason}")
    lines: list[Line] = [((row, "dim"),) for text in told for row in folded(text, max(10, width))]
    for one in race.variants:
        lines += _variant(one, race, width)
    return lines


def _variant(one: RacedView, race: RaceView, width: int) -> list[Line]:
    values = params_text(one.params) or "as proposed"
    won = one.candidate_id == race.winner
    if one.rank is None:
        why = " ".join(part for part in (one.kind.replace("_", " "), one.reason) if part) or one.state
        first, *more = wrap(f"{short_id(one.candidate_id)} {values}: {why}", max(10, width - 6)) or [""]
        return [(("  -  ", "bad"), (first, "dim")), *((((" " * 5 + row), "dim"),) for row in more)]
    tie = "  tied" if one.tied else ""
    score = gain(one.gain) if one.gain is not None else ""
    text = f"{short_id(one.candidate_id)} {score:>8}  {count(one.rounds, 'round'):8}  {values}{tie}"
    first, *more = folded(text, max(10, width - 5))
    tone: Tone = "good" if won else ""
    return [((f"{one.rank:3}  ", "dim"), (first, tone)), *((((" " * 5 + row), tone),) for row in more)]
