"""What a build command said, as values: by a regular expression with named groups."""

import re
from collections.abc import Sequence
from typing import Final

from kernels.targets.diagnosis import Diagnosis, Diagnostic, Place, Severity
from kernels.targets.external.commands import Ran
from kernels.targets.external.signs import NOBODYS, line_of, sign_in
from kernels.targets.external.tables import Sign

SEVERITIES: Final[dict[str, Severity]] = {
    "error": "error", "fatal error": "fatal error", "fatal": "fatal error", "warning": "warning", "note": "note",
}  # fmt: skip


def read_diagnostics(ran: Ran, errors: str, signs: Sequence[Sign], folder: str) -> Diagnosis:
    """errors: groups message, and file, line, column, severity where it can. folder: of the sources."""
    sign = sign_in(ran.heard, signs)
    if ran.code is None:
        return Diagnosis(False, broken=f"the build took more than {ran.seconds:.0f} s")
    if sign is not None and sign.means in NOBODYS:
        return Diagnosis(False, broken=line_of(ran.heard, sign))
    found = [_diagnostic(m.groupdict(), folder) for m in re.finditer(errors, ran.said, re.MULTILINE)] if errors else []
    if ran.code and not any(one.severity in ("error", "fatal error") for one in found):
        last = next((line for line in reversed(ran.said.splitlines()) if line.strip()), f"exit code {ran.code}")
        found.append(Diagnostic("error", last.strip()))
    return Diagnosis(ran.code == 0, tuple(found))


def _diagnostic(groups: dict[str, str | None], folder: str) -> Diagnostic:
    severity = SEVERITIES.get((groups.get("severity") or "error").lower(), "error")
    file, line = groups.get("file") or "", groups.get("line") or ""
    places: tuple[Place, ...] = ()
    if file != "" and line.isdigit():
        places = (Place(file.removeprefix(f"{folder}/"), int(line), int(groups.get("column") or 1)),)
    return Diagnostic(severity, (groups["message"] or "").strip(), places)
