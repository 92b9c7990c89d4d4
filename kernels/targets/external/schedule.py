"""A static schedule out of what the schedule command wrote: a planned end, or spans by a parser of their own format.

A parser is `module:function` and takes (text, clock_ghz, model) to a Timetable; it raises ValueError for what it cannot
read.
"""

from pathlib import Path

from kernels.targets.base import CompileFailed
from kernels.targets.external.reader import Unreadable, parsed
from kernels.targets.external.tables import NS, Schedule
from kernels.values.timetable import Step, Timetable


def timetable_of(how: Schedule, model: str, text: str, folder: Path) -> Timetable:
    """Raises: CompileFailed for an output that cannot be read."""
    clock_ghz = how.clock_ghz if how.unit == "cycles" else 1.0 / NS[how.unit]
    try:
        if how.file:
            text = (folder / how.file).read_text(encoding="utf-8", errors="replace")
        if how.total is not None:
            end = int(how.total.numbers(text, folder)[0])
            return Timetable((Step("0", "whole", ("device",), 0, end),), clock_ghz, model)
        found = parsed(how.parser, text, clock_ghz, model)
    except (OSError, Unreadable, ValueError, OverflowError) as error:
        raise CompileFailed("compile_error", f"the schedule cannot be read: {error}") from error
    if not isinstance(found, Timetable):
        raise CompileFailed("compile_error", f"the schedule cannot be read: {how.parser} gave no Timetable")
    return found
