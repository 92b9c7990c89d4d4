"""From a definition to readings: several setups read by turns, each reading a line through three counts."""

import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from kernels.device.modes import Modes
from kernels.targets.base import Target
from knowledge.probes.definition import Definition, Setup
from knowledge.probes.lines import base_count, line, warm_count
from knowledge.probes.readings import Fit, Spread, spread
from knowledge.probes.rig import Rig, load_average, rig

READINGS: Final = 7
MODE_READINGS: Final = 24
MODE_PAUSE_S: Final = 0.06


@dataclass(frozen=True, slots=True)
class Measured:
    """readings: in the fact's unit. points: of a sweep [x, value], of modes [GB/s, readings]. fit: of the last line."""

    readings: tuple[float, ...]
    spread: Spread
    points: tuple[tuple[Any, float], ...] = ()
    fit: dict[str, float] = field(default_factory=dict)
    environment: dict[str, Any] = field(default_factory=dict)


def measure(definition: Definition, target: Target, folder: Path, readings: int = READINGS) -> Measured:
    """Holds nothing: the caller has the machine. Raises: ProbeFailed."""
    match definition.method:
        case "slope" if definition.sweep is not None:
            return _swept(definition, target, folder, readings)
        case "slope":
            return _lines(definition, target, folder, readings)
        case "modes":
            return _modes(definition, target, folder)
        case _:
            return _calls(definition, target, folder, readings)


def _lines(definition: Definition, target: Target, folder: Path, readings: int) -> Measured:
    setups = [definition.setup, *([definition.against] if definition.against else [])]
    series, last, environment = by_turns(definition.name, setups, target, folder, readings)
    values = [a / b for a, b in zip(*series, strict=True)] if len(series) > 1 else series[0]
    return Measured(tuple(values), spread(values), (), last, environment)


def _swept(definition: Definition, target: Target, folder: Path, readings: int) -> Measured:
    sweep = definition.sweep
    assert sweep is not None
    series, last, environment = by_turns(definition.name, [s for _, s in sweep.points], target, folder, readings)
    medians = [spread(values).value for values in series]
    best = min if definition.setup.quantity == "time" else max
    at = {"first": 0, "last": len(medians) - 1, "best": medians.index(best(medians))}[sweep.headline]
    points = tuple((x, value) for (x, _), value in zip(sweep.points, medians, strict=True))
    return Measured(tuple(series[at]), spread(series[at]), points, last, environment)


def by_turns(
    name: str, setups: Sequence[Setup], target: Target, folder: Path, readings: int
) -> tuple[list[list[float]], dict[str, float], dict[str, Any]]:
    """A value of each setup in every round, the fit of the last reading, and under what it was read."""
    series: list[list[float]] = [[] for _ in setups]
    with ExitStack() as stack:
        rigs = [stack.enter_context(rig(name, target, setup, folder)) for setup in setups]
        warm = [warm_count(setup, one.size, target.machine) for setup, one in zip(setups, rigs, strict=True)]
        bases = [base_count(one, before) for one, before in zip(rigs, warm, strict=True)]
        last = Fit(0, 0, 0)
        for one, base, before in zip(rigs, bases, warm, strict=True):
            line(one, base, before)
        for _ in range(readings):
            for values, one, setup, base, before in zip(series, rigs, setups, bases, warm, strict=True):
                last = line(one, base, before)
                values.append(value_of(last, setup, one.size))
        return series, _fit_json(last, bases[-1]), _environment(rigs)


def value_of(found: Fit, setup: Setup, size: int) -> float:
    """ns of one piece of work, or pieces of work a ns."""
    work = float(size) if setup.work is None else setup.work
    return found.slope / work if setup.quantity == "time" else work / found.slope


def _calls(definition: Definition, target: Target, folder: Path, readings: int) -> Measured:
    """Times of calls with count 0, each for one of its `work`, or of empty messages."""
    with rig(definition.name, target, definition.setup, folder) as one:
        values: list[float] = []
        for _ in range(readings * 4):
            call = definition.method == "call"
            values.append(one.times([0])[0] / (definition.setup.work or 1) if call else one.round_trip())
            time.sleep(0.002)
        return Measured(tuple(values), spread(values), (), {}, _environment([one]))


def _modes(definition: Definition, target: Target, folder: Path) -> Measured:
    """The rate, read again and again, sorted into levels as the referee does; the fact is highest / lowest level."""
    modes = Modes()
    with rig(definition.name, target, definition.setup, folder) as one:
        base = base_count(one)
        rates: list[float] = []
        for _ in range(MODE_READINGS):
            rates.append(value_of(line(one, base), definition.setup, one.size))
            modes.observe(rates[-1])
            time.sleep(MODE_PAUSE_S)
        environment = _environment([one])
    levels = sorted(mode.gbs for mode in modes.known)
    counts = [sum(modes.name(rate) == mode.name for rate in rates) for mode in sorted(modes.known, key=lambda m: m.gbs)]
    ratio = levels[-1] / levels[0]
    points = tuple(zip(levels, map(float, counts), strict=True))
    return Measured(tuple(rates), Spread(ratio, ratio, ratio), points, {}, environment)


def _fit_json(found: Fit, base: int) -> dict[str, float]:
    return {"slope_ns": found.slope, "fixed_ns": found.fixed, "residual": found.residual, "base_count": base}


def _environment(rigs: Sequence[Rig]) -> dict[str, Any]:
    return {"load": load_average(), "fifo": all(one.fifo for one in rigs)}
