"""clang's diagnostics as text: it has no form made for programs that is the same in all of its releases.

Source: "Clang Compiler User's Manual", Formatting of Diagnostics: `file:line:column: severity: message [-Wname]`.
Notes follow the diagnostic that they belong to.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, cast

from kernels.targets.cpu_c.diagnose import broken_because
from kernels.targets.diagnosis import Diagnosis, Diagnostic, Place, Severity

TEXT_FLAGS: Final = ("-fno-caret-diagnostics", "-fno-color-diagnostics", "-fdiagnostics-absolute-paths")
_LINE: Final = re.compile(
    r"^(?:(?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+): |(?:clang|error)?:? ?)"
    r"(?P<severity>fatal error|error|warning|note): (?P<message>[^\n]*?)(?: \[-W[^\]\n]*\])?$",
    re.MULTILINE,
)


def read_text(returncode: int, text: str) -> Diagnosis:
    """text: everything that clang wrote."""
    found = tuple(_joined(_diagnostic(line) for line in _LINE.finditer(text)))
    if returncode == 0:
        return Diagnosis(True, found)
    return Diagnosis(False, found, broken_because(text, any(d.severity in ("error", "fatal error") for d in found)))


def _diagnostic(line: re.Match[str]) -> Diagnostic:
    severity = cast("Severity", line["severity"])
    where = (Place(line["file"], int(line["line"]), int(line["column"])),) if line["file"] else ()
    return Diagnostic(severity, line["message"], where)


def _joined(every: Iterator[Diagnostic]) -> Iterator[Diagnostic]:
    last: Diagnostic | None = None
    for one in every:
        if one.severity == "note" and last is not None:
            last = replace(last, places=(*last.places, *one.places), notes=(*last.notes, one.message))
            continue
        if last is not None:
            yield last
        last = one
    if last is not None:
        yield last
