"""One cell of a history as a value. Pure. Each raises CellError with what was found and what to do."""

import calendar
import math
import re
from dataclasses import dataclass
from typing import Final

DATE: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
TIME: Final = re.compile(r"(?<!\d)([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?")
TEXT_LIMIT: Final = 400


class CellError(ValueError):
    """found: what the cell holds, in words; do: what helps."""

    def __init__(self, found: str, do: str) -> None:
        super().__init__(f"{found}: {do}")


@dataclass(frozen=True, slots=True)
class Moment:
    """at: UTC seconds of the first date and time in the text. known: "time", "date" (at is its midnight) or ""."""

    at: float
    known: str


def moment(text: str) -> Moment:
    """Also of ranges ("...T17:06..17:12") and remarks ("before ...", "... (after 11:13)"), by their first time."""
    found = DATE.search(text)
    if found is None:
        if text.strip():
            raise CellError(f"{shown(text)} has no date", "write YYYY-MM-DD or YYYY-MM-DDTHH:MM, or leave it empty")
        return Moment(0.0, "")
    year, month, day = map(int, found.groups())
    if not 1970 <= year <= 9998 or not 1 <= month <= 12 or not 1 <= day <= calendar.monthrange(year, month)[1]:
        raise CellError(f"{shown(text)} is no day of the calendar", "write YYYY-MM-DD")
    midnight = float(calendar.timegm((year, month, day, 0, 0, 0)))
    time = TIME.search(text, found.end())
    if time is None:
        return Moment(midnight, "date")
    hours, minutes, seconds = (int(part or 0) for part in time.groups())
    return Moment(midnight + 3600 * hours + 60 * minutes + seconds, "time")


def cycles(text: str) -> float | None:
    """None for an empty cell."""
    return _positive(text, "cycles are a number above 0; mend the cell or leave it empty")


def score(text: str) -> float | None:
    """A published speedup; None for an empty cell."""
    return _positive(text, "a score is a number above 0; mend the cell or leave it empty")


def place(text: str) -> int | None:
    """The row's own place in its history; None for an empty cell."""
    if not text.strip():
        return None
    if not re.fullmatch(r"\d{1,9}", text.strip()):
        raise CellError(f"{shown(text)} is no place", "write a whole number from 0 on, or leave it empty")
    return int(text)


def words(text: str) -> str:
    """A text as it is kept: trimmed, at most 400 characters."""
    return text.strip()[:TEXT_LIMIT]


def shown(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")


def _positive(text: str, do: str) -> float | None:
    if not text.strip():
        return None
    try:
        value = float(text)
    except ValueError:
        raise CellError(f"{shown(text)} is no number", do) from None
    if not math.isfinite(value) or value <= 0:
        raise CellError(f"{shown(text)} is not above 0 and finite", do)
    return value
