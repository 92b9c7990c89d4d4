"""The figures of an experiment in words, tables and curves."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from app.experiment import again, reaching
from app.stepped import steps
from app.text import table
from kernels.judge.arms import reach
from kernels.judge.sample_size import LEVEL

Found = dict[str, Any]
MARKERS: Final = "abcdefghijklmnopqrstuvwxyz"
SIZE: Final = (100, 18)
FEW: Final = 6
"""Trajectories below which a bootstrap interval cannot reach 95 %."""


def text(found: Found, *, plots: bool = True) -> str:
    return "\n".join(_lines(found, plots=plots))


def _lines(found: Found, *, plots: bool) -> Iterator[str]:
    yield _head(found)
    if found["state"] != "done":
        yield "not done yet: figures come with the final block; the same command goes on"
        return
    header = ("arm", "n", "speedup (95 %)", "spread", "against control (95 %)", "p", "Holm", "")
    yield table(header, [_row(arm) for arm in found["arms"]])
    yield from _remarks(found)
    if plots:
        yield from drawn(found)
    yield again.text(found["replay"])


def _head(found: Found) -> str:
    kinds = {"positions": "positions", "device_seconds": "device seconds", "usd": "dollars", "minutes": "minutes"}
    ((kind, amount),) = found["budget"].items()
    return (
        f"experiment {found['experiment']} {found['name']}: {found['pack']} ({', '.join(found['kernels'])}) on "
        f"{found['device']}, {found['toolchain']}; {amount:g} {kinds[kind]} a trajectory"
    )


def _row(arm: Found) -> list[str]:
    if not arm["n"]:
        return [arm["name"], "-", "not run", "", "", "", "", arm["verdict"]]
    against = arm["against_control"]
    return [
        arm["name"], str(arm["n"]), _factor(arm["geomean"], arm["interval"]),
        f"x/ {arm['spread']:.3f}" if arm["spread"] else "-",
        _factor(against["ratio"], against["interval"], digits=3) if against else "",
        _p(against and against["permutation_p"]), _p(against and against.get("holm_p")), arm["verdict"],
    ]  # fmt: skip


def _factor(value: float | None, interval: Sequence[float] | None, digits: int = 2) -> str:
    if value is None:
        return "not measured"
    ends = "" if interval is None else f" ({interval[0]:.{digits}f}..{interval[1]:.{digits}f})"
    return f"{value:.{digits}f}x{ends}"


def _p(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _remarks(found: Found) -> Iterator[str]:
    arms = found["arms"]
    yield (
        f"speedup: geometric mean over trajectories of each final head against its own start, {found['pairs']} pairs "
        "of all of them in one block; interval: trajectory bootstrap; spread: geometric sd; p: permutation test on log "
        "speedup, exact unless said otherwise"
    )
    if len([a for a in arms if a["n"]]) > 2 and found["permutation_p"] is not None:
        drawn_only = "" if found["exact"] else ", by permutations that were drawn: there are too many for all"
        yield f"all arms together: p {found['permutation_p']:.3f}{drawn_only}"
    fewest = min((a["n"] for a in arms if a["n"]), default=0)
    if fewest == 1:
        yield "one trajectory has neither interval nor p: it says nothing of what the next would do"
    elif 0 < fewest < FEW:
        yield f"an interval of {fewest} trajectories covers at most {reach(fewest):.0%}, whatever its name says"
    yield from _floor([a["against_control"] for a in arms if a["against_control"]])
    for arm in arms:
        if arm["cannot_change"]:
            run = "what it shows is noise" if arm["n"] else "not run"
            yield f"{arm['name']}: {run}, it cannot matter here: {arm['cannot_change']}"
        yield from (f"{arm['name']}: of no effect here: {remark}" for remark in arm["remarks"])
    yield from map(str, found["remarks"])
    yield from reaching.text(found["to_target"])
    yield f"did: {'; '.join(_acted(arm) for arm in arms if arm['n'])}"


def _floor(compared: Sequence[Found]) -> Iterator[str]:
    """Where so few trajectories could tell no difference however large."""
    floors = [against["least_p"] for against in compared if against["least_p"] is not None]
    asked = len([against for against in compared if against.get("holm_p") is not None])
    if floors and min(floors) * max(asked, 1) >= LEVEL:
        corrected = f", and by Holm's correction for {asked} arms not below {min(asked * min(floors), 1.0):.2g}"
        yield f"with so few trajectories p cannot be below {min(floors):.2g}{corrected if asked > 1 else ''}"


def _acted(arm: Found) -> str:
    did = arm["acted"]
    gates = ", ".join(f"{gate} {n}" for gate, n in did["refused"].items()) or "nobody"
    return f"{arm['name']}: refused {gates}; {did['raced']} races; {did['remembered']} notes kept"


def drawn(found: Found) -> Iterator[str]:
    """Mean incumbents as step curves, a letter an arm."""
    from app.widgets.plot import Curve, Figure, draw, load_plotext

    arms = [arm for arm in found["arms"] if arm["curve"]]
    end = max((x for arm in arms for x, _ in arm["curve"]), default=0.0)
    ((_, amount),) = found["budget"].items()
    end = max(end, amount) if "minutes" not in found["budget"] else end
    if not arms or end <= 0:
        return
    load_plotext()
    curves = [
        Curve(steps(tuple((x, y) for x, y in arm["curve"]), until=end), marker)
        for arm, marker in zip(arms, MARKERS, strict=False)
    ]
    yield from draw(Figure(tuple(curves)), *SIZE)
    legend = ", ".join(f"{marker} {arm['name']}" for arm, marker in zip(arms, MARKERS, strict=False))
    yield f"{legend}; steps: promotions' own claims, scaled to what the final block measured"


def listing(rows: Sequence[Any]) -> str:
    return table(
        ("id", "name", "pack", "device", "state"),
        [[str(r.id), r.name, r.pack, r.device, r.state] for r in rows],
    )
