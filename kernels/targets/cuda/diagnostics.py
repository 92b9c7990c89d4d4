"""What nvcc, its preprocessor and ptxas print, as values, and the first line that matters.

kernel.cu(4): error: identifier "sums" is undefined          cudafe++ and cicc; also `error #20:`, `warning #177-D:`
kernel.cu:1:10: fatal error: nope.h: No such file            the preprocessor, which is the host's compiler
ptxas kernel.ptx, line 34; error   : Unknown modifier '.bar' ptxas, about inline PTX
ptxas error   : Entry function 'mv' uses too much shared data (0x61a80 bytes, 0xc000 max)
nvcc fatal   : Unknown option '--foo'                        the driver
"""

import re
from collections.abc import Iterator
from typing import Final

from kernels.targets.diagnosis import Diagnosis, Diagnostic, Place, Severity, diagnosis_of

_FRONT: Final = re.compile(
    r"^(?P<file>[^\s():][^():\n]*)\((?P<line>\d+)\): (?P<severity>catastrophic error|error|warning|remark)"
    r"(?: #[\w-]+)?: (?P<message>.*)$"
)
_HOST: Final = re.compile(
    r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<severity>fatal error|error|warning|note): "
    r"(?P<message>.*)$"
)
_PTX: Final = re.compile(
    r"^ptxas (?P<file>[^,\n]+), line (?P<line>\d+); (?P<severity>error|warning|fatal)\s*: (?P<message>.*)$"
)
_TOOL: Final = re.compile(r"^(?P<tool>ptxas|nvcc|nvlink|cicc)\s+(?P<severity>error|warning|fatal)\s*: (?P<message>.*)$")
_FOLLOWS: Final = "Ptx assembly aborted due to errors"
_SEVERITIES: Final[dict[str, Severity]] = {
    "catastrophic error": "fatal error", "fatal error": "fatal error", "fatal": "error", "error": "error",
    "warning": "warning", "remark": "note", "note": "note",
}  # fmt: skip


def read(returncode: int, text: str) -> Diagnosis:
    return diagnosis_of(returncode, text, tuple(_diagnostics(text)))


def root_cause(text: str) -> str:
    """The first error's line as it was printed, else the first line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = (line for line in lines if (one := _one(line)) is not None and one.severity in ("error", "fatal error"))
    return next(errors, lines[0] if lines else "the compiler failed without a word")


def _diagnostics(text: str) -> Iterator[Diagnostic]:
    for line in text.splitlines():
        found = _one(line.strip("\r"))
        if found is not None:
            yield found


def _one(line: str) -> Diagnostic | None:
    for pattern in (_FRONT, _HOST, _PTX):
        if found := pattern.match(line):
            column = found.groupdict().get("column")
            place = Place(found["file"], int(found["line"]), int(column or 1))
            return Diagnostic(_SEVERITIES[found["severity"]], found["message"].strip(), (place,))
    found = _TOOL.match(line)
    if found is None or found["message"].strip() == _FOLLOWS:
        return None
    return Diagnostic(_SEVERITIES[found["severity"]], found["message"].strip())
