"""A baseline analysis as lines, from its JSON form: the same for commands, the screen and reports. Pure."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from app.text import table
from app.views import about, count, duration_ns

NAMES: Final = (("memory_ns", "memory"), ("compute_ns", "arithmetic"), ("steps_ns", "dependent steps"))
Told = Mapping[str, Any]


def text(told: Told) -> str:
    return "\n".join(lines(told))


def lines(told: Told) -> Iterator[str]:
    """The first says what it is; the others are indented by two."""
    yield f"{told['kernel']}: {what(told)}"
    yield f"  {amounts(told)}"
    yield from (f"  {line}" for line in loops(told).splitlines())
    yield f"  as written, one thread: {_said(told['as_written'])}"
    yield f"  at its best, all threads: {_said(told['at_best'])}"
    if told["why"]:
        yield f"  not followed: {told['why']}"
    if told["missing_facts"]:
        yield f"  not measured: {', '.join(told['missing_facts'])}: ./run.sh knowledge facts --measure"
    yield from (f"  {line}" for line in measured(told))
    yield f"  skills: {', '.join(told['skills']) or 'none speaks for it'}"


def what(told: Told) -> str:
    """ "streaming matvec, also map"."""
    also = ", ".join(kind for kind in told["types"] if kind != told["type"])
    return f"{told['type']}, also {also}" if also else str(told["type"])


def amounts(told: Told) -> str:
    moved, least = told["bytes"], "" if told["exact"] else " at least"
    return (
        f"{digits(told['operations'])} operations{least}, {moved['whole']:,} bytes a call "
        f"({moved['weights']:,} of weights), {about(told['intensity'])} operations a byte; "
        f"arrays come from {moved['level']}"
    )


def bounds(told: Told) -> str:
    """ "as written by dependent steps, at its best by memory"."""
    written, best = told["as_written"]["bound"], told["at_best"]["bound"]
    return f"as written by {written}, at its best by {best}" if "not known" not in (written, best) else "not known yet"


def loops(told: Told) -> str:
    rows = [
        [
            nest["function"], nest["kind"], nest_text(nest), digits(nest["operations"]), digits(nest["steps"]),
            " ".join(nest["reads"]), " ".join(nest["writes"]), ", ".join(nest["traits"]),
        ]
        for nest in told["loops"]
    ]  # fmt: skip
    return table(("in", "type", "loops", "operations", "in a row", "reads", "writes", "needs"), rows) if rows else ""


def nest_text(nest: Told) -> str:
    """ "row 4096 x column ~120": "~" where the turns vary."""
    return " x ".join(_turn(one) for one in nest["loops"])


def nests(told: Told) -> Iterator[str]:
    """What the table of `loops` says, a sentence for each: for where a table has no room."""
    for nest in told["loops"]:
        row = f", {digits(nest['steps'])} of them in a row" if nest["steps"] else ""
        sides = ("reads", nest["reads"]), ("writes", nest["writes"]), ("needs", nest["traits"])
        said = (f"{word} {', '.join(names)}" for word, names in sides if names)
        amount = f"{digits(nest['operations'])} operations{row}"
        yield "; ".join((f"{nest['function']}: {nest['kind']}, {nest_text(nest)}", amount, *said))


def digits(amount: float) -> str:
    """Of operations: "31,457,280"."""
    return f"{amount:,.0f}"


def _turn(one: Told) -> str:
    times = "?" if one["trip"] is None else f"{one['trip']:.0f}"
    return f"{one['variable']} {'~' if one['varies'] else ''}{times}"


def measured(told: Told) -> Iterator[str]:
    """What a campaign measured of the baseline, and the last profile."""
    found = told["measured"]
    if found is None:
        return
    peak = "" if found["peak_ns"] is None else f", {found['ns'] / found['peak_ns']:.1f} times the peak"
    yield f"measured in campaign {found['campaign']}: {duration_ns(found['ns'])}{peak}"
    if found["profiled"] is not None:
        whose = "the baseline" if found["profile_is_of_the_baseline"] else f"candidate {found['profiled'][:8]}"
        shares = ", ".join(f"{bound} {100 * share:.0f} %" for bound, share in found["bounds"].items())
        yield f"last profile, of {whose}: {count(len(found['spans']), 'span')}, bound by {shares}"


def _said(times: Told) -> str:
    known = ", ".join(f"{name} {duration_ns(times[key])}" for key, name in NAMES if times[key] is not None)
    return "not known yet" if times["bound"] == "not known" else f"bound by {times['bound']} ({known})"
