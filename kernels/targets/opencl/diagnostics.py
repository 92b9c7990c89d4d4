"""What PoCL's compiler prints, with the names of the source in place of its temporary file's, and as values."""

import re
from collections.abc import Iterator
from typing import Final

from kernels.targets.diagnosis import Diagnosis, Diagnostic, Place, Severity, diagnosis_of

_TEMPORARY: Final = re.compile(r"[^\s:'\"]*tempfile_\w+\.cl")
_NOISE: Final = re.compile(
    r"^(Device .* failed to build the program|\d+ (error|warning)s? generated\.)\n?", re.MULTILINE
)
_LINE: Final = re.compile(
    r"^(?:(?P<before>fatal error|error|warning|note): )?(?P<file>[^\s:]+):(?P<line>\d+):(?P<column>\d+)"
    r"(?: <Spelling=[^>]*>)?: (?:(?P<behind>fatal error|error|warning|note): )?(?P<message>.*)$",
    re.MULTILINE,
)
_SEVERITIES: Final[dict[str, Severity]] = {
    "fatal error": "fatal error", "error": "error", "warning": "warning", "note": "note",
}  # fmt: skip


def plain(text: str, main: str) -> str:
    """main: name of the source."""
    return _NOISE.sub("", _TEMPORARY.sub(main, text))


def read(returncode: int, text: str, main: str) -> Diagnosis:
    return diagnosis_of(returncode, text, tuple(_diagnostics(plain(text, main))))


def _diagnostics(text: str) -> Iterator[Diagnostic]:
    for one in _LINE.finditer(text):
        severity = _SEVERITIES[one["before"] or one["behind"] or "error"]
        yield Diagnostic(severity, one["message"], (Place(one["file"], int(one["line"]), int(one["column"])),))
