"""The spans of a profiled call, out of what its command wrote."""

import re
from pathlib import Path

from kernels.sandbox.spans import Span, Timeline
from kernels.targets.external.reader import Unreadable, parsed
from kernels.targets.external.tables import NS, Profile


def timeline_of(how: Profile, text: str, folder: Path) -> Timeline:
    """Empty when nothing matches: a profile is a diagnostic, never a result."""
    if how.file:
        path = folder / how.file
        text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    if how.parser:
        try:
            found = parsed(how.parser, text, how.clock_ghz)
        except Unreadable:
            return Timeline((), 0)
        return found if isinstance(found, Timeline) else Timeline((), 0)
    scale = NS[how.unit] if how.unit != "cycles" else 1.0 / how.clock_ghz
    marks = [_span(match.groupdict(), scale) for match in re.finditer(how.spans, text, re.MULTILINE)]
    if not marks:
        return Timeline((), 0)
    start = min(span.begin_ns for span in marks)
    spans = [Span(s.thread, s.name, s.begin_ns - start, s.end_ns - start) for s in marks]
    spans.sort(key=lambda span: (span.thread, span.begin_ns))
    return Timeline(tuple(spans), int(max(span.end_ns for span in spans)))


def _span(groups: dict[str, str | None], scale: float) -> Span:
    lane = groups.get("lane") or "0"
    begin, end = float(groups["begin"] or 0) * scale, float(groups["end"] or 0) * scale
    return Span(int(lane) if lane.isdigit() else 0, groups["name"] or "", begin, end)
