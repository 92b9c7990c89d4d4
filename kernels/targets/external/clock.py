"""A call's time out of the readings that its command printed. A reading that no call can have is the device's fault."""

import math
import statistics
from collections.abc import Sequence
from pathlib import Path

from kernels.sandbox.runner import RunnerFailed
from kernels.targets.external.commands import Ran
from kernels.targets.external.reader import Misread, Unreadable
from kernels.targets.external.signs import last_line
from kernels.targets.external.tables import Launches, Time


def call_ns(how: Time, launches: Launches, ran: Ran, folder: Path) -> float:
    """Nanoseconds of one call. folder: of the job.

    Raises: RunnerFailed; "setup" when it is the output's form or length that is at fault, and nobody's kernel.
    """
    try:
        return device_ns(how, launches, ran.whole_out, folder)
    except Misread as error:
        raise RunnerFailed("setup", f"{error}; see [time] of the target's file") from error
    except (Unreadable, RunnerFailed) as error:
        why = error.detail if isinstance(error, RunnerFailed) else str(error)
        if ran.lost and not how.reader.file:
            todo = "let it write less, or its times to a file that [time] names"
            raise RunnerFailed("setup", f"{why}, and {ran.lost} bytes of its output were not read: {todo}") from error
        raise RunnerFailed("protocol", f"{why}; the last line of its output: {last_line(ran)}") from error


def device_ns(how: Time, launches: Launches, text: str, folder: Path | None = None) -> float:
    """One time out of the launches that count: the first ones never do, and a launch takes as long as its slowest part.

    Raises: Unreadable, Misread for what is no time, RunnerFailed when there are not as many as launches were asked for.
    """
    numbers = how.reader.numbers(text, folder)
    asked = launches.untimed + launches.timed
    if len(numbers) != asked * how.parts:
        told = f"{len(numbers)} readings in place of {asked * how.parts}"
        of = f"{asked} launches" + (f" of {how.parts} parts" if how.parts > 1 else "")
        raise RunnerFailed("protocol", f"{how.reader.said}: {told}, for {of}")
    counted = numbers[launches.untimed * how.parts :]
    _refuse_impossible(how, counted)
    times = [max(counted[at : at + how.parts]) for at in range(0, len(counted), how.parts)]
    return _picked(how.of, times) * how.ns_per_unit


def _refuse_impossible(how: Time, numbers: Sequence[float]) -> None:
    """Raises: Misread."""
    for number in numbers:
        if not math.isfinite(number) or number < 0:
            raise Misread(f"{how.reader.said}: {number:g} {how.unit} is no time of a launch")
        if number == 0:
            raise Misread(f"{how.reader.said}: 0 {how.unit} for a launch: it prints too few digits")


def _picked(of: str, numbers: Sequence[float]) -> float:
    if of == "median":
        return statistics.median(numbers)
    if of == "mean":
        return statistics.fmean(numbers)
    return min(numbers) if of == "minimum" else max(numbers)
