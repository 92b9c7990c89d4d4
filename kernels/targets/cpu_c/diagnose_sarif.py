"""gcc's diagnostics in SARIF (`-fdiagnostics-format=sarif-stderr`, gcc 13 and newer): gcc 15 has no JSON form any more.

Source: OASIS SARIF 2.1.0: results with level, message, locations, relatedLocations (the notes) and fixes.
"""

import json
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any, Final
from urllib.parse import unquote, urlparse

from kernels.targets.cpu_c.diagnose import broken_because
from kernels.targets.diagnosis import Diagnosis, Diagnostic, Edit, Place, Severity

SARIF_FLAG: Final = "-fdiagnostics-format=sarif-stderr"
_SEVERITIES: Final[dict[str, Severity]] = {
    "fatal error": "fatal error", "error": "error", "warning": "warning", "note": "note",
}  # fmt: skip


def read_sarif(returncode: int, text: str) -> Diagnosis:
    """text: everything that gcc wrote; one log stands in it."""
    found = tuple(_diagnostic(one) for run in _runs(text) for one in run.get("results", []))
    if returncode == 0:
        return Diagnosis(True, found)
    has_error = any(d.severity in ("error", "fatal error") for d in found)
    return Diagnosis(False, found, broken_because(text, has_error))


def _runs(text: str) -> list[dict[str, Any]]:
    at = text.find('{"$schema"')
    at = at if at >= 0 else text.find("{")
    if at < 0:
        return []
    try:
        log, _ = json.JSONDecoder().raw_decode(text, at)
    except json.JSONDecodeError:
        return []
    return list(log.get("runs", [])) if isinstance(log, dict) else []


def _diagnostic(result: dict[str, Any]) -> Diagnostic:
    """A fatal error has the level of an error and says what it is in its rule."""
    severity = _SEVERITIES.get(str(result.get("ruleId", ""))) or _SEVERITIES.get(str(result.get("level", "")), "error")
    notes = result.get("relatedLocations", [])
    places = [p for one in (*result.get("locations", []), *notes) for p in _places(one)]
    words = tuple(str(one["message"]["text"]) for one in notes if "message" in one)
    return Diagnostic(
        severity, str(result.get("message", {}).get("text", "")), tuple(places), words, tuple(_edits(result))
    )


def _places(location: dict[str, Any]) -> Iterator[Place]:
    physical = location.get("physicalLocation", {})
    region = physical.get("region", {})
    if "startLine" in region:
        file = _file(physical.get("artifactLocation", {}))
        yield Place(file, int(region["startLine"]), int(region.get("startColumn", 1)))


def _file(artifact: dict[str, Any]) -> str:
    """The name as it was given to the compiler; absolute for headers of the system."""
    uri = urlparse(str(artifact.get("uri", "")))
    return str(PurePosixPath(unquote(uri.path)))


def _edits(result: dict[str, Any]) -> Iterator[Edit]:
    changes = [change for fix in result.get("fixes", []) for change in fix.get("artifactChanges", [])]
    for change in changes:
        file = _file(change.get("artifactLocation", {}))
        for one in change.get("replacements", []):
            region = one.get("deletedRegion", {})
            if "startLine" in region and region.get("endLine", region["startLine"]) == region["startLine"]:
                start = int(region.get("startColumn", 1))
                text = str(one.get("insertedContent", {}).get("text", ""))
                yield Edit(file, int(region["startLine"]), start, int(region.get("endColumn", start)), text)
