"""gcc's diagnostics in JSON (`-fdiagnostics-format=json`, gcc 9 and newer): errors with their notes and proposals.

gcc writes notes like "called from here" behind the error that they belong to, as entries of their own; here they are
part of it.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from kernels.targets.diagnosis import Diagnosis, Diagnostic, Edit, Place, Severity

JSON_FLAG: Final = "-fdiagnostics-format=json"
_BROKEN: Final = re.compile(
    r"internal compiler error|out of memory|virtual memory exhausted|memory exhausted|limit exceeded|No space left"
    r"|Killed|cannot execute|Cannot allocate memory|File size limit"
)
_SEVERITIES: Final[tuple[Severity, ...]] = ("fatal error", "error", "warning", "note")


def read_json(returncode: int, text: str) -> Diagnosis:
    """text: everything that gcc wrote; the arrays of its passes stand between lines of plain text."""
    found = tuple(_joined(entry for array in _arrays(text) for entry in array))
    ok = returncode == 0
    has_error = any(d.severity in ("error", "fatal error") for d in found)
    broken = "" if ok else broken_because(text, has_error)
    return Diagnosis(ok, found, broken)


def broken_because(text: str, has_error: bool) -> str:
    """Why the compiler's answer says nothing of the source; "" when it does."""
    said = _BROKEN.search(text)
    if said is not None:
        return said.group(0)
    return "" if has_error else "failed without a diagnostic"


def _arrays(text: str) -> Iterator[list[dict[str, Any]]]:
    decoder = json.JSONDecoder()
    at = text.find("[{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError:
            at = text.find("[{", at + 1)
            continue
        yield value
        at = text.find("[{", end)


def _joined(entries: Iterator[dict[str, Any]]) -> Iterator[Diagnostic]:
    last: Diagnostic | None = None
    for entry in entries:
        one = _diagnostic(entry)
        if one.severity == "note" and last is not None:
            last = replace(last, places=(*last.places, *one.places), notes=(*last.notes, one.message, *one.notes))
            continue
        if last is not None:
            yield last
        last = one
    if last is not None:
        yield last


def _diagnostic(entry: dict[str, Any]) -> Diagnostic:
    notes = [_diagnostic(child) for child in entry.get("children", [])]
    kind = str(entry.get("kind", "error"))
    severity: Severity = next((s for s in _SEVERITIES if s == kind), "error")
    own = tuple(_places(entry))
    return Diagnostic(
        severity, str(entry.get("message", "")), (*own, *(p for note in notes for p in note.places)),
        tuple(words for note in notes for words in (note.message, *note.notes)), tuple(_edits(entry)),
    )  # fmt: skip


def _places(entry: dict[str, Any]) -> Iterator[Place]:
    for location in entry.get("locations", []):
        caret = location.get("caret", {})
        if "line" in caret:
            yield Place(str(caret.get("file", "")), int(caret["line"]), int(caret.get("column", 1)))


def _edits(entry: dict[str, Any]) -> Iterator[Edit]:
    for fix in entry.get("fixits", []):
        start, end = fix.get("start", {}), fix.get("next", {})
        if start.get("line") == end.get("line") and "byte-column" in start:
            columns = int(start["byte-column"]), int(end["byte-column"])
            yield Edit(str(start.get("file", "")), int(start["line"]), *columns, str(fix.get("string", "")))
